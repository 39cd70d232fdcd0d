// SPDX-License-Identifier: GPL-2.0
/*
 * retire.c - how records end: their inode is gone, the table is full, a run is
 * over.
 *
 * When an automatic record goes, what it counted is folded into its
 * filesystem's gone row, so that sums stay sums.
 *
 * May touch: the table of track.c, under its lock.
 */
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/workqueue.h>

#include "records/dirty.h"
#include "records/ledger.h"
#include "records/track.h"
#include "records/unused.h"

static struct pcinspect_gone track_gone[PCINSPECT_NR_GONE];
static unsigned int track_nr_gone;
static atomic_t track_nr_folding = ATOMIC_INIT(0);

/* Fold what @rec counted into its filesystem's row. Caller holds the lock. */
static void track_fold(const struct pcinspect_record *rec)
{
	struct pcinspect_ledger *ledger;
	struct pcinspect_gone *gone;
	unsigned int i;

	for (i = 0; i < track_nr_gone; i++) {
		gone = &track_gone[i];
		if (gone->dev == rec->dev && !strcmp(gone->fs, rec->fs))
			goto add;
	}
	if (track_nr_gone < PCINSPECT_NR_GONE) {
		gone = &track_gone[track_nr_gone++];
		gone->dev = rec->dev;
		strscpy(gone->fs, rec->fs, sizeof(gone->fs));
	} else {
		/* The last row takes whatever else there is. */
		gone = &track_gone[PCINSPECT_NR_GONE - 1];
		gone->dev = 0;
		strscpy(gone->fs, "?", sizeof(gone->fs));
	}
add:
	gone->inodes++;
	gone->inserted += atomic64_read(&rec->inserted) - rec->inserted_base;
	gone->removed += atomic64_read(&rec->removed) - rec->removed_base;
	ledger = rcu_dereference_protected(rec->ledger, true);
	if (!ledger)
		return;
	gone->device_bytes += ledger_read(ledger, PCINSPECT_DEVICE_BYTES);
	gone->written += READ_ONCE(ledger->written);
}

/**
 * pcinspect_track_drop() - take an automatic record out of the table
 * @rec: which; the caller frees it by pcinspect_track_free(), which folds it
 *	after a grace period: a probe may still be counting in it
 * @fold: add what it counted to the gone row
 *
 * Context: under pcinspect_track_lock.
 */
void pcinspect_track_drop(struct pcinspect_record *rec, bool fold)
{
	hlist_del_rcu(&rec->node);
	pcinspect_track.nr_auto--;
	WRITE_ONCE(pcinspect_track.full, false);
	rec->fold = fold;
	if (fold)
		atomic_inc(&track_nr_folding);
}

static void track_free_rcu(struct rcu_head *rcu)
{
	struct pcinspect_record *rec;
	unsigned long flags;

	rec = container_of(rcu, struct pcinspect_record, rcu);
	if (rec->fold) {
		raw_spin_lock_irqsave(&pcinspect_track_lock, flags);
		track_fold(rec);
		raw_spin_unlock_irqrestore(&pcinspect_track_lock, flags);
		atomic_dec(&track_nr_folding);
	}
	pcinspect_ledger_free(rcu_dereference_protected(rec->ledger, true));
	pcinspect_used_free(rec->used);
	pcinspect_dirty_free(rec->dirty);
	kmem_cache_free(pcinspect_record_cache, rec);
}

/**
 * pcinspect_track_free() - free a record that is out of the table
 * @rec: which
 *
 * Context: any.
 */
void pcinspect_track_free(struct pcinspect_record *rec)
{
	call_rcu(&rec->rcu, track_free_rcu);
}

/**
 * pcinspect_track_take_ledger() - take a record's ledger away
 * @rec: whose
 *
 * Context: under pcinspect_track_lock.
 * Return: the ledger, to be freed by pcinspect_ledger_free_rcu(), or NULL.
 */
struct pcinspect_ledger *pcinspect_track_take_ledger(struct pcinspect_record *rec)
{
	/* The lock is held. */
	return rcu_replace_pointer(rec->ledger, NULL, true);
}

struct track_victim {
	unsigned long active;
	const struct inode *inode;
	const struct pcinspect_record *rec;
};

static int track_compare_age(const void *a, const void *b)
{
	const struct track_victim *va = a, *vb = b;

	if (va->active == vb->active)
		return 0;
	return time_before(va->active, vb->active) ? -1 : 1;
}

/* Drop a victim if it is still the idle record that was chosen. */
static bool track_evict(const struct track_victim *victim)
{
	struct pcinspect_record *rec, *found = NULL;
	unsigned long flags;

	raw_spin_lock_irqsave(&pcinspect_track_lock, flags);
	hlist_for_each_entry(rec, pcinspect_track_bucket(victim->inode), node) {
		if (rec == victim->rec && rec->inode == victim->inode &&
		    rec->active == victim->active && !rec->explicit_id) {
			found = rec;
			break;
		}
	}
	if (found)
		pcinspect_track_drop(found, true);
	raw_spin_unlock_irqrestore(&pcinspect_track_lock, flags);
	if (found)
		pcinspect_track_free(found);
	return found;
}

/*
 * Make room: fold the least recently active sixteenth of the automatic
 * records. Works on a private list, so that the lock is held for one record
 * at a time.
 */
static void track_trim(struct work_struct *work)
{
	unsigned int max = pcinspect_track.max_inodes;
	unsigned int n = 0, i, goal = max / 16 + 1;
	struct track_victim *victims;
	struct pcinspect_record *rec;

	victims = kvmalloc_array(max, sizeof(*victims), GFP_KERNEL);
	if (!victims)
		return; /* the table stays full, and says so */

	for (i = 0; i < 1U << pcinspect_track.bits; i++) {
		rcu_read_lock();
		hlist_for_each_entry_rcu(rec, &pcinspect_track.buckets[i], node) {
			if (rec->explicit_id || n == max)
				continue;
			victims[n].active = READ_ONCE(rec->active);
			victims[n].inode = rec->inode;
			victims[n++].rec = rec;
		}
		rcu_read_unlock();
		cond_resched();
	}
	sort(victims, n, sizeof(*victims), track_compare_age, NULL);
	for (i = 0; i < n && goal; i++)
		if (track_evict(&victims[i]))
			goal--;
	kvfree(victims);
}

static DECLARE_DELAYED_WORK(track_trim_work, track_trim);

/**
 * pcinspect_track_want_room() - an inode found no room
 *
 * Context: any but NMI.
 */
void pcinspect_track_want_room(void)
{
	queue_delayed_work(system_dfl_wq, &track_trim_work, HZ / 10);
}

/**
 * pcinspect_track_stop_trimming() - the table is about to go
 *
 * Context: process context, may sleep; no hook is attached.
 */
void pcinspect_track_stop_trimming(void)
{
	cancel_delayed_work_sync(&track_trim_work);
}

/**
 * pcinspect_track_begin_scan() - number a scan of live inodes
 *
 * Context: caller serializes scans.
 * Return: the number to store in pcinspect_record.seen.
 */
unsigned long pcinspect_track_begin_scan(void)
{
	return ++pcinspect_track.scan;
}

/**
 * pcinspect_track_retire_unseen() - fold records whose inode is gone
 * @scan: number of a scan that has ended
 * @keep: returns true for a record that the scan could not look for
 * @arg: passed to @keep
 *
 * Records made after the scan began are left alone, and so are explicit ones:
 * their mark says when the inode goes.
 *
 * Context: process context, caller serializes scans.
 */
void pcinspect_track_retire_unseen(unsigned long scan, pcinspect_keep_fn keep,
				   void *arg)
{
	struct pcinspect_record *rec;
	struct hlist_node *next;
	unsigned long flags;
	unsigned int i;

	for (i = 0; i < 1U << pcinspect_track.bits; i++) {
		if (hlist_empty(&pcinspect_track.buckets[i]))
			continue;
		raw_spin_lock_irqsave(&pcinspect_track_lock, flags);
		hlist_for_each_entry_safe(rec, next,
					  &pcinspect_track.buckets[i], node) {
			if (rec->seen == scan || rec->born >= scan ||
			    rec->explicit_id || keep(rec, arg))
				continue;
			pcinspect_track_drop(rec, true);
			pcinspect_track_free(rec);
		}
		raw_spin_unlock_irqrestore(&pcinspect_track_lock, flags);
		cond_resched();
	}
}

/**
 * pcinspect_track_settle() - wait until dropped records are in the gone rows
 *
 * Context: process context, may sleep; no locks held.
 */
void pcinspect_track_settle(void)
{
	if (atomic_read(&track_nr_folding))
		rcu_barrier();
}

/**
 * pcinspect_track_gone() - a filesystem's retired records
 * @i: 0, 1, …
 * @gone: filled in
 *
 * Context: any.
 * Return: 0, or -ENOENT when there is no @i-th.
 */
int pcinspect_track_gone(unsigned int i, struct pcinspect_gone *gone)
{
	unsigned long flags;
	int err = -ENOENT;

	raw_spin_lock_irqsave(&pcinspect_track_lock, flags);
	if (i < track_nr_gone) {
		*gone = track_gone[i];
		err = 0;
	}
	raw_spin_unlock_irqrestore(&pcinspect_track_lock, flags);
	return err;
}

/**
 * pcinspect_track_end_run() - a run is over
 *
 * Automatic records lose their ledgers, and go where none are kept.
 *
 * Context: process context, may sleep.
 */
void pcinspect_track_end_run(void)
{
	struct pcinspect_ledger *ledger;
	struct pcinspect_record *rec;
	struct hlist_node *next;
	unsigned long flags;
	unsigned int i;

	for (i = 0; i < 1U << pcinspect_track.bits; i++) {
		if (hlist_empty(&pcinspect_track.buckets[i]))
			continue;
		raw_spin_lock_irqsave(&pcinspect_track_lock, flags);
		hlist_for_each_entry_safe(rec, next,
					  &pcinspect_track.buckets[i], node) {
			if (rec->explicit_id)
				continue;
			ledger = pcinspect_track_take_ledger(rec);
			pcinspect_ledger_free_rcu(ledger);
			if (!pcinspect_track.automatic) {
				pcinspect_track_drop(rec, false);
				pcinspect_track_free(rec);
			}
		}
		raw_spin_unlock_irqrestore(&pcinspect_track_lock, flags);
		cond_resched();
	}
}
