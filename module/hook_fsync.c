// SPDX-License-Identifier: GPL-2.0
/*
 * hook_fsync.c - probes on the ways to fsync, and on the kernel's "block" trace
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
#include <linux/preempt.h>
#include <linux/tracepoint.h>
#include <trace/events/block.h>

#include "fsync.h"
#include "hook.h"

static int fsync_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct file *file = (void *)regs_get_kernel_argument(regs, 0);

	return pcinspect_fsync_begin(file, (u8 *)ri->data);
}

static int fsync_end(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	pcinspect_fsync_end(*(u8 *)ri->data);
	return 0;
}

static void probe_issue(void *data, struct request *rq)
{
	preempt_disable_notrace();
	pcinspect_fsync_request(rq);
	preempt_enable_notrace();
}

static void probe_split(void *data, struct bio *bio, unsigned int new_sector)
{
	preempt_disable_notrace();
	pcinspect_fsync_split(bio);
	preempt_enable_notrace();
}

/* A changed prototype must break the build, not the machine. */
#define CANARY(event, probe) check_trace_callback_type_##event(probe)

static void __maybe_unused hook_fsync_canary(void)
{
	CANARY(block_rq_issue, probe_issue);
	CANARY(block_split, probe_split);
}

#define FSYNC_PROBE                                                 \
	{                                                           \
		.entry_handler = fsync_entry, .handler = fsync_end, \
		.data_size = sizeof(u8)                             \
	}

static struct kretprobe rp_vfs = FSYNC_PROBE;
static struct kretprobe rp_sync_range = FSYNC_PROBE;
static struct kretprobe rp_ext4 = FSYNC_PROBE;
static struct kretprobe rp_xfs = FSYNC_PROBE;
static struct kretprobe rp_btrfs = FSYNC_PROBE;
static struct kretprobe rp_bdev = FSYNC_PROBE;

#define FSYNC_HOOK(function, probe, what, maybe)                       \
	{                                                              \
		.name = (function), .rp = &(probe), .purpose = (what), \
		.reads = true, .optional = (maybe)                     \
	}

static struct pcinspect_hook hooks[] = {
	FSYNC_HOOK("vfs_fsync_range", rp_vfs, "fsync calls", false),
	FSYNC_HOOK("sync_file_range", rp_sync_range, "sync_file_range", false),
	FSYNC_HOOK("ext4_sync_file", rp_ext4, "fsync calls on ext4", true),
	FSYNC_HOOK("xfs_file_fsync", rp_xfs, "fsync calls on xfs", true),
	FSYNC_HOOK("btrfs_sync_file", rp_btrfs, "fsync calls on btrfs", true),
	FSYNC_HOOK("blkdev_fsync", rp_bdev, "fsync calls on block devices", true),
	{
		.name = "block_rq_issue",
		.probe = probe_issue,
		.purpose = "requests of fsync calls",
		.reads = true,
	},
	{
		.name = "block_split",
		.probe = probe_split,
		.purpose = "splits of fsync calls",
		.reads = true,
	},
};

const struct pcinspect_hook_set pcinspect_hooks_fsync = {
	hooks,
	ARRAY_SIZE(hooks),
};
