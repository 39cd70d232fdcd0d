// SPDX-License-Identifier: GPL-2.0-only
/*
 * hold.c - explicit records that last as long as an open /dev/pcinspect.
 *
 * Why: a watch or a recording wants its files tracked until it ends, however it
 * ends, and two of them on one file must not end each other's. Each open
 * /dev/pcinspect has the handles it holds here; mark.c counts the holders of
 * each. Files that the user tracked (PCINSPECT_IOC_TRACK) stay in any case.
 *
 * A handle whose record went otherwise (untracked, deleted, unmounted) stays
 * listed, and means nothing: handles are not used again. HOLD_MAX_HANDLES
 * bounds what an open file can list.
 *
 * Locks: hold->mutex > mark.c's.
 */
#include <linux/mutex.h>
#include <linux/slab.h>
#include <linux/xarray.h>

#include "control/hold.h"
#include "control/mark.h"

#define HOLD_MAX_HANDLES 65536

/*
 * struct pcinspect_hold - what one open file holds
 * @ids: handles; an entry is a value without meaning
 * @began: mark.c counts it
 */
struct pcinspect_hold {
	struct mutex mutex; /* serializes changes */
	struct xarray ids;
	unsigned int nr;
	bool began;
};

/* For a file that is being opened. May sleep. */
struct pcinspect_hold *pcinspect_hold_new(void)
{
	struct pcinspect_hold *hold = kzalloc(sizeof(*hold), GFP_KERNEL);

	if (!hold)
		return NULL;
	mutex_init(&hold->mutex);
	xa_init(&hold->ids);
	return hold;
}

/*
 * Track an inode until it is untracked, or at the end. @hold: on whose behalf;
 * may hold it already. May sleep. Return: 0, -ENOSPC (PCINSPECT_MAX_EXPLICIT,
 * or HOLD_MAX_HANDLES of this file, reached), -ENOMEM, -EINTR.
 */
int pcinspect_hold_track(struct pcinspect_hold *hold, struct inode *inode,
			 u64 *id)
{
	int err;

	if (mutex_lock_killable(&hold->mutex))
		return -EINTR;
	if (!hold->began)
		pcinspect_mark_holder(true);
	hold->began = true;
	err = hold->nr < HOLD_MAX_HANDLES ?
		      pcinspect_mark_track(inode, true, id) :
		      -ENOSPC;
	if (err)
		goto out;
	/* Handles are counted from 1: it takes years to get past a long. */
	err = xa_insert(&hold->ids, *id, xa_mk_value(1), GFP_KERNEL);
	if (err)
		pcinspect_mark_drop(*id);
	else
		hold->nr++;
	if (err == -EBUSY)
		err = 0;
out:
	mutex_unlock(&hold->mutex);
	return err;
}

/*
 * Hold a record no more. May sleep. Return: 0, -ENOENT if it was not held, or
 * -EINTR.
 */
int pcinspect_hold_untrack(struct pcinspect_hold *hold, u64 id)
{
	int err = -ENOENT;

	if (mutex_lock_killable(&hold->mutex))
		return -EINTR;
	if (xa_erase(&hold->ids, id)) {
		hold->nr--;
		pcinspect_mark_drop(id);
		err = 0;
	}
	mutex_unlock(&hold->mutex);
	pcinspect_mark_settle();
	return err;
}

/* The file was closed: let go of all that it held. Waits for no hooks. */
void pcinspect_hold_free(struct pcinspect_hold *hold)
{
	unsigned long id;
	void *entry;

	xa_for_each(&hold->ids, id, entry)
		pcinspect_mark_drop(id);
	if (hold->began)
		pcinspect_mark_holder(false);
	xa_destroy(&hold->ids);
	kfree(hold);
}
