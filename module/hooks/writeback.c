// SPDX-License-Identifier: GPL-2.0-only
/*
 * writeback.c - probes on the kernel's "writeback" trace system and on the
 * beginning and end of a folio's writeback.
 *
 * Why not tracepoints: none says that a folio is handed over, or that it is
 * done; folio_end_writeback() may be two functions (7.2), and both come through
 * __folio_end_writeback(), in interrupts, where a kprobe may be missed (group.c).
 *
 * Context (measured on 6.1, 6.12, 7.2): writeback_dirty_folio: i_pages lock
 * held, irqs off; __folio_start_writeback: task or flusher, irqs on;
 * __folio_end_writeback: softirq as a rule; balance_dirty_pages: task.
 *
 * May touch: bits of pages, ledgers.
 */
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/preempt.h>
#include <linux/timekeeping.h>
#include <linux/tracepoint.h>
#include <linux/writeback.h>
#include <trace/events/writeback.h>

#include "account/reads.h"
#include "account/writes.h"
#include "hooks/table.h"
#include "records/meter.h"
#include "records/scope.h"
#include "records/track.h"

/* One call, so that the probe itself has nothing to keep. */
static noinline void dirty_tracked(struct folio *folio,
				   struct address_space *mapping, bool run)
{
	u64 began;

	/* Else interrupts are off. */
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		preempt_disable_notrace();
	began = pcinspect_meter_begin();
	if (unlikely(run))
		pcinspect_writes_dirtied(folio, mapping);
	else
		pcinspect_writes_dirty(folio, mapping, mapping->host);
	pcinspect_meter_end(began);
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		preempt_enable_notrace();
}

static void probe_dirty(void *data, struct folio *folio,
			struct address_space *mapping)
{
	const struct inode *inode = likely(mapping) ? mapping->host : NULL;
	const bool run = pcinspect_scope_run();

	if (likely(inode) &&
	    unlikely(run || pcinspect_track_may_have_ledger(inode)))
		dirty_tracked(folio, mapping, run);
}

static int writeback_begin(struct kprobe *kp, struct pt_regs *regs)
{
	pcinspect_writes_begin((struct folio *)regs_get_kernel_argument(regs, 0));
	return 0;
}

/* Not by way of this where the group calls by itself (group_ended()). */
static int writeback_end(struct kprobe *kp, struct pt_regs *regs)
{
	return 0;
}

static int writepages_filter(struct kprobe *kp, struct pt_regs *regs)
{
	const struct address_space *mapping =
		(void *)regs_get_kernel_argument(regs, 0);

	return hook_enter_if(mapping->host &&
				     pcinspect_scope_concerns(mapping->host),
			     kp, regs);
}

static int writepages_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct address_space *mapping =
		(void *)regs_get_kernel_argument(regs, 0);
	const struct writeback_control *wbc =
		(void *)regs_get_kernel_argument(regs, 1);
	enum pcinspect_reason reason;
	struct pcinspect_operation *op;

	if (!mapping->host || !pcinspect_track_admit(mapping->host))
		return 1;
	reason = pcinspect_writes_reason(mapping, wbc);
	op = pcinspect_operation_push(OP_WRITEPAGES, mapping, (u8 *)ri->data);
	if (!op)
		return 1;
	op->cause = reason;
	return 0;
}

static int writepages_end(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	pcinspect_operation_pop(*(u8 *)ri->data);
	return 0;
}

static void throttled(const struct bdi_writeback *wb,
		      const struct pcinspect_throttle *throttle)
{
	preempt_disable_notrace();
	pcinspect_writes_throttled(wb, throttle);
	preempt_enable_notrace();
}

PCINSPECT_THROTTLE_PROBE(probe_throttled, throttled);

static int sleep_filter(struct kprobe *kp, struct pt_regs *regs)
{
	return hook_enter_if(pcinspect_writes_sleeps(), kp, regs);
}

static int sleep_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	*(u64 *)ri->data = ktime_get_ns();
	return 0;
}

static int sleep_end(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	pcinspect_writes_slept(ktime_get_ns() - *(u64 *)ri->data);
	return 0;
}

static void __maybe_unused hook_writeback_canary(void)
{
	HOOK_CANARY(writeback_dirty_folio, probe_dirty);
	HOOK_CANARY(balance_dirty_pages, probe_throttled);
}

static struct pcinspect_hook hooks[] = {
	HOOK_EVENT("writeback_dirty_folio", probe_dirty,
		   "ages of dirty pages, who dirtied them, pages used by writing",
		   .numbers = NUMBERS(DIRTIED, ONE(MAPPED_DIRTIED_PAGES),
				      ONE(UNCOUNTED_WRITE_PAGES),
				      WASTED_AND_UNKNOWN, AGES, WRITTEN_AGES)),
	HOOK_CALL("__folio_start_writeback", writeback_begin,
		  "written_pages, direct_flushed_pages",
		  .group = &pcinspect_group_folio,
		  .numbers = NUMBERS(ONE(WRITTEN_PAGES), WRITEBACK_TIMES,
				     ONE(DIRECT_FLUSHED_PAGES), AGES,
				     WRITTEN_AGES, REASONS),
		  .args = "folio"),
	HOOK_CALL("__folio_end_writeback", writeback_end,
		  "how long writeback took", .group = &pcinspect_group_ended,
		  .not_fs = pcinspect_writeback_ends_early,
		  .numbers = NUMBERS(WRITEBACK_TIMES),
		  .only = NUMBERS(WRITEBACK_TIMES), .args = "folio"),
	HOOK_RETURN("do_writepages", writepages_entry, writepages_end,
		    "reasons of writeback", .pre = writepages_filter,
		    .numbers = NUMBERS(REASONS)),
	HOOK_EVENT("balance_dirty_pages", probe_throttled,
		   "throttled_ns, and whose limit it was",
		   .numbers = NUMBERS(THROTTLED, THRESHOLDS)),
	HOOK_RETURN("io_schedule_timeout", sleep_entry, sleep_end,
		    "throttled_ns", .many = true, .pre = sleep_filter,
		    .numbers = NUMBERS(THROTTLED, THRESHOLDS)),
};

const struct pcinspect_hook_set pcinspect_hooks_writeback = {
	.hooks = hooks,
	.nr = ARRAY_SIZE(hooks),
	.anew = pcinspect_writes_reset,
};
