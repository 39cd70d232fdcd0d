// SPDX-License-Identifier: GPL-2.0-only
/*
 * snapshot.c - everything known of one inode now, as a struct.
 *
 * Why: debugfs, the ioctls and scans must say the same of an inode, so they
 * share this: identity, what the walk counted (lru.c), what the record counted
 * (track.c), and the path within the filesystem. No path, dentry or mount is
 * ever kept.
 *
 * May touch: the inode's dentry aliases, by reference for the time of a path.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/backing-dev.h>
#include <linux/dax.h>
#include <linux/dcache.h>
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/kdev_t.h>
#include <linux/magic.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/shmem_fs.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "records/dirty.h"
#include "records/ledger.h"
#include "records/track.h"
#include "walk/lru.h"
#include "walk/sections.h"
#include "walk/snapshot.h"

/* Has this inode pages to speak of? */
enum pcinspect_refusal pcinspect_snapshot_refuse(const struct inode *inode)
{
	if (S_ISDIR(inode->i_mode))
		return PCINSPECT_REFUSE_DIRECTORY;
	if (!S_ISREG(inode->i_mode) && !S_ISBLK(inode->i_mode))
		return PCINSPECT_REFUSE_SPECIAL;
	if (inode->i_sb->s_magic == HUGETLBFS_MAGIC)
		return PCINSPECT_REFUSE_HUGETLBFS;
	if (IS_DAX(inode))
		return PCINSPECT_REFUSE_DAX;
	return PCINSPECT_REFUSE_NONE;
}

static void snapshot_counters(const struct pcinspect_record *rec,
			      struct pcinspect_snapshot *snap)
{
	u64 inserted_base = READ_ONCE(rec->inserted_base);
	u64 removed_base = READ_ONCE(rec->removed_base);
	struct pcinspect_ledger *ledger;

	smp_rmb(); /* the counters are not behind a reset just now */
	snap->flags |= rec->explicit_id ? PCINSPECT_F_EXPLICIT :
					  PCINSPECT_F_AUTO;
	snap->id = rec->explicit_id;
	snap->since_ns = rec->since_ns;
	snap->numbers[PCINSPECT_INSERTED] =
		atomic64_read(&rec->inserted) - inserted_base;
	snap->numbers[PCINSPECT_REMOVED] =
		atomic64_read(&rec->removed) - removed_base;
	ledger = pcinspect_record_ledger(rec);
	if (ledger && ledger->touched)
		snap->flags |= PCINSPECT_F_TOUCHED;
}

/* Pages put in and taken out so far, if anybody counts. */
static u64 snapshot_moved(const struct inode *inode)
{
	const struct pcinspect_record *rec;
	u64 moved = 0;

	rcu_read_lock();
	rec = pcinspect_track_find(inode);
	if (rec)
		moved = atomic64_read(&rec->inserted) +
			atomic64_read(&rec->removed);
	rcu_read_unlock();
	return moved;
}

/*
 * Walk an inode's pages, again if it met other than there are: the last page of
 * an insertion or a removal may have been in one count and not in another.
 */
static int snapshot_walk(struct inode *inode, struct super_block *sb,
			 struct pcinspect_snapshot *snap)
{
	u64 before, after, moved, low, high, slack;
	u64 *numbers = snap->numbers;
	int err, tries;

	for (tries = 1;; tries++) {
		before = snapshot_moved(inode);
		err = pcinspect_lru_walk(inode->i_mapping, sb, snap);
		if (err)
			return err;
		/*
		 * A record made meanwhile saw part of it: the more doubt the
		 * better. One that went meanwhile took its counts along.
		 */
		after = snapshot_moved(inode);
		moved = after > before ? after - before : 0;
		low = min(numbers[PCINSPECT_NRPAGES],
			  numbers[PCINSPECT_NRPAGES_BEFORE]);
		high = max(numbers[PCINSPECT_NRPAGES],
			   numbers[PCINSPECT_NRPAGES_BEFORE]);
		slack = max(moved, high - low);
		numbers[PCINSPECT_MOVED_PAGES] = moved;
		if (tries == 4 || (numbers[PCINSPECT_CACHED] + slack >= low &&
				   numbers[PCINSPECT_CACHED] <= high + slack))
			return 0;
		/* A task in the middle of it may be waiting for this CPU. */
		usleep_range(50, 100);
	}
}

/**
 * pcinspect_snapshot_inode_age() - how long a dirty inode is dirty, by its own time
 * @inode: its dirtied_when is reset whenever it is requeued, redirty_tail(),
 *	fs/fs-writeback.c; of one that is clean it says nothing
 *
 * Context: any.
 * Return: ns; 0: unknown.
 */
u64 pcinspect_snapshot_inode_age(const struct inode *inode)
{
	unsigned long when = READ_ONCE(inode->dirtied_when);

	return when && time_before_eq(when, jiffies) ?
		       jiffies_to_nsecs(jiffies - when) :
		       0;
}

/*
 * Walk an inode's pages and describe it. @held_umount: the caller holds the
 * superblock's s_umount shared. May sleep. Return: 0, -EINTR, or -EAGAIN when
 * somebody waits for s_umount.
 */
int pcinspect_snapshot_take(struct inode *inode, bool held_umount,
			    struct pcinspect_snapshot *snap)
{
	struct super_block *sb = inode->i_sb;
	struct pcinspect_ledger *ledger;
	struct pcinspect_record *rec;
	u64 *numbers = snap->numbers;
	u64 dirty, age;
	int i, err;

	err = snapshot_walk(inode, held_umount ? sb : NULL, snap);
	if (err)
		return err;

	age = numbers[PCINSPECT_DIRTY] ? pcinspect_snapshot_inode_age(inode) : 0;
	numbers[PCINSPECT_INODE_AGE_MS] = div_u64(age, NSEC_PER_MSEC);
	snap->dev_major = MAJOR(sb->s_dev);
	snap->dev_minor = MINOR(sb->s_dev);
	snap->ino = inode->i_ino;
	snap->i_generation = inode->i_generation;
	snap->mode = inode->i_mode;
	snap->nlink = inode->i_nlink;
	snap->size_bytes = i_size_read(inode);
	snap->time_ns = ktime_get_ns();
	strscpy(snap->fs, sb->s_type->name, sizeof(snap->fs));
	/*
	 * As the events do; "(unknown)" once the device was unplugged. A block
	 * device's is its disk's, which only an open file keeps: an inode of a
	 * partition outlives it (bdev_free_inode(), block/bdev.c, 6.12).
	 */
	if ((!S_ISBLK(inode->i_mode) || !held_umount) && inode_to_bdi(inode)->dev)
		strscpy(snap->bdi, bdi_dev_name(inode_to_bdi(inode)),
			sizeof(snap->bdi));
	if (!inode->i_nlink && S_ISREG(inode->i_mode))
		snap->flags |= PCINSPECT_F_DELETED;
	if (pcinspect_snapshot_maybe_deleted(inode))
		snap->flags |= PCINSPECT_F_MAYBE_DELETED;
	if (S_ISBLK(inode->i_mode))
		snap->flags |= PCINSPECT_F_BLOCK_DEVICE;
	if (pcinspect_lru_gen_enabled())
		snap->flags |= PCINSPECT_F_LRU_GEN;
	if (pcinspect_ledger_on_device(sb))
		snap->flags |= PCINSPECT_F_DEVICE;

	rcu_read_lock();
	rec = pcinspect_track_find(inode);
	if (rec)
		snapshot_counters(rec, snap);
	ledger = pcinspect_record_ledger(rec);
	/* A moment at which nothing is dirty is worth knowing. */
	if (ledger && !numbers[PCINSPECT_DIRTY])
		pcinspect_dirty_total(ledger->dirty, inode->i_mapping, &dirty);
	if (ledger && snap->flags & PCINSPECT_F_WRITEBACK)
		snap->flags |= PCINSPECT_F_AGES;
	rcu_read_unlock();
	/* shmem inserts without an event but removes with one. */
	if (rec && !shmem_mapping(inode->i_mapping))
		snap->flags |= PCINSPECT_F_COUNTERS;
	if (snap->flags & PCINSPECT_F_AGES && age)
		snap->flags |= PCINSPECT_F_INODE_AGE;
	/* A page of unknown age may be older than all that have one. */
	for (i = 0; i < PCINSPECT_NR_AGES; i++)
		if (snap->flags & PCINSPECT_F_AGES &&
		    !numbers[PCINSPECT_UNKNOWN_AGE_PAGES] &&
		    numbers[PCINSPECT_LE_10_MS + i])
			snap->flags |= PCINSPECT_F_OLDEST;
	pcinspect_sections_know(snap);
	return 0;
}

/**
 * pcinspect_snapshot_maybe_deleted() - is it unknown whether a file has a name left?
 * @inode: alive
 *
 * No name of it is cached, and that i_nlink says there is one is the word of
 * somebody else (NFS, FUSE, 9p), perhaps an old one. An NFS client that removes
 * a file itself leaves i_nlink as it was if the attributes change meanwhile, as
 * they do when a delegation is given back for that (nfs_drop_nlink(),
 * fs/nfs/dir.c, 6.12); the server of 7.2 gives one to who writes.
 *
 * Context: any; nothing is locked.
 */
bool pcinspect_snapshot_maybe_deleted(const struct inode *inode)
{
	return S_ISREG(inode->i_mode) && hlist_empty(&inode->i_dentry) &&
	       inode->i_nlink && !shmem_mapping(inode->i_mapping) &&
	       !pcinspect_ledger_on_device(inode->i_sb);
}

/*
 * A name of an inode within its filesystem. @inode: referenced by the caller,
 * whose superblock cannot go away now. @buf: PATH_MAX bytes. A deleted file has
 * the name it was last known by. With several names one is picked. The inodes
 * that own the cache of block devices have no names; udev's link for the device
 * stands in.
 * May sleep. Return: a pointer into @buf, or NULL: no name in the dentry cache,
 * or one longer than PATH_MAX.
 */
const char *pcinspect_snapshot_path(struct inode *inode, char *buf)
{
	struct dentry *dentry = d_find_alias(inode);
	const char *path;

	if (!dentry && S_ISBLK(inode->i_mode)) {
		snprintf(buf, PATH_MAX, "/dev/block/%u:%u", imajor(inode),
			 iminor(inode));
		return buf;
	}
	if (!dentry)
		dentry = d_find_any_alias(inode);
	if (!dentry)
		return NULL;
	path = dentry_path_raw(dentry, buf, PATH_MAX);
	dput(dentry);
	return IS_ERR(path) ? NULL : path;
}
