// SPDX-License-Identifier: GPL-2.0
/*
 * scan.c - from value records to live inodes, and from a filesystem to its
 * cached inodes.
 *
 * Why: automatic records hold no reference, so whoever wants to see their
 * inodes has to meet them again, in their superblock's s_inodes.
 *
 * How nobody is hindered: a superblock is looked at with s_umount held shared,
 * by iterate_supers_type(), and every inode reference is dropped before that
 * ends (a reference at generic_shutdown_super() is fatal on Debian). As soon
 * as an unmount or remount waits for s_umount, the rows of this superblock are
 * thrown away, the lock is let go, and the superblock begun again, or found
 * gone. The list walk itself is that of drop_pagecache_sb() (fs/drop_caches.c):
 * one inode behind, a way out for the scheduler, iput() outside the lock.
 *
 * Locks: scan_mutex (one scan at a time: pcinspect_record.seen) > s_umount >
 * s_inode_list_lock > i_lock. Nothing is copied to user space in here.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pagemap.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "records/gone.h"
#include "records/track.h"
#include "walk/rows.h"
#include "walk/scan.h"
#include "walk/snapshot.h"

static DEFINE_MUTEX(scan_mutex);

/* Filesystem types and superblocks that a scan of the records can tell apart. */
#define SCAN_NR_TYPES 32
#define SCAN_NR_SBS 256
/* How often a superblock is begun again before it is given up for this scan. */
#define SCAN_NR_TRIES 8

/*
 * struct scan_type - a filesystem type that some record names
 * @type: its address
 * @owner: its module, NULL if it is built in
 * @fs: its name
 */
struct scan_type {
	struct file_system_type *type;
	const struct module *owner;
	char fs[PCINSPECT_FS_LEN];
};

/*
 * struct scan_sb - a superblock that some record names; compared, not followed
 * @sb: its address
 * @type: index of its type
 * @busy: could not be looked at to the end
 */
struct scan_sb {
	const struct super_block *sb;
	unsigned int type;
	bool busy;
};

struct scan {
	struct pcinspect_rows *rows;
	/* records: */
	unsigned long number;
	struct scan_type *types;
	unsigned int nr_types;
	struct scan_sb *sbs;
	unsigned int nr_sbs;
	/* one filesystem: */
	bool whole;
	u32 dev;
	bool found;
	int err;
};

static bool scan_type_is(const struct scan_type *type,
			 const struct file_system_type *other, const char *fs)
{
	return type->type == other && !strcmp(type->fs, fs);
}

/* The index of a type, or SCAN_NR_TYPES when there is no room for it. */
static unsigned int scan_learn_type(struct scan *scan,
				    const struct pcinspect_record *rec)
{
	unsigned int i;

	for (i = 0; i < scan->nr_types; i++)
		if (scan_type_is(&scan->types[i], rec->type, rec->fs))
			return i;
	if (i < SCAN_NR_TYPES) {
		strscpy(scan->types[i].fs, rec->fs, PCINSPECT_FS_LEN);
		scan->types[i].type = rec->type;
		scan->types[i].owner = rec->owner;
		scan->nr_types++;
	}
	return i;
}

/*
 * By address and type: the superblock of an unmounted filesystem, whose records
 * have not been retired yet, gives its address to the next one's.
 */
static struct scan_sb *scan_find_sb(struct scan *scan,
				    const struct super_block *sb,
				    const struct file_system_type *type,
				    const char *fs)
{
	struct scan_sb *known = scan->sbs;
	unsigned int i;

	for (i = 0; i < scan->nr_sbs; i++, known++)
		if (known->sb == sb &&
		    (known->type == SCAN_NR_TYPES ||
		     scan_type_is(&scan->types[known->type], type, fs)))
			return known;
	return NULL;
}

static struct scan_sb *scan_find_record(struct scan *scan,
					const struct pcinspect_record *rec)
{
	return scan_find_sb(scan, rec->sb, rec->type, rec->fs);
}

static void scan_learn(const struct pcinspect_record *rec, void *arg)
{
	struct scan *scan = arg;
	struct scan_sb *known;

	if (scan_find_record(scan, rec))
		return;
	if (scan->nr_sbs == SCAN_NR_SBS)
		return; /* its records count as missed */
	known = &scan->sbs[scan->nr_sbs++];
	known->sb = rec->sb;
	known->type = scan_learn_type(scan, rec);
	known->busy = known->type == SCAN_NR_TYPES;
}

/* Is this inode one to report? Called under s_inode_list_lock. */
static bool scan_wants(struct scan *scan, struct inode *inode)
{
	bool wanted;

	if (scan->whole)
		return !mapping_empty(inode->i_mapping) &&
		       pcinspect_snapshot_refuse(inode) == PCINSPECT_REFUSE_NONE;
	rcu_read_lock();
	wanted = pcinspect_track_find(inode);
	rcu_read_unlock();
	return wanted;
}

/* Report one referenced inode. */
static int scan_inode(struct scan *scan, struct inode *inode)
{
	struct pcinspect_snapshot snap;
	struct pcinspect_record *rec;
	int err;

	err = pcinspect_snapshot_take(inode, true, &snap);
	if (err)
		return err;
	if (!scan->whole) {
		rcu_read_lock();
		rec = pcinspect_track_find(inode);
		if (rec)
			WRITE_ONCE(rec->seen, scan->number);
		rcu_read_unlock();
		if (!rec)
			return 0;
	}
	return pcinspect_rows_add(scan->rows, &snap,
				  pcinspect_snapshot_path(inode,
							  scan->rows->path),
				  inode);
}

/*
 * Visit a superblock's inodes once. Caller holds s_umount shared. Returns 0,
 * -EAGAIN when somebody waits for s_umount, or an error that ends the scan.
 */
static int scan_inodes(struct scan *scan, struct super_block *sb)
{
	struct inode *inode, *behind = NULL;
	int err = 0;

	spin_lock(&sb->s_inode_list_lock);
	list_for_each_entry(inode, &sb->s_inodes, i_sb_list) {
		bool wanted;

		if (inode_state_read_once(inode) &
		    (I_NEW | I_FREEING | I_WILL_FREE))
			continue;
		wanted = scan_wants(scan, inode);
		if (!wanted && !need_resched())
			continue;
		if (!igrab(inode))
			continue;
		spin_unlock(&sb->s_inode_list_lock);

		if (wanted)
			err = scan_inode(scan, inode);
		iput(behind);
		behind = inode;
		cond_resched();
		if (!err && rwsem_is_contended(&sb->s_umount))
			err = -EAGAIN;
		if (!err && fatal_signal_pending(current))
			err = -EINTR;
		spin_lock(&sb->s_inode_list_lock);
		if (err)
			break;
	}
	spin_unlock(&sb->s_inode_list_lock);
	iput(behind);
	return err;
}

static bool scan_is_active(const struct super_block *sb)
{
	return sb->s_root && (sb->s_flags & SB_ACTIVE);
}

/**
 * pcinspect_scan_may() - may inodes of a superblock be referenced now
 * @sb: its s_umount is held by the caller
 *
 * Not while it is frozen: dropping what turns out to be the last reference to
 * a deleted file would wait for the thaw with s_umount held, and the thaw
 * needs s_umount. Both states change under s_umount held exclusively
 * (freeze_super(), generic_shutdown_super()), so the answer holds as long as
 * the lock.
 *
 * Context: any.
 * Return: true if they may.
 */
bool pcinspect_scan_may(const struct super_block *sb)
{
	return scan_is_active(sb) && sb->s_writers.frozen == SB_UNFROZEN;
}

/* iterate_supers_type() callback: s_umount is held shared. */
static void scan_super(struct super_block *sb, void *arg)
{
	struct scan *scan = arg;
	struct scan_sb *known =
		scan_find_sb(scan, sb, sb->s_type, sb->s_type->name);
	struct pcinspect_rows *rows = scan->rows;
	size_t used = rows->used;
	unsigned int count = rows->count;
	int tries, err = 0;

	if (scan->err || (scan->whole ? sb->s_dev != scan->dev : !known))
		return;
	scan->found = true;
	for (tries = 0; pcinspect_scan_may(sb) && tries < SCAN_NR_TRIES;
	     tries++) {
		err = scan_inodes(scan, sb);
		if (err != -EAGAIN)
			break;
		rows->used = used;
		rows->count = count;
		/* Let the unmount or remount have its turn. */
		up_read(&sb->s_umount);
		cond_resched();
		down_read(&sb->s_umount);
	}
	if (scan_is_active(sb) && (err == -EAGAIN || !pcinspect_scan_may(sb))) {
		rows->skipped++;
		if (known)
			known->busy = true;
	} else if (err && err != -EAGAIN) {
		scan->err = err;
	}
}

/* Visit the superblocks of a registered type; false if there is none. */
static bool scan_named_type(struct scan *scan, const char *name)
{
	struct file_system_type *type = get_fs_type(name);

	if (!type)
		return false;
	iterate_supers_type(type, scan_super, scan);
	module_put(type->owner);
	return true;
}

/*
 * Visit the superblocks of a type that a record named. That of a module may be
 * followed while the module that registered its name is the one it was of.
 */
static bool scan_visit_type(struct scan *scan, const struct scan_type *type)
{
	struct file_system_type *named;

	if (!type->owner) {
		iterate_supers_type(type->type, scan_super, scan);
		return true;
	}
	named = get_fs_type(type->fs);
	if (!named)
		return false;
	if (named->owner == type->owner)
		iterate_supers_type(type->type, scan_super, scan);
	else
		iterate_supers_type(named, scan_super, scan);
	module_put(named->owner);
	return true;
}

static void scan_learned_type(struct scan *scan, unsigned int nr)
{
	unsigned int i;

	if (scan_visit_type(scan, &scan->types[nr]))
		return;
	for (i = 0; i < scan->nr_sbs; i++)
		if (scan->sbs[i].type == nr)
			scan->sbs[i].busy = true;
}

/* Could the scan not look for this record's inode? */
static bool scan_missed(const struct pcinspect_record *rec, void *arg)
{
	struct scan *scan = arg;
	struct scan_sb *known = scan_find_record(scan, rec);

	return !known || known->busy;
}

static void scan_add_missed(const struct pcinspect_record *rec, void *arg)
{
	struct scan *scan = arg;

	/* An explicit record that was not met is in the middle of its end. */
	if (READ_ONCE(rec->seen) != scan->number && scan_missed(rec, arg))
		scan->rows->skipped++;
}

/* One row a filesystem for the records that ended. */
static int scan_add_gone(struct pcinspect_rows *rows)
{
	struct pcinspect_snapshot snap;
	struct pcinspect_gone gone;
	unsigned int i;
	int err = 0;

	for (i = 0; !err && !pcinspect_gone_get(i, &gone); i++) {
		memset(&snap, 0, sizeof(snap));
		snap.flags = PCINSPECT_F_GONE | PCINSPECT_F_COUNTERS;
		snap.dev_major = MAJOR(gone.dev);
		snap.dev_minor = MINOR(gone.dev);
		snap.gone_inodes = gone.inodes;
		snap.inserted_pages = gone.inserted;
		snap.removed_pages = gone.removed;
		snap.gone_device_bytes = gone.device_bytes;
		snap.gone_written_pages = gone.written;
		strscpy(snap.fs, gone.fs, sizeof(snap.fs));
		err = pcinspect_rows_add(rows, &snap, NULL, NULL);
	}
	return err;
}

/* Room for what the records name, and the turn to scan. */
static int scan_begin(struct scan *scan)
{
	scan->types = kcalloc(SCAN_NR_TYPES, sizeof(*scan->types), GFP_KERNEL);
	scan->sbs = kcalloc(SCAN_NR_SBS, sizeof(*scan->sbs), GFP_KERNEL);
	if (!scan->types || !scan->sbs)
		return -ENOMEM;
	return mutex_lock_killable(&scan_mutex) ? -EINTR : 0;
}

static void scan_free(struct scan *scan)
{
	kfree(scan->types);
	kfree(scan->sbs);
}

/**
 * pcinspect_scan_records() - describe every record's inode
 * @rows: records are appended, the gone rows last; @rows->skipped counts those
 *	whose filesystem was busy
 *
 * Records whose inode turns out to be gone are retired.
 *
 * Context: process context, sleeps; no lock held by the caller.
 * Return: 0, -ENOMEM, -E2BIG or -EINTR.
 */
int pcinspect_scan_records(struct pcinspect_rows *rows)
{
	struct scan scan = { .rows = rows };
	unsigned int i;

	scan.err = scan_begin(&scan);
	if (scan.err)
		goto out;
	scan.number = pcinspect_track_begin_scan();
	pcinspect_track_for_each(scan_learn, &scan);
	for (i = 0; i < scan.nr_types && !scan.err; i++)
		scan_learned_type(&scan, i);
	if (!scan.err) {
		pcinspect_track_for_each(scan_add_missed, &scan);
		pcinspect_track_retire_unseen(scan.number, scan_missed, &scan);
	}
	mutex_unlock(&scan_mutex);
	pcinspect_gone_wait();
	if (!scan.err)
		scan.err = scan_add_gone(rows);
out:
	scan_free(&scan);
	return scan.err;
}

/**
 * pcinspect_scan_filesystem() - describe every cached inode of a filesystem
 * @fs: name of its type
 * @dev: its s_dev, kernel encoding
 * @rows: records are appended
 *
 * Names the filesystem by number and not by an open file, which would keep it
 * from being unmounted.
 *
 * Context: process context, sleeps; no lock held by the caller.
 * Return: 0, -ENODEV (no such filesystem is mounted), -ENOMEM, -E2BIG, -EINTR.
 */
int pcinspect_scan_filesystem(const char *fs, u32 dev,
			      struct pcinspect_rows *rows)
{
	struct scan scan = { .rows = rows, .whole = true, .dev = dev };
	unsigned int i;

	scan.err = scan_begin(&scan);
	if (scan.err)
		goto out;
	scan_named_type(&scan, fs);
	if (!scan.err && !scan.found) {
		/* btrfs up to 6.1: a record may know its second type. */
		pcinspect_track_for_each(scan_learn, &scan);
		for (i = 0; i < scan.nr_types; i++)
			if (!scan.found && !strcmp(scan.types[i].fs, fs))
				scan_visit_type(&scan, &scan.types[i]);
	}
	mutex_unlock(&scan_mutex);
	if (!scan.err && !scan.found)
		scan.err = -ENODEV;
out:
	scan_free(&scan);
	return scan.err;
}
