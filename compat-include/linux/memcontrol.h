/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Old side of <linux/memcontrol.h>: the kernel's header first, then what newer
 * kernels have and this one lacks. Kbuild looks into the kernel's own headers
 * (PCINSPECT_HAVE_*), because stable updates move things between versions.
 */
#ifndef PCINSPECT_COMPAT_LINUX_MEMCONTROL_H
#define PCINSPECT_COMPAT_LINUX_MEMCONTROL_H
#include_next <linux/memcontrol.h>

/*
 * folio_memcg_check() is absent in 6.1, present in 6.12. page_memcg_check()
 * reads the same word of a head page (include/linux/memcontrol.h, 6.1).
 */
#ifndef PCINSPECT_HAVE_FOLIO_MEMCG_CHECK
static inline struct mem_cgroup *folio_memcg_check(struct folio *folio)
{
	return page_memcg_check(&folio->page);
}
#endif

#endif
