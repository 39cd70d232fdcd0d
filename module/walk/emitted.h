/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * emitted.h - the inodes that an answer of several pages has emitted already.
 */
#ifndef PCINSPECT_EMITTED_H
#define PCINSPECT_EMITTED_H

#include <linux/types.h>

struct inode;

/* Inodes that are remembered at most: 32 MiB, and 64 MiB where they are looked for. */
#define PCINSPECT_EMITTED_MAX (4UL << 20)

/*
 * struct pcinspect_emitted - inodes, by value
 * @keys: one each, in the order in which they were emitted
 * @full: more were emitted than are remembered
 * @set: of those in @keys that are in it, to look for; 0 is an empty slot
 * @set_bits: log2 of its size
 * @set_nr: how many of @keys are in it
 */
struct pcinspect_emitted {
	u64 *keys;
	size_t nr;
	size_t size;
	bool full;
	u64 *set;
	unsigned int set_bits;
	size_t set_nr;
};

u64 pcinspect_emitted_key(const struct inode *inode, u64 ino, u32 generation);
int pcinspect_emitted_add(struct pcinspect_emitted *emitted, u64 key);
void pcinspect_emitted_cut(struct pcinspect_emitted *emitted, size_t nr);
int pcinspect_emitted_index(struct pcinspect_emitted *emitted);
bool pcinspect_emitted_has(const struct pcinspect_emitted *emitted, u64 key);
void pcinspect_emitted_free(struct pcinspect_emitted *emitted);
size_t pcinspect_emitted_memory(void);

#endif /* PCINSPECT_EMITTED_H */
