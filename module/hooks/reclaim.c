// SPDX-License-Identifier: GPL-2.0-only
/*
 * reclaim.c - probes on the kernel's "vmscan" trace system and on
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

#include "account/evictor.h"
#include "account/reads.h"
#include "hooks/table.h"

static void probe_kswapd_wake(void *data, int nid, int zid, int order)
{
	pcinspect_evictor_wake();
}

static int refault_entry(struct kprobe *kp, struct pt_regs *regs)
{
	struct folio *folio = hook_arg(regs, 0);

	pcinspect_reads_refault(folio);
	return 0;
}

static void __maybe_unused hook_reclaim_canary(void)
{
	HOOK_CANARY(mm_vmscan_kswapd_wake, probe_kswapd_wake);
}

static struct pcinspect_hook hooks[] = {
	/* No number: it names evictors. */
	HOOK_EVENT("mm_vmscan_kswapd_wake", probe_kswapd_wake,
		   "inferred evictors"),
	HOOK_CALL("workingset_refault", refault_entry, "refault_pages",
		  .group = &pcinspect_group_folio,
		  .numbers = NUMBERS(ONE(REFAULT_PAGES)), .args = "folio"),
};

const struct pcinspect_hook_set pcinspect_hooks_reclaim = {
	.hooks = hooks,
	.nr = ARRAY_SIZE(hooks),
	.detached = pcinspect_evictor_reset,
};
