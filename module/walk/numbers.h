/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * numbers.h - inodes of a filesystem that keeps them in the kernel's hash by number.
 */
#ifndef PCINSPECT_NUMBERS_H
#define PCINSPECT_NUMBERS_H

#include <linux/types.h>

struct inode;
struct pcinspect_super;
struct super_block;

/*
 * struct pcinspect_numbers - the inodes of a superblock that had a record
 * @nr: how many
 * @room: for so many
 * @at: the first that is still to be visited
 * @size: bytes of all this
 * @sb: their superblock; compared, not followed
 * @of: address and number of each
 */
struct pcinspect_numbers {
	unsigned int nr;
	unsigned int room;
	unsigned int at;
	size_t size;
	const struct super_block *sb;
	struct {
		const struct inode *inode;
		u64 ino;
	} of[];
};

struct pcinspect_numbers *
pcinspect_numbers_get(const struct pcinspect_super *super);
void pcinspect_numbers_free(struct pcinspect_numbers *numbers);
struct inode *pcinspect_numbers_grab(const struct pcinspect_numbers *numbers,
				     unsigned int i, struct super_block *sb);
size_t pcinspect_numbers_memory(void);

#endif /* PCINSPECT_NUMBERS_H */
