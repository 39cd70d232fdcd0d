// SPDX-License-Identifier: GPL-2.0
/*
 * dirty.c - first-dirtied times.
 *
 * Why: the kernel keeps one time for a whole inode and resets it on requeue
 * (redirty_tail_locked(), fs/fs-writeback.c). Here every folio has its own,
 * from the event that it became dirty until writeback really starts: redirtying
 * it meanwhile fires the event again and changes nothing.
 *
 * The times are joined with the dirty tags when somebody looks (lru.c), so what
 * is dirty without a time is of unknown age, never young.
 *
 * Memory: a value entry in an xarray, 9 bytes a page in runs, 576 for one
 * alone; at most PCINSPECT_DIRTY_MAX entries in all.
 *
 * Context of the hooks: i_pages lock held and irqs off, or the flusher. Locks:
 * the xarray's, a leaf.
 */
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "dirty.h"
#include "kunit_visible.h"
#include "ledger.h"
#include "reads.h"
#include "track.h"

#define PCINSPECT_DIRTY_MAX (4L << 20)

static atomic64_t dirty_entries = ATOMIC64_INIT(0);
static atomic64_t dirty_lost = ATOMIC64_INIT(0);

/**
 * pcinspect_dirty_bucket() - which bucket an age belongs to
 * @age_ns: the age
 *
 * A bound belongs to the bucket below it: exactly 10 ms is in the first.
 *
 * Context: any; pure.
 * Return: 0 to PCINSPECT_NR_AGES - 1.
 */
unsigned int pcinspect_dirty_bucket(u64 age_ns)
{
	static const u32 bounds_ms[PCINSPECT_NR_AGES - 1] = {
		10, 100, 500, 1000, 2000, 5000, 10000, 30000, 60000,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bounds_ms); i++)
		if (age_ns <= (u64)bounds_ms[i] * NSEC_PER_MSEC)
			break;
	return i;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_dirty_bucket);

/**
 * pcinspect_dirty_alloc() - no times yet
 * @gfp: how to allocate
 *
 * Context: any that @gfp allows.
 * Return: the times of an inode, or NULL.
 */
struct pcinspect_dirty *pcinspect_dirty_alloc(gfp_t gfp)
{
	struct pcinspect_dirty *dirty = kzalloc(sizeof(*dirty), gfp);

	if (dirty)
		xa_init_flags(&dirty->times, XA_FLAGS_LOCK_IRQ);
	return dirty;
}

/**
 * pcinspect_dirty_free() - free an inode's times
 * @dirty: which, or NULL; nobody uses them any more
 *
 * Context: any but hard interrupts.
 */
void pcinspect_dirty_free(struct pcinspect_dirty *dirty)
{
	unsigned long index;
	void *entry;
	s64 nr = 0;

	if (!dirty)
		return;
	xa_for_each(&dirty->times, index, entry)
		nr++;
	atomic64_sub(nr, &dirty_entries);
	xa_destroy(&dirty->times);
	kfree(dirty);
}

/**
 * pcinspect_dirty_dirtied() - a folio became dirty
 * @folio: which, locked or its i_pages lock held
 * @mapping: its mapping
 *
 * Context: probe of writeback_dirty_folio: irqs off, preemption off.
 */
void pcinspect_dirty_dirtied(struct folio *folio, struct address_space *mapping)
{
	struct pcinspect_ledger *ledger = pcinspect_reads_ledger(mapping->host);
	struct pcinspect_share share = { .dirtied_pages = folio_nr_pages(folio) };
	struct pcinspect_record *rec;
	unsigned long flags;
	int err = -ENOMEM;

	if (!ledger)
		return;
	rec = pcinspect_track_find(mapping->host);
	if (!rec || !rec->dirty)
		return;
	if (atomic64_read(&dirty_entries) < PCINSPECT_DIRTY_MAX) {
		xa_lock_irqsave(&rec->dirty->times, flags);
		err = __xa_insert(&rec->dirty->times, folio->index,
				  xa_mk_value(ktime_get_ns() >> 1),
				  GFP_NOWAIT | __GFP_NOWARN);
		xa_unlock_irqrestore(&rec->dirty->times, flags);
	}
	/* Dirty all the time: its first time stays. */
	if (err == -EBUSY)
		return;
	if (err) {
		atomic64_inc(&dirty_lost);
	} else {
		atomic64_inc(&dirty_entries);
		atomic64_add(share.dirtied_pages, &rec->dirty->pages);
	}
	pcinspect_ledger_share(ledger, &share);
}

/* Forget a folio's time; 0 if it has none. */
static u64 dirty_forget(struct pcinspect_record *rec, struct folio *folio)
{
	unsigned long flags;
	void *entry;

	if (!xa_load(&rec->dirty->times, folio->index))
		return 0;
	xa_lock_irqsave(&rec->dirty->times, flags);
	entry = __xa_erase(&rec->dirty->times, folio->index);
	xa_unlock_irqrestore(&rec->dirty->times, flags);
	if (!entry)
		return 0;
	atomic64_dec(&dirty_entries);
	atomic64_sub(folio_nr_pages(folio), &rec->dirty->pages);
	return xa_to_value(entry) << 1;
}

/**
 * pcinspect_dirty_written() - a folio is handed to writeback
 * @folio: locked
 *
 * Context: kprobe of __folio_start_writeback(), preemption off.
 */
void pcinspect_dirty_written(struct folio *folio)
{
	struct address_space *mapping = folio_mapping(folio);
	struct pcinspect_ledger *ledger;
	struct pcinspect_record *rec;
	u64 since, nr = folio_nr_pages(folio);
	unsigned int age;

	if (!mapping || !mapping->host || folio_test_swapbacked(folio))
		return;
	rec = pcinspect_track_find(mapping->host);
	ledger = rec ? rcu_dereference_raw(rec->ledger) : NULL;
	if (!ledger)
		return;
	atomic64_add(nr, &ledger->written);
	since = rec->dirty ? dirty_forget(rec, folio) : 0;
	age = pcinspect_dirty_bucket(ktime_get_ns() - since);
	if (since)
		atomic64_add(nr, &ledger->written_ages[age]);
	else
		atomic64_add(nr, &ledger->written_unknown);
}

/**
 * pcinspect_dirty_removed() - a folio leaves the page cache
 * @rec: the record of its inode
 * @folio: which
 *
 * Context: probe with the i_pages lock held, irqs off.
 */
void pcinspect_dirty_removed(struct pcinspect_record *rec, struct folio *folio)
{
	if (rec->dirty)
		dirty_forget(rec, folio);
}

/**
 * pcinspect_dirty_age() - count a dirty folio by its age
 * @inode: of which inode
 * @index: of the folio
 * @nr: its pages
 * @now: ktime_get_ns()
 * @ages: added to
 *
 * Context: under rcu_read_lock().
 */
void pcinspect_dirty_age(const struct inode *inode, u64 index, u64 nr, u64 now,
			 struct pcinspect_ages *ages)
{
	struct pcinspect_record *rec = pcinspect_track_find(inode);
	void *entry = NULL;
	u64 since, age;

	if (rec && rec->dirty)
		entry = xa_load(&rec->dirty->times, index);
	if (!entry) {
		ages->unknown_pages += nr;
		return;
	}
	since = xa_to_value(entry) << 1;
	age = now > since ? now - since : 0;
	ages->pages[pcinspect_dirty_bucket(age)] += nr;
	ages->oldest_ns = max(ages->oldest_ns, age);
}

/**
 * pcinspect_dirty_lost() - times that found no memory
 *
 * Context: any.
 * Return: how many since load.
 */
u64 pcinspect_dirty_lost(void)
{
	return atomic64_read(&dirty_lost);
}

/**
 * pcinspect_dirty_memory() - what all times take
 *
 * Context: any.
 * Return: bytes, for runs of pages.
 */
size_t pcinspect_dirty_memory(void)
{
	return atomic64_read(&dirty_entries) * 9;
}
