// SPDX-License-Identifier: GPL-2.0
/*
 * scan.c - from value records to live inodes, and from a filesystem to its
 * cached inodes.
 *
 * Why: automatic records hold no reference, so whoever wants to see their
 * inodes has to meet them again, in their superblock's s_inodes.
 *
 * How nobody is hindered, and nobody hinders us: iterate_supers_type() waits
 * for s_umount, and from 6.6 on for a superblock to be born or dead, in both
 * cases for good when a disk hangs. So superblocks are looked up under RCU
 * (they and their types are freed after a grace period: destroy_super_rcu(),
 * unregister_filesystem(), 6.1 to 7.2), and s_umount is only tried, as
 * super_trylock_shared() does for the shrinker. Once it is held shared and the
 * superblock is active, it stays until we let go. One that cannot be had is
 * skipped, and said to be.
 *
 * Every inode reference is dropped before s_umount is (a reference at
 * generic_shutdown_super() is fatal on Debian). As soon as an unmount or
 * remount waits for s_umount, the rows of this superblock are thrown away, the
 * lock is let go, and the superblock begun again, or found gone. The list walk
 * is that of drop_pagecache_sb() (fs/drop_caches.c): one inode behind, iput()
 * outside the lock; but the lock is never held for more than SCAN_LIST_HOLD
 * entries, because every creation and eviction of an inode spins on it.
 *
 * An answer of many pages (struct pcinspect_walk) goes on from page to page
 * where it was: place.c keeps the place, told.c knows what not to tell again
 * should it be lost. Each inode of a list is passed once for all pages, and
 * once more at the end of a long list of records, to know which of them ended.
 *
 * Locks: scan_mutex (one scan at a time: pcinspect_record.seen) > s_umount >
 * s_inode_list_lock > i_lock. Nothing is copied to user space in here.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pagemap.h>
#include <linux/rculist.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>

#include "records/gone.h"
#include "records/ledger.h"
#include "records/scope.h"
#include "records/track.h"
#include "walk/place.h"
#include "walk/rows.h"
#include "walk/scan.h"
#include "walk/sections.h"
#include "walk/snapshot.h"
#include "walk/told.h"

static DEFINE_MUTEX(scan_mutex);
/* The type that registered first, of which the others follow. */
static struct file_system_type *scan_first_type;
static unsigned int scan_longest_hold;
/* Inodes passed in all lists, and pages of answers. */
static u64 scan_passed;
static u64 scan_pages;
static atomic_t scan_nr_walks = ATOMIC_INIT(0);

/* Filesystem types and superblocks that a scan of the records can tell apart. */
#define SCAN_NR_TYPES 32
#define SCAN_NR_SBS 256
/* Microseconds that the list is left alone after a long hold. */
#define SCAN_REST_US 10
/* How often a superblock is begun again before it is given up for this scan. */
#define SCAN_NR_TRIES 8
/* Entries of s_inodes passed at most before its lock is let go. */
#define SCAN_LIST_HOLD 1024
/* Milliseconds to wait for what is busy: for one superblock, and in all. */
#define SCAN_PATIENCE 10
#define SCAN_PATIENCE_ALL 200

/*
 * struct scan_type - a filesystem type that some record names
 * @type: its address; NULL: whatever is registered by that name
 * @owner: its module, NULL if it is built in
 */
struct scan_type {
	struct file_system_type *type;
	const struct module *owner;
	char fs[PCINSPECT_FS_LEN];
};

/*
 * struct scan_sb - a superblock to be looked at; compared, not followed
 * @sb: its address; NULL: whichever has that number
 * @missed: records that could not be looked for
 * @busy: could not be looked at to the end
 * @gone: is not there any more
 */
struct scan_sb {
	const struct super_block *sb;
	u32 dev;
	unsigned int type;
	unsigned int missed;
	bool busy;
	bool gone;
};

/* struct scan_known - the types and superblocks that records name */
struct scan_known {
	struct scan_type types[SCAN_NR_TYPES];
	unsigned int nr_types;
	struct scan_sb sbs[SCAN_NR_SBS];
	unsigned int nr_sbs;
};

/*
 * struct pcinspect_walk - an answer, page by page; between two of them no lock
 *is held
 * @whole: of a filesystem, not of the records
 * @last: only what is said once, at the end of all pages
 * @fs, @dev: of which
 * @found: it was there
 * @want: its type's index in @known
 * @at: the superblock in which the next page begins
 * @inside: not at its beginning, but at @place; if that is lost or could not be
 *	remembered, at its beginning, without what was told
 * @next: the place where the page that is being made ends
 * @filter: leave out what was told
 * @pages: how many are complete
 * @listed: all that is still to be told is in @rows
 */
struct pcinspect_walk {
	struct pcinspect_rows rows;
	size_t limit;
	bool whole;
	bool last;
	char fs[PCINSPECT_FS_LEN];
	u32 dev;
	bool found;
	unsigned int want;
	struct scan_known known;
	unsigned int at;
	bool inside;
	struct pcinspect_place *place;
	struct pcinspect_place *next;
	struct pcinspect_told told;
	bool filter;
	unsigned int pages;
	bool listed;
};

/*
 * struct scan - one turn
 * @walk: whose page is made; NULL: for names
 * @marking: only see which records' inodes are there
 * @full: the page is
 */
struct scan {
	struct pcinspect_walk *walk;
	struct pcinspect_rows *rows;
	unsigned int patience;
	int err;
	bool full;
	/* records: */
	unsigned long number;
	struct scan_known *known;
	unsigned int missed;
	bool sees_removals;
	bool marking;
	/* names of inodes that somebody else knows: */
	const struct pcinspect_scan_names_ops *names;
	void *arg;
	char *path;
	bool done;
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
	struct scan_known *known = scan->known;
	unsigned int i;

	for (i = 0; i < known->nr_types; i++)
		if (scan_type_is(&known->types[i], rec->type, rec->fs))
			return i;
	if (i < SCAN_NR_TYPES) {
		strscpy(known->types[i].fs, rec->fs, PCINSPECT_FS_LEN);
		known->types[i].type = rec->type;
		known->types[i].owner = rec->owner;
		known->nr_types++;
	}
	return i;
}

/*
 * By address and type: the superblock of an unmounted filesystem, whose records
 * have not been retired yet, gives its address to the next one's.
 */
static struct scan_sb *scan_find_record(struct scan_known *known,
					const struct pcinspect_record *rec)
{
	struct scan_sb *at = known->sbs;
	unsigned int i;

	for (i = 0; i < known->nr_sbs; i++, at++)
		if (at->sb == rec->sb &&
		    (at->type == SCAN_NR_TYPES ||
		     scan_type_is(&known->types[at->type], rec->type, rec->fs)))
			return at;
	return NULL;
}

static void scan_learn(const struct pcinspect_record *rec, void *arg)
{
	struct scan *scan = arg;
	struct scan_sb *known;

	if (scan_find_record(scan->known, rec))
		return;
	if (scan->known->nr_sbs == SCAN_NR_SBS)
		return; /* its records count as missed */
	known = &scan->known->sbs[scan->known->nr_sbs++];
	known->sb = rec->sb;
	known->dev = rec->dev;
	known->type = scan_learn_type(scan, rec);
	known->busy = known->type == SCAN_NR_TYPES;
}

static u64 scan_key(const struct inode *inode)
{
	return pcinspect_told_key(inode, inode->i_ino, inode->i_generation);
}

static u64 scan_key_record(const struct pcinspect_record *rec)
{
	return pcinspect_told_key(rec->inode, rec->ino, rec->generation);
}

/*
 * Is this inode one to report? Under s_inode_list_lock or with a reference. One
 * without the ledger that is asked for was met all the same.
 */
static bool scan_wants(struct scan *scan, struct inode *inode)
{
	const struct pcinspect_walk *walk = scan->walk;
	struct pcinspect_record *rec;

	if (scan->names)
		return scan->names->wants(scan->arg, inode);
	if (!scan->marking && walk->filter &&
	    pcinspect_told_has(&walk->told, scan_key(inode)))
		return false;
	if (walk->whole)
		return !mapping_empty(inode->i_mapping) &&
		       pcinspect_snapshot_refuse(inode) == PCINSPECT_REFUSE_NONE;
	rcu_read_lock();
	rec = pcinspect_track_find(inode);
	if (rec && (scan->marking ||
		    (scan->rows->ledgers && !rcu_access_pointer(rec->ledger)))) {
		WRITE_ONCE(rec->seen, scan->number);
		rec = NULL;
	}
	rcu_read_unlock();
	return rec;
}

/* Report one referenced inode. */
static int scan_inode(struct scan *scan, struct inode *inode)
{
	struct pcinspect_record *rec;
	int err;

	if (scan->names) {
		err = scan->names->name(scan->arg, inode,
					pcinspect_snapshot_path(inode,
								scan->path));
		scan->done = err > 0;
		return min(err, 0);
	}
	err = pcinspect_snapshot_take(inode, true, scan->rows->snap);
	if (err)
		return err;
	if (!scan->walk->whole) {
		rcu_read_lock();
		rec = pcinspect_track_find(inode);
		if (rec)
			WRITE_ONCE(rec->seen, scan->number);
		rcu_read_unlock();
		if (!rec)
			return 0;
	}
	err = pcinspect_rows_add(scan->rows,
				 pcinspect_snapshot_path(inode, scan->rows->path),
				 inode);
	return err ?: pcinspect_told_add(&scan->walk->told, scan_key(inode));
}

/*
 * As above. @behind: the inode before it, referenced, or NULL. Where it does
 * not fit, the page is full, and the next one begins with it.
 */
static int scan_tell(struct scan *scan, struct inode *inode,
		     struct inode *behind)
{
	struct pcinspect_walk *walk = scan->walk;
	int err = scan_inode(scan, inode);

	if (err != -ENOSPC || !walk)
		return err;
	walk->next = pcinspect_place_new(inode, true);
	if (!walk->next && behind)
		walk->next = pcinspect_place_new(behind, false);
	scan->full = true;
	return 0;
}

/*
 * Where a page begins that is not the first of its superblock. Caller holds
 * s_umount shared. @wanted: whether the inode itself is to be reported. Return:
 * the inode, referenced; NULL: at the beginning, without what was told; -ENOENT
 * if the filesystem is another one by now, or an error.
 */
static struct inode *scan_resume(struct scan *scan, struct super_block *sb,
				 bool *wanted)
{
	struct pcinspect_walk *walk = scan->walk;
	struct inode *inode;
	bool before;

	if (!walk || scan->marking || !walk->inside)
		return NULL;
	if (walk->place) {
		inode = pcinspect_place_grab(walk->place, sb, &before);
		if (inode) {
			*wanted = before && scan_wants(scan, inode);
			return inode;
		}
		if (pcinspect_place_unmounted(walk->place))
			return ERR_PTR(-ENOENT);
	}
	walk->filter = true;
	return ERR_PTR(pcinspect_told_know(&walk->told));
}

/*
 * The next inode after @behind (NULL: the first) to hold on to: one that is
 * wanted, or any other once the lock was held for long. Returns it referenced;
 * NULL at the end; -EAGAIN where none of so many could be had, because they are
 * all being made or freed.
 */
static struct inode *scan_next(struct scan *scan, struct super_block *sb,
			       struct inode *behind, bool *wanted)
{
	struct inode *inode = behind, *found = NULL;
	unsigned int held = 0;

	if (!inode)
		inode = list_entry(&sb->s_inodes, struct inode, i_sb_list);
	spin_lock(&sb->s_inode_list_lock);
	list_for_each_entry_continue(inode, &sb->s_inodes, i_sb_list) {
		held++;
		if (!(inode_state_read_once(inode) &
		      (I_NEW | I_FREEING | I_WILL_FREE))) {
			*wanted = scan_wants(scan, inode);
			if ((*wanted || held >= SCAN_LIST_HOLD / 2 ||
			     need_resched()) &&
			    igrab(inode)) {
				found = inode;
				break;
			}
		}
		if (held == SCAN_LIST_HOLD) {
			found = ERR_PTR(-EAGAIN);
			break;
		}
	}
	spin_unlock(&sb->s_inode_list_lock);
	WRITE_ONCE(scan_passed, scan_passed + held);
	if (held > scan_longest_hold)
		WRITE_ONCE(scan_longest_hold, held);
	return found;
}

/*
 * Stay off the list for a moment after a long hold. Its lock need not be fair:
 * in a guest whose hypervisor has none of its own (virt_spin_lock(), arch/x86)
 * whoever takes it again at once keeps others from it for seconds.
 */
static void scan_rest(void)
{
	usleep_range(SCAN_REST_US, 2 * SCAN_REST_US);
}

/* Wait a moment for what is busy; false when that has been enough. */
static bool scan_wait(struct scan *scan, unsigned int *patience)
{
	if (!*patience || !scan->patience || fatal_signal_pending(current))
		return false;
	--*patience;
	scan->patience--;
	usleep_range(500, 1000);
	return true;
}

/*
 * Visit a superblock's inodes once, or until the page is full. Caller holds
 * s_umount shared. Returns 0, -ENOENT where it is not the one any more whose
 * page was begun, -EAGAIN when somebody waits for s_umount, or an error that
 * ends the scan.
 */
static int scan_inodes(struct scan *scan, struct super_block *sb)
{
	unsigned int patience = SCAN_PATIENCE;
	struct inode *inode, *behind = NULL;
	bool wanted = false;
	int err = 0;

	inode = scan_resume(scan, sb, &wanted);
	if (IS_ERR(inode))
		return PTR_ERR(inode);
	if (inode && wanted)
		err = scan_tell(scan, inode, NULL);
	if (err || scan->full) {
		iput(inode);
		return err;
	}
	behind = inode;
	do {
		inode = scan_next(scan, sb, behind, &wanted);
		if (IS_ERR(inode)) {
			/* The same again from where we are. */
			if (!scan_wait(scan, &patience))
				err = PTR_ERR(inode);
		} else if (inode) {
			if (wanted)
				err = scan_tell(scan, inode, behind);
			else
				scan_rest();
			iput(behind);
			behind = inode;
		}
		cond_resched();
		/* What is complete stays. */
		if (scan->full)
			break;
		if (!err && rwsem_is_contended(&sb->s_umount))
			err = -EAGAIN;
		if (!err && fatal_signal_pending(current))
			err = -EINTR;
	} while (inode && !err && !scan->done);
	iput(behind);
	return err;
}

static bool scan_is_active(const struct super_block *sb)
{
	return sb->s_root && (sb->s_flags & SB_ACTIVE) &&
	       (sb->s_flags & SB_BORN);
}

/*
 * May inodes of a superblock be referenced now? @sb: its s_umount is held by
 * the caller. Not while it is frozen: dropping what turns out to be the last
 * reference to a deleted file would wait for the thaw with s_umount held, and
 * the thaw needs s_umount. Both states change under s_umount held exclusively
 * (freeze_super(), generic_shutdown_super()), so the answer holds as long as
 * the lock.
 */
bool pcinspect_scan_may(const struct super_block *sb)
{
	return scan_is_active(sb) && sb->s_writers.frozen == SB_UNFROZEN;
}

/* An unregistered type of a module that is there, or NULL. */
static const struct file_system_type *
scan_second_type(const struct scan_type *want)
{
	unsigned long at = (unsigned long)want->type;

	return at && within_module_core(at, want->owner) &&
			       want->type->owner == want->owner ?
		       want->type :
		       NULL;
}

/*
 * The type itself, good until the RCU section ends; NULL if it is gone. One of
 * a module is there as long as the module that registered its name is the one
 * it was of; it need not be registered itself (btrfs up to 6.1). Another build
 * of the module, loaded at the same address, has its types elsewhere.
 *
 * Who stands on a type that is being unregistered, loses the way on (before
 * 7.2): look again before saying that there is none.
 */
static const struct file_system_type *scan_get_type(const struct scan_type *want)
{
	const struct file_system_type *type;
	int tries;

	if (want->type && !want->owner)
		return want->type;
	for (tries = 0; tries < SCAN_NR_TRIES; tries++) {
		for (type = scan_first_type; type;
		     type = pcinspect_next_type(type))
			if (!strncmp(type->name, want->fs, PCINSPECT_FS_LEN - 1) &&
			    (!want->type || type->owner == want->owner))
				return scan_second_type(want) ?: type;
	}
	return NULL;
}

/* Is it what the one before it leads to? hlist_del_init() ends a list early. */
static bool scan_is_linked(const struct hlist_node *node)
{
	struct hlist_node **pprev = READ_ONCE(node->pprev);

	return pprev && READ_ONCE(*pprev) == node;
}

/* Hold s_umount of a superblock shared, or tell why not. Under RCU. */
static int scan_try_lock(struct super_block *sb)
{
	int err;

	if (!down_read_trylock(&sb->s_umount))
		return -EBUSY;
	if (pcinspect_scan_may(sb))
		return 0;
	err = scan_is_active(sb) ? -EBUSY : -ENOENT;
	up_read(&sb->s_umount);
	return err;
}

/* One attempt of scan_lock(). Under RCU. */
static struct super_block *scan_find_and_lock(const struct scan_type *want,
					      const struct scan_sb *known)
{
	const struct file_system_type *type = scan_get_type(want);
	struct super_block *sb, *last;
	int err = -ENOENT, tries = 0;

	if (!type)
		return ERR_PTR(-ENOENT);
	do {
		last = NULL;
		hlist_for_each_entry_rcu(sb, &type->fs_supers, s_instances) {
			last = sb;
			if (known->sb ? sb != known->sb :
					sb->s_dev != known->dev)
				continue;
			err = scan_try_lock(sb);
			if (!err)
				return sb;
			if (err == -EBUSY)
				break;
		}
	} while (err == -ENOENT && last &&
		 !scan_is_linked(&last->s_instances) && ++tries < SCAN_NR_TRIES);
	return ERR_PTR(err);
}

/*
 * Find a superblock and hold its s_umount shared. Returns -ENOENT if it is
 * gone, -EBUSY while it is frozen, or somebody changes it and goes on doing so.
 */
static struct super_block *scan_lock(struct scan *scan,
				     const struct scan_type *want,
				     const struct scan_sb *known)
{
	unsigned int patience = SCAN_PATIENCE;
	struct super_block *sb;

	do {
		rcu_read_lock();
		sb = scan_find_and_lock(want, known);
		rcu_read_unlock();
	} while (PTR_ERR_OR_ZERO(sb) == -EBUSY && scan_wait(scan, &patience));
	return sb;
}

/* A row that sums up others. */
static struct pcinspect_snapshot *scan_sum(struct pcinspect_rows *rows,
					   u32 flags, const char *fs, u32 dev,
					   u64 inodes)
{
	struct pcinspect_snapshot *snap = rows->snap;

	memset(snap, 0, sizeof(*snap));
	snap->flags = flags;
	snap->dev_major = MAJOR(dev);
	snap->dev_minor = MINOR(dev);
	snap->gone_inodes = inodes;
	strscpy(snap->fs, fs, sizeof(snap->fs));
	return snap;
}

/* A row that says what could not be looked at. */
static void scan_add_skipped(struct scan *scan, const char *fs, u32 dev,
			     unsigned int inodes)
{
	scan_sum(scan->rows, PCINSPECT_F_SKIPPED, fs, dev, inodes);
	scan->rows->skipped += max(inodes, 1U);
	scan->err = pcinspect_rows_add(scan->rows, NULL, NULL);
}

static void scan_super(struct scan *scan, const struct scan_type *want,
		       struct scan_sb *known)
{
	struct pcinspect_walk *walk = scan->marking ? NULL : scan->walk;
	struct super_block *sb;
	size_t told = walk ? walk->told.nr : 0;
	int tries, err = -EAGAIN;

	if (walk)
		pcinspect_rows_mark(scan->rows);
	for (tries = 0; err == -EAGAIN && tries < SCAN_NR_TRIES; tries++) {
		sb = scan_lock(scan, want, known);
		if (IS_ERR(sb)) {
			err = PTR_ERR(sb);
			break;
		}
		err = scan_inodes(scan, sb);
		/* It may go from here on. */
		up_read(&sb->s_umount);
		if (err && walk) {
			pcinspect_rows_rewind(scan->rows);
			pcinspect_told_cut(&walk->told, told);
		}
	}
	if (err == -EAGAIN || err == -EBUSY)
		known->busy = true;
	else if (err && err != -ENOENT)
		scan->err = err;
	known->gone = err == -ENOENT;
	if (!walk)
		return;
	walk->found |= err != -ENOENT;
	/* The place is needed until here: the page may have been begun again. */
	pcinspect_place_free(walk->place);
	walk->place = walk->next;
	walk->next = NULL;
	walk->inside = scan->full;
	walk->filter &= scan->full;
}

/*
 * Is its inode out of its filesystem's list, but not its pages out of the
 * cache? Not where nobody sees them go.
 */
static bool scan_leaving(const struct scan *scan,
			 const struct pcinspect_record *rec)
{
	const struct pcinspect_ledger *ledger = pcinspect_record_ledger(rec);

	if (!scan->sees_removals || !ledger || rec->explicit_id ||
	    rec->born >= scan->number || READ_ONCE(rec->seen) == scan->number)
		return false;
	return pcinspect_ledger_leaving(ledger);
}

static bool scan_sees_removals(void)
{
	const unsigned int removed = PCINSPECT_REMOVED;
	u64 unknown[PCINSPECT_SCOPE_WORDS];

	pcinspect_scope_unknown("", unknown);
	return !(unknown[removed / 64] & BIT_ULL(removed % 64));
}

/* Could the scan not look for this record's inode, or can it not say all of it? */
static bool scan_missed(const struct pcinspect_record *rec, struct scan *scan)
{
	struct scan_sb *known = scan_find_record(scan->known, rec);

	return !known || known->busy ||
	       (!known->gone && scan_leaving(scan, rec));
}

/* What an earlier page has told is no part of a sum. */
static bool scan_was_told(const struct pcinspect_record *rec,
			  const struct scan *scan)
{
	return scan->walk->pages &&
	       pcinspect_told_has(&scan->walk->told, scan_key_record(rec));
}

static bool scan_keep(const struct pcinspect_record *rec, void *arg)
{
	return scan_missed(rec, arg) || scan_was_told(rec, arg);
}

/* Could its row not be made, when it was its superblock's turn? */
static bool scan_was_busy(const struct pcinspect_record *rec,
			  const struct scan *scan)
{
	struct scan_known *turn = &scan->walk->known;
	const struct scan_sb *known = scan_find_record(turn, rec);

	return known ? known->busy : turn->nr_sbs == SCAN_NR_SBS;
}

static void scan_count_missed(const struct pcinspect_record *rec, void *arg)
{
	struct scan *scan = arg;
	struct scan_sb *known = scan_find_record(scan->known, rec);

	/* Also of what was met before the filesystem became busy: no row is left. */
	if (!scan_missed(rec, scan) && !scan_was_busy(rec, scan))
		return;
	if (scan_was_told(rec, scan))
		return;
	if (known)
		known->missed++;
	else
		scan->missed++;
}

static void scan_add_missed(struct scan *scan)
{
	const struct scan_known *known = scan->known;
	unsigned int i;

	for (i = 0; i < known->nr_sbs && !scan->err; i++) {
		const struct scan_sb *sb = &known->sbs[i];

		if (sb->missed)
			scan_add_skipped(scan,
					 sb->type < SCAN_NR_TYPES ?
						 known->types[sb->type].fs :
						 "?",
					 sb->dev, sb->missed);
	}
	if (scan->missed && !scan->err)
		scan_add_skipped(scan, "?", 0, scan->missed);
}

/* What makes no sum, or has none. */
static const enum pcinspect_number scan_no_sums[] = {
	PCINSPECT_THRESH_MIN_PAGES,	PCINSPECT_THRESH_MAX_PAGES,
	PCINSPECT_LEDGER_BASE_PAGES,	PCINSPECT_LEDGER_CACHED_PAGES,
	PCINSPECT_LEDGER_COUNTED_PAGES, PCINSPECT_LEDGER_MOVED_PAGES,
};

/* Which numbers of a gone row are known. */
static void scan_know_gone(struct pcinspect_snapshot *snap,
			   const struct pcinspect_gone *gone, bool detail)
{
	unsigned int i;

	if (detail && gone->ledgers) {
		snap->flags |= PCINSPECT_F_LEDGER | PCINSPECT_F_AGES |
			       PCINSPECT_F_FSYNC;
		if (!gone->off_device)
			snap->flags |= PCINSPECT_F_DEVICE;
		if (!gone->no_holes)
			snap->flags |= PCINSPECT_F_HOLES;
		if (!gone->no_write_device)
			snap->flags |= PCINSPECT_F_WRITE_DEVICE;
		if (!gone->no_write_time)
			snap->flags |= PCINSPECT_F_WRITE_TIME;
	}
	pcinspect_sections_know(snap);
	for (i = 0; i < ARRAY_SIZE(scan_no_sums); i++)
		snap->known[scan_no_sums[i] / 64] &=
			~BIT_ULL(scan_no_sums[i] % 64);
	/* It says which row this is, with or without numbers. */
	if (gone->ledgers)
		snap->flags |= PCINSPECT_F_LEDGER;
}

/*
 * The records that ended: a row a filesystem, and one for those without
 * ledgers. Without sections the deleted files of a run are in it.
 */
static int scan_add_gone(struct pcinspect_rows *rows)
{
	struct pcinspect_snapshot *snap;
	struct pcinspect_gone gone;
	unsigned int i;
	int err = 0;

	for (i = 0; !err; i++) {
		snap = scan_sum(rows, PCINSPECT_F_GONE | PCINSPECT_F_COUNTERS,
				"", 0, 0);
		if (pcinspect_gone_get(i, &gone,
				       rows->detail ? snap->numbers : NULL))
			break;
		if (!gone.inodes)
			continue;
		snap->dev_major = MAJOR(gone.dev);
		snap->dev_minor = MINOR(gone.dev);
		snap->gone_inodes = gone.inodes;
		strscpy(snap->fs, gone.fs, sizeof(snap->fs));
		snap->numbers[PCINSPECT_INSERTED] = gone.inserted;
		snap->numbers[PCINSPECT_REMOVED] = gone.removed;
		scan_know_gone(snap, &gone, rows->detail);
		err = pcinspect_rows_add(rows, NULL, NULL);
	}
	return err;
}

/*
 * A deleted file that is kept until the run ends; not one that was met alive
 * and has gone since: it has its row.
 */
static int scan_deleted(const struct pcinspect_record *rec, void *arg)
{
	struct scan *scan = arg;

	if (scan->walk->pages ? scan_was_told(rec, scan) :
				rec->seen == scan->number)
		return 0;
	return pcinspect_rows_add_deleted(scan->rows, rec);
}

/* Look for all records' inodes: as far as the page goes, or only to see them. */
static void scan_records(struct scan *scan)
{
	struct scan_known *known = scan->known;
	unsigned int i = scan->marking ? 0 : scan->walk->at;

	for (; i < known->nr_sbs && !scan->err; i++) {
		if (!scan->marking)
			scan->walk->at = i;
		if (known->sbs[i].type < SCAN_NR_TYPES)
			scan_super(scan, &known->types[known->sbs[i].type],
				   &known->sbs[i]);
		if (scan->full)
			break;
	}
}

static void scan_begin_records(struct scan *scan)
{
	scan->number = pcinspect_track_begin_scan();
	scan->sees_removals = scan_sees_removals();
	pcinspect_track_for_each(scan_learn, scan);
}

/* What is said once, when every inode had its turn: of what has no row. */
static void scan_end_records(struct scan *scan)
{
	struct pcinspect_rows *rows = scan->rows;

	pcinspect_track_for_each(scan_count_missed, scan);
	pcinspect_track_retire_unseen(scan->number, scan_keep, scan);
	/* No other scan retires what this one has listed. */
	pcinspect_gone_wait();
	/* All of it is of one moment; cut into pages later. */
	rows->limit = rows->used + PCINSPECT_ROWS_MAX;
	scan_add_missed(scan);
	if (!scan->err && rows->detail)
		scan->err = pcinspect_gone_for_each(scan_deleted, scan);
	if (!scan->err)
		scan->err = scan_add_gone(rows);
	scan->walk->listed = true;
}

/*
 * The pages of a long answer are of several moments, so which records ended is
 * seen in a pass of its own.
 */
static void scan_end_long(struct scan *scan)
{
	struct scan last = {
		.walk = scan->walk,
		.rows = scan->rows,
		.patience = SCAN_PATIENCE_ALL,
		.marking = true,
	};

	scan->err = pcinspect_told_know(&scan->walk->told);
	if (scan->err)
		return;
	last.known = kvzalloc(sizeof(*last.known), GFP_KERNEL);
	if (last.known) {
		scan_begin_records(&last);
		scan_records(&last);
		if (!last.err)
			scan_end_records(&last);
		kvfree(last.known);
		scan->err = last.err;
	} else {
		scan->err = -ENOMEM;
	}
}

/* The next page of all records. */
static void scan_page_records(struct scan *scan)
{
	if (scan->walk->last) {
		scan_end_long(scan);
		return;
	}
	if (!scan->walk->pages)
		scan_begin_records(scan);
	scan_records(scan);
	if (scan->err || scan->full)
		return;
	if (scan->walk->pages)
		scan_end_long(scan);
	else
		scan_end_records(scan);
}

/* The next page of a filesystem. */
static void scan_page_whole(struct scan *scan)
{
	struct pcinspect_walk *walk = scan->walk;
	struct scan_known *known = scan->known;
	struct scan_sb *sb = &known->sbs[0];
	unsigned int i;

	if (walk->pages) {
		scan_super(scan, &known->types[walk->want], sb);
	} else {
		strscpy(known->types[0].fs, walk->fs, sizeof(walk->fs));
		sb->dev = walk->dev;
		scan_super(scan, &known->types[0], sb);
	}
	if (!scan->err && !walk->found) {
		/* btrfs up to 6.1: a record may know its second type. */
		pcinspect_track_for_each(scan_learn, scan);
		for (i = 0; i < known->nr_types; i++) {
			if (walk->found || strcmp(known->types[i].fs, walk->fs))
				continue;
			walk->want = i;
			memset(sb, 0, sizeof(*sb));
			sb->dev = walk->dev;
			scan_super(scan, &known->types[i], sb);
		}
	}
	if (scan->err || scan->full)
		return;
	scan->rows->limit = scan->rows->used + PCINSPECT_ROWS_MAX;
	if (!walk->found)
		scan->err = -ENODEV;
	else if (sb->busy)
		scan_add_skipped(scan, walk->fs, walk->dev, 0);
	walk->listed = true;
}

/**
 * pcinspect_walk_new() - begin an answer
 * @fs: describe every cached inode of a filesystem of this type, or NULL:
 *	every record's inode. Named by type and number and not by an open file,
 *	which would keep it from being unmounted
 * @dev: its s_dev, kernel encoding
 * @flags: PCINSPECT_LIST_*
 * @last: only what comes last; of records
 *
 * Of records: last come a row for each filesystem that was busy, with sections
 * the deleted files of a run, and the gone rows. Records whose inode turns out
 * to be gone are retired. No inode comes twice; each that was there from the
 * first page to the last one comes.
 *
 * Context: process context, may sleep. The owner serializes what it does with
 *it. Return: the answer, of which nothing is gathered yet; NULL without memory.
 */
struct pcinspect_walk *pcinspect_walk_new(const char *fs, u32 dev, u32 flags,
					  bool last)
{
	struct pcinspect_walk *walk = kvzalloc(sizeof(*walk), GFP_KERNEL);

	if (!walk)
		return NULL;
	if (pcinspect_rows_init(&walk->rows, flags & PCINSPECT_LIST_DETAIL)) {
		kvfree(walk);
		return NULL;
	}
	walk->whole = fs;
	if (fs)
		strscpy(walk->fs, fs, sizeof(walk->fs));
	walk->dev = dev;
	walk->last = last && !fs;
	walk->rows.ledgers = flags & PCINSPECT_LIST_LEDGERS;
	atomic_inc(&scan_nr_walks);
	return walk;
}

/**
 * pcinspect_walk_page() - gather the next page of an answer
 * @walk: the answer; after an error it can only be freed
 * @limit: bytes of the page at most
 *
 * Context: process context, sleeps; no lock held by the caller.
 * Return: 0, -ENODEV (no such filesystem is mounted), -ENOMEM, -E2BIG (there is
 * no room for one row), -EBUSY (its place was lost, and more was told than is
 * remembered), or -EINTR.
 */
int pcinspect_walk_page(struct pcinspect_walk *walk, size_t limit)
{
	struct scan scan = {
		.walk = walk,
		.rows = &walk->rows,
		.known = &walk->known,
		.patience = SCAN_PATIENCE_ALL,
	};

	if (mutex_lock_killable(&scan_mutex))
		return -EINTR;
	pcinspect_rows_next(&walk->rows);
	walk->rows.limit = limit;
	if (!walk->listed) {
		if (walk->whole)
			scan_page_whole(&scan);
		else
			scan_page_records(&scan);
	}
	WRITE_ONCE(scan_pages, scan_pages + 1);
	mutex_unlock(&scan_mutex);
	walk->pages++;
	return scan.err ?: pcinspect_rows_cut(&walk->rows, limit);
}

/* The page that was gathered last: its page_used bytes. */
const struct pcinspect_rows *
pcinspect_walk_rows(const struct pcinspect_walk *walk)
{
	return &walk->rows;
}

/* Is there another page? */
bool pcinspect_walk_more(const struct pcinspect_walk *walk)
{
	return !walk->listed || walk->rows.page_used < walk->rows.used;
}

/* End an answer, or none. May sleep. */
void pcinspect_walk_free(struct pcinspect_walk *walk)
{
	if (!walk)
		return;
	pcinspect_place_free(walk->place);
	pcinspect_told_free(&walk->told);
	pcinspect_rows_free(&walk->rows);
	kvfree(walk);
	atomic_dec(&scan_nr_walks);
}

/* What answers take, in bytes. */
size_t pcinspect_walk_memory(void)
{
	return atomic_read(&scan_nr_walks) *
		       kmalloc_size_roundup(sizeof(struct pcinspect_walk)) +
	       pcinspect_rows_memory() + pcinspect_told_memory() +
	       pcinspect_place_memory();
}

/*
 * Remember a superblock to look for names in. Its address, @type and @owner are
 * compared, not followed; @fs is the name of its type, @dev its s_dev.
 * Return: its index in @names, or -ENOSPC.
 */
int pcinspect_scan_names_learn(struct pcinspect_scan_names *names,
			       const struct super_block *sb,
			       const struct file_system_type *type,
			       const struct module *owner, const char *fs,
			       u32 dev)
{
	struct pcinspect_scan_name_sb *known;
	unsigned int i = names->last;

	if (i < names->nr && names->sbs[i].sb == sb && names->sbs[i].dev == dev)
		return i;
	for (i = 0; i < names->nr; i++)
		if (names->sbs[i].sb == sb && names->sbs[i].dev == dev)
			break;
	if (i == PCINSPECT_SCAN_NR_NAME_SBS)
		return -ENOSPC;
	if (i == names->nr) {
		known = &names->sbs[names->nr++];
		known->sb = sb;
		known->type = type;
		known->owner = owner;
		known->dev = dev;
		strscpy(known->fs, fs, sizeof(known->fs));
	}
	names->last = i;
	return i;
}

/**
 * pcinspect_scan_for_names() - find the paths of inodes known by value
 * @names: superblocks to look in; its skipped is filled in
 * @ops: which inodes, and what to do with their names
 * @arg: for @ops
 *
 * Context: process context, sleeps; no lock held by the caller.
 * Return: 0, -ENOMEM, -EINTR, or what @ops->name returned.
 */
int pcinspect_scan_for_names(struct pcinspect_scan_names *names,
			     const struct pcinspect_scan_names_ops *ops,
			     void *arg)
{
	struct scan scan = {
		.names = ops,
		.arg = arg,
		.patience = SCAN_PATIENCE_ALL,
	};
	unsigned int i;

	scan.path = kmalloc(PATH_MAX, GFP_KERNEL);
	if (!scan.path)
		return -ENOMEM;
	if (mutex_lock_killable(&scan_mutex)) {
		kfree(scan.path);
		return -EINTR;
	}
	for (i = 0; i < names->nr && !scan.err && !scan.done; i++) {
		const struct pcinspect_scan_name_sb *sb = &names->sbs[i];
		struct scan_sb known = { .sb = sb->sb, .dev = sb->dev };
		struct scan_type want = { .type = (void *)sb->type,
					  .owner = sb->owner };

		strscpy(want.fs, sb->fs, sizeof(want.fs));
		scan_super(&scan, &want, &known);
		names->skipped += known.busy;
	}
	mutex_unlock(&scan_mutex);
	kfree(scan.path);
	return scan.err;
}

/*
 * Entries passed under s_inode_list_lock at most. Return: how many, at one
 * time, since the module was loaded.
 */
unsigned int pcinspect_scan_longest_hold(void)
{
	return READ_ONCE(scan_longest_hold);
}

/* Inodes passed in lists of inodes, all scans together. */
u64 pcinspect_scan_passed(void)
{
	return READ_ONCE(scan_passed);
}

/* Pages of answers, all together. */
u64 pcinspect_scan_pages(void)
{
	return READ_ONCE(scan_pages);
}

/*
 * Find where the filesystem types begin. sysfs is the first one that every
 * kernel registers (mnt_init()). Asking for any other name later would load its
 * module.
 * Context: process context, before any scan. Return: 0, or -ENODEV if there is
 * no sysfs.
 */
int pcinspect_scan_init(void)
{
	scan_first_type = get_fs_type("sysfs");
	if (!scan_first_type)
		return -ENODEV;
	module_put(scan_first_type->owner);
	return 0;
}
