// SPDX-License-Identifier: GPL-2.0-only
/*
 * lists.c - asking the module what is on the LRU lists of memory cgroups, and where
 * the files are in our mount namespace. Why by list: include/uapi/pcinspect_lists.h.
 *
 * Touches: /dev/pcinspect.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "collect/lists.h"
#include "collect/plain.h"
#include "lib/alloc.h"

/* Files told apart; what is not filled costs nothing. */
#define MAX_FILES (1U << 18)
#define MAX_CGROUPS (1UL << 16)

/* The row behind another. */
const struct pcinspect_list_file *lists_next(const struct pcinspect_list_file *row)
{
	return (const void *)((const char *)row + row->record_size);
}

/**
 * lists_file_path() - what a file is called
 * @collect: the collection
 * @row: its path behind it
 * @elsewhere: set to whether it is the path within its filesystem only
 *
 * Return: where it is in our mount namespace, or else within its filesystem, a new
 * string; NULL: nobody knows.
 */
char *lists_file_path(struct collect *collect, const struct pcinspect_list_file *row,
		      bool *elsewhere)
{
	char path[PATH_MAX], *out;

	*elsewhere = false;
	if (!(row->flags & PCINSPECT_F_PATH) || row->path_len >= PATH_MAX)
		return NULL;
	memcpy(path, row + 1, row->path_len);
	path[row->path_len] = '\0';
	if (row->flags & PCINSPECT_F_BLOCK_DEVICE)
		return alloc_copy(path);
	out = mounts_path(collect->mounts, row->dev_major, row->dev_minor, path);
	*elsewhere = !out;
	return out ?: alloc_copy(path);
}

/**
 * lists_room() - what to ask for, and room for the answer
 * @lists: filled in
 * @fd: an open directory of a cgroup, it and all below it; -1: all there are
 * @cgroups: set to where they go; to be freed
 * @files: likewise, LISTS_FILES_SIZE bytes
 */
void lists_room(struct pcinspect_lists *lists, int fd, struct pcinspect_list_cgroup **cgroups,
		char **files)
{
	*cgroups = alloc_zero(MAX_CGROUPS, sizeof(**cgroups));
	*files = alloc_array(NULL, 1, LISTS_FILES_SIZE);
	*lists = (struct pcinspect_lists){
		.size = sizeof(*lists),
		.cgroup = fd,
		.max_files = MAX_FILES,
		.cgroups = (uintptr_t)*cgroups,
		.cgroups_size = MAX_CGROUPS * sizeof(**cgroups),
		.files = (uintptr_t)*files,
		.files_size = LISTS_FILES_SIZE,
	};
}

/**
 * lists_ask() - walk the lists
 * @collect: reaches the module
 * @fd: an open directory of a cgroup, it and all below it; -1: all there are
 * @answer: filled in; to be freed with lists_free(), also after an error
 *
 * Return: 0, or -1 with errno set.
 */
int lists_ask(struct collect *collect, int fd, struct lists_answer *answer)
{
	const struct pcinspect_list_file *row;
	struct listed_file *file;
	char *rows;
	int failed;

	memset(answer, 0, sizeof(*answer));
	lists_room(&answer->lists, fd, &answer->cgroups, &rows);
	failed = collect->device < 0 ?
		plain_cgroups(fd, &answer->lists, answer->cgroups, MAX_CGROUPS) :
		ioctl(collect->device, PCINSPECT_IOC_LISTS, &answer->lists);
	if (failed)
		answer->lists.nr_given = 0;
	answer->files = alloc_zero(answer->lists.nr_given + 1, sizeof(*answer->files));
	row = (const void *)rows;
	for (file = answer->files; file < answer->files + answer->lists.nr_given; file++) {
		file->row = *row;
		file->path = lists_file_path(collect, row, &file->elsewhere);
		row = lists_next(row);
	}
	free(rows);
	return failed;
}

/* Free what lists_ask() made. */
void lists_free(struct lists_answer *answer)
{
	size_t i;

	for (i = 0; answer->files && i < answer->lists.nr_given; i++)
		free(answer->files[i].path);
	free(answer->cgroups);
	free(answer->files);
}
