// SPDX-License-Identifier: GPL-2.0-only
/*
 * emitted.c - the inodes that an answer of several pages has emitted already.
 *
 * Why: if its place in a list of inodes is lost (place.c), an answer begins
 * again, and leaves out the inodes already emitted. Each costs 8 bytes; only
 * after a place was lost they are put into a table, for searching.
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

#include "walk/emitted.h"

static atomic_long_t emitted_memory = ATOMIC_LONG_INIT(0);

/* The memory of all of them, in bytes. */
size_t pcinspect_emitted_memory(void)
{
	return atomic_long_read(&emitted_memory);
}

/*
 * An inode as a number. @inode: its address, not followed. Of two that are
 * different it is the same once in 2^64. Return: never 0.
 */
u64 pcinspect_emitted_key(const struct inode *inode, u64 ino, u32 generation)
{
	u64 key = (unsigned long)inode;

	key = (key ^ ino) * GOLDEN_RATIO_64;
	key = (key ^ key >> 32 ^ generation) * GOLDEN_RATIO_64;
	key = (key ^ key >> 29 ^ ino << 17) * GOLDEN_RATIO_64;
	return (key ^ key >> 32) ?: 1;
}

/* One more. May sleep. Return: 0, or -ENOMEM. */
int pcinspect_emitted_add(struct pcinspect_emitted *emitted, u64 key)
{
	size_t size;
	u64 *keys;

	if (emitted->nr == PCINSPECT_EMITTED_MAX) {
		emitted->full = true;
		return 0;
	}
	if (emitted->nr == emitted->size) {
		size = max_t(size_t, 512, 2 * emitted->size);
		keys = kvmalloc_array(size, sizeof(*keys), GFP_KERNEL);
		if (!keys)
			return -ENOMEM;
		if (emitted->nr)
			memcpy(keys, emitted->keys, emitted->nr * sizeof(*keys));
		kvfree(emitted->keys);
		atomic_long_add((size - emitted->size) * sizeof(*keys),
				&emitted_memory);
		emitted->keys = keys;
		emitted->size = size;
	}
	emitted->keys[emitted->nr++] = key;
	return 0;
}

static void emitted_drop_set(struct pcinspect_emitted *emitted)
{
	if (emitted->set)
		atomic_long_sub(sizeof(*emitted->set) << emitted->set_bits,
				&emitted_memory);
	kvfree(emitted->set);
	emitted->set = NULL;
	emitted->set_nr = 0;
}

/* All but the first @nr were not emitted after all. */
void pcinspect_emitted_cut(struct pcinspect_emitted *emitted, size_t nr)
{
	emitted->nr = nr;
}

/*
 * Make it possible to look for what has been emitted so far. May sleep. Return:
 * 0, -ENOMEM, or -EBUSY: more were emitted than are remembered.
 */
int pcinspect_emitted_index(struct pcinspect_emitted *emitted)
{
	size_t i, mask;
	u64 at;

	if (emitted->full)
		return -EBUSY;
	if (emitted->set && emitted->set_nr == emitted->nr)
		return 0;
	emitted_drop_set(emitted);
	emitted->set_bits = order_base_2(2 * emitted->nr + 2);
	mask = (1UL << emitted->set_bits) - 1;
	emitted->set = kvcalloc(mask + 1, sizeof(*emitted->set), GFP_KERNEL);
	if (!emitted->set)
		return -ENOMEM;
	atomic_long_add(sizeof(*emitted->set) << emitted->set_bits,
			&emitted_memory);
	for (i = 0; i < emitted->nr; i++) {
		for (at = emitted->keys[i] & mask; emitted->set[at];
		     at = (at + 1) & mask)
			;
		emitted->set[at] = emitted->keys[i];
		if (!(i & 1023))
			cond_resched();
	}
	emitted->set_nr = emitted->nr;
	return 0;
}

/* Was it, when pcinspect_emitted_index() was called last? Context: any. */
bool pcinspect_emitted_has(const struct pcinspect_emitted *emitted, u64 key)
{
	size_t mask = (1UL << emitted->set_bits) - 1;
	u64 at;

	if (!emitted->set)
		return false;
	for (at = key & mask; emitted->set[at]; at = (at + 1) & mask)
		if (emitted->set[at] == key)
			return true;
	return false;
}

/* Forget all. May sleep. */
void pcinspect_emitted_free(struct pcinspect_emitted *emitted)
{
	emitted_drop_set(emitted);
	atomic_long_sub(emitted->size * sizeof(*emitted->keys), &emitted_memory);
	kvfree(emitted->keys);
	memset(emitted, 0, sizeof(*emitted));
}
