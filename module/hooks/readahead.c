// SPDX-License-Identifier: GPL-2.0-only
/*
 * readahead.c - probes on the functions of mm/readahead.c.
 *
 * Why kretprobes: one logical window is a nest of calls, into which the
 * filesystem inserts more pages than were planned (readahead_expand()), so only
 * the return of the outermost one knows what became of it. 7.2's tracepoints
 * fire at entry.
 *
 * The outermost function and its cause (6.1, 6.12, 7.2):
 *   page_cache_sync_ra       a read, or a fault on a VM_SEQ_READ mapping, missed
 *   page_cache_async_ra      a read or fault met the marker
 *   page_cache_ra_order      mmap read-around (do_sync_mmap_readahead())
 *   force_page_cache_ra      fadvise, madvise, readahead(2)
 *   page_cache_ra_unbounded  a filesystem's own (fsverity, f2fs)
 *
 * Context: task, preemption off, irqs on. May touch: operations, ledgers.
 */
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/sizes.h>
#include <linux/timekeeping.h>

#include "account/evictor.h"
#include "account/reads.h"
#include "hooks/table.h"
#include "records/scope.h"
#include "records/track.h"
#include "trace.h"

/* The window that a nested function of the same file works for, or NULL. */
static struct pcinspect_operation *
readahead_outer(const struct address_space *mapping)
{
	struct pcinspect_operation *top = pcinspect_operation_top();

	return top && top->kind == OP_READAHEAD && top->mapping == mapping ?
		       top :
		       NULL;
}

/*
 * Requested bytes; advice may be for everything (LLONG_MAX,
 * generic_fadvise()), and counts up to the end of the file.
 */
static u32 readahead_asked(const struct readahead_control *ractl,
			   enum pcinspect_cause cause, unsigned long nr)
{
	u64 end = DIV_ROUND_UP_ULL(i_size_read(ractl->mapping->host), PAGE_SIZE);
	u64 left = end > ractl->_index ? end - ractl->_index : 0;

	if (cause == PCINSPECT_CAUSE_FORCED)
		nr = min_t(u64, nr, max(left, 1ULL));
	return min_t(u64, nr, U32_MAX);
}

/* Begin a window; returns 0 if its return is to be probed. */
static int readahead_begin(struct kretprobe_instance *ri,
			   const struct readahead_control *ractl,
			   enum pcinspect_cause cause, unsigned long requested)
{
	struct pcinspect_operation *op;

	op = pcinspect_operation_push(OP_READAHEAD, ractl->mapping,
				      (u8 *)ri->data);
	if (!op)
		return 1;
	op->cause = cause;
	op->time_ns = ktime_get_ns();
	op->index = ractl->_index;
	op->requested = readahead_asked(ractl, cause, requested);
	op->ra_pages = ractl->ra ? ractl->ra->ra_pages : 0;
	op->chunks = cause == PCINSPECT_CAUSE_FORCED;
	return 0;
}

HOOK_END(readahead_end)
{
	struct pcinspect_operation *op =
		pcinspect_operation_pop(*(u8 *)ri->data);
	struct pcinspect_ledger *ledger;
	struct pcinspect_task share = {};

	if (!op)
		return 0;
	if (!op->inserted && !op->device_bytes)
		return 0; /* all was there already */
	/* The function just returned to a caller that holds the file. */
	if (op->inserted)
		pcinspect_evictor_filled(op->file.inode, op->inserted);
	ledger = pcinspect_track_admit((struct inode *)op->file.inode);
	if (!ledger)
		return 0;
	if (!op->planned)
		op->planned = op->requested;
	if (op->cause <= PCINSPECT_CAUSE_FORCED) {
		pcinspect_ledger_window(ledger, op);
		trace_pcinspect_ra_window(op);
	}
	ledger_add(ledger, PCINSPECT_EXPANDED_PAGES, op->expanded);
	if (op->inserted > op->io_pages)
		ledger_add(ledger, PCINSPECT_HOLE_PAGES,
			   op->inserted - op->io_pages);
	share.device_bytes = op->device_bytes;
	share.inserted_pages = op->inserted;
	pcinspect_ledger_share(ledger, &share);
	return 0;
}

/* Of all functions here: whose pages it reads. */
static int ractl_filter(struct kprobe *kp, struct pt_regs *regs)
{
	const struct readahead_control *ractl = hook_arg(regs, 0);

	return hook_enter_if(pcinspect_scope_concerns(ractl->mapping->host), kp,
			     regs);
}

/* A window, unless it is within one; @arg: which argument says how many pages. */
static int window_entry(struct kretprobe_instance *ri, struct pt_regs *regs,
			enum pcinspect_cause cause, unsigned int arg)
{
	const struct readahead_control *ractl = hook_arg(regs, 0);

	if (readahead_outer(ractl->mapping))
		return 1;
	return readahead_begin(ri, ractl, cause,
			       regs_get_kernel_argument(regs, arg));
}

static int sync_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return window_entry(ri, regs, PCINSPECT_CAUSE_SYNC, 1);
}

static int async_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return window_entry(ri, regs, PCINSPECT_CAUSE_ASYNC, 2);
}

/* Within a window of page_cache_sync_ra(): a read after POSIX_FADV_RANDOM. */
static int force_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct readahead_control *ractl = hook_arg(regs, 0);
	struct pcinspect_operation *op = readahead_outer(ractl->mapping);

	if (op)
		op->chunks = true;
	return window_entry(ri, regs, PCINSPECT_CAUSE_FORCED, 1);
}

static int order_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct readahead_control *ractl = hook_arg(regs, 0);
	const struct file_ra_state *ra = hook_arg(regs, 1);
	struct pcinspect_operation *op = readahead_outer(ractl->mapping);
	enum pcinspect_cause cause = PCINSPECT_CAUSE_AROUND;
	int skip = 1;

	if (!op) {
		/* Two of HPAGE_PMD_NR at once: under MADV_HUGEPAGE. */
		if (ra->size >= (PMD_SIZE >> PAGE_SHIFT) &&
		    ra->async_size == (PMD_SIZE >> PAGE_SHIFT) &&
		    ra->size != ra->ra_pages)
			cause = PCINSPECT_CAUSE_OTHER;
		/* The fault wants one page. */
		skip = readahead_begin(ri, ractl, cause, 1);
		if (skip)
			return 1;
		op = pcinspect_operation_top();
	}
	op->planned = ra->size;
	op->async = ra->async_size;
	return skip;
}

static int unbounded_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct readahead_control *ractl = hook_arg(regs, 0);
	struct pcinspect_operation *op = readahead_outer(ractl->mapping);
	unsigned long nr = regs_get_kernel_argument(regs, 1);

	if (!op)
		return readahead_begin(ri, ractl, PCINSPECT_CAUSE_OTHER, nr);
	/*
	 * page_cache_ra_order() has said what is planned and falls back to
	 * this; force_page_cache_ra() comes here once in 2 MiB.
	 */
	if (op->chunks) {
		op->planned += nr;
	} else if (!op->planned) {
		op->planned = nr;
		op->async = regs_get_kernel_argument(regs, 2);
	}
	return 1;
}

static int read_pages_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct readahead_control *ractl = hook_arg(regs, 0);
	struct pcinspect_operation *op = readahead_outer(ractl->mapping);

	/* Called for nothing as well; only inside of a window of ours. */
	if (!ractl->_nr_pages || !op)
		return 1;
	pcinspect_reads_flush_run(op);
	return hook_begin(ri, OP_READ_PAGES, ractl->mapping);
}

static int read_pages_end(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct pcinspect_operation *op =
		pcinspect_operation_pop(*(u8 *)ri->data);

	if (op)
		pcinspect_reads_flush_run(op - 1);
	return 0;
}

#define RACTL .pre = ractl_filter, .group = &pcinspect_group_ractl

/* Without an outer function the inner one is taken for the outermost. */
static struct pcinspect_hook hooks[] = {
	HOOK_RETURN("page_cache_sync_ra", sync_entry, readahead_end,
		    "pages inserted after a miss", RACTL,
		    .numbers = NUMBERS(ONE(INSERTED_SYNC), ONE(INSERTED_AROUND),
				       ONE(INSERTED_FORCED),
				       ONE(INSERTED_OTHER), ONE(HOLE_PAGES),
				       WASTED_AND_UNKNOWN, WINDOWS)),
	HOOK_RETURN("page_cache_async_ra", async_entry, readahead_end,
		    "pages inserted at a marker", RACTL,
		    .numbers = NUMBERS(ONE(INSERTED_ASYNC), ONE(INSERTED_AROUND),
				       ONE(INSERTED_OTHER), ONE(HOLE_PAGES),
				       WASTED_AND_UNKNOWN, WINDOWS)),
	HOOK_RETURN("page_cache_ra_order", order_entry, readahead_end,
		    "mmap read-around", RACTL,
		    .numbers = NUMBERS(ONE(INSERTED_AROUND),
				       ONE(INSERTED_OTHER), ONE(HOLE_PAGES),
				       WASTED_AND_UNKNOWN, WINDOWS),
		    .args = "readahead_control file_ra_state"),
	HOOK_RETURN("force_page_cache_ra", force_entry, readahead_end,
		    "pages inserted by advice", RACTL,
		    .numbers = NUMBERS(ONE(INSERTED_FORCED),
				       ONE(INSERTED_OTHER), ONE(HOLE_PAGES),
				       WASTED_AND_UNKNOWN, WINDOWS),
		    .args = "readahead_control"),
	HOOK_RETURN("page_cache_ra_unbounded", unbounded_entry, readahead_end,
		    "planned sizes", RACTL,
		    .numbers = NUMBERS(ONE(HOLE_PAGES), ONE(EXPANDED_PAGES))),
	HOOK_RETURN("read_pages", read_pages_entry, read_pages_end,
		    "expanded_pages, trimmed pages", RACTL,
		    .numbers = NUMBERS(ONE(EXPANDED_PAGES), ONE(REMOVED_TRIM),
				       ONE(REMOVED_OTHER), WASTED_AND_UNKNOWN),
		    .args = "readahead_control"),
};

const struct pcinspect_hook_set pcinspect_hooks_readahead = {
	.hooks = hooks,
	.nr = ARRAY_SIZE(hooks),
};
