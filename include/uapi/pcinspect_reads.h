/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * pcinspect_reads.h - what is known of reading a file: the read ledger and its parts.
 *
 * Part of pcinspect.h, which says how the structs are versioned.
 */
#ifndef _UAPI_PCINSPECT_READS_H
#define _UAPI_PCINSPECT_READS_H

#include <linux/types.h>

#include "../numbers.h"

#define PCINSPECT_COMM_LEN	16	/* TASK_COMM_LEN */
#define PCINSPECT_NR_TASKS	16	/* tasks told apart per inode */
#define PCINSPECT_NR_CULPRITS	8	/* evictors, and removers, told apart per inode */
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
 * struct pcinspect_task - what one process did to one inode
 * @pid: thread group; 0 with an empty @comm: slot unused
 * @pad: 0
 * @comm: name of the thread that came first
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
 * @how: removers: enum pcinspect_remover_op
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
	__u32 how;
	char comm[PCINSPECT_COMM_LEN];
	__u64 pages;
	__u64 ino;
	__u32 dev_major;
	__u32 dev_minor;
	__u32 i_generation;
	__u32 inferred;
};

/* enum pcinspect_reads_flags - bits of pcinspect_reads.flags */
enum pcinspect_reads_flags {
	PCINSPECT_READS_HOLES	= 1 << 0, /* hole_pages is known */
	PCINSPECT_READS_BOUNCED	= 1 << 1, /* read through buffers of the filesystem */
	PCINSPECT_READS_FLUSHED	= 1 << 2, /* direct_flushed_pages is known */
};

/**
 * struct pcinspect_reads - the read ledger of one inode
 * @flags: PCINSPECT_READS_*
 * @nr_windows: windows that were recorded, kept or not
 * @windows_dropped: of those, no longer kept
 * @since_ns: when it began
 * @base_cached_pages: cached pages when it began
 * @cached_pages: cached pages now (nrpages)
 * @counted_pages: inserted pages since then, counted apart from @inserted
 * @moved_pages: that came and went while a moment was sought at which none does; 0
 *	if it was found
 * @demanded_bytes: asked for by read(2)-like calls
 * @device_bytes: read from the filesystem's device for this inode
 * @faults: page faults on mappings of it that had to look in the cache
 * @inserted: pages inserted by cause; their sum is every insertion
 * @expanded_pages: inserted by the filesystem on top of the window
 * @hole_pages: inserted by reads and filled without I/O
 * @refault_pages: inserted again after an eviction
 * @wasted_pages: brought in by readahead, removed unused
 * @unused_unknown_pages: brought in by readahead, use unobservable
 * @removed: pages removed by cause; their sum is every removal
 * @direct_read_bytes: read past the cache
 * @direct_write_bytes: written past the cache
 * @direct_flushed_pages: written back because of that
 * @direct_invalidated_pages: removed because of that
 * @tasks: who used the inode; first come
 * @others: all further tasks
 * @evictors: in whose favour reclaim took pages
 * @evictors_other_pages: by further ones
 * @removers: who truncated or invalidated
 * @removers_other_pages: by further ones
 */
struct pcinspect_reads {
	__u32 flags;
	__u32 pad;
	__u64 nr_windows;
	__u64 windows_dropped;
	__u64 since_ns;
	__u64 base_cached_pages;
	__u64 cached_pages;
	__u64 counted_pages;
	__u64 moved_pages;
	__u64 demanded_bytes;
	__u64 device_bytes;
	__u64 faults;
	__u64 inserted[PCINSPECT_NR_CAUSES];
	__u64 expanded_pages;
	__u64 hole_pages;
	__u64 refault_pages;
	__u64 wasted_pages;
	__u64 unused_unknown_pages;
	__u64 removed[PCINSPECT_NR_REMOVALS];
	__u64 direct_read_bytes;
	__u64 direct_write_bytes;
	__u64 direct_flushed_pages;
	__u64 direct_invalidated_pages;
	struct pcinspect_task tasks[PCINSPECT_NR_TASKS];
	struct pcinspect_task others;
	struct pcinspect_culprit evictors[PCINSPECT_NR_CULPRITS];
	__u64 evictors_other_pages;
	struct pcinspect_culprit removers[PCINSPECT_NR_CULPRITS];
	__u64 removers_other_pages;
};

#endif /* _UAPI_PCINSPECT_READS_H */
