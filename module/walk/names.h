/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * names.h - the paths of inodes known by value.
 */
#ifndef PCINSPECT_NAMES_H
#define PCINSPECT_NAMES_H

#include <linux/types.h>
#include "walk/super.h"

struct file_system_type;
struct inode;
struct module;
struct super_block;

/* Superblocks that a search for names can distinguish. */
#define PCINSPECT_SCAN_NR_NAME_SBS 256

/*
 * struct pcinspect_scan_names - where to look for names
 * @last: index of the superblock that was asked for last
 * @skipped: out: superblocks that were busy
 */
struct pcinspect_scan_names {
	struct pcinspect_super sbs[PCINSPECT_SCAN_NR_NAME_SBS];
	unsigned int nr;
	unsigned int last;
	u32 skipped;
};

/*
 * struct pcinspect_scan_names_ops - who looks for names
 * @wants: is this inode to be named? Under s_inode_list_lock: does not sleep
 * @name: it is; the path is NULL if it has none. Returns 0, 1: that was the
 *	last, or an error. May sleep
 */
struct pcinspect_scan_names_ops {
	bool (*wants)(void *arg, const struct inode *inode);
	int (*name)(void *arg, const struct inode *inode, const char *path);
};

int pcinspect_scan_names_learn(struct pcinspect_scan_names *names,
			       const struct super_block *sb,
			       const struct file_system_type *type,
			       const struct module *owner, const char *fs,
			       u32 dev);
int pcinspect_scan_for_names(struct pcinspect_scan_names *names,
			     const struct pcinspect_scan_names_ops *ops,
			     void *arg);

#endif /* PCINSPECT_NAMES_H */
