// SPDX-License-Identifier: GPL-2.0-only
/*
 * track.c - the table of records: how they are made by hooks, found, and end.
 *
 * Why a plain table of buckets and not an rhashtable: records are inserted
 * from a tracepoint that may have preemption or interrupts off, rhashtable's
 * bucket locks are bottom-half locks there (6.1), its growth needs a worker,
 * and a miss must cost a handful of instructions per page inserted.
 *
 * Lifetime: a record ends when its inode is gone, when the table is full and it
 * has not changed for longest, or with a run where none are kept. It is freed
 * after a grace period after it left its bucket. An explicit record is pinned
 * by a mark (mark.c) and is not evicted.
 *
 * May touch: its table.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/log2.h>
#include <linux/magic.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/workqueue.h>

#include "kunit_visible.h"
#include "records/filter.h"
#include "records/gone.h"
#include "records/memory.h"
#include "records/record.h"
#include "records/track.h"

struct pcinspect_track pcinspect_track ____cacheline_aligned_in_smp = {
	.lock = __RAW_SPIN_LOCK_UNLOCKED(pcinspect_track.lock),
};
EXPORT_SYMBOL_IF_KUNIT(pcinspect_track);

DEFINE_PER_CPU(const struct inode *, pcinspect_track_last_lost);

/* Changes of inodes that found no room, counted once per run of changes. */
static DEFINE_PER_CPU(u64, track_nr_lost);

/* No cache line that is written holds what a probe reads for every page. */
static_assert(!IS_ENABLED(CONFIG_SMP) ||
	      offsetof(struct pcinspect_track, lock) % SMP_CACHE_BYTES == 0);
static_assert(!IS_ENABLED(CONFIG_SMP) ||
	      offsetof(struct pcinspect_track, full) < SMP_CACHE_BYTES);

/* Is there room? Written only when that changes. Caller holds the lock. */
void pcinspect_track_note_full(void)
{
	struct pcinspect_track *track = &pcinspect_track;
	bool full = track->nr_auto >= track->max_inodes;

	if (track->full != full)
		WRITE_ONCE(track->full, full);
}

/*
 * Put @rec in the table unless the inode has a record by now. A record of an
 * earlier inode at the same address is dropped: that inode cannot exist. So is
 * one of an image that was mounted elsewhere: all may be equal but the device.
 * Caller holds the lock. Returns the record that is in the table; *@stale is
 * what the caller has to free.
 */
struct pcinspect_record *pcinspect_track_add(struct pcinspect_record *rec,
					     struct inode *inode,
					     struct pcinspect_record **stale)
{
	struct hlist_head *bucket = pcinspect_track_bucket(inode);
	struct pcinspect_record *old;

	*stale = NULL;
	hlist_for_each_entry(old, bucket, node) {
		if (old->inode != inode)
			continue;
		if (pcinspect_track_is(old, inode) &&
		    (old->dev == inode->i_sb->s_dev || old->explicit_id)) {
			*stale = rec;
			return old;
		}
		if (!old->explicit_id) {
			old->ended = true;
			pcinspect_track_drop(old, true);
			*stale = old;
		}
		break;
	}
	/* A scan that begins from now on finds it in the table. */
	rec->born = pcinspect_track.scan;
	hlist_add_head_rcu(&rec->node, bucket);
	pcinspect_track.nr_auto++;
	pcinspect_track_note_full();
	return rec;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_track_add);

/* Note one ledger more or less in the table. Caller holds the lock. */
void pcinspect_track_count_ledger(const struct pcinspect_record *rec, int by)
{
	pcinspect_track.nr_ledgers += by;
	pcinspect_filter_count(rec->inode, by);
}

/*
 * Take an automatic record out of the table; @fold: add what it counted to the
 * gone row. Caller holds the lock and frees the record.
 */
void pcinspect_track_drop(struct pcinspect_record *rec, bool fold)
{
	hlist_del_init_rcu(&rec->node);
	pcinspect_track.nr_auto--;
	pcinspect_track_note_full();
	if (rcu_access_pointer(rec->ledger))
		pcinspect_track_count_ledger(rec, -1);
	rec->fold = fold;
	if (fold)
		pcinspect_gone_expect();
}

static void track_free_rcu(struct rcu_head *rcu)
{
	struct pcinspect_record *rec;

	rec = container_of(rcu, struct pcinspect_record, rcu);
	if (!rec->fold || !pcinspect_gone_add(rec))
		pcinspect_record_free(rec);
}

/* Free a record, or none, that is out of the table or never was. */
void pcinspect_track_free(struct pcinspect_record *rec)
{
	if (rec)
		call_rcu(&rec->rcu, track_free_rcu);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_track_free);

/*
 * Every record, under the lock. @visit: may drop the record; returns true to
 * have its bucket visited again, after @between. @between: called before each
 * bucket without the lock, may sleep; or NULL. Not 0 ends it all.
 * Context: process context, may sleep. The lock is held for a bucket at a time.
 * Return: what @between returned last.
 */
int pcinspect_track_visit(bool (*visit)(struct pcinspect_record *rec, void *arg),
			  int (*between)(void *arg), void *arg)
{
	struct pcinspect_record *rec;
	struct hlist_node *next;
	unsigned long flags;
	unsigned int i = 0;
	bool again;
	int err;

	while (i < 1U << pcinspect_track.bits) {
		struct hlist_head *bucket = &pcinspect_track.buckets[i];

		again = false;
		if (!hlist_empty(bucket)) {
			err = between ? between(arg) : 0;
			if (err)
				return err;
			raw_spin_lock_irqsave(&pcinspect_track.lock, flags);
			hlist_for_each_entry_safe(rec, next, bucket, node) {
				again = visit(rec, arg);
				if (again)
					break;
			}
			raw_spin_unlock_irqrestore(&pcinspect_track.lock, flags);
			cond_resched();
		}
		if (!again && !(++i & 1023))
			cond_resched();
	}
	return 0;
}

/* Look at every record. @fn: called under rcu_read_lock(); must not sleep. */
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

/* --- no room ------------------------------------------------------------- */

/*
 * Ages of records in classes that grow with the age, four a doubling, so that
 * the oldest are found by two walks without sorting them.
 */
#define TRIM_CLASSES (4 * BITS_PER_LONG)

/*
 * struct track_trim - a search for the oldest records
 * @from: classes above it go
 * @rest: so many of @from's go as well
 * @goal: so many go at most
 */
struct track_trim {
	unsigned long now;
	unsigned int classes[TRIM_CLASSES];
	unsigned int from;
	unsigned int rest;
	unsigned int goal;
};

static unsigned int trim_class(const struct track_trim *trim,
			       const struct pcinspect_record *rec)
{
	unsigned long active = READ_ONCE(rec->active);
	unsigned long age = 4;
	unsigned int order;

	if (time_before(active, trim->now))
		age += trim->now - active;
	order = ilog2(age);
	return 4 * order + ((age >> (order - 2)) & 3);
}

static void trim_count(const struct pcinspect_record *rec, void *arg)
{
	struct track_trim *trim = arg;

	if (!rec->explicit_id)
		trim->classes[trim_class(trim, rec)]++;
}

static bool trim_drop(struct pcinspect_record *rec, void *arg)
{
	struct track_trim *trim = arg;
	unsigned int class = trim_class(trim, rec);

	if (!trim->goal || rec->explicit_id || class < trim->from ||
	    (class == trim->from && !trim->rest))
		return false;
	trim->goal--;
	trim->rest -= class == trim->from;
	pcinspect_track_drop(rec, true);
	pcinspect_track_free(rec);
	return false;
}

static int trim_done(void *arg)
{
	return !((struct track_trim *)arg)->goal;
}

/* The next search comes after so much of the time of one, within limits. */
#define TRIM_SHARE 20
#define TRIM_DELAY_NS (100 * NSEC_PER_MSEC)
#define TRIM_DELAY_MAX_NS NSEC_PER_SEC

static unsigned long track_trim_delay = HZ / 10;

/*
 * Make room, if there is none: a sixteenth of the automatic records, those
 * longest unchanged.
 */
void pcinspect_track_trim(struct work_struct *unused)
{
	static struct track_trim trim; /* of the one work item */
	const u64 began = ktime_get_ns();
	unsigned int left;
	u64 wait;

	if (!READ_ONCE(pcinspect_track.full))
		return;
	memset(&trim, 0, sizeof(trim));
	trim.now = jiffies;
	trim.goal = pcinspect_track.max_inodes / 16 + 1;
	pcinspect_track_for_each(trim_count, &trim);
	left = trim.goal;
	for (trim.from = TRIM_CLASSES - 1; trim.from; trim.from--) {
		if (trim.classes[trim.from] >= left)
			break;
		left -= trim.classes[trim.from];
	}
	trim.rest = left;
	pcinspect_track_visit(trim_drop, trim_done, &trim);
	wait = TRIM_SHARE * (ktime_get_ns() - began);
	wait = clamp_t(u64, wait, TRIM_DELAY_NS, TRIM_DELAY_MAX_NS);
	WRITE_ONCE(track_trim_delay, nsecs_to_jiffies(wait));
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_track_trim);

static DECLARE_DELAYED_WORK(track_trim_work, pcinspect_track_trim);

/* Counted once per run of changes to one inode on one CPU, on that CPU. */
static bool track_count_lost(const struct inode *inode)
{
	if (this_cpu_read(pcinspect_track_last_lost) == inode)
		return false;
	this_cpu_write(pcinspect_track_last_lost, inode);
	this_cpu_inc(track_nr_lost);
	return true;
}

/*
 * The hooks met an inode without a record. Makes an automatic record where the
 * inode is of interest and there is room. A change without room, or memory, is
 * counted: with more inodes than records nearly all changes are such. Context:
 * tracepoint probe: any context but NMI, no locks of ours held; never sleeps.
 */
void pcinspect_track_new(struct inode *inode, unsigned long nr_pages)
{
	struct pcinspect_record *rec, *kept, *stale;
	unsigned long flags;

	if (!S_ISREG(inode->i_mode) && !S_ISBLK(inode->i_mode))
		return;
	if (inode->i_sb->s_magic == HUGETLBFS_MAGIC)
		return;
	if (READ_ONCE(pcinspect_track.full)) {
		/* To ask for what is asked for already is a write as well. */
		if (track_count_lost(inode) &&
		    !delayed_work_pending(&track_trim_work))
			queue_delayed_work(system_dfl_wq, &track_trim_work,
					   READ_ONCE(track_trim_delay));
		return;
	}
	rec = pcinspect_record_alloc(inode, PCINSPECT_GFP_PROBE);
	if (!rec) {
		track_count_lost(inode);
		return;
	}

	raw_spin_lock_irqsave(&pcinspect_track.lock, flags);
	kept = pcinspect_track_add(rec, inode, &stale);
	atomic64_add(nr_pages, &kept->inserted);
	raw_spin_unlock_irqrestore(&pcinspect_track.lock, flags);
	pcinspect_track_free(stale);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_track_new);

/* Changes of inodes that found no record, since load. Context: any. */
u64 pcinspect_track_lost(void)
{
	u64 sum = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		sum += READ_ONCE(per_cpu(track_nr_lost, cpu));
	return sum;
}

/* --- no inode ------------------------------------------------------------ */

/* Number a scan of live inodes, for pcinspect_record.seen; scans take turns. */
unsigned long pcinspect_track_begin_scan(void)
{
	unsigned long flags, scan;

	raw_spin_lock_irqsave(&pcinspect_track.lock, flags);
	scan = ++pcinspect_track.scan;
	raw_spin_unlock_irqrestore(&pcinspect_track.lock, flags);
	return scan;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_track_begin_scan);

struct track_unseen {
	unsigned long scan;
	pcinspect_keep_fn keep;
	void *arg;
};

static bool track_retire(struct pcinspect_record *rec, void *arg)
{
	const struct track_unseen *unseen = arg;

	if (rec->seen == unseen->scan || rec->born >= unseen->scan ||
	    rec->explicit_id || unseen->keep(rec, unseen->arg))
		return false;
	rec->ended = true;
	pcinspect_track_drop(rec, true);
	pcinspect_track_free(rec);
	return false;
}

/*
 * Fold records whose inode is gone. @scan: number of a scan that has ended.
 * @keep: returns true for a record that the scan could not look for, or whose
 * pages are still to be removed; called under the lock. Records
 * made after the scan began are left alone, and so are explicit ones: their
 * mark says when the inode goes.
 * Context: process context, caller serializes scans.
 */
void pcinspect_track_retire_unseen(unsigned long scan, pcinspect_keep_fn keep,
				   void *arg)
{
	struct track_unseen unseen = { scan, keep, arg };

	pcinspect_track_visit(track_retire, NULL, &unseen);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_track_retire_unseen);

/* --- the table ----------------------------------------------------------- */

/* Its memory, in bytes. */
size_t pcinspect_track_memory(void)
{
	return pcinspect_record_memory() +
	       (sizeof(struct hlist_head) << pcinspect_track.bits);
}

/*
 * Make the empty table. Context: process context, before any hook is attached.
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
	if (!pcinspect_record_cache_init())
		return 0;
	kvfree(track->buckets);
	return -ENOMEM;
}

static bool track_end(struct pcinspect_record *rec, void *arg)
{
	pcinspect_track_drop(rec, false);
	pcinspect_track_free(rec);
	return false;
}

/* Free the table: no hook is attached and no mark is left. */
void pcinspect_track_exit(void)
{
	cancel_delayed_work_sync(&track_trim_work);
	pcinspect_track_visit(track_end, NULL, NULL);
	rcu_barrier(); /* records on their way through call_rcu() */
	pcinspect_record_cache_exit();
	kvfree(pcinspect_track.buckets);
}
