// SPDX-License-Identifier: GPL-2.0-only
/*
 * writes.c - the rules of the write ledger, as docs/numbers.md states them.
 *
 * Everything here runs inside probes: preemption off (by the hook), perhaps
 * with interrupts off and the i_pages lock held, the end of writeback in
 * softirq. No sleeping, no lock but the ledger's and the times' leaf locks, no
 * following of anything but the inode and folio that the kernel function
 * itself is working on. A folio under writeback keeps its mapping: truncation
 * waits for it.
 */
#include <linux/backing-dev.h>
#include <linux/compat.h>
#include <linux/fs.h>
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/stat.h>
#include <linux/swap.h>
#include <linux/timekeeping.h>
#include <linux/writeback.h>
#include <asm/syscall.h>
#include <asm/unistd.h>

#include "account/writes.h"
#include "records/dirty.h"
#include "records/memory.h"
#include "records/scope.h"
#include "records/track.h"
#include "records/unused.h"
#include "trace.h"

/* Pages whose writeback has ended: [1] of files with a ledger, [0] of all else. */
DEFINE_PER_CPU(u64[2], pcinspect_writes_pages);

/*
 * Is the running task in a system call that writes to files? Not told of kernel
 * threads (nfsd, loop), io_uring's workers and programs of 32 bits: false. A
 * fault of a program is in none: its registers say so. But io_submit(2) and
 * io_uring_enter(2) store to a mapping, too, if it is what they read into.
 */
static bool writes_in_call(struct address_space *mapping)
{
	if (!in_task() || current->flags & (PF_KTHREAD | PF_IO_WORKER) ||
	    in_compat_syscall())
		return false;
	switch (syscall_get_nr(current, task_pt_regs(current))) {
	case __NR_write:
	case __NR_pwrite64:
	case __NR_writev:
	case __NR_pwritev:
	case __NR_pwritev2:
	case __NR_sendfile:
	case __NR_splice:
		return true;
	case __NR_io_submit:
	case __NR_io_uring_enter:
		return !mapping_writably_mapped(mapping);
	default:
		return false;
	}
}

/* Of ledger->uncounted_call: that call began after the ledger. */
#define WRITES_LATER BIT_ULL(31)

/*
 * The number of the running task's call. Calls that inc_syscw() does not count
 * (splice(2), io_submit(2), io_uring_enter(2); 6.12) all have the same one.
 */
static u64 writes_call(void)
{
	u64 call = (u64)current->pid << 32;

#ifdef CONFIG_TASK_XACCT
	call |= current->ioac.syscw & (WRITES_LATER - 1);
#endif
	return call;
}

/*
 * Has a write made this folio dirty by a way that no hook is on? The hooks know
 * who writes by a function's name and say nothing of a kernel that has another
 * one; the system call does. The task is in the middle of nothing, it is not the
 * filesystem's own file (nilfs_mdt_init()), and not the folio at the file's end,
 * whose rest is cleared before what is written behind it
 * (xfs_file_write_checks(), btrfs_cont_expand(), 6.12).
 */
static bool writes_unseen(struct folio *folio, struct address_space *mapping,
			  unsigned long nr)
{
	const struct inode *inode = mapping->host;
	u64 size = i_size_read(inode);
	u64 first = folio->index;

	if (!S_ISREG(inode->i_mode) || !inode->i_fop->write_iter ||
	    pcinspect_operation_top() || !writes_in_call(mapping))
		return false;
	return !size || (size - 1) >> PAGE_SHIFT < first ||
	       (size - 1) >> PAGE_SHIFT >= first + nr;
}

/*
 * If so, count it, until the same call comes by a hook after all, as those do
 * that clear what is between the file's end and them (exfat, 7.2). A call has
 * to have begun after the ledger, or the hooks need not have seen it: all of a
 * run's tasks' have; of any other task the second one has.
 */
static bool writes_uncounted(struct pcinspect_ledger *ledger,
			     struct folio *folio, struct address_space *mapping,
			     unsigned long nr)
{
	u64 call, seen;

	if (!writes_unseen(folio, mapping, nr))
		return false;
	call = writes_call();
	seen = READ_ONCE(ledger->uncounted_call);
	if ((seen & ~WRITES_LATER) != call) {
		if (seen >> 32 == call >> 32 ||
		    (pcinspect_scope_run() && pcinspect_operation_is_member()))
			call |= WRITES_LATER;
		WRITE_ONCE(ledger->uncounted_pages, 0);
		WRITE_ONCE(ledger->uncounted_call, call);
		seen = call;
	}
	if (!(seen & WRITES_LATER))
		return false;
	WRITE_ONCE(ledger->uncounted_pages, ledger->uncounted_pages + nr);
	ledger_add(ledger, PCINSPECT_UNCOUNTED_WRITE_PAGES, nr);
	return true;
}

/**
 * pcinspect_writes_forgive() - a write has come to a hook
 * @ledger: of its file
 *
 * Pages that the same call made dirty before belong to it.
 *
 * Context: entry of a write function, preemption off.
 */
void pcinspect_writes_forgive(struct pcinspect_ledger *ledger)
{
	u64 nr = READ_ONCE(ledger->uncounted_pages);

	if ((READ_ONCE(ledger->uncounted_call) & ~WRITES_LATER) != writes_call())
		return;
	WRITE_ONCE(ledger->uncounted_pages, 0);
	ledger_add(ledger, PCINSPECT_UNCOUNTED_WRITE_PAGES, -(s64)nr);
}

/*
 * Outside of any write(2): a store to a mapping, if there is one that may be
 * stored to, as it is until all of its pages are unmapped (free_pgtables());
 * else the filesystem's own, as the rest of a page where a file was cut.
 */
static noinline void writes_dirtied_otherwise(struct pcinspect_ledger *ledger,
					      struct folio *folio,
					      struct address_space *mapping)
{
	unsigned long nr = folio_nr_pages(folio);
	struct pcinspect_task share = { .dirtied_pages = nr };

	if (!writes_uncounted(ledger, folio, mapping, nr) &&
	    mapping_writably_mapped(mapping))
		ledger_add(ledger, PCINSPECT_MAPPED_DIRTIED_PAGES, nr);
	if (nr > 1)
		ledger_add(ledger, PCINSPECT_DIRTIED_LARGE_PAGES, nr);
	pcinspect_ledger_share(ledger, &share);
}

/**
 * pcinspect_writes_dirtied_far() - a page became dirty not near the last one
 * @dirty: its inode's times
 * @index: of the page
 * @op: of the write
 *
 * The work that pcinspect_writes_dirty() does once in 64 calls.
 *
 * Context: probe of writeback_dirty_folio: preemption off.
 */
void pcinspect_writes_dirtied_far(struct pcinspect_dirty *dirty, u64 index,
				  struct pcinspect_operation *op)
{
	if (pcinspect_dirty_set(dirty, index, 1) != DIRTY_KEPT)
		op->dirtied++;
}

/**
 * pcinspect_writes_dirtied() - a folio became dirty
 * @folio: which, locked or its i_pages lock held
 * @mapping: its mapping
 *
 * All that pcinspect_writes_dirty() leaves.
 *
 * Context: probe of writeback_dirty_folio: preemption off.
 */
void pcinspect_writes_dirtied(struct folio *folio, struct address_space *mapping)
{
	unsigned long nr = folio_nr_pages(folio);
	struct pcinspect_ledger *ledger = pcinspect_track_admit(mapping->host);
	struct pcinspect_operation *top;

	if (mapping_can_writeback(mapping))
		pcinspect_scope_add_run(true, nr << PAGE_SHIFT);
	if (!ledger)
		return;
	pcinspect_unused_clear(ledger->unused, folio->index,
			       folio->index + nr - 1);
	if (pcinspect_dirty_set(ledger->dirty, folio->index, nr) == DIRTY_KEPT) {
		WRITE_ONCE(ledger->dirty->redirtied, folio->index + 1);
		return;
	}
	if (folio_test_writeback(folio))
		ledger_add(ledger, PCINSPECT_REDIRTIED_PAGES, nr);
	top = pcinspect_operation_top();
	if (!top || top->kind != OP_WRITE || top->mapping != mapping) {
		writes_dirtied_otherwise(ledger, folio, mapping);
		return;
	}
	/* Handed in when the write returns. */
	top->dirtied += nr;
	if (nr > 1)
		top->dirtied_large += nr;
}

/**
 * pcinspect_writes_reason() - why a mapping is being written back
 * @mapping: which
 * @wbc: as the kernel was told
 *
 * Context: entry of do_writepages(), preemption off.
 * Return: the reason; what the running task is in the middle of comes first.
 */
enum pcinspect_reason
pcinspect_writes_reason(const struct address_space *mapping,
			const struct writeback_control *wbc)
{
	const struct pcinspect_operation *op;

	op = pcinspect_operation_find(pcinspect_operations_of(),
				      BIT(OP_FSYNC) | BIT(OP_FADVISE) |
					      BIT(OP_DIRECT));
	if (op && op->mapping == mapping)
		return op->kind == OP_FSYNC   ? PCINSPECT_REASON_FSYNC :
		       op->kind == OP_FADVISE ? PCINSPECT_REASON_FADVISE :
						PCINSPECT_REASON_DIRECT;
	if (wbc->for_kupdate)
		return PCINSPECT_REASON_PERIODIC;
	if (wbc->for_background)
		return PCINSPECT_REASON_BACKGROUND;
	if (wbc->for_sync)
		return PCINSPECT_REASON_SYNC;
	if (pcinspect_in_reclaim())
		return PCINSPECT_REASON_RECLAIM;
	return current->flags & PF_WQ_WORKER ? PCINSPECT_REASON_FLUSHER :
					       PCINSPECT_REASON_OTHER;
}

/* Why is the running task handing this folio over? */
static enum pcinspect_reason writes_why(const struct pcinspect_operations *ops,
					const struct address_space *mapping)
{
	const struct pcinspect_operation *op;

	op = pcinspect_operation_find(ops, BIT(OP_WRITEPAGES));
	if (op && op->mapping == mapping)
		return op->cause;
	return pcinspect_in_reclaim() ? PCINSPECT_REASON_RECLAIM :
					PCINSPECT_REASON_OTHER;
}

/*
 * How many pages of a folio an earlier writeback has already written as the end
 * of the file, or (a log in a file of fixed size) as the end of what it wrote;
 * and remember where both are now.
 */
static unsigned long writes_tail(struct pcinspect_ledger *ledger,
				 const struct folio *folio, unsigned long nr)
{
	u64 last = READ_ONCE(ledger->written_last);
	u64 end = READ_ONCE(ledger->written_end);
	u64 first = folio->index;
	unsigned long tail;

	do {
		tail = first < end && first + nr >= end ? end - first : 0;
		if (first + nr <= end)
			break;
	} while (!try_cmpxchg64(&ledger->written_end, &end, first + nr));
	if (!tail && first < last && first + nr >= last)
		tail = last - first;
	if (last != first + nr)
		WRITE_ONCE(ledger->written_last, first + nr);
	return tail;
}

/**
 * pcinspect_writes_truncated() - pages of a file are being truncated
 * @inode: of which; its size is the new one
 *
 * Data appended from now on was never written before.
 *
 * Context: entry of truncate_inode_pages_range(), preemption off.
 */
void pcinspect_writes_truncated(const struct inode *inode)
{
	struct pcinspect_ledger *ledger =
		pcinspect_record_ledger(pcinspect_track_find(inode));
	u64 end = DIV_ROUND_UP_ULL(i_size_read(inode), PAGE_SIZE);
	u64 written;

	if (!ledger)
		return;
	written = READ_ONCE(ledger->written_end);
	while (end < written)
		if (try_cmpxchg64(&ledger->written_end, &written, end))
			break;
	if (end < READ_ONCE(ledger->written_last))
		WRITE_ONCE(ledger->written_last, end);
	/* A dirty folio may be split, and only one of the parts has its time. */
	if (end && READ_ONCE(ledger->dirty->pages) &&
	    mapping_large_folio_support(inode->i_mapping))
		pcinspect_dirty_doubt(ledger->dirty);
}

/**
 * pcinspect_writes_begin() - a folio is handed to writeback
 * @folio: locked
 *
 * Context: kprobe of __folio_start_writeback(), preemption off.
 */
void pcinspect_writes_begin(struct folio *folio)
{
	struct address_space *mapping = folio_mapping(folio);
	struct pcinspect_operations *ops;
	struct pcinspect_ledger *ledger;
	struct pcinspect_operation *op;
	unsigned long nr, tail;
	enum pcinspect_reason why;
	bool stays;
	u32 since;
	u64 age;

	if (!mapping || !mapping->host || folio_test_swapbacked(folio))
		return;
	ledger = pcinspect_track_admit(mapping->host);
	if (!ledger)
		return;
	nr = folio_nr_pages(folio);
	ops = pcinspect_operations_of();
	ledger_add_writeback(ledger, false, nr);
	why = writes_why(ops, mapping);
	ledger_add(ledger, pcinspect_by_reason(why), nr);
	/* Its flag alone does not tell: btrfs clears that of a large folio later. */
	stays = pcinspect_dirty_test_clear_redirtied(ledger->dirty,
						     folio->index) &&
		folio_test_dirty(folio);
	since = stays ? pcinspect_dirty_time(ledger->dirty, folio->index) :
			pcinspect_dirty_forget(ledger->dirty, folio->index, nr);
	/* Never seen to become dirty, or dirty again before it lost its time. */
	if (!since || (!stays && folio_test_dirty(folio)))
		pcinspect_dirty_doubt(ledger->dirty);
	age = pcinspect_dirty_since(since);
	ledger_add(ledger,
		   since ? PCINSPECT_WRITTEN_LE_10_MS +
				   pcinspect_dirty_bucket(age) :
			   PCINSPECT_WRITTEN_UNKNOWN_AGE_PAGES,
		   nr);
	trace_pcinspect_dirty_aged(mapping->host, folio->index, nr,
				   since ? (s64)age : -1, why);
	tail = writes_tail(ledger, folio, nr);
	op = pcinspect_operation_find(ops, BIT(OP_FSYNC));
	if (op && op->mapping == mapping) {
		op->inserted += nr;
		op->tail += tail;
		/* Its own, whatever they are counted as. */
		if (why == PCINSPECT_REASON_OTHER)
			op->count += nr;
	}
	op = pcinspect_operation_find(ops, BIT(OP_DIRECT));
	if (op && op->mapping == mapping)
		ledger_add(ledger, PCINSPECT_DIRECT_FLUSHED_PAGES, nr);
}

/**
 * pcinspect_writes_end() - writeback of a folio has ended
 * @folio: still under writeback
 *
 * Context: ftrace callback of __folio_end_writeback(), any context.
 */
void pcinspect_writes_end(struct folio *folio)
{
	struct address_space *mapping = folio_mapping(folio);
	struct pcinspect_ledger *ledger = NULL;
	unsigned long nr = folio_nr_pages(folio);
	bool file;

	if (mapping && mapping->host && !folio_test_swapbacked(folio) &&
	    pcinspect_track_may_have_ledger(mapping->host))
		ledger = pcinspect_track_ledger(mapping->host);
	/* Pages of the device's own cache are metadata. */
	file = ledger && S_ISREG(mapping->host->i_mode);
	this_cpu_add(pcinspect_writes_pages[file], nr);
	if (ledger)
		ledger_add_writeback(ledger, true, nr);
}

/**
 * pcinspect_writes_settle() - a buffered write has returned
 * @op: its operation, popped
 * @done: bytes written, or an error
 *
 * Context: return of a write function, preemption off.
 */
void pcinspect_writes_settle(const struct pcinspect_operation *op, s64 done)
{
	struct pcinspect_ledger *ledger = pcinspect_track_ledger_id(&op->file);
	struct pcinspect_task share = {
		.device_bytes = op->device_bytes,
		.inserted_pages = op->inserted,
		.dirtied_pages = op->dirtied,
		.throttled_ns = op->throttled_ns,
	};

	if (!ledger)
		return;
	if (done > 0)
		ledger_add(ledger, PCINSPECT_WRITE_BYTES, done);
	ledger_add(ledger, PCINSPECT_DIRTIED_LARGE_PAGES, op->dirtied_large);
	if (share.device_bytes || share.inserted_pages || share.dirtied_pages ||
	    share.throttled_ns)
		pcinspect_ledger_share(ledger, &share);
}

/* The owner of the limit, as far as the kernel's own figures decide it. */
static enum pcinspect_limit
writes_limit(const struct bdi_writeback *wb,
	     const struct pcinspect_throttle *throttle)
{
	/* The domain has room, its device has not: balance_dirty_pages(). */
	if (throttle->dirty <= (throttle->thresh + throttle->bg_thresh) / 2 &&
	    throttle->wb_dirty > throttle->wb_thresh)
		return PCINSPECT_LIMIT_DEVICE;
	if (throttle->limit != PCINSPECT_LIMIT_UNKNOWN)
		return throttle->limit;
#ifdef CONFIG_CGROUP_WRITEBACK
	/* Only a cgroup's own writeback is held against two domains. */
	if (wb->memcg_css && wb->memcg_css->parent)
		return PCINSPECT_LIMIT_UNKNOWN;
#endif
	return PCINSPECT_LIMIT_GLOBAL;
}

/**
 * pcinspect_writes_throttled() - the running task is about to wait
 * @wb: the writeback of the device it writes to
 * @throttle: why
 *
 * Without an operation of a write (a store to a mapping) it is unknown which
 * file that was, and so is the sum of each that may have been it.
 *
 * Context: probe of balance_dirty_pages, preemption off.
 */
void pcinspect_writes_throttled(const struct bdi_writeback *wb,
				const struct pcinspect_throttle *throttle)
{
	struct pcinspect_operation *op = pcinspect_operation_top();

	if (throttle->pause <= 0)
		return;
	if (!op || op->kind != OP_WRITE) {
		/* It is about to sleep. */
		atomic64_inc(&pcinspect_ledger_stalls);
		return;
	}
	op->throttle = 1 + writes_limit(wb, throttle);
	op->thresh = throttle->thresh;
}

/**
 * pcinspect_writes_sleeps() - is the running task's sleep one of those
 *
 * Callers that may not sleep do not, although the event says so.
 *
 * Context: entry of io_schedule_timeout(), preemption off.
 * Return: true if pcinspect_writes_slept() is to be called after it.
 */
bool pcinspect_writes_sleeps(void)
{
	const struct pcinspect_operation *op = pcinspect_operation_top();

	return op && op->throttle;
}

/**
 * pcinspect_writes_slept() - the running task has waited
 * @ns: for how long, by the clock; the pause it was given is rounded to ticks
 *
 * Context: return of io_schedule_timeout(), preemption off.
 */
void pcinspect_writes_slept(u64 ns)
{
	struct pcinspect_operation *op = pcinspect_operation_top();
	struct pcinspect_ledger *ledger;
	enum pcinspect_limit limit;
	unsigned long flags;

	if (!op || !op->throttle)
		return;
	limit = op->throttle - 1;
	op->throttle = 0;
	ledger = pcinspect_track_ledger_id(&op->file);
	if (!ledger)
		return;
	op->throttled_ns += ns;
	ledger_add(ledger, pcinspect_throttled_by(limit), ns);
	ledger_add(ledger, PCINSPECT_THROTTLES, 1);
	if (limit != PCINSPECT_LIMIT_UNKNOWN)
		return;
	raw_spin_lock_irqsave(&ledger->lock, flags);
	if (!ledger->thresh_max || op->thresh < ledger->thresh_min)
		ledger->thresh_min = op->thresh;
	ledger->thresh_max = max(ledger->thresh_max, op->thresh);
	raw_spin_unlock_irqrestore(&ledger->lock, flags);
}

/**
 * pcinspect_writes_ended() - pages whose writeback has ended since attachment
 * @file: of inodes with a ledger; otherwise of all others
 *
 * Context: any.
 * Return: how many.
 */
u64 pcinspect_writes_ended(bool file)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += per_cpu(pcinspect_writes_pages, cpu)[file];
	return sum;
}

/* Forget the sums over all inodes. Context: no hook is attached. */
void pcinspect_writes_reset(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		memset(per_cpu(pcinspect_writes_pages, cpu), 0,
		       sizeof(pcinspect_writes_pages));
}
