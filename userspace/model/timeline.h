/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * timeline.h - the events of a recording by time: filled by trace/timeline.c, drawn
 * by view/html_chart.c.
 */
#ifndef PCINSPECT_MODEL_TIMELINE_H
#define PCINSPECT_MODEL_TIMELINE_H

#include <stddef.h>
#include <stdint.h>

#include "numbers.h"

#define TIMELINE_BINS	120		/* parts of equal length */
#define TIMELINE_AGES	16		/* the last: unknown; [i]: less than 2^i * 100 ms */
#define TIMELINE_MARKS	200000		/* windows and evicted folios that are kept */

/**
 * struct timeline_mark - pages of a file, one after the other, at one moment
 * @file: index in the report
 * @time_ns: CLOCK_MONOTONIC
 * @index: of the first
 * @pages: how many
 * @unused: they left the cache, and so many had been brought in and never used
 */
struct timeline_mark {
	size_t file;
	uint64_t time_ns;
	uint64_t index;
	uint32_t pages;
	uint32_t unused;
};

/**
 * struct timeline - counts of pages by time
 * @begin_ns: where it begins, CLOCK_MONOTONIC
 * @end_ns: where it ends
 * @inserted: mm_filemap_add_to_page_cache
 * @removed: mm_filemap_delete_from_page_cache
 * @causes: inserted by readahead windows, which have a cause
 * @removals: that left the cache, by why
 * @ages: handed to writeback, by how long they had been dirty
 * @cached: of each file of the report, one more than its pages in the cache at the end of
 *	that part: as the module counted them, and the kernel's events changed them since;
 *	0: as in the part before; NULL: nobody counted them
 * @now: likewise, at the last event
 * @nr_files: of the report
 * @marks: windows, and folios that left the cache with unused pages
 * @nr_marks: how many
 * @room: allocated
 * @marks_left_out: of those for which there was no room
 */
struct timeline {
	uint64_t begin_ns;
	uint64_t end_ns;
	uint64_t inserted[TIMELINE_BINS];
	uint64_t removed[TIMELINE_BINS];
	uint64_t causes[PCINSPECT_NR_CAUSES][TIMELINE_BINS];
	uint64_t removals[PCINSPECT_NR_REMOVALS][TIMELINE_BINS];
	uint64_t ages[TIMELINE_AGES][TIMELINE_BINS];
	uint64_t **cached;
	uint64_t *now;
	size_t nr_files;
	struct timeline_mark *marks;
	size_t nr_marks;
	size_t room;
	uint64_t marks_left_out;
};

#endif /* PCINSPECT_MODEL_TIMELINE_H */
