/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * pcinspect_ranges.h - the cached pages of a file, by LRU list.
 *
 * Why: mincore(2) says which, but not on which list. So the cached
 * pages of a file can be saved, and restored later.
 */
#ifndef _UAPI_PCINSPECT_RANGES_H
#define _UAPI_PCINSPECT_RANGES_H

#include <linux/types.h>

/* enum pcinspect_range_list - where reclaim has a page, as in a snapshot */
enum pcinspect_range_list {
	PCINSPECT_RANGE_ACTIVE,
	PCINSPECT_RANGE_INACTIVE,
	PCINSPECT_RANGE_UNEVICTABLE,
	PCINSPECT_RANGE_OFF_LRU,
	PCINSPECT_NR_RANGE_LISTS
};

/**
 * struct pcinspect_page_range - cached pages of a file that follow one another
 * @index: of the first
 * @pages: how many
 * @list: enum pcinspect_range_list: all of them are there
 */
struct pcinspect_page_range {
	__u64 index;
	__u32 pages;
	__u32 list;
};

/**
 * struct pcinspect_ranges - argument of RANGES
 * @size: sizeof(struct pcinspect_ranges)
 * @fd: an open file
 * @index: where to begin; out: where to go on, PCINSPECT_UNKNOWN: nothing is left
 * @buffer: where struct pcinspect_page_range go, in order
 * @nr_rows: how many it has room for; out: how many there are
 * @refusal: out: enum pcinspect_refusal, with EOPNOTSUPP
 * @skipped_pages: out: cached between @index and the new @index, and not up to date
 *
 * Pages that are not up to date, or partly so, are left out, as mincore(2) leaves
 * them out.
 */
struct pcinspect_ranges {
	__u32 size;
	__s32 fd;
	__u64 index;
	__u64 buffer;
	__u32 nr_rows;
	__u32 refusal;
	__u64 skipped_pages;
};

#endif /* _UAPI_PCINSPECT_RANGES_H */
