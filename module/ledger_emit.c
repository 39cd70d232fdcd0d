// SPDX-License-Identifier: GPL-2.0
/*
 * ledger_emit.c - a ledger as the sections that user space gets.
 *
 * May touch: ledgers, under their lock.
 */
#include <linux/fs.h>
#include <linux/string.h>

#include "ledger.h"

static void ledger_counters(struct pcinspect_ledger *ledger,
			    struct pcinspect_reads *reads)
{
	int i;

	reads->flags = (ledger->bounced ? PCINSPECT_READS_BOUNCED : 0) |
		       (ledger->knows_holes ? PCINSPECT_READS_HOLES : 0) |
		       PCINSPECT_READS_FLUSHED;
	reads->since_ns = ledger->since_ns;
	reads->base_cached_pages = ledger->base_cached;
	reads->demanded_bytes = atomic64_read(&ledger->demanded_bytes);
	reads->device_bytes = atomic64_read(&ledger->device_bytes);
	reads->faults = atomic64_read(&ledger->faults);
	for (i = 0; i < PCINSPECT_NR_CAUSES; i++)
		reads->inserted[i] = atomic64_read(&ledger->inserted[i]);
	reads->expanded_pages = atomic64_read(&ledger->expanded);
	reads->hole_pages = atomic64_read(&ledger->hole);
	reads->refault_pages = atomic64_read(&ledger->refault);
	reads->wasted_pages = atomic64_read(&ledger->wasted);
	reads->unused_unknown_pages = atomic64_read(&ledger->unknown);
	for (i = 0; i < PCINSPECT_NR_REMOVALS; i++)
		reads->removed[i] = atomic64_read(&ledger->removed[i]);
	reads->direct_read_bytes = atomic64_read(&ledger->direct_read_bytes);
	reads->direct_write_bytes = atomic64_read(&ledger->direct_write_bytes);
	reads->direct_flushed_pages = atomic64_read(&ledger->direct_flushed);
	reads->written_pages = atomic64_read(&ledger->written);
	for (i = 0; i < PCINSPECT_NR_AGES; i++)
		reads->written_ages[i] = atomic64_read(&ledger->written_ages[i]);
	reads->written_unknown_pages = atomic64_read(&ledger->written_unknown);
	reads->direct_invalidated_pages =
		atomic64_read(&ledger->direct_invalidated);
}

/**
 * pcinspect_ledger_emit() - write a ledger as sections
 * @ledger: which
 * @inode: whose, alive
 * @to: PCINSPECT_DETAIL_MAX bytes, 8-aligned
 *
 * Context: under rcu_read_lock() or with preemption off.
 * Return: bytes written, a multiple of 8.
 */
size_t pcinspect_ledger_emit(struct pcinspect_ledger *ledger,
			     const struct inode *inode, void *to)
{
	struct pcinspect_section *section = to;
	struct pcinspect_reads *reads = (void *)(section + 1);
	struct pcinspect_section *fsyncs;
	struct pcinspect_window *window;
	struct pcinspect_fsync *call;
	unsigned long flags;
	u64 nr;

	memset(reads, 0, sizeof(*reads));
	section->type = PCINSPECT_SECTION_READS;
	section->size = sizeof(*section) + sizeof(*reads);
	reads->cached_min_pages = READ_ONCE(inode->i_mapping->nrpages);
	ledger_counters(ledger, reads);
	reads->cached_max_pages = READ_ONCE(inode->i_mapping->nrpages);

	section = (void *)(reads + 1);
	section->type = PCINSPECT_SECTION_WINDOWS;
	window = (void *)(section + 1);
	raw_spin_lock_irqsave(&ledger->lock, flags);
	reads->nr_windows = ledger->nr_windows;
	memcpy(reads->tasks, ledger->tasks, sizeof(reads->tasks));
	reads->others = ledger->others;
	memcpy(reads->evictors, ledger->evictors, sizeof(reads->evictors));
	reads->evictors_other_pages = ledger->evictors_other;
	memcpy(reads->removers, ledger->removers, sizeof(reads->removers));
	reads->removers_other_pages = ledger->removers_other;
	for (nr = ledger->first; nr < ledger->nr_windows; nr++) {
		struct pcinspect_window_chunk *chunk;

		chunk = ledger->chunks[(nr / LEDGER_CHUNK_WINDOWS) %
				       LEDGER_NR_CHUNKS];
		if (chunk)
			*window++ = chunk->windows[nr % LEDGER_CHUNK_WINDOWS];
	}
	section->size = (void *)window - (void *)section;

	fsyncs = (void *)window;
	fsyncs->type = PCINSPECT_SECTION_FSYNCS;
	call = (void *)(fsyncs + 1);
	reads->nr_fsyncs = ledger->nr_fsyncs;
	nr = ledger->nr_fsyncs > PCINSPECT_NR_FSYNCS ?
		     ledger->nr_fsyncs - PCINSPECT_NR_FSYNCS :
		     0;
	for (; ledger->fsyncs && nr < ledger->nr_fsyncs; nr++)
		*call++ = ledger->fsyncs[nr % PCINSPECT_NR_FSYNCS];
	raw_spin_unlock_irqrestore(&ledger->lock, flags);
	fsyncs->size = (void *)call - (void *)fsyncs;
	reads->windows_dropped =
		reads->nr_windows -
		(window - (struct pcinspect_window *)(section + 1));
	return (void *)call - to;
}
