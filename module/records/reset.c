// SPDX-License-Identifier: GPL-2.0-only
/*
 * reset.c - begins counting anew while others count.
 *
 * A new ledger takes the place of the old one at once. Probes that had found
 * the old one may count in it until a grace period has passed; only then is it
 * known with how many pages the new one began. Until then the new one keeps the old.
 *
 * May touch: records and their ledgers, under the table's lock.
 */
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/ktime.h>
#include <linux/timekeeping.h>

#include "kunit_visible.h"
#include "records/ledger.h"
#include "records/track.h"

static DEFINE_MUTEX(reset_mutex); /* resets take turns */

/*
 * struct reset - one under way
 * @id: handle of an explicit record, or 0 for every one
 * @run: for a run: automatic records; explicit ones count on, for others
 * @old: the last one that was replaced, to be freed
 */
struct reset {
	u64 id;
	bool run;
	u64 now;
	struct pcinspect_ledger *spare;
	struct pcinspect_ledger *old;
};

static int reset_prepare(void *arg)
{
	struct reset *reset = arg;

	if (!reset->spare)
		reset->spare = pcinspect_ledger_alloc(GFP_KERNEL);
	return reset->spare ? 0 : -ENOMEM;
}

static bool reset_begin(struct pcinspect_record *rec, void *arg)
{
	struct reset *reset = arg;
	struct pcinspect_ledger *old = pcinspect_record_ledger(rec);

	/* Made since then, or visited before. A clock may stand for milliseconds. */
	if (rec->since_ns > reset->now || (old && old->replaced))
		return false;
	if (reset->run && rec->explicit_id) {
		WRITE_ONCE(rec->no_victim, false);
		if (old)
			WRITE_ONCE(old->touched, false);
		return false;
	}
	if ((!rec->explicit_id && !reset->run) ||
	    (reset->id && rec->explicit_id != reset->id))
		return false;
	WRITE_ONCE(rec->inserted_base, atomic64_read(&rec->inserted));
	WRITE_ONCE(rec->removed_base, atomic64_read(&rec->removed));
	WRITE_ONCE(rec->since_ns, reset->now);
	WRITE_ONCE(rec->no_victim, false);
	if (!old)
		return false;
	pcinspect_ledger_succeed(reset->spare, old);
	rcu_assign_pointer(rec->ledger, reset->spare);
	reset->spare = NULL;
	return true;
}

static int reset_free(void *arg)
{
	struct reset *reset = arg;

	pcinspect_ledger_free(reset->old);
	reset->old = NULL;
	return 0;
}

/* Nobody counts in the replaced ledger any more. */
static bool reset_finish(struct pcinspect_record *rec, void *arg)
{
	struct pcinspect_ledger *ledger = pcinspect_record_ledger(rec);
	struct reset *reset = arg;

	if (!ledger || !ledger->replaced)
		return false;
	reset->old = pcinspect_ledger_inherit(ledger);
	return true;
}

/*
 * Begin counting anew. @id: handle of an explicit record, or 0 for every
 * explicit one. @run: for a run, not these but the automatic ones: its report
 * leaves out what explicit ones had by then. Stores baselines and puts new
 * ledgers in the place of old ones; live counters are never written but by the
 * hooks.
 * May sleep.
 */
int pcinspect_track_reset(u64 id, bool run)
{
	struct reset reset = { .id = id, .run = run, .now = ktime_get_ns() };
	int err;

	mutex_lock(&reset_mutex);
	err = pcinspect_track_visit(reset_begin, reset_prepare, &reset);
	pcinspect_ledger_free(reset.spare);
	synchronize_rcu();
	pcinspect_track_visit(reset_finish, reset_free, &reset);
	reset_free(&reset);
	mutex_unlock(&reset_mutex);
	return err;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_track_reset);
