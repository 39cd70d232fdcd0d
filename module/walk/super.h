/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * super.h - superblocks known by value, and how long to wait for a busy one.
 */
#ifndef PCINSPECT_SUPER_H
#define PCINSPECT_SUPER_H

#include <linux/types.h>
#include "uapi/pcinspect.h"

struct file_system_type;
struct module;
struct super_block;

/*
 * struct pcinspect_super - a superblock to look for; compared, not followed
 * @sb: its address; NULL: whichever has that number
 * @type: its type's address; NULL: whatever is registered by that name
 * @owner: the module of its type, NULL if it is built in
 * @dev: its s_dev, kernel encoding
 * @fs: the name of its type
 */
struct pcinspect_super {
	const struct super_block *sb;
	const struct file_system_type *type;
	const struct module *owner;
	u32 dev;
	char fs[PCINSPECT_FS_LEN];
};

/* Milliseconds to wait for what is busy: for one superblock, and in all. */
#define PCINSPECT_SUPER_PATIENCE 10
#define PCINSPECT_SUPER_PATIENCE_ALL 200

int pcinspect_super_init(void);
int pcinspect_super_trylock(struct super_block *sb);
bool pcinspect_super_wait(unsigned int *patience, unsigned int *all);
struct super_block *pcinspect_super_lock(const struct pcinspect_super *want,
					 unsigned int *all);

#endif /* PCINSPECT_SUPER_H */
