/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ranges.h - the cached pages of one mapping, by LRU list.
 */
#ifndef PCINSPECT_RANGES_H
#define PCINSPECT_RANGES_H

#include <linux/types.h>

struct address_space;
struct pcinspect_page_range;

/**
 * struct pcinspect_ranges_walk - a walk of a mapping
 * @rows: filled in
 * @room: how many fit
 * @nr: how many there are
 * @index: where to begin; out: where to go on
 * @skipped_pages: that were not up to date
 */
struct pcinspect_ranges_walk {
	struct pcinspect_page_range *rows;
	u32 room;
	u32 nr;
	u64 index;
	u64 skipped_pages;
};

int pcinspect_ranges_take(struct address_space *mapping,
			  struct pcinspect_ranges_walk *walk);

#endif /* PCINSPECT_RANGES_H */
