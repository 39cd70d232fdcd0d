// SPDX-License-Identifier: GPL-2.0
/*
 * block.c - the probe on submit_bio().
 *
 * Why there: it is where a filesystem hands its I/O over, in the task that
 * causes it and with its own pages still in the bio. Issue happens in some
 * kernel worker; device mapper's and loop's clones go through
 * submit_bio_noacct(), so nothing is counted twice.
 *
 * Context: task or kernel worker, preemption off. May touch: ledgers, devices.
 */
#include <linux/bio.h>
#include <linux/kprobes.h>

#include "account/bio.h"
#include "account/devices.h"
#include "hooks/table.h"

static int submit_entry(struct kprobe *kp, struct pt_regs *regs)
{
	pcinspect_bio(hook_arg(regs, 0));
	return 0;
}

static struct pcinspect_hook hooks[] = {
	HOOK_CALL("submit_bio", submit_entry, "device_bytes, hole_pages",
		  .group = &pcinspect_group_bio,
		  .numbers = NUMBERS(ONE(DEVICE_BYTES), ONE(HOLE_PAGES),
				     DIRECT_BYTES, ONE(DEVICE_WRITE_BYTES))),
};

const struct pcinspect_hook_set pcinspect_hooks_block = {
	.hooks = hooks,
	.nr = ARRAY_SIZE(hooks),
	.detached = pcinspect_devices_reset,
};
