// SPDX-License-Identifier: GPL-2.0
/*
 * track.c - the table of records: made by hooks, pinned by ioctls, retired
 * when their inode is gone or the table is full.
 *
 * Why a plain table of buckets and not an rhashtable: records are inserted
 * from a tracepoint that may have preemption or interrupts off, rhashtable's
 * bucket locks are bottom-half locks there (6.1), its growth needs a worker,
 * and a miss must cost a handful of instructions per page inserted.
 *
 * Lifetime: a record is freed by kfree_rcu() after it left its bucket. An
 * explicit record is pinned by a mark (mark.c) and is not evicted. When an
 * automatic record goes, what it counted is folded into its filesystem's gone
 * row, so that sums stay sums.
 *
 * May touch: nothing outside this file's table.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/magic.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "track.h"

struct pcinspect_track pcinspect_track;

static DEFINE_RAW_SPINLOCK(pcinspect_track_lock);
static struct kmem_cache *track_cache;
static struct pcinspect_gone track_gone[PCINSPECT_NR_GONE];
static unsigned int track_nr_gone;
static unsigned long track_scan;
static atomic_t track_nr_folding = ATOMIC_INIT(0);
DEFINE_PER_CPU(const struct inode *, pcinspect_track_last_lost);

/* Fold what @rec counted into its filesystem's row. Caller holds the lock. */
static void track_fold(const struct pcinspect_record *rec)
{
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
}

/*
 * Take an automatic record out of the table. Caller holds the lock and frees it
 * by track_free_rcu(), which folds it: a probe may still be counting in it.
 */
static void track_drop(struct pcinspect_record *rec, bool fold)
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
	kmem_cache_free(track_cache, rec);
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
		track_drop(found, true);
	raw_spin_unlock_irqrestore(&pcinspect_track_lock, flags);
	if (found)
		call_rcu(&found->rcu, track_free_rcu);
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

static struct pcinspect_record *track_alloc(struct inode *inode, gfp_t gfp)
{
	struct pcinspect_record *rec = kmem_cache_zalloc(track_cache, gfp);
	struct file_system_type *type = inode->i_sb->s_type;

	if (!rec)
		return NULL;
	rec->inode = inode;
	rec->sb = inode->i_sb;
	rec->ino = inode->i_ino;
	rec->generation = inode->i_generation;
	rec->dev = inode->i_sb->s_dev;
	rec->active = jiffies;
	rec->born = READ_ONCE(track_scan);
	rec->since_ns = ktime_get_ns();
	rec->type = type->owner ? NULL : type;
	strscpy(rec->fs, type->name, sizeof(rec->fs));
	return rec;
}

/*
 * Put @rec in the table unless the inode has a record by now. A record of an
 * earlier inode at the same address is dropped: that inode cannot exist.
 * Caller holds the lock. Returns the record that is in the table; *@stale is
 * what the caller has to free.
 */
static struct pcinspect_record *track_add(struct pcinspect_record *rec,
					  struct inode *inode,
					  struct pcinspect_record **stale)
{
	struct hlist_head *bucket = pcinspect_track_bucket(inode);
	struct pcinspect_record *old;

	*stale = NULL;
	hlist_for_each_entry(old, bucket, node) {
		if (old->inode != inode)
			continue;
		if (pcinspect_track_is(old, inode)) {
			*stale = rec;
			return old;
		}
		if (!old->explicit_id) {
			track_drop(old, true);
			*stale = old;
		}
		break;
	}
	hlist_add_head_rcu(&rec->node, bucket);
	return rec;
}

/**
 * pcinspect_track_new() - the hooks met an inode without a record
 * @inode: the inode, alive for the caller
 * @nr_pages: pages inserted just now
 *
 * Makes an automatic record where the inode is of interest and there is room.
 * What finds no room is counted in pcinspect_track.lost, once per run of
 * changes to one inode on one CPU.
 *
 * Context: tracepoint probe: any context but NMI, no locks of ours held; never
 * sleeps.
 */
void pcinspect_track_new(struct inode *inode, unsigned long nr_pages)
{
	struct pcinspect_record *rec, *kept, *stale;
	unsigned long flags;

	if (!S_ISREG(inode->i_mode) && !S_ISBLK(inode->i_mode))
		return;
	if (inode->i_sb->s_magic == HUGETLBFS_MAGIC)
		return;
	if (READ_ONCE(pcinspect_track.full))
		goto lost;
	rec = track_alloc(inode, GFP_NOWAIT | __GFP_NOWARN);
	if (!rec)
		goto lost;

	raw_spin_lock_irqsave(&pcinspect_track_lock, flags);
	kept = track_add(rec, inode, &stale);
	if (kept == rec) {
		pcinspect_track.nr_auto++;
		if (pcinspect_track.nr_auto >= pcinspect_track.max_inodes)
			WRITE_ONCE(pcinspect_track.full, true);
	}
	atomic64_add(nr_pages, &kept->inserted);
	raw_spin_unlock_irqrestore(&pcinspect_track_lock, flags);
	if (stale)
		call_rcu(&stale->rcu, track_free_rcu);
	return;

lost:
	if (this_cpu_read(pcinspect_track_last_lost) != inode) {
		this_cpu_write(pcinspect_track_last_lost, inode);
		atomic64_inc(&pcinspect_track.lost);
		queue_delayed_work(system_dfl_wq, &track_trim_work, HZ / 10);
	}
}

/**
 * pcinspect_track_pin() - make an inode's record explicit
 * @inode: the inode, alive for the caller
 * @id: handle to remember, not 0
 *
 * Context: process context, may sleep.
 * Return: 0, or -ENOMEM.
 */
int pcinspect_track_pin(struct inode *inode, u64 id)
{
	struct pcinspect_record *rec, *kept, *stale;
	unsigned long flags;

	rec = track_alloc(inode, GFP_KERNEL);
	if (!rec)
		return -ENOMEM;
	raw_spin_lock_irqsave(&pcinspect_track_lock, flags);
	kept = track_add(rec, inode, &stale);
	if (kept != rec)
		pcinspect_track.nr_auto--;
	pcinspect_track.nr_explicit++;
	WRITE_ONCE(kept->explicit_id, id);
	raw_spin_unlock_irqrestore(&pcinspect_track_lock, flags);
	if (stale)
		call_rcu(&stale->rcu, track_free_rcu);
	return 0;
}

/**
 * pcinspect_track_unpin() - an explicit record loses its mark
 * @inode: address of the inode, not followed
 * @id: its handle
 * @gone: the inode is going away (deleted or unmounted): fold the record.
 *	Otherwise it goes on as an automatic one, where those are kept.
 *
 * Context: any; never sleeps.
 */
void pcinspect_track_unpin(struct inode *inode, u64 id, bool gone)
{
	struct pcinspect_record *rec, *drop = NULL;
	unsigned long flags;

	raw_spin_lock_irqsave(&pcinspect_track_lock, flags);
	hlist_for_each_entry(rec, pcinspect_track_bucket(inode), node) {
		if (rec->explicit_id != id)
			continue;
		WRITE_ONCE(rec->explicit_id, 0);
		pcinspect_track.nr_explicit--;
		pcinspect_track.nr_auto++;
		if (gone || !pcinspect_track.automatic ||
		    pcinspect_track.nr_auto > pcinspect_track.max_inodes) {
			drop = rec;
			track_drop(rec, gone);
		}
		break;
	}
	raw_spin_unlock_irqrestore(&pcinspect_track_lock, flags);
	if (drop)
		call_rcu(&drop->rcu, track_free_rcu);
}

/**
 * pcinspect_track_reset() - begin counting anew
 * @id: handle of an explicit record, or 0 for every explicit one
 *
 * Stores baselines; live counters are never written but by the hooks.
 *
 * Context: process context.
 */
void pcinspect_track_reset(u64 id)
{
	struct pcinspect_record *rec;
	unsigned long flags;
	u64 now = ktime_get_ns();
	unsigned int i;

	for (i = 0; i < 1U << pcinspect_track.bits; i++) {
		raw_spin_lock_irqsave(&pcinspect_track_lock, flags);
		hlist_for_each_entry(rec, &pcinspect_track.buckets[i], node) {
			if (!rec->explicit_id || (id && rec->explicit_id != id))
				continue;
			rec->inserted_base = atomic64_read(&rec->inserted);
			rec->removed_base = atomic64_read(&rec->removed);
			rec->since_ns = now;
		}
		raw_spin_unlock_irqrestore(&pcinspect_track_lock, flags);
	}
}

/**
 * pcinspect_track_begin_scan() - number a scan of live inodes
 *
 * Context: caller serializes scans.
 * Return: the number to store in pcinspect_record.seen.
 */
unsigned long pcinspect_track_begin_scan(void)
{
	return ++track_scan;
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
			track_drop(rec, true);
			call_rcu(&rec->rcu, track_free_rcu);
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
 * pcinspect_track_for_each() - look at every record
 * @fn: called under rcu_read_lock(); must not sleep
 * @arg: passed to @fn
 *
 * Context: process context.
 */
void pcinspect_track_for_each(pcinspect_record_fn fn, void *arg)
{
	struct pcinspect_record *rec;
	unsigned int i;

	for (i = 0; i < 1U << pcinspect_track.bits; i++) {
		rcu_read_lock();
		hlist_for_each_entry_rcu(rec, &pcinspect_track.buckets[i], node)
			fn(rec, arg);
		rcu_read_unlock();
		if (!(i & 1023))
			cond_resched();
	}
}

/**
 * pcinspect_track_init() - make the empty table
 * @max_inodes: automatic records kept at most
 * @automatic: whether hooks make records
 *
 * Context: process context, before any hook is attached.
 * Return: 0, or -ENOMEM.
 */
int pcinspect_track_init(unsigned int max_inodes, bool automatic)
{
	struct pcinspect_track *track = &pcinspect_track;

	track->bits = order_base_2(max_inodes + PCINSPECT_MAX_EXPLICIT);
	track->max_inodes = max_inodes;
	track->automatic = automatic;
	track->buckets = kvcalloc(1UL << track->bits, sizeof(*track->buckets),
				  GFP_KERNEL);
	if (!track->buckets)
		return -ENOMEM;
	track_cache = kmem_cache_create("pcinspect_record",
					sizeof(struct pcinspect_record), 0,
					SLAB_HWCACHE_ALIGN, NULL);
	if (!track_cache) {
		kvfree(track->buckets);
		return -ENOMEM;
	}
	return 0;
}

/**
 * pcinspect_track_exit() - free the table
 *
 * Context: process context; no hook is attached and no mark is left.
 */
void pcinspect_track_exit(void)
{
	struct pcinspect_record *rec;
	struct hlist_node *next;
	unsigned int i;

	cancel_delayed_work_sync(&track_trim_work);
	for (i = 0; i < 1U << pcinspect_track.bits; i++)
		hlist_for_each_entry_safe(rec, next,
					  &pcinspect_track.buckets[i], node)
			kmem_cache_free(track_cache, rec);
	rcu_barrier(); /* records on their way through call_rcu() */
	kmem_cache_destroy(track_cache);
	kvfree(pcinspect_track.buckets);
}
