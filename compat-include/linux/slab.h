/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Old side of <linux/slab.h>: see compat-include/linux/memcontrol.h.
 */
#ifndef PCINSPECT_COMPAT_LINUX_SLAB_H
#define PCINSPECT_COMPAT_LINUX_SLAB_H
#include_next <linux/slab.h>

/* Before 6.5 slab merges caches of one size, and a merged one stays as long as any of them. */
#ifndef SLAB_NO_MERGE
#define SLAB_NO_MERGE 0
#endif

#endif
