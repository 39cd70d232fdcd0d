/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * listed.h - a file that has pages on LRU lists: the row that machine, cgroup,
 * cgroup --shared, explain --machine and the live view have of it.
 */
#ifndef PCINSPECT_LISTED_H
#define PCINSPECT_LISTED_H

#include <stdbool.h>
#include <stdint.h>

#include "uapi/pcinspect.h"

/**
 * struct listed_file - pages of one file that are charged to a cgroup, or to several
 * @path: absolute, or within its filesystem where that is mounted nowhere here;
 *	NULL: it has no name
 * @elsewhere: it is within its filesystem
 * @row: what the module said of it; of several cgroups a sum
 */
struct listed_file {
	char *path;
	bool elsewhere;
	struct pcinspect_list_file row;
};

uint64_t listed_pages(const struct pcinspect_list_file *row);
int listed_compare_inodes(const struct pcinspect_list_file *a,
			  const struct pcinspect_list_file *b);
int listed_compare(const struct listed_file *a, const struct listed_file *b);
void listed_add(struct pcinspect_list_file *sum, const struct pcinspect_list_file *one);
bool listed_opens(const struct listed_file *file);

#endif /* PCINSPECT_LISTED_H */
