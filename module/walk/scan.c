// SPDX-License-Identifier: GPL-2.0-only
/*
 * scan.c - visit the inodes of a superblock.
 *
 * Why: automatic records hold no reference, and LRU lists lead to inodes but to
 * no names, so whoever wants to see these inodes has to meet them again, in
 * their superblock's s_inodes.
 *
 * How nobody is hindered: super.c holds s_umount shared, without waiting for
 * it. Every inode reference is dropped before s_umount is (a reference at
 * generic_shutdown_super() is fatal on Debian). As soon as an unmount or
 * remount waits for s_umount, what was emitted of this superblock is thrown
 * away, the lock is let go, and the superblock begun again, or found gone. The
 * list walk is that of drop_pagecache_sb() (fs/drop_caches.c): one inode
 * behind, iput() outside the lock; but the lock is held for SCAN_HOLD_NS, and
 * never for more than SCAN_LIST_HOLD entries, because every creation and
 * eviction of an inode spins on it.
 *
 * Where inodes are found by their numbers (numbers.c), there is no list.
 *
 * May touch: references to inodes. Locks: scan_mutex (one scan at a time:
 * pcinspect_record.seen) > s_umount > s_inode_list_lock > i_lock. Nothing is
 * copied to user space in here.
 */
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/sched/signal.h>
#include <linux/timekeeping.h>

#include "walk/numbers.h"
#include "walk/ref.h"
#include "walk/scan.h"
#include "walk/super.h"

static DEFINE_MUTEX(scan_mutex);
static unsigned int scan_longest_hold;
static u64 scan_longest_ns;
/* Inodes passed in all lists. */
static u64 scan_passed;

/* Microseconds that the list is left alone after a long hold. */
#define SCAN_REST_US 10
/* How often a superblock is begun again before it is given up for this scan. */
#define SCAN_NR_TRIES 8
/*
 * Of s_inodes the lock is let go after so many nanoseconds, looked at once for
 * some entries; after so many entries in any case. An entry that is in no cache
 * takes 100 ns and more.
 */
#define SCAN_HOLD_NS 15000
#define SCAN_NR_LOOK 16
#define SCAN_LIST_HOLD 1024

/*
 * The next inode after @behind (NULL: the first) to hold on to: one that is
 * wanted, or any other once the lock was held for long. Returns it referenced;
 * NULL at the end; -EAGAIN where none of so many could be had, because they are
 * all being made or freed.
 */
static struct inode *scan_next(struct pcinspect_scan *scan,
			       struct super_block *sb, struct inode *behind,
			       bool *wanted)
{
	struct inode *inode = behind, *found = NULL;
	unsigned int held = 0;
	bool long_held = false;
	u64 since, ns;

	if (!inode)
		inode = list_entry(&sb->s_inodes, struct inode, i_sb_list);
	spin_lock(&sb->s_inode_list_lock);
	since = ktime_get_mono_fast_ns();
	list_for_each_entry_continue(inode, &sb->s_inodes, i_sb_list) {
		if (!(++held % SCAN_NR_LOOK))
			long_held |= need_resched() ||
				     ktime_get_mono_fast_ns() - since >=
					     SCAN_HOLD_NS;
		if (!(inode_state_read_once(inode) &
		      (I_NEW | I_FREEING | I_WILL_FREE))) {
			*wanted = scan->ops->wants(scan->arg, inode);
			if ((*wanted || long_held) && pcinspect_ref_get(inode)) {
				found = inode;
				break;
			}
		}
		if (held == SCAN_LIST_HOLD) {
			found = ERR_PTR(-EAGAIN);
			break;
		}
	}
	ns = ktime_get_mono_fast_ns() - since;
	spin_unlock(&sb->s_inode_list_lock);
	WRITE_ONCE(scan_passed, scan_passed + held);
	if (held > scan_longest_hold)
		WRITE_ONCE(scan_longest_hold, held);
	if (ns > scan_longest_ns)
		WRITE_ONCE(scan_longest_ns, ns);
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

/* May a visit go on? Caller holds s_umount shared. Return: 0, -EAGAIN, -EINTR. */
static int scan_may_go_on(struct super_block *sb)
{
	cond_resched();
	if (rwsem_is_contended(&sb->s_umount))
		return -EAGAIN;
	return fatal_signal_pending(current) ? -EINTR : 0;
}

/* The same as scan_inodes(), by number. */
static int scan_numbers(struct pcinspect_scan *scan, struct super_block *sb)
{
	struct pcinspect_numbers *numbers = scan->numbers;
	unsigned int i;
	int err = 0;

	for (i = numbers->at; i < numbers->nr; i++) {
		struct inode *inode = pcinspect_numbers_grab(numbers, i, sb);

		if (inode && scan->ops->wants(scan->arg, inode))
			err = scan->ops->emit(scan->arg, inode, NULL);
		pcinspect_ref_put(inode);
		err = err ?: scan_may_go_on(sb);
		if (err)
			break;
	}
	WRITE_ONCE(scan_passed, scan_passed + i - numbers->at);
	if (err >= 0)
		numbers->at = i;
	return err;
}

/*
 * Visit a superblock's inodes once, or until that is enough. Caller holds
 * s_umount shared. Returns 0, 1, what the ops returned, -EAGAIN when somebody
 * waits for s_umount or nothing was to be had of the list, or -EINTR.
 */
static int scan_inodes(struct pcinspect_scan *scan, struct super_block *sb)
{
	const struct pcinspect_scan_ops *ops = scan->ops;
	unsigned int patience = PCINSPECT_SUPER_PATIENCE;
	struct inode *inode, *behind = NULL;
	bool wanted = false;
	int err = 0;

	if (ops->begin)
		behind = ops->begin(scan->arg, sb, &wanted);
	if (IS_ERR(behind))
		return PTR_ERR(behind);
	if (wanted)
		err = ops->emit(scan->arg, behind, NULL);
	/* A complete row stays: after 1 no inode is looked at any more. */
	while (!err) {
		inode = scan_next(scan, sb, behind, &wanted);
		if (IS_ERR(inode)) {
			/* The same again from where we are. */
			if (!pcinspect_super_wait(&patience, &scan->patience))
				err = PTR_ERR(inode);
		} else if (inode) {
			if (wanted)
				err = ops->emit(scan->arg, inode, behind);
			else
				scan_rest();
			pcinspect_ref_put(behind);
			behind = inode;
		}
		err = err ?: scan_may_go_on(sb);
		if (!inode)
			break;
	}
	pcinspect_ref_put(behind);
	return err;
}

/**
 * pcinspect_scan_super() - visit the inodes of a superblock
 * @scan: between pcinspect_scan_begin() and pcinspect_scan_end()
 * @want: which superblock
 *
 * Context: process context, sleeps.
 * Return: 0; 1: as many as the ops wanted; -ENOENT: it is gone, or no longer
 * the one whose visit was begun; -EBUSY: it could not be had, or not to the
 * end; or an error that ends the scan.
 */
int pcinspect_scan_super(struct pcinspect_scan *scan,
			 const struct pcinspect_super *want)
{
	struct super_block *sb;
	int tries, err = -EAGAIN;

	for (tries = 0; err == -EAGAIN && tries < SCAN_NR_TRIES; tries++) {
		sb = pcinspect_super_lock(want, &scan->patience);
		if (IS_ERR(sb))
			return PTR_ERR(sb);
		err = scan->numbers ? scan_numbers(scan, sb) :
				      scan_inodes(scan, sb);
		/* It may go from here on. */
		up_read(&sb->s_umount);
		if (err < 0 && scan->ops->again)
			scan->ops->again(scan->arg);
	}
	return err == -EAGAIN ? -EBUSY : err;
}

/* Begin a turn when it is ours. Context: process, sleeps. Return: 0, -EINTR. */
int pcinspect_scan_begin(struct pcinspect_scan *scan,
			 const struct pcinspect_scan_ops *ops, void *arg)
{
	scan->ops = ops;
	scan->arg = arg;
	scan->numbers = NULL;
	scan->patience = PCINSPECT_SUPER_PATIENCE_ALL;
	return mutex_lock_killable(&scan_mutex);
}

/* It is over. */
void pcinspect_scan_end(void)
{
	mutex_unlock(&scan_mutex);
}

/*
 * The longest hold of s_inode_list_lock since the module was loaded. @ns: how
 * long, with the interrupts in it. Return: the most entries that one has passed.
 */
unsigned int pcinspect_scan_longest_hold(u64 *ns)
{
	*ns = READ_ONCE(scan_longest_ns);
	return READ_ONCE(scan_longest_hold);
}

/* Inodes passed in lists of inodes, all scans together. */
u64 pcinspect_scan_passed(void)
{
	return READ_ONCE(scan_passed);
}
