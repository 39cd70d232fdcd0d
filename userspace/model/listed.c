// SPDX-License-Identifier: GPL-2.0-only
/*
 * listed.c - rows of files on LRU lists: which are of the same file, and their sums. Pure.
 */
#include <string.h>
#include <sys/stat.h>

#include "lib/compare.h"
#include "model/listed.h"

/* Its pages, on whichever list. */
uint64_t listed_pages(const struct pcinspect_list_file *row)
{
	return row->pages[PCINSPECT_LIST_ACTIVE] + row->pages[PCINSPECT_LIST_INACTIVE];
}

/* The order of their inodes; 0: the same, but for subvolumes of a btrfs. */
int listed_compare_inodes(const struct pcinspect_list_file *a,
			  const struct pcinspect_list_file *b)
{
	return compare_numbers(a->dev_major, b->dev_major) ?:
	       compare_numbers(a->dev_minor, b->dev_minor) ?: compare_numbers(a->ino, b->ino) ?:
	       compare_numbers(a->i_generation, b->i_generation);
}

/* The same; files with one device, number and generation may differ in path (btrfs). */
int listed_compare(const struct listed_file *a, const struct listed_file *b)
{
	return listed_compare_inodes(&a->row, &b->row) ?: strcmp(a->path ?: "", b->path ?: "");
}

/**
 * listed_add() - add the pages of the same, or another, file
 * @sum: to which
 * @one: which
 */
void listed_add(struct pcinspect_list_file *sum, const struct pcinspect_list_file *one)
{
	int i;

	for (i = 0; i < PCINSPECT_NR_LISTS; i++)
		sum->pages[i] += one->pages[i];
	for (i = 0; i < PCINSPECT_LISTS_NR_GENS; i++)
		sum->generation_pages[i] += one->generation_pages[i];
	sum->dirty_pages += one->dirty_pages;
	sum->mapped_pages += one->mapped_pages;
	if (sum->inode_age_ms == PCINSPECT_UNKNOWN)
		sum->inode_age_ms = one->inode_age_ms;
}

/* Is it a regular file that its path leads to? */
bool listed_opens(const struct listed_file *file)
{
	return file->path && !file->elsewhere && S_ISREG(file->row.mode) &&
	       !(file->row.flags & PCINSPECT_F_DELETED);
}
