/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Old side of <linux/mm_inline.h>: see compat-include/linux/memcontrol.h.
 */
#ifndef PCINSPECT_COMPAT_LINUX_MM_INLINE_H
#define PCINSPECT_COMPAT_LINUX_MM_INLINE_H
#include_next <linux/mm_inline.h>

/*
 * Absent in 6.1, present in 6.12: upstream commit 8788f6781486 ("mm: add
 * vma_has_recency()"). Before it the use of a page counts through whatever
 * mapping it is used.
 */
#ifndef PCINSPECT_HAVE_VMA_HAS_RECENCY
static inline bool vma_has_recency(struct vm_area_struct *vma)
{
	return true;
}
#endif

#endif
