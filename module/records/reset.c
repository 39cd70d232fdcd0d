// SPDX-License-Identifier: GPL-2.0
/*
 * reset.c - counting begins anew, while others go on.
 *
 * Why here: a new ledger takes the place of the old one at once, but what it
 * begins with is known only when everybody who had found the old one has
 * counted in it; the two of them live together for a grace period.
 *
 * May touch: records and their ledgers, under the table's lock.
 */
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>

#include "records/ledger.h"
#include "records/track.h"

static DEFINE_MUTEX(reset_mutex); /* resets take turns */

/* Caller holds the lock. */
static struct pcinspect_ledger *reset_ledger(const struct pcinspect_record *rec)
{
	return rcu_dereference_protected(rec->ledger,
					 lockdep_is_held(&pcinspect_track_lock));
}

/*
 * Begin @rec anew at @now. Caller holds the lock. *@fresh is taken where there
 * was a ledger, and keeps that one until its counts are final.
 */
static void reset_one(struct pcinspect_record *rec,
		      struct pcinspect_ledger **fresh, u64 now)
{
	struct pcinspect_ledger *old;

	rec->inserted_base = atomic64_read(&rec->inserted);
	rec->removed_base = atomic64_read(&rec->removed);
	rec->since_ns = now;
	old = reset_ledger(rec);
	if (!old)
		return;
	pcinspect_ledger_succeed(*fresh, old);
	rcu_assign_pointer(rec->ledger, *fresh);
	*fresh = NULL;
}

/* What the new ledgers began with, now that nobody counts in the old ones. */
static void reset_inherit(void)
{
	struct pcinspect_ledger *ledger, *old;
	struct pcinspect_record *rec;
	unsigned long flags;
	unsigned int i;

	for (i = 0; i < 1U << pcinspect_track.bits; i++) {
		do {
			old = NULL;
			if (hlist_empty(&pcinspect_track.buckets[i]))
				break;
			raw_spin_lock_irqsave(&pcinspect_track_lock, flags);
			hlist_for_each_entry(rec, &pcinspect_track.buckets[i],
					     node) {
				ledger = reset_ledger(rec);
				if (!ledger || !ledger->old)
					continue;
				old = pcinspect_ledger_inherit(ledger);
				break;
			}
			raw_spin_unlock_irqrestore(&pcinspect_track_lock, flags);
			pcinspect_ledger_free(old);
		} while (old);
		cond_resched();
	}
}

/**
 * pcinspect_track_reset() - begin counting anew
 * @id: handle of an explicit record, or 0 for every explicit one
 * @all: automatic records as well
 *
 * Stores baselines and puts new ledgers in the place of old ones; live counters
 * are never written but by the hooks.
 *
 * Context: process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int pcinspect_track_reset(u64 id, bool all)
{
	struct pcinspect_ledger *fresh = NULL;
	struct pcinspect_record *rec;
	unsigned long flags;
	u64 now = ktime_get_ns();
	unsigned int i;
	int err = 0;
	bool again;

	mutex_lock(&reset_mutex);
	for (i = 0; i < 1U << pcinspect_track.bits && !err; i++) {
		do {
			again = false;
			if (hlist_empty(&pcinspect_track.buckets[i]))
				break;
			if (!fresh)
				fresh = pcinspect_ledger_alloc(GFP_KERNEL);
			if (!fresh) {
				err = -ENOMEM;
				break;
			}
			raw_spin_lock_irqsave(&pcinspect_track_lock, flags);
			hlist_for_each_entry(rec, &pcinspect_track.buckets[i],
					     node) {
				if (rec->since_ns >= now ||
				    (!rec->explicit_id && !all) ||
				    (id && rec->explicit_id != id))
					continue;
				reset_one(rec, &fresh, now);
				again = true;
				break;
			}
			raw_spin_unlock_irqrestore(&pcinspect_track_lock, flags);
		} while (again);
		cond_resched();
	}
	pcinspect_ledger_free(fresh);
	/* Who had found an old ledger has counted in it. */
	synchronize_rcu();
	reset_inherit();
	mutex_unlock(&reset_mutex);
	return err;
}
