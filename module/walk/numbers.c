// SPDX-License-Identifier: GPL-2.0-only
/*
 * numbers.c - from records to inodes by their numbers.
 *
 * Why: s_inodes may have ten million inodes, and the table of records a few
 * thousand. Where each inode of a filesystem is in the kernel's inode hash by
 * its number, it is found there, without its list and the lock of that.
 *
 * Which ones: those whose inodes are all made by iget_locked() and
 * insert_inode_locked() (fs/ext4/inode.c, ialloc.c; fs/ext2). Others hash by
 * more than the number (btrfs), or not at all (xfs), or some only (tmpfs): one
 * that is not found there need not be gone.
 *
 * May touch: its own memory; references to inodes. Locks: RCU > i_lock.
 */
#include <linux/atomic.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "records/track.h"
#include "walk/numbers.h"
#include "walk/ref.h"
#include "walk/super.h"

/* More records than there were when they were counted. */
#define NUMBERS_SPARE 64

static atomic_long_t numbers_memory = ATOMIC_LONG_INIT(0);

static bool numbers_are_hashed(const char *fs)
{
	static const char *const hashed[] = { "ext4", "ext3", "ext2" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(hashed); i++)
		if (!strcmp(fs, hashed[i]))
			return true;
	return false;
}

static void numbers_count(const struct pcinspect_record *rec, void *arg)
{
	struct pcinspect_numbers *numbers = arg;

	numbers->nr += rec->sb == numbers->sb;
}

static void numbers_add(const struct pcinspect_record *rec, void *arg)
{
	struct pcinspect_numbers *numbers = arg;

	if (rec->sb != numbers->sb)
		return;
	if (numbers->nr < numbers->room) {
		numbers->of[numbers->nr].inode = rec->inode;
		numbers->of[numbers->nr].ino = rec->ino;
	}
	numbers->nr++;
}

/**
 * pcinspect_numbers_get() - the inodes of a superblock that have a record now
 * @super: which; by address
 *
 * Context: process context, may sleep.
 * Return: they, or NULL: its list of inodes is to be passed, because it does
 * not keep them by number, many more records were made meanwhile, or there is
 * no memory.
 */
struct pcinspect_numbers *
pcinspect_numbers_get(const struct pcinspect_super *super)
{
	struct pcinspect_numbers *numbers, count = { .sb = super->sb };
	size_t size;

	if (!super->sb || !numbers_are_hashed(super->fs))
		return NULL;
	pcinspect_track_for_each(numbers_count, &count);
	size = struct_size(numbers, of, count.nr + NUMBERS_SPARE);
	numbers = kvzalloc(size, GFP_KERNEL);
	if (!numbers)
		return NULL;
	numbers->sb = super->sb;
	numbers->room = count.nr + NUMBERS_SPARE;
	numbers->size = size;
	atomic_long_add(size, &numbers_memory);
	pcinspect_track_for_each(numbers_add, numbers);
	if (numbers->nr <= numbers->room)
		return numbers;
	pcinspect_numbers_free(numbers);
	return NULL;
}

/* Or none. Context: process context. */
void pcinspect_numbers_free(struct pcinspect_numbers *numbers)
{
	if (!numbers)
		return;
	atomic_long_sub(numbers->size, &numbers_memory);
	kvfree(numbers);
}

/**
 * pcinspect_numbers_grab() - the inode of a record, if it is there
 * @numbers: of the superblock
 * @i: which
 * @sb: the superblock; the caller holds its s_umount
 *
 * Return: the inode, by pcinspect_ref_get(), or NULL: it is gone, or on its way.
 */
struct inode *pcinspect_numbers_grab(const struct pcinspect_numbers *numbers,
				     unsigned int i, struct super_block *sb)
{
	struct inode *inode;

	rcu_read_lock();
	inode = find_inode_by_ino_rcu(sb, numbers->of[i].ino);
	/* Another one has its number by now, and a record of its own, or none. */
	if (inode &&
	    (inode != numbers->of[i].inode ||
	     inode_state_read_once(inode) & I_NEW || !pcinspect_ref_get(inode)))
		inode = NULL;
	rcu_read_unlock();
	return inode;
}

/* The memory of all of them, in bytes. */
size_t pcinspect_numbers_memory(void)
{
	return atomic_long_read(&numbers_memory);
}
