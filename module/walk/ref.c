// SPDX-License-Identifier: GPL-2.0-only
/*
 * ref.c - drop a reference to an inode, and never delete its file in here.
 *
 * Why: a walk holds a reference while others delete the file. The last iput()
 * then frees its blocks (ext4_evict_inode()), returns a delegation to a server
 * that may be dead (nfs4_evict_inode()), or writes a lazy time
 * (mark_inode_dirty_sync()): it waits for a disk, a journal or a network, and
 * here that would be under s_umount, with all other scans waiting. So a last
 * reference that may have to wait is dropped by a work item.
 *
 * Lifetime: no reference may be left at generic_shutdown_super(). Until the
 * work item is done the superblock stays active (s_active), as for an open
 * file; if it was unmounted meanwhile, the work item shuts it down.
 *
 * May touch: references of inodes and superblocks, by a work item.
 */
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "walk/ref.h"

/* struct ref_last - the last reference to an inode */
struct ref_last {
	struct work_struct work;
	struct inode *inode;
};

static struct workqueue_struct *ref_queue;

/* A work item of its own each: one may wait for a server for ever. */
static void ref_worker(struct work_struct *work)
{
	struct ref_last *last = container_of(work, struct ref_last, work);
	struct super_block *sb = last->inode->i_sb;

	iput(last->inode);
	deactivate_super(sb);
	kfree(last);
	module_put(THIS_MODULE);
}

/*
 * May iput() of the last reference have to wait? As iput_final() decides
 * (fs/inode.c); what a filesystem without a disk of its own decides by itself
 * is not asked, since drop_inode() may do more than to answer (f2fs).
 */
static bool ref_may_wait(struct inode *inode)
{
	return !inode->i_nlink || inode_unhashed(inode) ||
	       inode_state_read_once(inode) & (I_DIRTY_TIME | I_DONTCACHE) ||
	       (!inode->i_sb->s_bdev && inode->i_sb->s_op->drop_inode);
}

/* Return: false if there is no memory. */
static bool ref_put_later(struct inode *inode)
{
	struct ref_last *last =
		kmalloc(sizeof(*last), GFP_NOWAIT | __GFP_NOWARN);

	if (!last)
		return false;
	INIT_WORK(&last->work, ref_worker);
	last->inode = inode;
	/* Not the first: whoever shuts it down needs s_umount, which the caller has. */
	atomic_inc(&inode->i_sb->s_active);
	/* Until then rmmod is refused; in the exit it would wait and could not be killed. */
	__module_get(THIS_MODULE);
	queue_work(ref_queue, &last->work);
	return true;
}

/**
 * pcinspect_ref_put() - give back a reference of pcinspect_ref_get()
 * @inode: or NULL; the caller holds its s_umount shared
 *
 * Context: process. Does not wait for a disk, unless memory is short.
 */
void pcinspect_ref_put(struct inode *inode)
{
	struct device *device = inode ? pcinspect_ref_device(inode) : NULL;

	/* As iput() does; whoever has the others drops the last. */
	if (inode && !atomic_add_unless(&inode->i_count, -1, 1) &&
	    (device || !ref_may_wait(inode) || !ref_put_later(inode)))
		iput(inode);
	put_device(device);
}

/* Context: module init. Return: 0 or -ENOMEM. */
int pcinspect_ref_init(void)
{
	ref_queue = alloc_workqueue("pcinspect_ref", WQ_UNBOUND, 0);
	return ref_queue ? 0 : -ENOMEM;
}

/* Context: module exit, when no work item is left but one that returns. */
void pcinspect_ref_exit(void)
{
	destroy_workqueue(ref_queue);
}
