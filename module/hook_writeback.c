// SPDX-License-Identifier: GPL-2.0
/*
 * hook_writeback.c - probes on the kernel's "writeback" trace system and on
 * __folio_start_writeback().
 *
 * Why: a page that is written to is used, whatever brought it in; and direct
 * I/O has to flush what is dirty in its range.
 *
 * Context (measured on 6.1, 6.12, 7.2): writeback_dirty_folio: i_pages lock
 * held, irqs off; __folio_start_writeback: task or flusher, irqs on.
 *
 * May touch: bits of pages, ledgers.
 */
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/preempt.h>
#include <linux/tracepoint.h>
#include <trace/events/writeback.h>

#include "dirty.h"
#include "fsync.h"
#include "hook.h"
#include "reads.h"

static void probe_dirty(void *data, struct folio *folio,
			struct address_space *mapping)
{
	if (!mapping || !mapping->host)
		return;
	preempt_disable_notrace();
	pcinspect_dirty_dirtied(folio, mapping);
	pcinspect_reads_used(mapping->host, folio->index,
			     folio->index + folio_nr_pages(folio) - 1, true);
	preempt_enable_notrace();
}

static int writeback_entry(struct kprobe *kp, struct pt_regs *regs)
{
	struct folio *folio = (void *)regs_get_kernel_argument(regs, 0);

	pcinspect_reads_flushed(folio);
	pcinspect_fsync_written(folio);
	pcinspect_dirty_written(folio);
	return 0;
}

static struct kprobe kp_writeback = { .pre_handler = writeback_entry };

/* A changed prototype must break the build, not the machine. */
#define CANARY(event, probe) check_trace_callback_type_##event(probe)

static void __maybe_unused hook_writeback_canary(void)
{
	CANARY(writeback_dirty_folio, probe_dirty);
}

static struct pcinspect_hook hooks[] = {
	{
		.name = "writeback_dirty_folio",
		.probe = probe_dirty,
		.purpose =
			"ages of dirty pages, who dirtied them, pages used by writing",
		.reads = true,
	},
	{
		.name = "__folio_start_writeback",
		.kp = &kp_writeback,
		.purpose = "written_pages, direct_flushed_pages",
		.reads = true,
	},
};

const struct pcinspect_hook_set pcinspect_hooks_writeback = {
	hooks,
	ARRAY_SIZE(hooks),
};
