/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * told.h - which inodes an answer of several pages has told already.
 */
#ifndef PCINSPECT_TOLD_H
#define PCINSPECT_TOLD_H

#include <linux/types.h>

struct inode;

/* Inodes that are remembered at most: 32 MiB, and 64 MiB where they are looked for. */
#define PCINSPECT_TOLD_MAX (4UL << 20)

/*
 * struct pcinspect_told - inodes, by value
 * @keys: one each, in the order in which they were told
 * @full: more were told than are remembered
 * @set: of those in @keys that are in it, to look for; 0 is an empty slot
 * @set_bits: log2 of its size
 * @set_nr: how many of @keys are in it
 */
struct pcinspect_told {
	u64 *keys;
	size_t nr;
	size_t size;
	bool full;
	u64 *set;
	unsigned int set_bits;
	size_t set_nr;
};

u64 pcinspect_told_key(const struct inode *inode, u64 ino, u32 generation);
int pcinspect_told_add(struct pcinspect_told *told, u64 key);
void pcinspect_told_cut(struct pcinspect_told *told, size_t nr);
int pcinspect_told_know(struct pcinspect_told *told);
bool pcinspect_told_has(const struct pcinspect_told *told, u64 key);
void pcinspect_told_free(struct pcinspect_told *told);
size_t pcinspect_told_memory(void);

#endif /* PCINSPECT_TOLD_H */
