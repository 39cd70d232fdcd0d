// SPDX-License-Identifier: GPL-2.0-only
/*
 * fsync.c - probes on the ways to fsync, and on the kernel's "block" trace
 * system.
 *
 * Why several: vfs_fsync_range() is exported and yet inlined where its own file
 * calls it, so the filesystems' functions are probed as well; they are reached
 * through a pointer. Of nested ones the outermost counts.
 *
 * Context: fsync: task, preemption off; block events: any. May touch:
 * operations, ledgers.
 */
#include <linux/blkdev.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/timekeeping.h>
#include <linux/tracepoint.h>
#include <trace/events/block.h>

#include "uapi/pcinspect.h"
#include "account/fsync.h"
#include "hooks/table.h"
#include "records/scope.h"

/* (file, start, end, datasync), as ->fsync() */
static int fsync_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct file *file = hook_arg(regs, 0);
	u32 kind = (int)regs_get_kernel_argument(regs, 3) ?
			   PCINSPECT_FSYNC_DATASYNC :
			   0;

	return pcinspect_fsync_begin(file, kind, (u8 *)ri->data);
}

static int range_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct file *file = hook_arg(regs, 0);

	return pcinspect_fsync_begin(file, PCINSPECT_FSYNC_RANGE,
				     (u8 *)ri->data);
}

static int fsync_end(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	pcinspect_fsync_end(*(u8 *)ri->data);
	return 0;
}

/* --- what a call waits for ----------------------------------------------- */

/* folio_wait_writeback() calls it when, and only when, it has to wait. */
static int data_wait_filter(struct kprobe *kp, struct pt_regs *regs)
{
	struct folio *folio = hook_arg(regs, 0);
	const struct address_space *mapping = READ_ONCE(folio->mapping);

	return hook_enter_if(mapping &&
				     (int)regs_get_kernel_argument(regs, 1) ==
					     PG_writeback &&
				     pcinspect_fsync_waits(mapping),
			     kp, regs);
}

static int log_wait_filter(struct kprobe *kp, struct pt_regs *regs)
{
	return hook_enter_if(pcinspect_fsync_waits(NULL), kp, regs);
}

static int wait_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	*(u64 *)ri->data = ktime_get_ns();
	return 0;
}

static int data_wait_end(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	pcinspect_fsync_waited(ktime_get_ns() - *(u64 *)ri->data, false);
	return 0;
}

static int log_wait_end(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	pcinspect_fsync_waited(ktime_get_ns() - *(u64 *)ri->data, true);
	return 0;
}

/* --- requests ------------------------------------------------------------ */

static void probe_issue(void *data, struct request *rq)
{
	preempt_disable_notrace();
	pcinspect_fsync_request(rq, false);
	preempt_enable_notrace();
}

static void probe_requeue(void *data, struct request *rq)
{
	preempt_disable_notrace();
	pcinspect_fsync_request(rq, true);
	preempt_enable_notrace();
}

static void probe_split(void *data, struct bio *bio, unsigned int new_sector)
{
	preempt_disable_notrace();
	pcinspect_fsync_split(bio);
	preempt_enable_notrace();
}

static void __maybe_unused hook_fsync_canary(void)
{
	HOOK_CANARY(block_rq_issue, probe_issue);
	HOOK_CANARY(block_rq_requeue, probe_requeue);
	HOOK_CANARY(block_split, probe_split);
}

#define FSYNCS NUMBERS(ONE(FSYNCS_TOTAL), ONE(BY_FSYNC), REASONS_NOT_SEEN)

#define FSYNC_ALL_REQUESTS (PCINSPECT_FSYNC_REQUESTS | PCINSPECT_FSYNC_LOG)

/*
 * vfs_fsync_range() comes before a filesystem's own, which counts alone; the
 * rows with .calls fill in the list of calls, which are no numbers.
 */
static struct pcinspect_hook hooks[] = {
	/* No number: where it alone is, no filesystem's own is hooked: "?" there. */
	HOOK_RETURN("vfs_fsync_range", fsync_entry, fsync_end, "fsync calls",
		    .many = true, .pre = hook_file_filter),
	HOOK_RETURN("sync_file_range", range_entry, fsync_end,
		    "sync_file_range", .pre = hook_file_filter,
		    .numbers = NUMBERS(ONE(FSYNCS_TOTAL), ONE(BY_FSYNC),
				       ONE(BY_OTHER))),
	HOOK_RETURN("ext4_sync_file", fsync_entry, fsync_end,
		    "fsync calls on ext4", .many = true,
		    .pre = hook_file_filter, .fs = "ext2 ext3 ext4",
		    .numbers = FSYNCS, .only = FSYNCS, .args = "ext4:file"),
	HOOK_RETURN("xfs_file_fsync", fsync_entry, fsync_end,
		    "fsync calls on xfs", .many = true, .pre = hook_file_filter,
		    .fs = "xfs", .numbers = FSYNCS, .only = FSYNCS,
		    .args = "xfs:file"),
	HOOK_RETURN("btrfs_sync_file", fsync_entry, fsync_end,
		    "fsync calls on btrfs", .many = true,
		    .pre = hook_file_filter, .fs = "btrfs", .numbers = FSYNCS,
		    .only = FSYNCS, .args = "btrfs:file"),
	HOOK_RETURN("blkdev_fsync", fsync_entry, fsync_end,
		    "fsync calls on block devices", .pre = hook_file_filter,
		    .fs = "bdev", .numbers = FSYNCS, .only = FSYNCS,
		    .args = "file"),
	HOOK_RETURN("folio_wait_bit", wait_entry, data_wait_end, "data_wait_ns",
		    .many = true, .pre = data_wait_filter,
		    .calls = PCINSPECT_FSYNC_NO_DATA_WAIT),
	HOOK_RETURN("blkdev_issue_flush", wait_entry, log_wait_end,
		    "log_wait_ns of cache flushes", .many = true,
		    .pre = log_wait_filter, .calls = PCINSPECT_FSYNC_NO_LOG_WAIT),
	HOOK_RETURN("jbd2_log_wait_commit", wait_entry, log_wait_end,
		    "log_wait_ns on ext4", .many = true, .pre = log_wait_filter,
		    .fs = "ext2 ext3 ext4", .calls = PCINSPECT_FSYNC_NO_LOG_WAIT),
	HOOK_RETURN("xfs_log_force_seq", wait_entry, log_wait_end,
		    "log_wait_ns on xfs", .many = true, .pre = log_wait_filter,
		    .fs = "xfs", .calls = PCINSPECT_FSYNC_NO_LOG_WAIT),
	HOOK_RETURN("btrfs_sync_log", wait_entry, log_wait_end,
		    "log_wait_ns on btrfs", .many = true, .pre = log_wait_filter,
		    .fs = "btrfs", .calls = PCINSPECT_FSYNC_NO_LOG_WAIT),
	HOOK_EVENT("block_rq_issue", probe_issue, "requests of fsync calls",
		   .calls = FSYNC_ALL_REQUESTS),
	HOOK_EVENT("block_rq_requeue", probe_requeue,
		   "requests that are issued twice", .calls = FSYNC_ALL_REQUESTS),
	HOOK_EVENT("block_split", probe_split, "splits of fsync calls",
		   .calls = PCINSPECT_FSYNC_NO_SPLITS),
};

const struct pcinspect_hook_set pcinspect_hooks_fsync = {
	.hooks = hooks,
	.nr = ARRAY_SIZE(hooks),
	.detached = pcinspect_fsync_reset,
};
