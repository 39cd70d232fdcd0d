/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * inodes.h - a set of inodes, for millions.
 */
#ifndef PCINSPECT_INODES_H
#define PCINSPECT_INODES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct inode_word - 64 inodes whose numbers follow one another
 * @dev: of stat(2)
 * @word: their number / 64
 * @bits: which of them are in the set; 0: the slot is free
 */
struct inode_word {
	uint64_t dev;
	uint64_t word;
	uint64_t bits;
};

/**
 * struct inode_set - a set of inodes
 * @slots: a hash table, a power of two, at most three quarters in use
 * @nr_slots: how many
 * @used: of them
 */
struct inode_set {
	struct inode_word *slots;
	size_t nr_slots;
	size_t used;
};

bool inode_set_add(struct inode_set *set, uint64_t dev, uint64_t ino);
bool inode_set_has(const struct inode_set *set, uint64_t dev, uint64_t ino);
void inode_set_forget(struct inode_set *set);

#endif /* PCINSPECT_INODES_H */
