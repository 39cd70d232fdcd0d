/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * next_list.h - lists, files and pieces of "next", as structs.
 */
#ifndef PCINSPECT_NEXT_LIST_H
#define PCINSPECT_NEXT_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/listed.h"
#include "model/report.h"
#include "uapi/pcinspect.h"

/* The fate of pages when it is their turn. */
enum next_fate {
	NEXT_GOES,		/* clean, not mapped, and nobody has a hold on it */
	NEXT_MAPPED,		/* accessed bits decide, or nobody knows (MADV_FREE) */
	NEXT_DIRTY,		/* dirty or under writeback */
	NEXT_PROTECTED,		/* which tiers are spared depends on anonymous memory */
	NEXT_HELD,		/* somebody has it locked, pinned, in a pipe or on the way */
	NEXT_DEVICE,		/* of a block device: a filesystem may hold its buffers */
	NEXT_NR_FATES
};

/* Why the order ends. */
enum next_end {
	NEXT_ENOUGH,		/* the bytes that were asked for are reached */
	NEXT_LIST,		/* there is no more */
	NEXT_ACTIVE,		/* the active list joins */
	NEXT_AGING,		/* MGLRU has to age first */
	NEXT_ROOM,		/* the module had more rows than there was room for */
};

/**
 * struct next_piece - pages of one file that go one after the other
 * @index: of the first to go
 * @ahead: pages of the same list that go before it for certain
 * @pages: how many
 * @file: place in struct next, NEXT_NO_FILE: it has none there
 * @list: which list it is on
 * @fate: enum next_fate
 * @order: of its folios
 * @backwards: the folio with the highest index goes first
 */
struct next_piece {
	uint64_t index;
	uint64_t ahead;
	uint32_t pages;
	uint32_t file;
	uint32_t list;
	uint8_t fate;
	uint8_t order;
	bool backwards;
};

#define NEXT_NO_FILE (~0U)

/**
 * struct next_file - what comes of one file
 * @file: it
 * @queued: all its pages on these lists; those with a row, if the module had more
 * @next: of them, for certain among the next bytes
 * @maybe: and those that may be
 * @nearest: pages ahead of its first page
 * @nearest_known: it has a page in the order
 * @nearest_list: on which list that is
 * @median: pages ahead of the page with as many before as behind it
 * @median_known: that one is in the order
 * @median_list: on which list that is
 * @met: while it is computed
 */
struct next_file {
	struct listed_file file;
	uint64_t queued;
	uint64_t next;
	uint64_t maybe;
	uint64_t nearest;
	uint64_t median;
	uint64_t met;
	uint32_t nearest_list;
	uint32_t median_list;
	bool nearest_known;
	bool median_known;
};

/**
 * struct next_list - one list
 * @said: by the module; its rows are @rows
 * @rows: oldest first
 * @nr_rows: how many
 * @pages: all on it
 * @goes: those that go for certain, before the order ends
 * @share: pages that are asked of it
 * @end: why the order ends
 * @rate: pages taken from it in a second
 * @rate_known: that is known, and not 0
 */
struct next_list {
	struct pcinspect_next_list said;
	const struct pcinspect_next_row *rows;
	size_t nr_rows;
	uint64_t pages;
	uint64_t goes;
	uint64_t share;
	enum next_end end;
	double rate;
	bool rate_known;
};

/**
 * struct next - the answer
 * @report: moment and machine; its files are not used
 * @cgroup: path within the hierarchy, NULL: all there are
 * @bytes: that were asked for
 * @lists: those with pages
 * @nr_lists: how many
 * @files: nearest first, once it is computed
 * @nr_files: how many
 * @pieces: in order
 * @nr_pieces: how many
 * @room: allocated
 * @swaps: there is swap space, so that anonymous memory goes as well
 * @cut: the module had more rows
 * @moved: how often pages were moved while it looked
 * @busy: filesystems whose files have no name for this reason
 */
struct next {
	struct report *report;
	char *cgroup;
	uint64_t bytes;
	struct next_list *lists;
	size_t nr_lists;
	struct next_file *files;
	size_t nr_files;
	struct next_piece *pieces;
	size_t nr_pieces;
	size_t room;
	bool swaps;
	bool cut;
	uint64_t moved;
	uint32_t busy;
};

#endif /* PCINSPECT_NEXT_LIST_H */
