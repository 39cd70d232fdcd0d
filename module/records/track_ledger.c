// SPDX-License-Identifier: GPL-2.0-only
/*
 * track_ledger.c - the records that have a ledger: those that are pinned, and
 * in a run those of every inode that its tasks or its filesystems touch.
 *
 * A ledger is made by hooks of what a task does to a file. Hooks of what
 * happens to pages (removal, the end of writeback, refaults) make none: they
 * run inside reclaim, under the i_pages lock, in interrupts. A file of a named
 * filesystem that loses pages to reclaim gets one of those that were made when
 * the run began.
 *
 * May touch: records and their ledgers, under the table's lock.
 */
#include <linux/delay.h>
#include <linux/hash.h>
#include <linux/pagemap.h>
#include <linux/sched.h>

#include "kunit_visible.h"
#include "records/gone.h"
#include "records/ledger.h"
#include "records/memory.h"
#include "records/operation.h"
#include "records/scope.h"
#include "records/track.h"

/*
 * Make @ledger the record's unless it has one or has left the table. Caller
 * holds the lock. Returns true if it is the record's now.
 */
static bool track_attach(struct pcinspect_record *rec,
			 struct pcinspect_ledger *ledger)
{
	if (rcu_access_pointer(rec->ledger) || hlist_unhashed(&rec->node))
		return false;
	pcinspect_track_count_ledger(rec, 1);
	rcu_assign_pointer(rec->ledger, ledger);
	return true;
}

/* Take a record's ledger, if it has one, and free it. Caller holds the lock. */
static void track_detach(struct pcinspect_record *rec)
{
	struct pcinspect_ledger *ledger =
		rcu_replace_pointer(rec->ledger, NULL, true);

	if (ledger)
		pcinspect_track_count_ledger(rec, -1);
	pcinspect_ledger_free_rcu(ledger);
}

/* Make an inode's record explicit. May sleep. */
int pcinspect_track_pin(struct inode *inode, u64 id)
{
	struct pcinspect_track *track = &pcinspect_track;
	struct pcinspect_record *rec, *kept, *stale;
	struct pcinspect_ledger *ledger = NULL;
	unsigned long flags;

	rec = pcinspect_record_alloc(inode, GFP_KERNEL);
	if (rec && pcinspect_ledger_wanted(inode))
		ledger = pcinspect_ledger_first(GFP_KERNEL);
	if (!rec || (!ledger && pcinspect_ledger_wanted(inode))) {
		pcinspect_track_free(rec);
		return -ENOMEM;
	}
	if (ledger)
		pcinspect_ledger_begin(ledger, inode);
	raw_spin_lock_irqsave(&track->lock, flags);
	kept = pcinspect_track_add(rec, inode, &stale);
	track->nr_auto--;
	track->nr_explicit++;
	pcinspect_track_note_full();
	WRITE_ONCE(kept->explicit_id, id);
	/* A run may have given it one already. */
	if (ledger && track_attach(kept, ledger))
		ledger = NULL;
	raw_spin_unlock_irqrestore(&track->lock, flags);
	pcinspect_ledger_free(ledger);
	pcinspect_track_free(stale);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_track_pin);

/*
 * Work out what a ledger began with, while others may be at it; eight tries are
 * enough to find a moment without an insertion under way. Not before all hooks
 * are attached, and not while a reset has yet to say that it does not know it
 * (pcinspect_ledger_inherit()).
 */
static void track_settle(struct inode *inode)
{
	struct pcinspect_ledger *ledger;
	struct pcinspect_record *rec;
	bool settled = false, later;
	int i = 0;

	while (i < 8 && !settled) {
		rcu_read_lock();
		rec = pcinspect_track_find(inode);
		ledger = pcinspect_record_ledger(rec);
		/* If not, what pcinspect_ledger_inherit() wrote is there. */
		later = ledger && smp_load_acquire(&ledger->replaced);
		settled = !ledger || (!i && READ_ONCE(ledger->settled));
		if (!settled && !later)
			pcinspect_ledger_settle(ledger, rec, inode->i_mapping,
						!i++);
		rcu_read_unlock();
		if (!settled)
			usleep_range(20, 50);
	}
}

/* Is it seen that pages become dirty, and in every way that they stop to be? */
static bool track_sees_dirt(const struct super_block *sb)
{
	return pcinspect_scope_knows(sb->s_type->name, PCINSPECT_OLDEST_MS) &&
	       pcinspect_scope_knows(sb->s_type->name,
				     PCINSPECT_REMOVED_TRUNCATE);
}

/*
 * An explicit record has its hooks. Under the i_pages lock, under which folios
 * become dirty: whoever held it before has tagged its folio, whoever does after
 * us meets a hook. May sleep.
 */
void pcinspect_track_hooked(struct inode *inode)
{
	struct address_space *mapping = inode->i_mapping;
	struct pcinspect_ledger *ledger;
	bool clean;

	track_settle(inode);
	xa_lock_irq(&mapping->i_pages);
	ledger = pcinspect_record_ledger(pcinspect_track_find(inode));
	if (ledger) {
		pcinspect_ledger_flight(ledger, mapping);
		clean = !mapping_tagged(mapping, PAGECACHE_TAG_DIRTY) &&
			!READ_ONCE(ledger->dirty->pages);
		if (track_sees_dirt(inode->i_sb))
			pcinspect_dirty_watch(ledger->dirty, clean, false);
	}
	xa_unlock_irq(&mapping->i_pages);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_track_hooked);

/*
 * An explicit record loses its mark. @inode: address of the inode, not
 * followed. @gone: the inode is going away (deleted or unmounted): fold the
 * record. In a run it goes on as an automatic one until that ends; otherwise
 * where those are kept, if the inode does not go. One for which there is no
 * room then is folded.
 * Context: any; never sleeps.
 */
void pcinspect_track_unpin(struct inode *inode, u64 id, bool gone)
{
	struct pcinspect_track *track = &pcinspect_track;
	struct pcinspect_record *rec;
	unsigned long flags;
	bool stays;

	raw_spin_lock_irqsave(&track->lock, flags);
	hlist_for_each_entry(rec, pcinspect_track_bucket(inode), node) {
		if (rec->explicit_id != id)
			continue;
		WRITE_ONCE(rec->explicit_id, 0);
		track->nr_explicit--;
		track->nr_auto++;
		/* Its counts belong to the run until that ends. */
		stays = pcinspect_scope_run() || (!gone && track->automatic);
		if (!stays || track->nr_auto > track->max_inodes) {
			pcinspect_track_drop(rec, gone || stays);
			pcinspect_track_free(rec);
		} else {
			pcinspect_track_note_full();
			if (!pcinspect_scope_run())
				track_detach(rec);
		}
		break;
	}
	raw_spin_unlock_irqrestore(&track->lock, flags);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_track_unpin);

/* Give an inode's record @ledger, unless it has got one. Returns what it has. */
static struct pcinspect_ledger *track_attach_new(struct pcinspect_record *rec,
						 struct inode *inode,
						 struct pcinspect_ledger *ledger)
{
	struct address_space *mapping = inode->i_mapping;
	unsigned long flags;
	bool attached, clean;

	pcinspect_ledger_begin(ledger, inode);
	/* Before anybody counts in it. */
	ledger->recheck = PCINSPECT_LEDGER_RECHECK;
	ledger->recheck_grace = get_state_synchronize_rcu();
	raw_spin_lock_irqsave(&pcinspect_track.lock, flags);
	attached = track_attach(rec, ledger);
	raw_spin_unlock_irqrestore(&pcinspect_track.lock, flags);
	if (!attached) {
		pcinspect_ledger_free(ledger);
		return pcinspect_record_ledger(rec);
	}
	clean = !READ_ONCE(mapping->nrpages);
	pcinspect_ledger_settle(ledger, rec, mapping, true);
	/* A task that did not see it settled has counted by now. */
	smp_mb();
	pcinspect_ledger_settle(ledger, rec, mapping, false);
	pcinspect_ledger_flight(ledger, mapping);
	/* The hooks of a run are attached before it begins. */
	if (track_sees_dirt(inode->i_sb))
		pcinspect_dirty_watch(ledger->dirty, clean, true);
	return ledger;
}

/*
 * Give an inode of interest a ledger, and a record if it has none. Returns it,
 * or NULL: no memory or no room (counted).
 */
static struct pcinspect_ledger *track_add_ledger(struct inode *inode)
{
	struct pcinspect_record *rec = pcinspect_track_find(inode);
	struct pcinspect_ledger *ledger;

	if (!rec) {
		pcinspect_track_new(inode, 0);
		rec = pcinspect_track_find(inode);
	}
	ledger = rec ? pcinspect_ledger_first(PCINSPECT_GFP_PROBE) : NULL;
	return ledger ? track_attach_new(rec, inode, ledger) : NULL;
}

/* Ledgers for files that reclaim takes pages of, and how many are left. */
static struct pcinspect_ledger *victim_ledgers[PCINSPECT_NR_VICTIMS];
static atomic_t nr_victim_ledgers = ATOMIC_INIT(0);

/* Make them; with too little memory fewer. Process context, may sleep. */
static void track_make_victims(void)
{
	struct pcinspect_ledger *ledger;
	int nr;

	for (nr = 0; nr < PCINSPECT_NR_VICTIMS; nr++) {
		ledger = pcinspect_ledger_first(GFP_KERNEL | __GFP_NORETRY);
		if (!ledger)
			break;
		victim_ledgers[nr] = ledger;
	}
	atomic_set_release(&nr_victim_ledgers, nr);
}

static struct pcinspect_ledger *track_pick_victim(void)
{
	int i = atomic_dec_if_positive(&nr_victim_ledgers);

	return i < 0 ? NULL : xchg(&victim_ledgers[i], NULL);
}

/**
 * pcinspect_track_victim() - a file without a ledger loses pages to reclaim
 * @rec: its record
 * @inode: alive
 *
 * In a run that names its filesystem it gets one of those that were made for
 * that, if it has as many pages as a readahead window.
 *
 * Context: i_pages lock held, interrupts off, perhaps in reclaim.
 */
void pcinspect_track_victim(struct pcinspect_record *rec, struct inode *inode)
{
	struct pcinspect_ledger *ledger;

	if (!pcinspect_in_reclaim() || READ_ONCE(rec->no_victim) ||
	    inode->i_mapping->nrpages < PCINSPECT_VICTIM_PAGES ||
	    inode_state_read_once(inode) & I_FREEING ||
	    !pcinspect_ledger_wanted(inode) ||
	    !pcinspect_scope_wants(inode->i_sb))
		return;
	ledger = track_pick_victim();
	if (ledger) {
		track_attach_new(rec, inode, ledger);
	} else {
		/* Once a file. */
		WRITE_ONCE(rec->no_victim, true);
		pcinspect_ledger_count_lost();
	}
}

/* In a run, note that a task of it has been here. */
static struct pcinspect_ledger *track_touch(struct pcinspect_ledger *ledger)
{
	if (ledger && pcinspect_scope_run() && !ledger->touched &&
	    pcinspect_operation_is_member())
		ledger->touched = true;
	return ledger;
}

/* The ledger of an inode. Context: preemption off, never sleeps. */
struct pcinspect_ledger *pcinspect_track_ledger(const struct inode *inode)
{
	return track_touch(pcinspect_record_ledger(pcinspect_track_find(inode)));
}

/* The ledger of an inode that may be gone. */
struct pcinspect_ledger *
pcinspect_track_ledger_id(const struct pcinspect_file_id *file)
{
	return pcinspect_record_ledger(pcinspect_track_find_id(file));
}

/*
 * The ledger of an inode that a task does something to. During a run, an inode
 * of interest that has none gets one. Context: preemption off, never sleeps.
 * Return: the ledger, or NULL: nobody wants one, or there was no memory.
 */
struct pcinspect_ledger *pcinspect_track_admit(struct inode *inode)
{
	struct pcinspect_ledger *ledger =
		pcinspect_record_ledger(pcinspect_track_find(inode));

	if (!pcinspect_scope_run())
		return ledger;
	if (!ledger && pcinspect_ledger_wanted(inode) &&
	    pcinspect_scope_wants(inode->i_sb))
		ledger = track_add_ledger(inode);
	return track_touch(ledger);
}

/*
 * An inode has no name left. @name: the last it had, or NULL: unknown; kept or
 * freed. Context: preemption off, never sleeps.
 */
void pcinspect_track_deleted(const struct inode *inode, char *name)
{
	struct pcinspect_ledger *ledger =
		pcinspect_record_ledger(pcinspect_track_find(inode));

	if (ledger) {
		WRITE_ONCE(ledger->size_bytes, i_size_read(inode));
		WRITE_ONCE(ledger->deleted, true);
		if (name)
			name = xchg(&ledger->name, name);
	}
	pcinspect_ledger_name_free(name);
}

/*
 * An inode that has no name left is being freed: what comes after it is another
 * file. Context: preemption off, never sleeps.
 */
void pcinspect_track_over(const struct inode *inode)
{
	struct pcinspect_record *rec = pcinspect_track_find(inode);

	if (rec)
		WRITE_ONCE(rec->over, true);
}

/* A run is about to begin. May sleep. */
void pcinspect_track_begin_run(void)
{
	track_make_victims();
	pcinspect_gone_keep();
}

static bool track_end_run(struct pcinspect_record *rec, void *arg)
{
	const struct pcinspect_ledger *ledger = pcinspect_record_ledger(rec);

	if (rec->explicit_id)
		return false;
	if (pcinspect_track.automatic) {
		track_detach(rec);
	} else {
		/* One that was tracked, and then deleted, is not forgotten. */
		pcinspect_track_drop(rec, ledger && ledger->deleted);
		pcinspect_track_free(rec);
	}
	return false;
}

/*
 * A run is over, and no probe believes in it any more. Automatic records lose
 * their ledgers, and go where none are kept. May sleep.
 */
void pcinspect_track_end_run(void)
{
	struct pcinspect_ledger *ledger;

	while ((ledger = track_pick_victim()))
		pcinspect_ledger_free(ledger);
	pcinspect_gone_forget();
	pcinspect_track_visit(track_end_run, NULL, NULL);
}
