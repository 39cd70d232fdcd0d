/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Old side of <linux/slab.h>: see compat-include/linux/memcontrol.h.
 */
#ifndef PCINSPECT_COMPAT_LINUX_SLAB_H
#define PCINSPECT_COMPAT_LINUX_SLAB_H
#include_next <linux/slab.h>

/* Before 6.5 a cache may be one with another's of the same size; it stays as long as that. */
#ifndef SLAB_NO_MERGE
#define SLAB_NO_MERGE 0
#endif

#endif
