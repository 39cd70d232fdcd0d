// SPDX-License-Identifier: GPL-2.0-only
/*
 * told.c - which inodes an answer of several pages has told already.
 *
 * Why: if its place in a list of inodes is lost (place.c), an answer begins
 * again, and leaves out what it has told. Each inode costs 8 bytes and the
 * adding of them; only where a place was lost are they put into a table to be
 * looked for.
 *
 * May touch: its own memory. Its owner serializes.
 */
#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "walk/told.h"

static atomic_long_t told_memory = ATOMIC_LONG_INIT(0);

/* The memory of all of them, in bytes. */
size_t pcinspect_told_memory(void)
{
	return atomic_long_read(&told_memory);
}

/*
 * An inode as a number. @inode: its address, not followed. Of two that are
 * different it is the same once in 2^64. Return: never 0.
 */
u64 pcinspect_told_key(const struct inode *inode, u64 ino, u32 generation)
{
	u64 key = (unsigned long)inode;

	key = (key ^ ino) * GOLDEN_RATIO_64;
	key = (key ^ key >> 32 ^ generation) * GOLDEN_RATIO_64;
	key = (key ^ key >> 29 ^ ino << 17) * GOLDEN_RATIO_64;
	return (key ^ key >> 32) ?: 1;
}

/* One more. May sleep. Return: 0, or -ENOMEM. */
int pcinspect_told_add(struct pcinspect_told *told, u64 key)
{
	size_t size;
	u64 *keys;

	if (told->nr == PCINSPECT_TOLD_MAX) {
		told->full = true;
		return 0;
	}
	if (told->nr == told->size) {
		size = max_t(size_t, 512, 2 * told->size);
		keys = kvmalloc_array(size, sizeof(*keys), GFP_KERNEL);
		if (!keys)
			return -ENOMEM;
		if (told->nr)
			memcpy(keys, told->keys, told->nr * sizeof(*keys));
		kvfree(told->keys);
		atomic_long_add((size - told->size) * sizeof(*keys),
				&told_memory);
		told->keys = keys;
		told->size = size;
	}
	told->keys[told->nr++] = key;
	return 0;
}

static void told_drop_set(struct pcinspect_told *told)
{
	if (told->set)
		atomic_long_sub(sizeof(*told->set) << told->set_bits,
				&told_memory);
	kvfree(told->set);
	told->set = NULL;
	told->set_nr = 0;
}

/* All but the first @nr were not told after all. */
void pcinspect_told_cut(struct pcinspect_told *told, size_t nr)
{
	told->nr = nr;
}

/*
 * Make it possible to look for what has been told so far. May sleep. Return: 0,
 * -ENOMEM, or -EBUSY: more were told than are remembered.
 */
int pcinspect_told_know(struct pcinspect_told *told)
{
	size_t i, mask;
	u64 at;

	if (told->full)
		return -EBUSY;
	if (told->set && told->set_nr == told->nr)
		return 0;
	told_drop_set(told);
	told->set_bits = order_base_2(2 * told->nr + 2);
	mask = (1UL << told->set_bits) - 1;
	told->set = kvcalloc(mask + 1, sizeof(*told->set), GFP_KERNEL);
	if (!told->set)
		return -ENOMEM;
	atomic_long_add(sizeof(*told->set) << told->set_bits, &told_memory);
	for (i = 0; i < told->nr; i++) {
		for (at = told->keys[i] & mask; told->set[at];
		     at = (at + 1) & mask)
			;
		told->set[at] = told->keys[i];
		if (!(i & 1023))
			cond_resched();
	}
	told->set_nr = told->nr;
	return 0;
}

/* Was it, when pcinspect_told_know() was called last? Context: any. */
bool pcinspect_told_has(const struct pcinspect_told *told, u64 key)
{
	size_t mask = (1UL << told->set_bits) - 1;
	u64 at;

	if (!told->set)
		return false;
	for (at = key & mask; told->set[at]; at = (at + 1) & mask)
		if (told->set[at] == key)
			return true;
	return false;
}

/* Forget all. May sleep. */
void pcinspect_told_free(struct pcinspect_told *told)
{
	told_drop_set(told);
	atomic_long_sub(told->size * sizeof(*told->keys), &told_memory);
	kvfree(told->keys);
	memset(told, 0, sizeof(*told));
}
