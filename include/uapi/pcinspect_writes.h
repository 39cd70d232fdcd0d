/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * pcinspect_writes.h - numbers of writing a file: ages, writeback, fsync.
 *
 * Part of pcinspect.h, which says how the structs are versioned.
 */
#ifndef _UAPI_PCINSPECT_WRITES_H
#define _UAPI_PCINSPECT_WRITES_H

#include <linux/types.h>

#include "pcinspect_reads.h"

#define PCINSPECT_NR_SIZES	8	/* request sizes distinguished per fsync */
#define PCINSPECT_NR_FSYNCS	30	/* fsync calls kept per inode */

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
	PCINSPECT_FSYNC_NO_SPLITS = 1 << 8, /* but splits are not */
	PCINSPECT_FSYNC_NO_DATA_WAIT = 1 << 9, /* data_wait_ns is unknown */
	PCINSPECT_FSYNC_NO_LOG_WAIT = 1 << 10, /* log_wait_ns is unknown */
	PCINSPECT_FSYNC_NO_WRITTEN = 1 << 11, /* written_pages is unknown */
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
