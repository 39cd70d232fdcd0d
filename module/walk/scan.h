/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * scan.h - visiting the inodes of a superblock.
 */
#ifndef PCINSPECT_SCAN_H
#define PCINSPECT_SCAN_H

#include <linux/types.h>

/* For callers that look up names. */

struct inode;
struct pcinspect_numbers;
struct pcinspect_super;
struct super_block;

/*
 * struct pcinspect_scan_ops - who visits inodes
 * @begin: where to begin: with the inode returned (referenced; @wanted: and is
 *	it to be emitted), or NULL: at the first. ERR_PTR() ends the visit. May
 *be NULL itself. May sleep
 * @wants: is this inode to be emitted? Under s_inode_list_lock or with a
 *	reference: does not sleep
 * @emit: it is; it is referenced, and so is the one before it, @behind, or that
 *	is NULL. Returns 0, 1: that was enough, or an error. May sleep
 * @again: what was emitted of this superblock counts for nothing: it is begun
 *	again, or given up. May be NULL
 */
struct pcinspect_scan_ops {
	struct inode *(*begin)(void *arg, struct super_block *sb, bool *wanted);
	bool (*wants)(void *arg, struct inode *inode);
	int (*emit)(void *arg, struct inode *inode, struct inode *behind);
	void (*again)(void *arg);
};

/*
 * struct pcinspect_scan - a turn
 * @patience: milliseconds that may still be waited
 * @numbers: visit these inodes of the superblock, or NULL: its list. Where a
 *	visit ends with 1, the next one goes on, and begins with the inode that
 *	was emitted last; there is no @begin and no inode @behind
 */
struct pcinspect_scan {
	const struct pcinspect_scan_ops *ops;
	void *arg;
	unsigned int patience;
	struct pcinspect_numbers *numbers;
};

int pcinspect_scan_begin(struct pcinspect_scan *scan,
			 const struct pcinspect_scan_ops *ops, void *arg);
int pcinspect_scan_super(struct pcinspect_scan *scan,
			 const struct pcinspect_super *want);
void pcinspect_scan_end(void);
unsigned int pcinspect_scan_longest_hold(u64 *ns);
u64 pcinspect_scan_passed(void);

#endif /* PCINSPECT_SCAN_H */
