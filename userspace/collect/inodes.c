// SPDX-License-Identifier: GPL-2.0-only
/*
 * inodes.c - a set of inodes, for millions.
 *
 * Filesystems hand out inode numbers one after the other, or 64 at a time, so a bit for
 * each and one slot for 64 take less than a byte a file where a tree of structs took
 * eighty. Numbers that lie nowhere near one another cost a slot each, and are as right.
 * Touches memory only.
 */
#include <stdlib.h>

#include "collect/inodes.h"
#include "lib/alloc.h"

/* The slot of 64 inodes, or the free one where they would be. */
static struct inode_word *slot_of(const struct inode_set *set, uint64_t dev, uint64_t word)
{
	uint64_t hash = (word ^ dev * 0x9e3779b97f4a7c15ULL) * 0xff51afd7ed558ccdULL;
	size_t at = hash >> 32 & (set->nr_slots - 1);

	while (set->slots[at].bits && (set->slots[at].word != word || set->slots[at].dev != dev))
		at = (at + 1) & (set->nr_slots - 1);
	return &set->slots[at];
}

static void grow(struct inode_set *set)
{
	struct inode_set larger = { .nr_slots = set->nr_slots ? set->nr_slots * 2 : 64,
				    .used = set->used };
	size_t i;

	larger.slots = alloc_zero(larger.nr_slots, sizeof(*larger.slots));
	for (i = 0; i < set->nr_slots; i++)
		if (set->slots[i].bits)
			*slot_of(&larger, set->slots[i].dev, set->slots[i].word) = set->slots[i];
	free(set->slots);
	*set = larger;
}

/**
 * inode_set_add() - put an inode into a set
 * @set: which; all zero is an empty one
 * @dev: as stat(2) says
 * @ino: likewise
 *
 * Return: false if it was in it.
 */
bool inode_set_add(struct inode_set *set, uint64_t dev, uint64_t ino)
{
	uint64_t bit = 1ULL << ino % 64;
	struct inode_word *slot;

	if (set->used >= set->nr_slots / 4 * 3)
		grow(set);
	slot = slot_of(set, dev, ino / 64);
	if (slot->bits & bit)
		return false;
	set->used += !slot->bits;
	*slot = (struct inode_word){ .dev = dev, .word = ino / 64, .bits = slot->bits | bit };
	return true;
}

/* Is an inode in a set? */
bool inode_set_has(const struct inode_set *set, uint64_t dev, uint64_t ino)
{
	return set->nr_slots && slot_of(set, dev, ino / 64)->bits & 1ULL << ino % 64;
}

/* Empty a set; it may be used again. */
void inode_set_forget(struct inode_set *set)
{
	free(set->slots);
	*set = (struct inode_set){};
}
