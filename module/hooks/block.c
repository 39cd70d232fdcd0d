// SPDX-License-Identifier: GPL-2.0-only
/*
 * block.c - the probe on submit_bio(), and on the end of bios that were not to
 * wait.
 *
 * Why there: a filesystem submits its I/O there, in the task that causes it and
 * with its own pages still in the bio. Requests are issued by some kernel
 * worker; clones of device mapper and loop use submit_bio_noacct(), so nothing
 * is counted twice. But a REQ_NOWAIT bio that would have to wait ends at once,
 * and is submitted again.
 *
 * Context: task or kernel worker, preemption off; bios end anywhere. May touch:
 * ledgers, devices.
 */
#include <linux/bio.h>
#include <linux/blkdev.h>
#include <linux/kprobes.h>
#include <linux/tracepoint.h>
#include <trace/events/block.h>

#include "account/bio.h"
#include "account/devices.h"
#include "hooks/table.h"

static int submit_entry(struct kprobe *kp, struct pt_regs *regs)
{
	pcinspect_bio(hook_arg(regs, 0));
	return 0;
}

/*
 * Not of what a request carried (blk_update_request() clears
 * BIO_TRACE_COMPLETION): of what other devices clone, and what became no request.
 * So each bio of a mapping pays for it, and it is there only for those who ask
 * about a device: a run, or who tracks one. The rows of devices are told of runs.
 */
static void probe_complete(void *data, struct request_queue *q, struct bio *bio)
{
	if (likely(bio->bi_status != BLK_STS_AGAIN) ||
	    !(bio->bi_opf & REQ_NOWAIT))
		return;
	preempt_disable_notrace();
	pcinspect_bio_refused(bio, !queue_is_mq(q));
	preempt_enable_notrace();
}

static void __maybe_unused hook_block_canary(void)
{
	HOOK_CANARY(block_bio_complete, probe_complete);
}

static struct pcinspect_hook hooks[] = {
	HOOK_CALL("submit_bio", submit_entry, "device_bytes, hole_pages",
		  .group = &pcinspect_group_bio,
		  .numbers = NUMBERS(ONE(DEVICE_BYTES), ONE(HOLE_PAGES),
				     DIRECT_BYTES, ONE(DEVICE_WRITE_BYTES))),
	HOOK_EVENT("block_bio_complete", probe_complete,
		   "direct I/O that was refused, and comes again", .fs = "bdev",
		   .users = HOOKS_RUN | HOOKS_BLOCK_DEVICE,
		   .numbers = NUMBERS(DIRECT_BYTES)),
};

const struct pcinspect_hook_set pcinspect_hooks_block = {
	.hooks = hooks,
	.nr = ARRAY_SIZE(hooks),
	.anew = pcinspect_devices_reset,
};
