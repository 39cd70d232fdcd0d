// SPDX-License-Identifier: GPL-2.0-only
/*
 * sections.c - the known numbers of an inode, and its ledger as user
 * space gets it.
 *
 * Why here: debugfs and the command line print what this says, and "?" where it
 * says nothing; neither knows why a number is unknown.
 *
 * May touch: ledgers, under their lock.
 */
#include <linux/bitops.h>
#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/pagemap.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "records/ledger.h"
#include "records/scope.h"
#include "records/track.h"
#include "walk/lru.h"
#include "walk/sections.h"

static_assert(sizeof_field(struct pcinspect_snapshot, known) * 8 >=
	      PCINSPECT_NR_NUMBERS);

/* Flags of a ledger; the others are the walk's. */
#define SECTIONS_LEDGER                                                      \
	(PCINSPECT_F_LEDGER | PCINSPECT_F_HOLES | PCINSPECT_F_WRITE_DEVICE | \
	 PCINSPECT_F_WRITE_TIME | PCINSPECT_F_FSYNC | PCINSPECT_F_BOUNCED |  \
	 PCINSPECT_F_THROTTLED | PCINSPECT_F_COUNTED)

static const u32 sections_needs[PCINSPECT_NR_NUMBERS] = {
#define NUMBER(id, name, heading, unit, class, files, json, needs, help) \
	[PCINSPECT_##id] = PCINSPECT_NEEDS_##needs,
#include "numbers_table.h"
#undef NUMBER
};

/*
 * Decide which numbers are known. @snap: all its flags and numbers are there.
 */
void pcinspect_sections_know(struct pcinspect_snapshot *snap)
{
	const u32 missing = ~snap->flags;
	u64 unknown[PCINSPECT_SCOPE_WORDS];
	unsigned int word, i;
	u64 known;

	pcinspect_scope_unknown(snap->fs, unknown);
	memset(snap->known, 0, sizeof(snap->known));
	snap->nr_numbers = 0;
	for (word = 0; word < PCINSPECT_SCOPE_WORDS; word++) {
		const u32 *needs = &sections_needs[word * 64];

		known = 0;
		for (i = 0; i < 64 && word * 64 + i < PCINSPECT_NR_NUMBERS; i++)
			if (!(needs[i] & missing))
				known |= BIT_ULL(i);
		known &= ~unknown[word];
		snap->known[word] = known;
		if (known)
			snap->nr_numbers = word * 64 + fls64(known);
	}
}

/* Pages written back, and how long that took. Return: is @all of one moment? */
static bool sections_written(const struct pcinspect_ledger *ledger,
			     struct pcinspect_snapshot *snap,
			     struct pcinspect_writeback *all)
{
	bool one = pcinspect_ledger_writeback(ledger, all);

	snap->numbers[PCINSPECT_WRITTEN_PAGES] = all->written;
	snap->numbers[PCINSPECT_ENDED_PAGES] = all->ended;
	snap->numbers[PCINSPECT_WRITEBACK_NS] = all->time_ns;
	return one;
}

/* Is no page tagged that was under writeback a moment ago? */
static bool sections_untagged(const struct pcinspect_ledger *ledger,
			      struct address_space *mapping,
			      const struct pcinspect_writeback *all)
{
	if (mapping_tagged(mapping, PAGECACHE_TAG_WRITEBACK))
		return false;
	smp_rmb(); /* an end is counted before it takes the tag away */
	return atomic64_read(&ledger->ended) == all->ended;
}

/*
 * How much was written back, and how long that took; what is under way has been
 * so until now. An end that was missed shows as one that is under way although
 * no page is tagged; for a moment that is so at every beginning, hence twice.
 */
static void sections_writeback(struct pcinspect_ledger *ledger,
			       struct address_space *mapping,
			       struct pcinspect_snapshot *snap)
{
	struct pcinspect_writeback all;
	bool missed;

	if (!sections_written(ledger, snap, &all))
		return;
	missed = all.ended > all.written;
	if (all.ended < all.written && sections_untagged(ledger, mapping, &all)) {
		missed = READ_ONCE(ledger->doubt_written) == all.written;
		WRITE_ONCE(ledger->doubt_written, all.written);
	}
	if (missed)
		WRITE_ONCE(ledger->in_flight, true);
	if (!READ_ONCE(ledger->in_flight))
		snap->flags |= PCINSPECT_F_WRITE_TIME;
}

/* The ring of fsync calls, oldest first. Under the lock. */
static void *sections_fsyncs(const struct pcinspect_ledger *ledger,
			     struct pcinspect_section *section)
{
	struct pcinspect_fsync *call = (void *)(section + 1);
	u64 nr = ledger->nr_kept > PCINSPECT_NR_FSYNCS ?
			 ledger->nr_kept - PCINSPECT_NR_FSYNCS :
			 0;

	*section = (struct pcinspect_section){
		.type = PCINSPECT_SECTION_FSYNCS,
		.item_size = sizeof(*call),
	};
	for (; ledger->fsyncs && nr < ledger->nr_kept; nr++)
		*call++ = ledger->fsyncs[nr % PCINSPECT_NR_FSYNCS];
	section->size = (void *)call - (void *)section;
	return call;
}

/* The windows that are kept, oldest first. Under the lock. */
static void *sections_windows(const struct pcinspect_ledger *ledger,
			      struct pcinspect_section *section)
{
	struct pcinspect_window *window = (void *)(section + 1);
	struct pcinspect_window_chunk *chunk;
	u64 nr;

	*section = (struct pcinspect_section){
		.type = PCINSPECT_SECTION_WINDOWS,
		.item_size = sizeof(*window),
	};
	for (nr = ledger->first; nr < ledger->nr_windows; nr++) {
		chunk = ledger->chunks[(nr / LEDGER_CHUNK_WINDOWS) %
				       LEDGER_NR_CHUNKS];
		if (chunk)
			*window++ = chunk->windows[nr % LEDGER_CHUNK_WINDOWS];
	}
	section->size = (void *)window - (void *)section;
	return window;
}

/* The task that did it. Under the lock. */
static void *sections_who(const struct pcinspect_ledger *ledger,
			  struct pcinspect_section *section)
{
	struct pcinspect_who *who = (void *)(section + 1);

	*section = (struct pcinspect_section){
		.type = PCINSPECT_SECTION_WHO,
		.size = sizeof(*section) + sizeof(*who),
		.item_size = sizeof(*who),
	};
	memcpy(who->tasks, ledger->tasks, sizeof(who->tasks));
	who->others = ledger->others;
	memcpy(who->evictors, ledger->evictors, sizeof(who->evictors));
	who->evictors_other_pages = ledger->evictors_other;
	memcpy(who->removers, ledger->removers, sizeof(who->removers));
	who->removers_other_pages = ledger->removers_other;
	who->counted = (struct pcinspect_who_counted){
		.demanded_bytes = ledger_read(ledger, PCINSPECT_DEMANDED_BYTES),
		.dirtied_pages = ledger_read(ledger, PCINSPECT_DIRTIED_PAGES),
		.reclaimed_pages = ledger_read(ledger, PCINSPECT_REMOVED_RECLAIM),
		.removed_pages =
			ledger_read(ledger, PCINSPECT_REMOVED_TRUNCATE) +
			ledger_read(ledger, PCINSPECT_REMOVED_INVALIDATE) +
			ledger_read(ledger, PCINSPECT_REMOVED_OTHER),
		.known = 1,
	};
	return who + 1;
}

/* The section of a ledger's numbers. */
static void sections_flags(const struct pcinspect_ledger *ledger,
			   struct pcinspect_snapshot *snap)
{
	snap->ledger_since_ns = ledger->since_ns;
	snap->flags &= ~SECTIONS_LEDGER;
	snap->flags |= PCINSPECT_F_LEDGER;
	if (ledger->bounced)
		snap->flags |= PCINSPECT_F_BOUNCED;
	else if (ledger->knows_holes)
		snap->flags |= PCINSPECT_F_HOLES;
	if (ledger->knows_writes)
		snap->flags |= PCINSPECT_F_WRITE_DEVICE;
	if (!ledger_may_have_stalled(ledger))
		snap->flags |= PCINSPECT_F_THROTTLED;
	if (!snap->numbers[PCINSPECT_UNCOUNTED_WRITE_PAGES])
		snap->flags |= PCINSPECT_F_COUNTED;
}

/* Its lists, and the numbers that go with them. Returns their size. */
static size_t sections_lists(struct pcinspect_ledger *ledger,
			     struct pcinspect_snapshot *snap, void *to)
{
	u64 *numbers = snap->numbers;
	void *windows, *end;
	unsigned long flags;

	raw_spin_lock_irqsave(&ledger->lock, flags);
	numbers[PCINSPECT_FSYNCS_TOTAL] = ledger->nr_fsyncs;
	numbers[PCINSPECT_THRESH_MIN_PAGES] = ledger->thresh_min;
	numbers[PCINSPECT_THRESH_MAX_PAGES] = ledger->thresh_max;
	windows = sections_who(ledger, to);
	end = sections_windows(ledger, windows);
	numbers[PCINSPECT_WINDOWS_TOTAL] = ledger->nr_windows;
	numbers[PCINSPECT_WINDOWS_DROPPED] =
		ledger->nr_windows -
		(end - windows - sizeof(struct pcinspect_section)) /
			sizeof(struct pcinspect_window);
	end = sections_fsyncs(ledger, end);
	raw_spin_unlock_irqrestore(&ledger->lock, flags);
	return end - to;
}

/**
 * pcinspect_sections_emit() - a ledger: its numbers, and what they are not
 * @ledger: which
 * @rec: its record
 * @inode: whose, alive
 * @snap: of the inode; gets the flags and numbers of the ledger
 * @to: gets its sections: PCINSPECT_DETAIL_MAX bytes, 8-aligned
 * @tries: to find it adding up; this one is added
 *
 * Context: under rcu_read_lock() or with preemption off.
 * Return: bytes of sections, a multiple of 8.
 */
size_t pcinspect_sections_emit(struct pcinspect_ledger *ledger,
			       const struct pcinspect_record *rec,
			       const struct inode *inode,
			       struct pcinspect_snapshot *snap, void *to,
			       struct pcinspect_tries *tries)
{
	u64 *numbers = snap->numbers;
	int i;

	pcinspect_ledger_collect(ledger, false);
	for (i = PCINSPECT_FIRST_OF_LEDGER; i < PCINSPECT_NR_NUMBERS; i++)
		numbers[i] = ledger_read(ledger, i);
	if (READ_ONCE(ledger->recheck))
		pcinspect_ledger_settle(ledger, rec, inode->i_mapping, false);
	pcinspect_ledger_adds_up(ledger, rec, inode->i_mapping, numbers, tries);
	sections_flags(ledger, snap);
	if (pcinspect_scope_knows(inode->i_sb->s_type->name,
				  PCINSPECT_FSYNCS_TOTAL))
		snap->flags |= PCINSPECT_F_FSYNC;

	sections_writeback(ledger, inode->i_mapping, snap);
	return sections_lists(ledger, snap, to);
}

/**
 * pcinspect_sections_deleted() - a file that is no more, from its record
 * @rec: which, with a ledger; nobody else can find it
 * @snap: filled in but for its path
 * @to: gets its sections: PCINSPECT_DETAIL_MAX bytes, 8-aligned
 *
 * It has no pages now, and began with what was removed and not inserted.
 *
 * Context: process context.
 * Return: bytes of sections, a multiple of 8.
 */
size_t pcinspect_sections_deleted(const struct pcinspect_record *rec,
				  struct pcinspect_snapshot *snap, void *to)
{
	struct pcinspect_ledger *ledger = pcinspect_record_ledger(rec);
	struct pcinspect_writeback all;
	u64 *numbers = snap->numbers;
	size_t size;
	int i;

	memset(snap, 0, sizeof(*snap));
	snap->flags = PCINSPECT_F_DELETED | PCINSPECT_F_AUTO |
		      PCINSPECT_F_COUNTERS | PCINSPECT_F_PAGES |
		      PCINSPECT_F_EVICTED;
	if (pcinspect_lru_gen_enabled())
		snap->flags |= PCINSPECT_F_LRU_GEN | PCINSPECT_F_GENERATIONS;
	if (ledger->touched)
		snap->flags |= PCINSPECT_F_TOUCHED;
	if (ledger->on_device)
		snap->flags |= PCINSPECT_F_DEVICE;
	if (ledger->writes_back)
		snap->flags |= PCINSPECT_F_WRITEBACK | PCINSPECT_F_AGES;
	snap->dev_major = MAJOR(rec->dev);
	snap->dev_minor = MINOR(rec->dev);
	snap->ino = rec->ino;
	snap->i_generation = rec->generation;
	snap->mode = S_IFREG;
	snap->size_bytes = ledger->size_bytes;
	snap->time_ns = ktime_get_ns();
	snap->since_ns = rec->since_ns;
	strscpy(snap->fs, rec->fs, sizeof(snap->fs));
	for (i = PCINSPECT_FIRST_OF_LEDGER; i < PCINSPECT_NR_NUMBERS; i++)
		numbers[i] = ledger_read(ledger, i);
	numbers[PCINSPECT_INSERTED] =
		atomic64_read(&rec->inserted) - rec->inserted_base;
	numbers[PCINSPECT_REMOVED] =
		atomic64_read(&rec->removed) - rec->removed_base;
	pcinspect_ledger_ended(ledger, rec, numbers);
	sections_flags(ledger, snap);
	snap->flags |= PCINSPECT_F_FSYNC; /* where some hook is for it */

	if (sections_written(ledger, snap, &all) && !ledger->in_flight &&
	    all.written == all.ended)
		snap->flags |= PCINSPECT_F_WRITE_TIME;

	size = sections_lists(ledger, snap, to);
	pcinspect_sections_know(snap);
	return size;
}
