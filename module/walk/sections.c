// SPDX-License-Identifier: GPL-2.0
/*
 * sections.c - a ledger as the sections that user space gets.
 *
 * May touch: ledgers, under their lock.
 */
#include <linux/fs.h>
#include <linux/pagemap.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "records/ledger.h"

static void ledger_counters(struct pcinspect_ledger *ledger,
			    struct pcinspect_reads *reads)
{
	reads->flags = (ledger->bounced ? PCINSPECT_READS_BOUNCED : 0) |
		       (ledger->knows_holes ? PCINSPECT_READS_HOLES : 0) |
		       PCINSPECT_READS_FLUSHED;
	reads->since_ns = ledger->since_ns;
	reads->demanded_bytes = ledger_read(ledger, PCINSPECT_DEMANDED_BYTES);
	reads->device_bytes = ledger_read(ledger, PCINSPECT_DEVICE_BYTES);
	reads->faults = ledger_read(ledger, PCINSPECT_FAULTS);
	reads->expanded_pages = ledger_read(ledger, PCINSPECT_EXPANDED_PAGES);
	reads->hole_pages = ledger_read(ledger, PCINSPECT_HOLE_PAGES);
	reads->refault_pages = ledger_read(ledger, PCINSPECT_REFAULT_PAGES);
	reads->wasted_pages = ledger_read(ledger, PCINSPECT_WASTED_PAGES);
	reads->unused_unknown_pages =
		ledger_read(ledger, PCINSPECT_UNUSED_UNKNOWN_PAGES);
	reads->direct_read_bytes =
		ledger_read(ledger, PCINSPECT_DIRECT_READ_BYTES);
	reads->direct_write_bytes =
		ledger_read(ledger, PCINSPECT_DIRECT_WRITE_BYTES);
	reads->direct_flushed_pages =
		ledger_read(ledger, PCINSPECT_DIRECT_FLUSHED_PAGES);
	reads->direct_invalidated_pages =
		ledger_read(ledger, PCINSPECT_DIRECT_INVALIDATED_PAGES);
}

static void ledger_write_counters(struct pcinspect_ledger *ledger,
				  struct pcinspect_writes *to)
{
	int i;

	to->write_bytes = ledger_read(ledger, PCINSPECT_WRITE_BYTES);
	to->dirtied_pages = ledger_read(ledger, PCINSPECT_DIRTIED_PAGES);
	to->dirtied_large_pages =
		ledger_read(ledger, PCINSPECT_DIRTIED_LARGE_PAGES);
	to->mapped_dirtied_pages =
		ledger_read(ledger, PCINSPECT_MAPPED_DIRTIED_PAGES);
	to->redirtied_pages = ledger_read(ledger, PCINSPECT_REDIRTIED_PAGES);
	to->device_write_bytes =
		ledger_read(ledger, PCINSPECT_DEVICE_WRITE_BYTES);
	for (i = 0; i < PCINSPECT_NR_AGES; i++)
		to->written_ages[i] =
			ledger_read(ledger, PCINSPECT_WRITTEN_LE_10_MS + i);
	to->written_unknown_pages =
		ledger_read(ledger, PCINSPECT_WRITTEN_UNKNOWN_AGE_PAGES);
	for (i = 0; i < PCINSPECT_NR_REASONS; i++)
		to->reasons[i] = ledger_read(ledger, pcinspect_by_reason(i));
	to->throttles = ledger_read(ledger, PCINSPECT_THROTTLES);
	for (i = 0; i < PCINSPECT_NR_LIMITS; i++)
		to->throttled_ns[i] =
			ledger_read(ledger, pcinspect_throttled_by(i));
	if (ledger->knows_writes)
		to->flags |= PCINSPECT_WRITES_DEVICE;
	if (ledger->knows_fsync)
		to->flags |= PCINSPECT_WRITES_FSYNC;
}

/*
 * How much was written back, and how long that took; what is under way has been
 * so until now. An end that was missed shows as one that is under way although
 * no page is tagged; for a moment that is so at every beginning, hence twice.
 * Under the lock.
 */
static void ledger_writeback(struct pcinspect_ledger *ledger,
			     struct address_space *mapping,
			     struct pcinspect_writes *to)
{
	u64 now = ktime_get_mono_fast_ns();

	to->written_pages = ledger->written;
	to->ended_pages = ledger->ended;
	to->writeback_ns =
		ledger->time_ns + now * (ledger->written - ledger->ended);
	if (ledger->ended > ledger->written) {
		ledger->in_flight = true;
	} else if (ledger->ended < ledger->written &&
		   !mapping_tagged(mapping, PAGECACHE_TAG_WRITEBACK)) {
		ledger->in_flight |= ledger->doubt_written == ledger->written;
		ledger->doubt_written = ledger->written;
	}
	if (!ledger->in_flight)
		to->flags |= PCINSPECT_WRITES_TIME;
}

/* The ring of fsync calls, oldest first. Under the lock. */
static void *ledger_emit_fsyncs(const struct pcinspect_ledger *ledger,
				struct pcinspect_section *section)
{
	struct pcinspect_fsync *call = (void *)(section + 1);
	u64 nr = ledger->nr_kept > PCINSPECT_NR_FSYNCS ?
			 ledger->nr_kept - PCINSPECT_NR_FSYNCS :
			 0;

	section->type = PCINSPECT_SECTION_FSYNCS;
	for (; ledger->fsyncs && nr < ledger->nr_kept; nr++)
		*call++ = ledger->fsyncs[nr % PCINSPECT_NR_FSYNCS];
	section->size = (void *)call - (void *)section;
	return call;
}

/**
 * pcinspect_ledger_emit() - write a ledger as sections
 * @ledger: which
 * @rec: its record
 * @inode: whose, alive
 * @to: PCINSPECT_DETAIL_MAX bytes, 8-aligned
 * @tries: to find it adding up; this one is added
 *
 * Context: under rcu_read_lock() or with preemption off.
 * Return: bytes written, a multiple of 8.
 */
size_t pcinspect_ledger_emit(struct pcinspect_ledger *ledger,
			     const struct pcinspect_record *rec,
			     const struct inode *inode, void *to,
			     struct pcinspect_tries *tries)
{
	struct pcinspect_section *section = to;
	struct pcinspect_reads *reads = (void *)(section + 1);
	struct pcinspect_writes *writes;
	struct pcinspect_window *window;
	unsigned long flags;
	void *end;
	u64 nr;

	memset(reads, 0, sizeof(*reads));
	section->type = PCINSPECT_SECTION_READS;
	section->size = sizeof(*section) + sizeof(*reads);
	pcinspect_ledger_adds_up(ledger, rec, inode->i_mapping, reads, tries);
	ledger_counters(ledger, reads);

	section = (void *)(reads + 1);
	section->type = PCINSPECT_SECTION_WRITES;
	section->size = sizeof(*section) + sizeof(*writes);
	writes = (void *)(section + 1);
	memset(writes, 0, sizeof(*writes));
	ledger_write_counters(ledger, writes);

	section = (void *)(writes + 1);
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

	ledger_writeback(ledger, inode->i_mapping, writes);
	writes->nr_fsyncs = ledger->nr_fsyncs;
	writes->thresh_min_pages = ledger->thresh_min;
	writes->thresh_max_pages = ledger->thresh_max;
	end = ledger_emit_fsyncs(ledger, (void *)window);
	raw_spin_unlock_irqrestore(&ledger->lock, flags);
	reads->windows_dropped =
		reads->nr_windows -
		(window - (struct pcinspect_window *)(section + 1));
	return end - to;
}
