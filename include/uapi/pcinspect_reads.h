/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * pcinspect_reads.h - numbers of reading a file: the read ledger and its parts.
 *
 * Part of pcinspect.h, which says how the structs are versioned.
 */
#ifndef _UAPI_PCINSPECT_READS_H
#define _UAPI_PCINSPECT_READS_H

#include <linux/types.h>

#include "../numbers.h"

#define PCINSPECT_COMM_LEN	16	/* TASK_COMM_LEN */
#define PCINSPECT_NR_TASKS	16	/* tasks distinguished per inode */
#define PCINSPECT_NR_CULPRITS	8	/* evictors, and removers, distinguished per inode */
#define PCINSPECT_NR_WINDOWS	128	/* readahead windows kept per inode */

/**
 * struct pcinspect_window - one logical readahead window
 * @time_ns: CLOCK_MONOTONIC when it began
 * @index: first page asked for
 * @pid: process (thread group) that caused it
 * @cause: enum pcinspect_cause, SYNC to FORCED
 * @requested_pages: what the caller asked for
 * @planned_pages: what the heuristics made of it
 * @async_pages: of those, behind the marker
 * @inserted_pages: put in the cache, expansion included
 * @expanded_pages: of those, added by the filesystem in ->readahead
 * @order: largest folio order inserted
 * @ra_pages: the limit in force for this open file
 * @comm: name of the thread
 */
struct pcinspect_window {
	__u64 time_ns;
	__u64 index;
	__u32 pid;
	__u32 cause;
	__u32 requested_pages;
	__u32 planned_pages;
	__u32 async_pages;
	__u32 inserted_pages;
	__u32 expanded_pages;
	__u32 order;
	__u32 ra_pages;
	__u32 pad;
	char comm[PCINSPECT_COMM_LEN];
};

/**
 * struct pcinspect_task - what one process did to one inode; all 0 of one that
 *	only read or wrote past the page cache
 * @pid: thread group; 0 with an empty @comm: slot unused
 * @pad: 0
 * @comm: name of its first thread
 * @demanded_bytes: asked for by read(2)-like calls
 * @device_bytes: read from the device on its behalf
 * @inserted_pages: put in the cache
 * @dirtied_pages: made dirty
 * @throttled_ns: slept in balance_dirty_pages() while writing to it
 */
struct pcinspect_task {
	__u32 pid;
	__u32 pad;
	char comm[PCINSPECT_COMM_LEN];
	__u64 demanded_bytes;
	__u64 device_bytes;
	__u64 inserted_pages;
	__u64 dirtied_pages;
	__u64 throttled_ns;
};

/**
 * struct pcinspect_culprit - who took pages of one inode out of the cache
 * @pid: process; 0 with no @pages: slot unused
 * @remover_op: removers: enum pcinspect_remover_op
 * @comm: its name
 * @pages: how many
 * @ino: evictors: the file it was filling meanwhile, 0 if none is known
 * @dev_major: of that file's filesystem
 * @dev_minor: likewise
 * @i_generation: of that file
 * @inferred: evictors: kswapd did it; the file is the likeliest reason
 */
struct pcinspect_culprit {
	__u32 pid;
	__u32 remover_op;
	char comm[PCINSPECT_COMM_LEN];
	__u64 pages;
	__u64 ino;
	__u32 dev_major;
	__u32 dev_minor;
	__u32 i_generation;
	__u32 inferred;
};

/**
 * struct pcinspect_who_counted - what lists of who it was have to add up to
 * @demanded_bytes: by all tasks
 * @dirtied_pages: likewise
 * @reclaimed_pages: in favour of all evictors
 * @removed_pages: by all removers
 * @known: 1; 0: of a module that did not say
 */
struct pcinspect_who_counted {
	__u64 demanded_bytes;
	__u64 dirtied_pages;
	__u64 reclaimed_pages;
	__u64 removed_pages;
	__u64 known;
};

/**
 * struct pcinspect_who - who used an inode that has a ledger
 * @tasks: first come
 * @others: all further tasks
 * @evictors: in whose favour reclaim took pages
 * @evictors_other_pages: by further ones
 * @removers: who truncated or invalidated
 * @removers_other_pages: by further ones
 * @counted: the same, counted apart from the lists, as of one moment
 */
struct pcinspect_who {
	struct pcinspect_task tasks[PCINSPECT_NR_TASKS];
	struct pcinspect_task others;
	struct pcinspect_culprit evictors[PCINSPECT_NR_CULPRITS];
	__u64 evictors_other_pages;
	struct pcinspect_culprit removers[PCINSPECT_NR_CULPRITS];
	__u64 removers_other_pages;
	struct pcinspect_who_counted counted;
};

#endif /* _UAPI_PCINSPECT_READS_H */
