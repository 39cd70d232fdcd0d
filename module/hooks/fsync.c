// SPDX-License-Identifier: GPL-2.0
/*
 * fsync.c - probes on the ways to fsync, and on the kernel's "block" trace
 * system.
 *
 * Why several: vfs_fsync_range() is exported and yet inlined where its own file
 * calls it, so the filesystems' functions are probed as well; they are reached
 * through a pointer. Of nested ones the outermost counts.
 *
 * Context: fsync: task, preemption off; block events: any. May touch: frames,
 * ledgers.
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

/* (file, start, end, datasync), as ->fsync() */
static int fsync_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct file *file = (void *)regs_get_kernel_argument(regs, 0);
	u32 kind = (int)regs_get_kernel_argument(regs, 3) ?
			   PCINSPECT_FSYNC_DATASYNC :
			   0;

	return pcinspect_fsync_begin(file, kind, (u8 *)ri->data);
}

static int range_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct file *file = (void *)regs_get_kernel_argument(regs, 0);

	return pcinspect_fsync_begin(file, PCINSPECT_FSYNC_RANGE,
				     (u8 *)ri->data);
}

static int fsync_end(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	pcinspect_fsync_end(*(u8 *)ri->data);
	return 0;
}

/* --- what a call waits for ----------------------------------------------- */

static int wait_begin(struct kretprobe_instance *ri,
		      const struct address_space *mapping)
{
	if (!pcinspect_fsync_waits(mapping))
		return 1;
	*(u64 *)ri->data = ktime_get_ns();
	return 0;
}

static int data_wait_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	struct folio *folio = (void *)regs_get_kernel_argument(regs, 0);

	return folio->mapping ? wait_begin(ri, folio->mapping) : 1;
}

static int log_wait_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return wait_begin(ri, NULL);
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

static struct kretprobe rp_vfs = HOOK_PROBE(fsync_entry, fsync_end, u8);
static struct kretprobe rp_sync_range = HOOK_PROBE(range_entry, fsync_end, u8);
static struct kretprobe rp_ext4 = HOOK_PROBE(fsync_entry, fsync_end, u8);
static struct kretprobe rp_xfs = HOOK_PROBE(fsync_entry, fsync_end, u8);
static struct kretprobe rp_btrfs = HOOK_PROBE(fsync_entry, fsync_end, u8);
static struct kretprobe rp_bdev = HOOK_PROBE(fsync_entry, fsync_end, u8);
static struct kretprobe rp_data_wait =
	HOOK_PROBE(data_wait_entry, data_wait_end, u64);
static struct kretprobe rp_flush_wait =
	HOOK_PROBE(log_wait_entry, log_wait_end, u64);
static struct kretprobe rp_ext4_wait =
	HOOK_PROBE(log_wait_entry, log_wait_end, u64);
static struct kretprobe rp_xfs_wait =
	HOOK_PROBE(log_wait_entry, log_wait_end, u64);
static struct kretprobe rp_btrfs_wait =
	HOOK_PROBE(log_wait_entry, log_wait_end, u64);

static struct pcinspect_hook hooks[] = {
	HOOK_RETURN("vfs_fsync_range", rp_vfs, "fsync calls", false),
	HOOK_RETURN("sync_file_range", rp_sync_range, "sync_file_range", false),
	HOOK_RETURN("ext4_sync_file", rp_ext4, "fsync calls on ext4", true),
	HOOK_RETURN("xfs_file_fsync", rp_xfs, "fsync calls on xfs", true),
	HOOK_RETURN("btrfs_sync_file", rp_btrfs, "fsync calls on btrfs", true),
	HOOK_RETURN("blkdev_fsync", rp_bdev, "fsync calls on block devices",
		    true),
	HOOK_RETURN("folio_wait_writeback", rp_data_wait, "data_wait_ns", false),
	HOOK_RETURN("blkdev_issue_flush", rp_flush_wait,
		    "log_wait_ns of cache flushes", false),
	HOOK_RETURN("jbd2_log_wait_commit", rp_ext4_wait, "log_wait_ns on ext4",
		    true),
	HOOK_RETURN("xfs_log_force_seq", rp_xfs_wait, "log_wait_ns on xfs", true),
	HOOK_RETURN("btrfs_sync_log", rp_btrfs_wait, "log_wait_ns on btrfs",
		    true),
	HOOK_EVENT("block_rq_issue", probe_issue, "requests of fsync calls"),
	HOOK_EVENT("block_rq_requeue", probe_requeue,
		   "requests that are issued twice"),
	HOOK_EVENT("block_split", probe_split, "splits of fsync calls"),
};

const struct pcinspect_hook_set pcinspect_hooks_fsync = {
	hooks,
	ARRAY_SIZE(hooks),
};
