/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ref.h - references to inodes, of which some may be a block device's.
 *
 * Why: the inode of a partition may outlive its disk, and what iput() looks at
 * when it drops the last reference (inode_detach_wb(), the root's writeback is
 * a part of the disk's bdi) does not (6.12). As the kernel has it, whoever
 * holds such an inode for a moment holds its device (blkdev_get_no_open()); who
 * holds it for long, the bdi: a device held beyond its driver would call that
 * when it is let go of.
 *
 * Nobody who looks at a file may have to delete it: see ref.c.
 *
 * May touch: references of inodes, marks, devices and bdis.
 */
#ifndef PCINSPECT_REF_H
#define PCINSPECT_REF_H

#include <linux/backing-dev.h>
#include <linux/blkdev.h>
#include <linux/device.h>
#include <linux/fs.h>
#include <linux/fsnotify_backend.h>
#include <linux/module.h>

/* The device of a block device's own inode; NULL for all others. */
static inline struct device *pcinspect_ref_device(struct inode *inode)
{
#ifdef CONFIG_BLOCK
	if (S_ISBLK(inode->i_mode) && sb_is_blkdev_sb(inode->i_sb))
		return &I_BDEV(inode)->bd_device;
#endif
	return NULL;
}

/*
 * Take a reference for a moment. @inode: there, perhaps about to go. Context:
 * any. Return: could it be had? If so, pcinspect_ref_put() follows.
 */
static inline bool pcinspect_ref_get(struct inode *inode)
{
	struct device *device = pcinspect_ref_device(inode);

	if (!device)
		return igrab(inode);
	if (!kobject_get_unless_zero(&device->kobj))
		return false;
	/* Its device has one. */
	ihold(inode);
	return true;
}

void pcinspect_ref_put(struct inode *inode);
int pcinspect_ref_init(void);
void pcinspect_ref_exit(void);

/*
 * Prepare an inode reference that is dropped later. @inode: the caller has
 * it open, or by pcinspect_ref_get(). Context: any. Return: what bdi_put() is
 * to be called for after that, or NULL.
 */
static inline struct backing_dev_info *pcinspect_ref_bdi(struct inode *inode)
{
#ifdef CONFIG_BLOCK
	if (pcinspect_ref_device(inode))
		return bdi_get(I_BDEV(inode)->bd_disk->bdi);
#endif
	return NULL;
}

/* @bdi: or NULL. Context: process. */
static inline void pcinspect_ref_put_bdi(struct backing_dev_info *bdi)
{
	if (bdi)
		bdi_put(bdi);
}

/* Is a time of a mark's inode yet to be written? Context: process. */
static inline bool pcinspect_ref_is_lazy(const struct fsnotify_mark *mark)
{
	/* There as long as the mark is one of its list. */
	struct fsnotify_mark_connector *conn = READ_ONCE(mark->connector);
	bool lazy;

	if (!conn)
		return false;
	spin_lock(&conn->lock);
	lazy = conn->type == FSNOTIFY_OBJ_TYPE_INODE &&
	       inode_state_read_once(pcinspect_conn_inode(conn)) & I_DIRTY_TIME;
	spin_unlock(&conn->lock);
	return lazy;
}

/*
 * The last reference to a mark, and with it perhaps to its inode. @mark:
 * perhaps freed by that. @bdi: that of the inode.
 *
 * It may wait for a disk: iput() writes a lazy time, if nobody else has the
 * inode. The module's exit would wait as well, and could not
 * be killed, so rmmod is refused until then. The exit waits for callers.
 *
 * Context: process.
 */
static inline void pcinspect_ref_put_mark(struct fsnotify_mark *mark,
					  struct backing_dev_info *bdi)
{
	bool kept = pcinspect_ref_is_lazy(mark) && try_module_get(THIS_MODULE);

	fsnotify_put_mark(mark);
	pcinspect_ref_put_bdi(bdi);
	if (kept)
		module_put(THIS_MODULE);
}

#endif /* PCINSPECT_REF_H */
