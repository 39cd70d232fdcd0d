/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * pcinspect_next.h - the queues in which reclaim finds pages, as the module tells
 * them.
 *
 * Why rows in the order of the lists, and not the order of reclaim itself: what
 * MGLRU passes over depends on counts that change while it goes on. The module
 * says what it sees; who goes first is computed from it in user space.
 */
#ifndef _UAPI_PCINSPECT_NEXT_H
#define _UAPI_PCINSPECT_NEXT_H

#include <linux/types.h>

#include "pcinspect_lists.h"

/* MAX_NR_TIERS, include/linux/mmzone.h. */
#define PCINSPECT_NR_TIERS	4

/**
 * struct pcinspect_next_list - the file lists of one memory cgroup on one node
 * @cgroup: inode number of the cgroup's directory; 0: there are none
 * @first_row: its rows begin here, and end where those of the next begin
 * @min_seq: the oldest generation of files
 * @max_seq: the youngest generation
 * @refaulted: in the oldest generation by tier, in pages (struct lru_gen_folio,
 *	include/linux/mmzone.h), as are those that follow
 * @evicted: likewise
 * @protected: likewise
 * @avg_refaulted: of generations before
 * @avg_total: likewise
 * @node: number of the node
 * @flags: PCINSPECT_NEXT_*
 */
struct pcinspect_next_list {
	__u64 cgroup;
	__u64 first_row;
	__u64 min_seq;
	__u64 max_seq;
	__u64 refaulted[PCINSPECT_NR_TIERS];
	__u64 evicted[PCINSPECT_NR_TIERS];
	__u64 protected[PCINSPECT_NR_TIERS];
	__u64 avg_refaulted[PCINSPECT_NR_TIERS];
	__u64 avg_total[PCINSPECT_NR_TIERS];
	__u32 node;
	__u32 flags;
};

#define PCINSPECT_NEXT_GENERATIONS	1	/* MGLRU is switched on for it */
#define PCINSPECT_NEXT_REWORKED		2	/* its tiers are those since 6.14 */

/**
 * struct pcinspect_next_row - folios of one file that follow each other on a list
 * @index: of the first, which goes first; the next have the next indexes
 * @file: number of the file, see struct pcinspect_next; PCINSPECT_NEXT_NO_FILE
 * @folios: how many
 * @flags: PCINSPECT_ROW_*, of each
 * @order: of each: 1 << order pages
 * @gen: generation whose list it is (seq modulo 4), 255: a classic list
 * @own_gen: generation by the folios' own flags
 * @zone: number of the zone
 * @tier: where reclaim compares it
 * @evicted_tier: where it is counted once it is evicted
 * @later_tier: where it is when reclaim has moved it to the next generation
 */
struct pcinspect_next_row {
	__u64 index;
	__u32 file;
	__u32 folios;
	__u8 flags;
	__u8 order;
	__u8 gen;
	__u8 own_gen;
	__u8 zone;
	__u8 tier;
	__u8 evicted_tier;
	__u8 later_tier;
};

#define PCINSPECT_NEXT_NO_FILE	(~0U)
#define PCINSPECT_NEXT_CLASSIC	255

#define PCINSPECT_ROW_ACTIVE	1	/* on the classic active list */
#define PCINSPECT_ROW_MAPPED	2
#define PCINSPECT_ROW_DIRTY	4
#define PCINSPECT_ROW_WRITEBACK	8
#define PCINSPECT_ROW_LAZYFREE	16	/* anonymous memory given up by MADV_FREE */
#define PCINSPECT_ROW_FULL	32	/* used so often that MGLRU passes it over */
#define PCINSPECT_ROW_HELD	64	/* not mapped, but locked, or somebody has a reference */

/**
 * struct pcinspect_next - argument of NEXT
 * @size: sizeof(struct pcinspect_next)
 * @flags: out: PCINSPECT_NEXT_*
 * @walk: as for LISTS
 * @rows: where struct pcinspect_next_row go
 * @max_rows: how many there is room for
 * @nr_rows: out: how many there are
 * @lists: where struct pcinspect_next_list go
 * @max_lists: how many there is room for
 * @nr_lists: out: how many there are
 * @numbers: where the number of each file in @walk goes, __u32
 * @max_numbers: how many there is room for
 * @changed: out: lists whose generations changed while they were walked, and passes
 *	that met pages which are told behind all others of their list
 */
struct pcinspect_next {
	__u32 size;
	__u32 flags;
	struct pcinspect_lists walk;
	__u64 rows;
	__u64 max_rows;
	__u64 nr_rows;
	__u64 lists;
	__u64 max_lists;
	__u64 nr_lists;
	__u64 numbers;
	__u64 max_numbers;
	__u64 changed;
};

#define PCINSPECT_NEXT_CUT	1	/* there was no room for all rows */

#endif /* _UAPI_PCINSPECT_NEXT_H */
