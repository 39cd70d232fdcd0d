// SPDX-License-Identifier: GPL-2.0
/*
 * run.c - the one run there can be at a time.
 *
 * Why in the module: which inodes a command touches is known only when it
 * touches them, and which tasks are its own only when they fork.
 *
 * The run belongs to the open file of /dev/pcinspect that began it and ends
 * with it at the latest, so a killed program leaves nothing behind.
 *
 * Locks: run_mutex > those of hook.c and track.c.
 */
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "uapi/pcinspect.h"
#include "control/run.h"
#include "hooks/attach.h"
#include "records/operation.h"
#include "records/track.h"

bool pcinspect_run_active;

static const struct file *run_owner;
static u32 run_mounts[PCINSPECT_NR_MOUNTS];
static unsigned int run_nr_mounts;
static DEFINE_MUTEX(run_mutex);

/**
 * pcinspect_run_names() - did the user name this filesystem
 * @sb: which
 *
 * Context: any.
 * Return: true if all its files count.
 */
bool pcinspect_run_names(const struct super_block *sb)
{
	unsigned int i;

	for (i = 0; i < READ_ONCE(run_nr_mounts); i++)
		if (run_mounts[i] == sb->s_dev)
			return true;
	return false;
}

/**
 * pcinspect_run_start() - begin a run with the calling task
 * @run: which filesystems
 * @owner: the open file it belongs to
 *
 * Counters of all records begin anew.
 *
 * Context: process context, may sleep.
 * Return: 0, -EBUSY while there is another run, -ENOMEM, -EINVAL.
 */
int pcinspect_run_start(const struct pcinspect_run *run,
			const struct file *owner)
{
	int err = -EBUSY;

	if (run->nr_mounts > PCINSPECT_NR_MOUNTS)
		return -EINVAL;
	mutex_lock(&run_mutex);
	if (run_owner)
		goto out;
	memcpy(run_mounts, run->mounts, sizeof(run_mounts));
	run_nr_mounts = run->nr_mounts;
	pcinspect_hooks_want(HOOKS_RUN, true);
	preempt_disable();
	err = pcinspect_frame_join(current) ? 0 : -ENOMEM;
	preempt_enable();
	if (!err)
		err = pcinspect_track_reset(0, true);
	if (err) {
		pcinspect_hooks_want(HOOKS_RUN, false);
		goto out;
	}
	run_owner = owner;
	WRITE_ONCE(pcinspect_run_active, true);
out:
	mutex_unlock(&run_mutex);
	return err;
}

/**
 * pcinspect_run_end() - end the run of an open file, if it has one
 * @owner: the open file
 *
 * Ledgers of automatic records go; with auto=0 the records as well.
 *
 * Context: process context, may sleep.
 */
void pcinspect_run_end(const struct file *owner)
{
	mutex_lock(&run_mutex);
	if (run_owner == owner) {
		WRITE_ONCE(pcinspect_run_active, false);
		pcinspect_frame_end_run();
		run_owner = NULL;
		run_nr_mounts = 0;
		/* Who saw it active has given its ledger by then. */
		synchronize_rcu();
		/*
		 * Before its hooks go: a file that is tracked just now keeps
		 * the run's ledger, and the hooks, or gets a new one.
		 */
		pcinspect_track_end_run();
		pcinspect_hooks_want(HOOKS_RUN, false);
	}
	mutex_unlock(&run_mutex);
}
