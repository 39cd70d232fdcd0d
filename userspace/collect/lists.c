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

/* Where a file is in our mount namespace, or else (@elsewhere) within its filesystem. */
static char *file_path(struct collect *collect, const struct pcinspect_list_file *row,
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
 * lists_files() - files, by their paths in our mount namespace
 * @collect: the collection
 * @rows: what the module wrote, a path behind each
 * @nr: how many
 *
 * Return: a new array; of the paths each is to be freed.
 */
struct listed_file *lists_files(struct collect *collect, const char *rows, size_t nr)
{
	struct listed_file *files = alloc_zero(nr + 1, sizeof(*files)), *file;

	for (file = files; file < files + nr; file++) {
		const struct pcinspect_list_file *row = (const void *)rows;

		file->row = *row;
		file->path = file_path(collect, row, &file->elsewhere);
		rows += row->record_size;
	}
	return files;
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
	char *rows;
	int failed;

	memset(answer, 0, sizeof(*answer));
	lists_room(&answer->lists, fd, &answer->cgroups, &rows);
	failed = collect->device < 0 ?
		plain_cgroups(fd, &answer->lists, answer->cgroups, MAX_CGROUPS) :
		ioctl(collect->device, PCINSPECT_IOC_LISTS, &answer->lists);
	if (failed)
		answer->lists.nr_given = 0;
	answer->files = lists_files(collect, rows, answer->lists.nr_given);
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
