// SPDX-License-Identifier: GPL-2.0
/*
 * mark_row.c - describing the inode of an explicit record, without an open file
 * of it. Touches the inode only between grab and release of mark.c.
 */
#include <linux/err.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "control/mark.h"
#include "walk/snapshot.h"

/* How often a walk that stood in an unmount's way is begun again. */
#define MARK_NR_TRIES 100

/**
 * pcinspect_mark_snapshot() - describe the inode of an explicit record
 * @id: its handle
 * @snap: filled in
 *
 * Begins again when an unmount or remount wanted the superblock meanwhile.
 *
 * Context: process context, may sleep.
 * Return: 0, -ENOENT, -EBUSY, -ENOMEM or -EINTR.
 */
int pcinspect_mark_snapshot(u64 id, struct pcinspect_snapshot *snap)
{
	struct inode *inode;
	int err, tries = 0;

	do {
		inode = pcinspect_mark_grab(id);
		if (IS_ERR(inode))
			return PTR_ERR(inode);
		err = pcinspect_snapshot_take(inode, true, snap);
		pcinspect_mark_release(inode);
		cond_resched();
	} while (err == -EAGAIN && ++tries < MARK_NR_TRIES);
	return err == -EAGAIN ? -EBUSY : err;
}

/**
 * pcinspect_mark_row() - describe an explicit record's inode as a row
 * @id: its handle
 * @rows: gets one record, with path and, where wanted, sections
 *
 * Context: process context, may sleep.
 * Return: 0, -ENOENT, -EBUSY, -ENOMEM or -EINTR.
 */
int pcinspect_mark_row(u64 id, struct pcinspect_rows *rows)
{
	struct pcinspect_snapshot *snap;
	struct inode *inode;
	int err;

	snap = kmalloc(sizeof(*snap), GFP_KERNEL);
	if (!snap)
		return -ENOMEM;
	err = pcinspect_mark_snapshot(id, snap);
	if (err)
		goto out;
	inode = pcinspect_mark_grab(id);
	err = PTR_ERR_OR_ZERO(inode);
	if (err)
		goto out;
	err = pcinspect_rows_add(rows, snap,
				 pcinspect_snapshot_path(inode, rows->path),
				 inode);
	pcinspect_mark_release(inode);
out:
	kfree(snap);
	return err;
}
