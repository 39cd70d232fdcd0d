/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ranges.h - sets of cached pages of a file, as ranges.
 */
#ifndef PCINSPECT_MODEL_RANGES_H
#define PCINSPECT_MODEL_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uapi/pcinspect.h"

/* That a page is cached is known, but not on which list; or: on whichever list. */
#define RANGE_ANY_LIST PCINSPECT_NR_RANGE_LISTS

/**
 * struct ranges - pages of a file
 * @list: by index; none overlaps another
 * @nr: how many
 * @room: allocated
 */
struct ranges {
	struct pcinspect_page_range *list;
	size_t nr;
	size_t room;
};

/**
 * struct saved_file - what was cached of one file
 * @path: absolute
 * @size_bytes: of the file
 * @mtime_ns: when it was changed
 * @generation: of its inode; -1: its filesystem tells none
 * @ranges: its cached pages
 */
struct saved_file {
	char *path;
	uint64_t size_bytes;
	int64_t mtime_ns;
	int64_t generation;
	struct ranges ranges;
};

/**
 * struct saved_files - all of them
 * @page_size: what pages are counted in
 * @files: in their order
 * @nr: how many
 * @room: allocated
 */
struct saved_files {
	uint32_t page_size;
	struct saved_file *files;
	size_t nr;
	size_t room;
};

void ranges_add(struct ranges *ranges, uint64_t index, uint64_t pages, uint32_t list);
uint64_t ranges_pages(const struct ranges *ranges, uint32_t list);
void ranges_without(const struct ranges *a, const struct ranges *b, struct ranges *to);
bool ranges_has(const struct ranges *ranges, uint64_t index);
void ranges_free(struct ranges *ranges);
const char *range_list_name(uint32_t list);

#endif /* PCINSPECT_MODEL_RANGES_H */
