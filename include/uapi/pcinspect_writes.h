/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * pcinspect_writes.h - what is known of writing a file: ages, writeback, fsync.
 *
 * Part of pcinspect.h, which says how the structs are versioned.
 */
#ifndef _UAPI_PCINSPECT_WRITES_H
#define _UAPI_PCINSPECT_WRITES_H

#include <linux/types.h>

#include "pcinspect_reads.h"

#define PCINSPECT_NR_SIZES	8	/* request sizes told apart per fsync */
#define PCINSPECT_NR_FSYNCS	30	/* fsync calls kept per inode */

/**
 * struct pcinspect_ages - dirty pages by the time since they became dirty
 * @pages: by age; weighted by folio
 * @unknown_pages: dirty before tracking began, or without memory for the time
 * @oldest_ns: age of the oldest known one, 0 if there is none
 * @inode_ns: age by the inode's own time, which a requeue resets; 0 if unknown
 */
struct pcinspect_ages {
	__u64 pages[PCINSPECT_NR_AGES];
	__u64 unknown_pages;
	__u64 oldest_ns;
	__u64 inode_ns;
};

/* enum pcinspect_writes_flags - bits of pcinspect_writes.flags */
enum pcinspect_writes_flags {
	PCINSPECT_WRITES_DEVICE	= 1 << 0, /* device_write_bytes is known */
	PCINSPECT_WRITES_TIME	= 1 << 1, /* ended_pages and writeback_ns are known */
	PCINSPECT_WRITES_FSYNC	= 1 << 2, /* fsync(2) on this filesystem is seen */
};

/**
 * struct pcinspect_writes - the write ledger of one inode
 * @flags: PCINSPECT_WRITES_*
 * @pad: 0
 * @write_bytes: written by write(2)-like calls through the cache
 * @dirtied_pages: made dirty, by whole folios
 * @dirtied_large_pages: of those, in folios of more than one page
 * @mapped_dirtied_pages: of those, outside of write(2)-like calls: by stores to
 *	mappings
 * @redirtied_pages: of those, while they were under writeback
 * @device_write_bytes: written to the filesystem's device for this inode
 * @written_pages: handed to writeback, by whole folios
 * @written_ages: of those, by age at that moment
 * @written_unknown_pages: of those, of unknown age
 * @reasons: of those, by enum pcinspect_reason
 * @ended_pages: writeback has ended
 * @writeback_ns: time under writeback, summed over pages; of those that still
 *	are, until now
 * @throttles: sleeps in balance_dirty_pages()
 * @throttled_ns: their time, by enum pcinspect_limit
 * @thresh_min_pages: smallest threshold of UNKNOWN sleeps
 * @thresh_max_pages: largest
 * @nr_fsyncs: fsync calls, kept or not
 */
struct pcinspect_writes {
	__u32 flags;
	__u32 pad;
	__u64 write_bytes;
	__u64 dirtied_pages;
	__u64 dirtied_large_pages;
	__u64 mapped_dirtied_pages;
	__u64 redirtied_pages;
	__u64 device_write_bytes;
	__u64 written_pages;
	__u64 written_ages[PCINSPECT_NR_AGES];
	__u64 written_unknown_pages;
	__u64 reasons[PCINSPECT_NR_REASONS];
	__u64 ended_pages;
	__u64 writeback_ns;
	__u64 throttles;
	__u64 throttled_ns[PCINSPECT_NR_LIMITS];
	__u64 thresh_min_pages;
	__u64 thresh_max_pages;
	__u64 nr_fsyncs;
};

/**
 * struct pcinspect_size - requests of one size
 * @bytes: the size
 * @requests: how many; 0: slot unused
 */
struct pcinspect_size {
	__u64 bytes;
	__u64 requests;
};

/**
 * struct pcinspect_fsync - one fsync(2)-like call
 * @time_ns: CLOCK_MONOTONIC when it began
 * @duration_ns: how long it took
 * @pid: process
 * @flags: PCINSPECT_FSYNC_*
 * @comm: name of the thread
 * @dirty_at_entry_pages: dirty when it began, if all of it is of known age
 * @written_pages: handed to writeback by the call itself
 * @requests: block requests with this file's data, issued during it
 * @request_bytes: their bytes
 * @sizes: of those requests; the last takes whatever has no slot
 * @log_requests: requests without a file's page to the same disk, during it
 * @log_bytes: their bytes
 * @max_sectors_bytes: the queue's limit, 0: no request was seen
 * @splits: bios of this file that were split during it
 * @splits_at_limit: of those, where the first part is as large as the limit
 * @writeback_at_entry_pages: under writeback already when it began
 * @rewritten_tail_pages: of @written_pages, those up to where an earlier
 *	writeback of the file had ended, in the folio that holds that end
 * @data_wait_ns: waited for writeback of this file's folios
 * @log_wait_ns: waited for the log, or for the disk's cache
 */
struct pcinspect_fsync {
	__u64 time_ns;
	__u64 duration_ns;
	__u32 pid;
	__u32 flags;
	char comm[PCINSPECT_COMM_LEN];
	__u64 dirty_at_entry_pages;
	__u64 written_pages;
	__u64 requests;
	__u64 request_bytes;
	struct pcinspect_size sizes[PCINSPECT_NR_SIZES];
	__u64 log_requests;
	__u64 log_bytes;
	__u64 max_sectors_bytes;
	__u64 splits;
	__u64 splits_at_limit;
	__u64 writeback_at_entry_pages;
	__u64 rewritten_tail_pages;
	__u64 data_wait_ns;
	__u64 log_wait_ns;
};

/* enum pcinspect_fsync_flags - bits of pcinspect_fsync.flags */
enum pcinspect_fsync_flags {
	PCINSPECT_FSYNC_LOG	= 1 << 0, /* log requests are known */
	PCINSPECT_FSYNC_SHARED	= 1 << 1, /* other calls on this file ran meanwhile */
	PCINSPECT_FSYNC_DIRTY	= 1 << 2, /* dirty_at_entry_pages is known */
	PCINSPECT_FSYNC_DATASYNC = 1 << 3, /* fdatasync(2), O_DSYNC */
	PCINSPECT_FSYNC_RANGE	= 1 << 4, /* sync_file_range(2) */
	PCINSPECT_FSYNC_WRITEBACK = 1 << 5, /* writeback_at_entry_pages is known */
	PCINSPECT_FSYNC_TAIL	= 1 << 6, /* rewritten_tail_pages is known */
	PCINSPECT_FSYNC_REQUESTS = 1 << 7, /* requests and what follows from them is known */
};

/* Which system call it was like. */
static inline enum pcinspect_fsync_kind
pcinspect_fsync_kind(const struct pcinspect_fsync *call)
{
	return call->flags & PCINSPECT_FSYNC_RANGE ? PCINSPECT_FSYNC_KIND_RANGE :
	       call->flags & PCINSPECT_FSYNC_DATASYNC ? PCINSPECT_FSYNC_KIND_FDATASYNC :
							PCINSPECT_FSYNC_KIND_FSYNC;
}

#endif /* _UAPI_PCINSPECT_WRITES_H */
