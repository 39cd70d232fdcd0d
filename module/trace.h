/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * trace.h - the module's own trace events, pcinspect:*.
 *
 * Why: state and events on one clock. They say what no event of the kernel's
 * says: what a readahead window became, how old dirty data was when it was
 * handed over, whom an eviction was for, what an fsync did. They are decoded by
 * trace-cmd and KernelShark without a plugin, hence plain fields only: no
 * helper functions, fixed arrays, numbers wide enough for any kernel.
 *
 * Every event names its inode as the kernel's filemap events do, s_dev and
 * i_ino, so that one filter fits both. Unknown numbers are -1.
 *
 * Cost when off: one patched-out jump each.
 */
#undef TRACE_SYSTEM
#define TRACE_SYSTEM pcinspect

#if !defined(_PCINSPECT_TRACE_H) || defined(TRACE_HEADER_MULTI_READ)
#define _PCINSPECT_TRACE_H

#include <linux/fs.h>
#include <linux/sched.h>
#include <linux/tracepoint.h>

#include "uapi/pcinspect.h"
#include "records/operation.h"

/* It knows nothing of this language of macros. */
/* clang-format off */

#define PCINSPECT_TRACE_FILE "dev=%u:%u ino=%llu generation=%u "
#define PCINSPECT_TRACE_FILE_ARGS                               \
	(unsigned int)__entry->s_dev >> 20, \
		(unsigned int)__entry->s_dev & 0xfffff,         \
		(unsigned long long)__entry->i_ino, __entry->generation

#define PCINSPECT_TRACE_ENUM(id, word) TRACE_DEFINE_ENUM(id);
PCINSPECT_CAUSES(PCINSPECT_TRACE_ENUM, PCINSPECT_TRACE_ENUM)
PCINSPECT_REMOVALS(PCINSPECT_TRACE_ENUM, PCINSPECT_TRACE_ENUM)
PCINSPECT_REASONS(PCINSPECT_TRACE_ENUM, PCINSPECT_TRACE_ENUM)

#define PCINSPECT_TRACE_WORD(id, word) { id, word },
#define PCINSPECT_TRACE_LAST(id, word) { id, word }
#define PCINSPECT_TRACE_WORDS(LIST) \
	LIST(PCINSPECT_TRACE_WORD, PCINSPECT_TRACE_LAST)

/* A readahead window has ended; the task is the one it was for. */
TRACE_EVENT(pcinspect_ra_window,
	TP_PROTO(const struct pcinspect_operation *op),
	TP_ARGS(op),
	TP_STRUCT__entry(
		__field(u64, i_ino)
		__field(u64, index)
		__field(u64, duration_ns)
		__field(u32, s_dev)
		__field(u32, generation)
		__field(u32, requested_pages)
		__field(u32, planned_pages)
		__field(u32, async_pages)
		__field(u32, inserted_pages)
		__field(u32, expanded_pages)
		__field(u32, ra_pages)
		__field(u32, order)
		__field(u32, cause)
	),
	TP_fast_assign(
		__entry->i_ino = op->file.ino;
		__entry->index = op->index;
		__entry->duration_ns = ktime_get_ns() - op->time_ns;
		__entry->s_dev = op->file.dev;
		__entry->generation = op->file.generation;
		__entry->requested_pages = op->requested;
		__entry->planned_pages = op->planned;
		__entry->async_pages = op->async;
		__entry->inserted_pages = op->inserted;
		__entry->expanded_pages = op->expanded;
		__entry->ra_pages = op->ra_pages;
		__entry->order = op->order;
		__entry->cause = op->cause;
	),
	TP_printk(PCINSPECT_TRACE_FILE
		"cause=%s index=%llu requested=%u planned=%u async=%u inserted=%u expanded=%u order=%u ra_pages=%u duration_ns=%llu",
		PCINSPECT_TRACE_FILE_ARGS,
		__print_symbolic(__entry->cause,
				 PCINSPECT_TRACE_WORDS(PCINSPECT_CAUSES)),
		(unsigned long long)__entry->index, __entry->requested_pages,
		__entry->planned_pages, __entry->async_pages,
		__entry->inserted_pages, __entry->expanded_pages,
		__entry->order, __entry->ra_pages,
		(unsigned long long)__entry->duration_ns)
);

/* A dirty folio was handed to writeback at this age; -1: it is unknown. */
TRACE_EVENT(pcinspect_dirty_aged,
	TP_PROTO(const struct inode *inode, u64 index, u32 pages, s64 age_ns,
		 u32 reason),
	TP_ARGS(inode, index, pages, age_ns, reason),
	TP_STRUCT__entry(
		__field(u64, i_ino)
		__field(u64, index)
		__field(s64, age_ms)
		__field(u32, s_dev)
		__field(u32, generation)
		__field(u32, pages)
		__field(u32, reason)
	),
	TP_fast_assign(
		__entry->i_ino = inode->i_ino;
		__entry->index = index;
		__entry->age_ms = age_ns < 0 ? -1 : age_ns / NSEC_PER_MSEC;
		__entry->s_dev = inode->i_sb->s_dev;
		__entry->generation = inode->i_generation;
		__entry->pages = pages;
		__entry->reason = reason;
	),
	TP_printk(PCINSPECT_TRACE_FILE "index=%llu pages=%u age_ms=%lld reason=%s",
		PCINSPECT_TRACE_FILE_ARGS, (unsigned long long)__entry->index,
		__entry->pages, (long long)__entry->age_ms,
		__print_symbolic(__entry->reason,
				 PCINSPECT_TRACE_WORDS(PCINSPECT_REASONS)))
);

/* A folio came back that had been evicted. */
TRACE_EVENT(pcinspect_refault,
	TP_PROTO(const struct inode *inode, u64 index, u32 pages),
	TP_ARGS(inode, index, pages),
	TP_STRUCT__entry(
		__field(u64, i_ino)
		__field(u64, index)
		__field(u32, s_dev)
		__field(u32, generation)
		__field(u32, pages)
	),
	TP_fast_assign(
		__entry->i_ino = inode->i_ino;
		__entry->index = index;
		__entry->s_dev = inode->i_sb->s_dev;
		__entry->generation = inode->i_generation;
		__entry->pages = pages;
	),
	TP_printk(PCINSPECT_TRACE_FILE "index=%llu pages=%u",
		PCINSPECT_TRACE_FILE_ARGS, (unsigned long long)__entry->index,
		__entry->pages)
);

/*
 * A folio left the cache. Of its pages, @unused were brought in by readahead
 * and never used, as far as use was kept (not of pages that fault-around mapped
 * or whose bits found no memory). Reclaim: on behalf of whom; inferred if kswapd
 * did it.
 */
TRACE_EVENT(pcinspect_evicted,
	TP_PROTO(const struct inode *inode, u64 index, u32 pages, s32 unused,
		 u32 cause, const struct pcinspect_culprit *by),
	TP_ARGS(inode, index, pages, unused, cause, by),
	TP_STRUCT__entry(
		__field(u64, i_ino)
		__field(u64, index)
		__field(u64, by_ino)
		__field(u32, s_dev)
		__field(u32, generation)
		__field(u32, pages)
		__field(s32, unused_pages)
		__field(u32, cause)
		__field(u32, inferred)
		__field(u32, by_pid)
		__field(u32, by_dev)
		__array(char, by_comm, PCINSPECT_COMM_LEN)
	),
	TP_fast_assign(
		__entry->i_ino = inode->i_ino;
		__entry->index = index;
		__entry->by_ino = by->ino;
		__entry->s_dev = inode->i_sb->s_dev;
		__entry->generation = inode->i_generation;
		__entry->pages = pages;
		__entry->unused_pages = unused;
		__entry->cause = cause;
		__entry->inferred = by->inferred;
		__entry->by_pid = by->pid;
		__entry->by_dev = MKDEV(by->dev_major, by->dev_minor);
		memcpy(__entry->by_comm, by->comm, PCINSPECT_COMM_LEN);
		__entry->by_comm[PCINSPECT_COMM_LEN - 1] = '\0';
	),
	TP_printk(PCINSPECT_TRACE_FILE
		"index=%llu pages=%u unused=%d cause=%s by_pid=%u by_comm=%s by_dev=%u:%u by_ino=%llu inferred=%u",
		PCINSPECT_TRACE_FILE_ARGS, (unsigned long long)__entry->index,
		__entry->pages, __entry->unused_pages,
		__print_symbolic(__entry->cause,
				 PCINSPECT_TRACE_WORDS(PCINSPECT_REMOVALS)),
		__entry->by_pid, __entry->by_comm,
		(unsigned int)__entry->by_dev >> 20,
		(unsigned int)__entry->by_dev & 0xfffff,
		(unsigned long long)__entry->by_ino, __entry->inferred)
);

/* An fsync(2)-like call has returned, in the task that called. */
TRACE_EVENT(pcinspect_fsync,
	TP_PROTO(const struct pcinspect_file_id *file,
		 const struct pcinspect_fsync *call),
	TP_ARGS(file, call),
	TP_STRUCT__entry(
		__field(u64, i_ino)
		__field(u64, duration_ns)
		__field(s64, data_wait_ns)
		__field(s64, log_wait_ns)
		__field(s64, dirty_at_entry_pages)
		__field(s64, written_pages)
		__field(s64, requests)
		__field(s64, request_bytes)
		__field(s64, log_requests)
		__field(u32, s_dev)
		__field(u32, generation)
		__field(u32, flags)
	),
	TP_fast_assign(
		__entry->i_ino = file->ino;
		__entry->duration_ns = call->duration_ns;
		__entry->data_wait_ns =
			call->flags & PCINSPECT_FSYNC_NO_DATA_WAIT ?
				-1 : (s64)call->data_wait_ns;
		__entry->log_wait_ns =
			call->flags & PCINSPECT_FSYNC_NO_LOG_WAIT ?
				-1 : (s64)call->log_wait_ns;
		__entry->dirty_at_entry_pages =
			call->flags & PCINSPECT_FSYNC_DIRTY ?
				(s64)call->dirty_at_entry_pages : -1;
		__entry->written_pages =
			call->flags & PCINSPECT_FSYNC_NO_WRITTEN ?
				-1 : (s64)call->written_pages;
		__entry->requests = call->flags & PCINSPECT_FSYNC_REQUESTS ?
			(s64)call->requests : -1;
		__entry->request_bytes =
			call->flags & PCINSPECT_FSYNC_REQUESTS ?
				(s64)call->request_bytes : -1;
		__entry->log_requests = call->flags & PCINSPECT_FSYNC_LOG ?
			(s64)call->log_requests : -1;
		__entry->s_dev = file->dev;
		__entry->generation = file->generation;
		__entry->flags = call->flags;
	),
	TP_printk(PCINSPECT_TRACE_FILE
		"duration_ns=%llu dirty_at_entry=%lld written=%lld requests=%lld request_bytes=%lld log_requests=%lld data_wait_ns=%lld log_wait_ns=%lld",
		PCINSPECT_TRACE_FILE_ARGS,
		(unsigned long long)__entry->duration_ns,
		(long long)__entry->dirty_at_entry_pages,
		(long long)__entry->written_pages,
		(long long)__entry->requests,
		(long long)__entry->request_bytes,
		(long long)__entry->log_requests,
		(long long)__entry->data_wait_ns,
		(long long)__entry->log_wait_ns)
);

#ifndef pcinspect_trace_number
#define pcinspect_trace_number(snap, number) \
	(pcinspect_known(snap, number) ? (s64)(snap)->numbers[number] : -1)
#endif

/* Somebody asked about this very inode: its state at that moment. */
TRACE_EVENT(pcinspect_sample,
	TP_PROTO(const struct pcinspect_snapshot *snap),
	TP_ARGS(snap),
	TP_STRUCT__entry(
		__field(u64, i_ino)
		__field(u64, size_bytes)
		__field(u64, cached)
		__field(u64, active)
		__field(u64, inactive)
		__field(u64, unevictable)
		__field(u64, off_lru)
		__field(s64, dirty)
		__field(s64, writeback)
		__field(s64, evicted)
		__field(s64, oldest_ms)
		__field(s64, inserted)
		__field(s64, removed)
		__field(u32, s_dev)
		__field(u32, generation)
	),
	TP_fast_assign(
		__entry->i_ino = snap->ino;
		__entry->size_bytes = snap->size_bytes;
		__entry->cached = snap->numbers[PCINSPECT_CACHED];
		__entry->active = snap->numbers[PCINSPECT_ACTIVE];
		__entry->inactive = snap->numbers[PCINSPECT_INACTIVE];
		__entry->unevictable = snap->numbers[PCINSPECT_UNEVICTABLE];
		__entry->off_lru = snap->numbers[PCINSPECT_OFF_LRU];
		__entry->dirty = pcinspect_trace_number(snap, PCINSPECT_DIRTY);
		__entry->writeback = pcinspect_trace_number(snap, PCINSPECT_WRITEBACK);
		__entry->evicted = pcinspect_trace_number(snap, PCINSPECT_EVICTED);
		__entry->oldest_ms = pcinspect_trace_number(snap, PCINSPECT_OLDEST_MS);
		__entry->inserted = pcinspect_trace_number(snap, PCINSPECT_INSERTED);
		__entry->removed = pcinspect_trace_number(snap, PCINSPECT_REMOVED);
		__entry->s_dev = MKDEV(snap->dev_major, snap->dev_minor);
		__entry->generation = snap->i_generation;
	),
	TP_printk(PCINSPECT_TRACE_FILE
		"cached=%llu active=%llu inactive=%llu unevictable=%llu off_lru=%llu dirty=%lld writeback=%lld evicted=%lld oldest_ms=%lld inserted=%lld removed=%lld size_bytes=%llu",
		PCINSPECT_TRACE_FILE_ARGS,
		(unsigned long long)__entry->cached,
		(unsigned long long)__entry->active,
		(unsigned long long)__entry->inactive,
		(unsigned long long)__entry->unevictable,
		(unsigned long long)__entry->off_lru,
		(long long)__entry->dirty, (long long)__entry->writeback,
		(long long)__entry->evicted, (long long)__entry->oldest_ms,
		(long long)__entry->inserted, (long long)__entry->removed,
		(unsigned long long)__entry->size_bytes)
);

#endif /* _PCINSPECT_TRACE_H */

#undef TRACE_INCLUDE_PATH
#undef TRACE_INCLUDE_FILE
#define TRACE_INCLUDE_PATH .
#define TRACE_INCLUDE_FILE trace
#include <trace/define_trace.h>
