// SPDX-License-Identifier: GPL-2.0-only
/*
 * ledger_baseline.c - the baseline of a ledger, and whether its sums hold.
 *
 * Why: a file that is read and evicted while its ledger begins has to add up
 * all the same: what was cached at the beginning and was inserted since, less
 * what was removed, is what is cached. Nobody is stopped for that, so what it
 * began with is worked out from what it has counted.
 *
 * An insertion is in nrpages before it is counted (__filemap_add_folio() has
 * unlocked i_pages when it calls the tracepoint), a removal is counted before
 * (__filemap_remove_folio() calls its first; mm/filemap.c, 6.12). Likewise a
 * record counts an insertion before its ledger does. Looked at in that order, a
 * ledger seems to have begun with what it did, or with more while one is under
 * way: the least of several looks is right unless there was one in each.
 * A task that is interrupted in the middle of one may be in all of them: so the
 * last looks are grace periods apart.
 *
 * May touch: ledgers.
 */
#include <linux/fs.h>
#include <linux/pagemap.h>
#include <linux/rcupdate.h>

#include "kunit_visible.h"
#include "records/ledger.h"
#include "records/record.h"

/*
 * struct ledger_look - what there is to see at one moment
 * @cached: pages it seems to have begun with
 * @counted: inserted pages of its record it seems to have begun with
 */
struct ledger_look {
	s64 cached;
	s64 counted;
	u64 nrpages;
};

static void ledger_look(const struct pcinspect_ledger *ledger,
			const struct pcinspect_record *rec,
			const struct address_space *mapping,
			struct ledger_look *look)
{
	s64 inserted = pcinspect_ledger_inserted(ledger);

	smp_rmb(); /* what is counted is in nrpages, and in the record */
	look->counted = atomic64_read(&rec->inserted) - inserted;
	look->nrpages = READ_ONCE(mapping->nrpages);
	smp_rmb(); /* what is not in nrpages any more is counted */
	look->cached = (s64)look->nrpages - inserted +
		       pcinspect_ledger_removed(ledger);
}

/* Lower what a ledger began with; others may be at it. */
static void ledger_lower(s64 *base, s64 look)
{
	s64 old = READ_ONCE(*base);

	while (look < old && !try_cmpxchg64(base, &old, look))
		;
}

/* A look was taken; @left are left. The last ones count once a grace period. */
static void ledger_looked(struct pcinspect_ledger *ledger, u8 left)
{
	unsigned long grace = READ_ONCE(ledger->recheck_grace);

	if (left <= PCINSPECT_LEDGER_RECHECK_APART) {
		if (!poll_state_synchronize_rcu(grace))
			return;
		WRITE_ONCE(ledger->recheck_grace, get_state_synchronize_rcu());
	}
	/* Of several at once one counts, and none goes below 0. */
	cmpxchg(&ledger->recheck, left, left - 1);
}

/*
 * Look once at what a ledger began with. @ledger: its record's, and its hooks
 * are attached. @first: forget what was thought before; else there has to have
 * been a first. Context: any, never sleeps.
 */
void pcinspect_ledger_settle(struct pcinspect_ledger *ledger,
			     const struct pcinspect_record *rec,
			     const struct address_space *mapping, bool first)
{
	struct ledger_look look;
	u8 left;

	if (!first) {
		smp_mb(); /* what the caller has counted; track_attach_new() */
		if (!READ_ONCE(ledger->settled))
			return;
	}
	ledger_look(ledger, rec, mapping, &look);
	if (first) {
		WRITE_ONCE(ledger->base_cached, look.cached);
		WRITE_ONCE(ledger->base_counted, look.counted);
		smp_wmb(); /* settled: they are there */
		WRITE_ONCE(ledger->settled, true);
		return;
	}
	if (look.cached >= 0)
		ledger_lower(&ledger->base_cached, look.cached);
	ledger_lower(&ledger->base_counted, look.counted);
	left = READ_ONCE(ledger->recheck);
	if (left)
		ledger_looked(ledger, left);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_ledger_settle);

/*
 * Hold a ledger against the kernel's count. @numbers: insertions and removals
 * by cause and PCINSPECT_LEDGER_* are filled in, as of one moment if it adds
 * up. @tries: this one is added. If it does not add up, pages are coming or
 * going, or it is wrong.
 * Context: under rcu_read_lock() or with preemption off.
 */
void pcinspect_ledger_adds_up(const struct pcinspect_ledger *ledger,
			      const struct pcinspect_record *rec,
			      const struct address_space *mapping, u64 *numbers,
			      struct pcinspect_tries *tries)
{
	bool settled = READ_ONCE(ledger->settled);
	s64 inserted = 0, removed = 0;
	struct ledger_look look;
	u64 base, counted, events;
	int i;

	smp_rmb(); /* settled: what it began with is there */
	ledger_look(ledger, rec, mapping, &look);
	for (i = 0; i < PCINSPECT_NR_CAUSES; i++)
		inserted += numbers[pcinspect_inserted(i)] =
			ledger_read(ledger, pcinspect_inserted(i));
	for (i = 0; i < PCINSPECT_NR_REMOVALS; i++)
		removed += numbers[pcinspect_removed(i)] =
			ledger_read(ledger, pcinspect_removed(i));
	/* Nobody can say yet: as it seems. */
	base = settled ? READ_ONCE(ledger->base_cached) : look.cached;
	counted = look.counted + inserted -
		  (settled ? READ_ONCE(ledger->base_counted) : look.counted);
	tries->exact = base + inserted - removed == look.nrpages &&
		       counted == inserted;
	events = inserted + removed;
	/* Begun anew meanwhile, it has counted less. */
	if (!tries->again || events < tries->events)
		tries->events = events;
	tries->again = true;
	numbers[PCINSPECT_LEDGER_BASE_PAGES] = base;
	numbers[PCINSPECT_LEDGER_CACHED_PAGES] = look.nrpages;
	numbers[PCINSPECT_LEDGER_COUNTED_PAGES] = counted;
	numbers[PCINSPECT_LEDGER_MOVED_PAGES] =
		tries->exact ? 0 : events - tries->events;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_ledger_adds_up);

/**
 * pcinspect_ledger_leaving() - are there pages of a deleted file still to be removed?
 * @ledger: of an inode that its filesystem does not list any more
 *
 * evict() takes the inode out of that list, then waits for its writeback, then
 * truncates its pages (fs/inode.c, 6.12). No page is inserted any more, and each
 * end of writeback is counted before its page is removed.
 *
 * Context: any, under rcu_read_lock() or the table's lock.
 */
bool pcinspect_ledger_leaving(const struct pcinspect_ledger *ledger)
{
	s64 removed;

	if (!READ_ONCE(ledger->deleted))
		return false;
	if (!READ_ONCE(ledger->settled))
		return READ_ONCE(ledger->replaced); /* it will be, in a moment */
	smp_rmb(); /* settled: what it began with is there */
	removed = pcinspect_ledger_removed(ledger);
	return READ_ONCE(ledger->base_cached) +
		       (s64)pcinspect_ledger_inserted(ledger) >
	       removed;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_ledger_leaving);

/*
 * The same of a ledger whose inode is gone, and with it all its pages. @numbers:
 * insertions and removals are there; PCINSPECT_LEDGER_* are filled in.
 */
void pcinspect_ledger_ended(const struct pcinspect_ledger *ledger,
			    const struct pcinspect_record *rec, u64 *numbers)
{
	u64 inserted = pcinspect_ledger_inserted(ledger);
	u64 removed = pcinspect_ledger_removed(ledger);

	numbers[PCINSPECT_LEDGER_BASE_PAGES] =
		ledger->settled ? ledger->base_cached : removed - inserted;
	numbers[PCINSPECT_LEDGER_COUNTED_PAGES] =
		ledger->settled ?
			atomic64_read(&rec->inserted) - ledger->base_counted :
			inserted;
	numbers[PCINSPECT_LEDGER_CACHED_PAGES] = 0;
	numbers[PCINSPECT_LEDGER_MOVED_PAGES] = 0;
}

/*
 * Is anything under writeback as a ledger begins? @ledger: its record's, since
 * just now. Writeback that began before, and ends from now on, makes the
 * time under writeback unknown.
 * Context: any, never sleeps; better under the i_pages lock.
 */
void pcinspect_ledger_flight(struct pcinspect_ledger *ledger,
			     struct address_space *mapping)
{
	bool tagged = mapping_tagged(mapping, PAGECACHE_TAG_WRITEBACK);

	smp_rmb(); /* an end is counted before it takes the tag away */
	if (tagged ||
	    atomic64_read(&ledger->ended) != atomic64_read(&ledger->written))
		WRITE_ONCE(ledger->in_flight, true);
}

/* How often to look again while CPUs are in the middle of counting. */
#define LEDGER_WRITEBACK_TRIES 1024

/**
 * pcinspect_ledger_writeback() - pages written back, and how long that took, as one
 * @ledger: whose
 * @writeback: filled in
 *
 * Pages only ever get more, and are in @timed last. So when @timed, read first, is
 * what is read last of @written and @ended, none of them has changed meanwhile, and
 * what is in @time_ns is the time of these pages and no others.
 *
 * Context: any in which no one waits for what the caller holds: an interrupt may
 * have come in the middle of counting. Never sleeps.
 * Return: false if there was no such moment; then the time is not known.
 */
bool pcinspect_ledger_writeback(const struct pcinspect_ledger *ledger,
				struct pcinspect_writeback *writeback)
{
	unsigned int tries;
	u64 timed, time_ns;

	for (tries = 0; tries < LEDGER_WRITEBACK_TRIES; tries++) {
		timed = atomic64_read(&ledger->timed);
		smp_rmb(); /* pairs with ledger_add_writeback()'s, as the next */
		time_ns = atomic64_read(&ledger->time_ns);
		smp_rmb(); /* likewise */
		/* In this order no end is without its beginning, at any moment. */
		writeback->ended = atomic64_read(&ledger->ended);
		smp_rmb(); /* what has ended has been counted as begun */
		writeback->written = atomic64_read(&ledger->written);
		/* Writeback under way lasted until now. */
		writeback->time_ns = time_ns + ktime_get_mono_fast_ns() *
						       (writeback->written -
							writeback->ended);
		if (timed == writeback->written + writeback->ended)
			return true;
		cpu_relax();
	}
	return false;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_ledger_writeback);

/*
 * Derive the baseline of a ledger from another. @ledger: in the place of
 * @ledger->replaced, which nobody counts in any more. Context: its record is
 * locked. Return: the other, for the caller to free.
 */
struct pcinspect_ledger *pcinspect_ledger_inherit(struct pcinspect_ledger *ledger)
{
	struct pcinspect_ledger *old = ledger->replaced;
	s64 inserted = pcinspect_ledger_inserted(old);

	ledger->base_cached =
		old->base_cached + inserted - pcinspect_ledger_removed(old);
	ledger->base_counted = old->base_counted + inserted;
	if (atomic64_read(&old->written) != atomic64_read(&old->ended))
		WRITE_ONCE(ledger->in_flight, true);
	/* A task that deleted it meanwhile may have found the old one. */
	if (old->deleted && !READ_ONCE(ledger->deleted)) {
		WRITE_ONCE(ledger->size_bytes, old->size_bytes);
		WRITE_ONCE(ledger->deleted, true);
	}
	if (old->name && !cmpxchg(&ledger->name, NULL, old->name))
		old->name = NULL;
	smp_wmb(); /* settled: they are there */
	WRITE_ONCE(ledger->settled, READ_ONCE(old->settled));
	old->dirty = NULL; /* @ledger has them */
	old->unused = NULL;
	smp_store_release(&ledger->replaced, NULL); /* track_settle() */
	return old;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_ledger_inherit);
