// SPDX-License-Identifier: GPL-2.0-only
/*
 * run.c - the one run there can be at a time.
 *
 * Why in the module: the inodes of a command are known only when it touches
 * them, and its tasks only when they fork.
 *
 * The run belongs to the open file of /dev/pcinspect that began it and ends
 * with it at the latest, so a killed program leaves nothing behind.
 *
 * Locks: run_mutex > those of hooks/attach.c and records/track.c.
 */
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "kunit_visible.h"
#include "uapi/pcinspect.h"
#include "control/run.h"
#include "hooks/attach.h"
#include "records/operation.h"
#include "records/scope.h"
#include "records/track.h"

static const struct file *run_owner;
static DEFINE_MUTEX(run_mutex);
/* Tasks that an earlier run had left when the last one began: none. */
static u64 run_left;

/*
 * Begin a run with the calling task. Counters of automatic records begin anew. May
 * sleep. Return: 0, -EBUSY while there is another run, -ENOMEM, -EINVAL, -EINTR.
 */
int pcinspect_run_start(const struct pcinspect_run *run,
			const struct file *owner)
{
	struct pcinspect_scope *scope = &pcinspect_scope;
	int err = -EBUSY;

	if (run->nr_mounts > PCINSPECT_NR_MOUNTS)
		return -EINVAL;
	if (mutex_lock_killable(&run_mutex))
		return -EINTR;
	if (run_owner)
		goto out;
	memcpy(scope->mounts, run->mounts, sizeof(scope->mounts));
	WRITE_ONCE(scope->nr_mounts, run->nr_mounts);
	err = pcinspect_hooks_want(HOOKS_RUN);
	if (err)
		goto out;
	WRITE_ONCE(run_left, pcinspect_operation_members());
	if (run_left)
		pcinspect_operation_end_run();
	preempt_disable();
	err = pcinspect_operation_join(current) ? 0 : -ENOMEM;
	preempt_enable();
	if (!err)
		err = pcinspect_track_reset(0, true);
	if (err) {
		pcinspect_operation_end_run();
		pcinspect_hooks_done(HOOKS_RUN);
		goto out;
	}
	WRITE_ONCE(run_owner, owner);
	pcinspect_track_begin_run();
	WRITE_ONCE(scope->run, true);
out:
	mutex_unlock(&run_mutex);
	return err;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_run_start);

/*
 * Until each probe that saw a run is through. Of its own for a test, which acts
 * here as such a probe. Context: process context, may sleep.
 */
void pcinspect_run_wait(void)
{
	KUNIT_STATIC_STUB_REDIRECT(pcinspect_run_wait);
	synchronize_rcu();
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_run_wait);

/*
 * End the run of an open file, if it has one. Ledgers of automatic records go;
 * with auto=0 the records as well. May sleep.
 */
void pcinspect_run_end(const struct file *owner)
{
	/* Others may be about to begin one, and wait. */
	if (READ_ONCE(run_owner) != owner)
		return;
	mutex_lock(&run_mutex);
	if (run_owner == owner) {
		WRITE_ONCE(pcinspect_scope.run, false);
		WRITE_ONCE(run_owner, NULL);
		WRITE_ONCE(pcinspect_scope.nr_mounts, 0);
		/* A task that saw it active has attached its ledger by then. */
		pcinspect_run_wait();
		pcinspect_operation_end_run();
		/*
		 * Before its hooks go: a file that is tracked just now keeps
		 * the run's ledger, and the hooks, or gets a new one.
		 */
		pcinspect_track_end_run();
		pcinspect_hooks_done(HOOKS_RUN);
	}
	mutex_unlock(&run_mutex);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_run_end);

/*
 * A witness that runs end: tasks that counted as a run's although there was
 * none, when the last one began. Context: any.
 */
u64 pcinspect_run_left(void)
{
	return READ_ONCE(run_left);
}
