// SPDX-License-Identifier: GPL-2.0
/*
 * track.c - the table of records: made by hooks, pinned by ioctls. How they end
 * is in retire.c.
 *
 * Why a plain table of buckets and not an rhashtable: records are inserted
 * from a tracepoint that may have preemption or interrupts off, rhashtable's
 * bucket locks are bottom-half locks there (6.1), its growth needs a worker,
 * and a miss must cost a handful of instructions per page inserted.
 *
 * Lifetime: a record is freed after a grace period after it left its bucket.
 * An explicit record is pinned by a mark (mark.c) and is not evicted.
 *
 * May touch: nothing outside this file's table.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/delay.h>
#include <linux/magic.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "control/run.h"
#include "hooks/attach.h"
#include "records/dirty.h"
#include "records/ledger.h"
#include "records/track.h"
#include "records/unused.h"

DECLARE_BITMAP(pcinspect_track_filter, 1 << PCINSPECT_FILTER_BITS);
struct pcinspect_track pcinspect_track;

DEFINE_RAW_SPINLOCK(pcinspect_track_lock);
struct kmem_cache *pcinspect_record_cache;
DEFINE_PER_CPU(const struct inode *, pcinspect_track_last_lost);

static struct pcinspect_record *track_alloc(struct inode *inode, gfp_t gfp)
{
	struct pcinspect_record *rec =
		kmem_cache_zalloc(pcinspect_record_cache, gfp);
	struct file_system_type *type = inode->i_sb->s_type;

	if (!rec)
		return NULL;
	rec->inode = inode;
	rec->sb = inode->i_sb;
	rec->ino = inode->i_ino;
	rec->generation = inode->i_generation;
	rec->dev = inode->i_sb->s_dev;
	rec->active = jiffies;
	rec->born = READ_ONCE(pcinspect_track.scan);
	rec->since_ns = ktime_get_ns();
	rec->type = type;
	rec->owner = type->owner;
	strscpy(rec->fs, type->name, sizeof(rec->fs));
	return rec;
}

/* Begin a ledger that is going to be an inode's. */
static void track_begin_ledger(struct pcinspect_ledger *ledger,
			       const struct inode *inode)
{
	pcinspect_ledger_begin(ledger, inode);
	set_bit(hash_ptr(inode, PCINSPECT_FILTER_BITS), pcinspect_track_filter);
}

/*
 * A record that had a ledger before keeps what was true when it lost it: since
 * then nobody has looked.
 */
static void track_forget(struct pcinspect_record *rec)
{
	if (rec->dirty)
		pcinspect_dirty_begin(rec->dirty);
	if (rec->used)
		pcinspect_used_clear(rec->used, 0, U64_MAX >> PAGE_SHIFT);
}

/* Set once; without memory for it every use, and every age, stays unknown. */
static void track_add_used(struct pcinspect_record *rec, gfp_t gfp)
{
	struct pcinspect_used *used;
	struct pcinspect_dirty *dirty;

	if (!READ_ONCE(rec->used)) {
		used = pcinspect_used_alloc(gfp);
		if (used && cmpxchg(&rec->used, NULL, used))
			pcinspect_used_free(used);
	}
	if (!READ_ONCE(rec->dirty)) {
		dirty = pcinspect_dirty_alloc(gfp);
		if (dirty && cmpxchg(&rec->dirty, NULL, dirty))
			pcinspect_dirty_free(dirty);
	}
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
			pcinspect_track_drop(old, true);
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
		pcinspect_track_free(stale);
	return;

lost:
	if (this_cpu_read(pcinspect_track_last_lost) != inode) {
		this_cpu_write(pcinspect_track_last_lost, inode);
		atomic64_inc(&pcinspect_track.lost);
		pcinspect_track_want_room();
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
	struct pcinspect_ledger *ledger = NULL;
	unsigned long flags;

	rec = track_alloc(inode, GFP_KERNEL);
	if (!rec)
		return -ENOMEM;
	if (pcinspect_ledger_wanted(inode)) {
		ledger = pcinspect_ledger_alloc(GFP_KERNEL);
		if (!ledger) {
			kmem_cache_free(pcinspect_record_cache, rec);
			return -ENOMEM;
		}
		track_begin_ledger(ledger, inode);
		preempt_disable();
		kept = pcinspect_track_find(inode);
		if (kept && !rcu_access_pointer(kept->ledger))
			track_forget(kept);
		preempt_enable();
	}
	raw_spin_lock_irqsave(&pcinspect_track_lock, flags);
	kept = track_add(rec, inode, &stale);
	if (kept != rec)
		pcinspect_track.nr_auto--;
	pcinspect_track.nr_explicit++;
	WRITE_ONCE(kept->explicit_id, id);
	/* A run may have given it one already. */
	if (ledger &&
	    !cmpxchg((struct pcinspect_ledger **)&kept->ledger, NULL, ledger))
		ledger = NULL;
	raw_spin_unlock_irqrestore(&pcinspect_track_lock, flags);
	pcinspect_ledger_free(ledger);
	if (stale)
		pcinspect_track_free(stale);
	if (pcinspect_ledger_wanted(inode)) {
		preempt_disable();
		rec = pcinspect_track_find(inode);
		if (rec)
			track_add_used(rec, GFP_NOWAIT);
		preempt_enable();
	}
	return 0;
}

/*
 * What a ledger began with, worked out while others may be at it; a few looks
 * are enough to find a moment without an insertion under way. Not before all
 * hooks are attached.
 */
static void track_settle(struct inode *inode)
{
	struct pcinspect_ledger *ledger;
	struct pcinspect_record *rec;
	bool settled = false;
	int i;

	for (i = 0; i < 8 && !settled; i++) {
		rcu_read_lock();
		rec = pcinspect_track_find(inode);
		ledger = rec ? rcu_dereference(rec->ledger) : NULL;
		settled = !ledger || (!i && READ_ONCE(ledger->settled));
		if (!settled)
			pcinspect_ledger_settle(ledger, rec, inode->i_mapping,
						!i);
		rcu_read_unlock();
		if (!settled)
			usleep_range(20, 50);
	}
}

/**
 * pcinspect_track_hooked() - an explicit record has its hooks
 * @inode: alive
 *
 * Under the i_pages lock, under which folios become dirty: whoever held it
 * before has tagged its folio, whoever does after us meets a hook.
 *
 * Context: process context, may sleep.
 */
void pcinspect_track_hooked(struct inode *inode)
{
	struct address_space *mapping = inode->i_mapping;
	struct pcinspect_ledger *ledger;
	struct pcinspect_record *rec;
	bool clean;

	track_settle(inode);
	xa_lock_irq(&mapping->i_pages);
	rec = pcinspect_track_find(inode);
	ledger = rec ? rcu_dereference_raw(rec->ledger) : NULL;
	if (ledger)
		pcinspect_ledger_flight(ledger, mapping);
	if (rec && rec->dirty && rcu_access_pointer(rec->ledger) &&
	    !pcinspect_hooks_missing()) {
		clean = !mapping_tagged(mapping, PAGECACHE_TAG_DIRTY) &&
			!READ_ONCE(rec->dirty->pages);
		pcinspect_dirty_watch(rec->dirty, READ_ONCE(rec->dirty->epoch),
				      clean, false);
	}
	xa_unlock_irq(&mapping->i_pages);
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
	struct pcinspect_ledger *ledger = NULL;
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
			pcinspect_track_drop(rec, gone);
		}
		if (!drop && !READ_ONCE(pcinspect_run_active))
			ledger = pcinspect_track_take_ledger(rec);
		break;
	}
	raw_spin_unlock_irqrestore(&pcinspect_track_lock, flags);
	pcinspect_ledger_free_rcu(ledger);
	if (drop)
		pcinspect_track_free(drop);
}

/**
 * pcinspect_track_add_ledger() - give a live inode's record a ledger
 * @inode: of interest; gets an automatic record if it has none
 *
 * Context: preemption off, any but NMI; never sleeps.
 * Return: the ledger, or NULL: no memory or no room (counted).
 */
struct pcinspect_ledger *pcinspect_track_add_ledger(struct inode *inode)
{
	struct pcinspect_record *rec = pcinspect_track_find(inode);
	struct pcinspect_ledger *ledger, *old;
	unsigned int epoch = 0;
	bool clean = false;

	if (!rec) {
		pcinspect_track_new(inode, 0);
		rec = pcinspect_track_find(inode);
	}
	if (!rec)
		return NULL;
	ledger = pcinspect_ledger_alloc(GFP_NOWAIT | __GFP_NOWARN);
	if (!ledger)
		return NULL;
	track_begin_ledger(ledger, inode);
	track_forget(rec);
	track_add_used(rec, GFP_NOWAIT | __GFP_NOWARN);
	if (rec->dirty)
		epoch = READ_ONCE(rec->dirty->epoch);
	old = cmpxchg((struct pcinspect_ledger **)&rec->ledger, NULL, ledger);
	if (!old) {
		clean = !READ_ONCE(inode->i_mapping->nrpages);
		pcinspect_ledger_settle(ledger, rec, inode->i_mapping, true);
		WRITE_ONCE(ledger->looks, PCINSPECT_LEDGER_LOOKS);
		pcinspect_ledger_flight(ledger, inode->i_mapping);
	}
	/*
	 * The hooks of a run are attached before it begins. Who comes second
	 * has forgotten what the first one watched, and watches as well.
	 */
	if (rec->dirty && !pcinspect_hooks_missing())
		pcinspect_dirty_watch(rec->dirty, epoch, clean, true);
	if (!old)
		return ledger;
	pcinspect_ledger_free(ledger);
	return old;
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
	track->shift = BITS_PER_LONG - track->bits;
	track->max_inodes = max_inodes;
	track->automatic = automatic;
	track->buckets = kvcalloc(1UL << track->bits, sizeof(*track->buckets),
				  GFP_KERNEL);
	if (!track->buckets)
		return -ENOMEM;
	pcinspect_record_cache =
		kmem_cache_create("pcinspect_record",
				  sizeof(struct pcinspect_record), 0,
				  SLAB_HWCACHE_ALIGN, NULL);
	if (!pcinspect_record_cache) {
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

	pcinspect_track_stop_trimming();
	for (i = 0; i < 1U << pcinspect_track.bits; i++)
		hlist_for_each_entry_safe(rec, next,
					  &pcinspect_track.buckets[i], node)
			pcinspect_track_free(rec);
	rcu_barrier(); /* records on their way through call_rcu() */
	kmem_cache_destroy(pcinspect_record_cache);
	kvfree(pcinspect_track.buckets);
}
