/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lists.h - the LRU lists of memory cgroups, as the module tells them.
 */
#ifndef PCINSPECT_COLLECT_LISTS_H
#define PCINSPECT_COLLECT_LISTS_H

#include "collect/collect.h"
#include "model/listed.h"
#include "uapi/pcinspect.h"

/**
 * struct lists_answer - what the module said
 * @lists: of the walk
 * @cgroups: parents before children
 * @files: lists.nr_given of them
 */
struct lists_answer {
	struct pcinspect_lists lists;
	struct pcinspect_list_cgroup *cgroups;
	struct listed_file *files;
};

#define LISTS_FILES_SIZE (64UL << 20)	/* room for files and their names */

void lists_room(struct pcinspect_lists *lists, int fd, struct pcinspect_list_cgroup **cgroups,
		char **files);
int lists_ask(struct collect *collect, int fd, struct lists_answer *answer);
struct listed_file *lists_files(struct collect *collect, const char *rows, size_t nr);
void lists_free(struct lists_answer *answer);

#endif /* PCINSPECT_COLLECT_LISTS_H */
