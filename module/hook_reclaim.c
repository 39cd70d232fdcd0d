// SPDX-License-Identifier: GPL-2.0
/*
 * hook_reclaim.c - probes on the kernel's "vmscan" trace system and on
 * workingset_refault().
 *
 * Why: for whom kswapd works, and which insertions bring back what was evicted
 * (the insertion event fires before workingset_refault(), mm/filemap.c).
 *
 * Context: kswapd; the inserting task. May touch: evictors, ledgers.
 */
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/tracepoint.h>
#include <trace/events/vmscan.h>

#include "evictor.h"
#include "hook.h"
#include "reads.h"

static void probe_kswapd_wake(void *data, int nid, int zid, int order)
{
	pcinspect_evictor_wake();
}

static int refault_entry(struct kprobe *kp, struct pt_regs *regs)
{
	struct folio *folio = (void *)regs_get_kernel_argument(regs, 0);

	pcinspect_reads_refault(folio);
	return 0;
}

static struct kprobe kp_refault = { .pre_handler = refault_entry };

/* A changed prototype must break the build, not the machine. */
#define CANARY(event, probe) check_trace_callback_type_##event(probe)

static void __maybe_unused hook_reclaim_canary(void)
{
	CANARY(mm_vmscan_kswapd_wake, probe_kswapd_wake);
}

static struct pcinspect_hook hooks[] = {
	{
		.name = "mm_vmscan_kswapd_wake",
		.probe = probe_kswapd_wake,
		.purpose = "inferred evictors",
		.reads = true,
	},
	{
		.name = "workingset_refault",
		.kp = &kp_refault,
		.purpose = "refault_pages",
		.reads = true,
	},
};

const struct pcinspect_hook_set pcinspect_hooks_reclaim = {
	hooks,
	ARRAY_SIZE(hooks),
};
