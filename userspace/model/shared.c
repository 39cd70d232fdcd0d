// SPDX-License-Identifier: GPL-2.0-only
/*
 * shared.c - files that several cgroups have to do with: rows of one file and cgroup each
 * are put together, and users added. Touches memory only.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/compare.h"
#include "model/shared.h"

/* By what a mapping shows of a file; then what else tells it from others. */
static int compare_inode(const struct shared_file *x, const struct shared_file *y)
{
	const struct pcinspect_list_file *p = &x->file.row, *q = &y->file.row;

	return compare_numbers(p->dev_major, q->dev_major) ?:
	       compare_numbers(p->dev_minor, q->dev_minor) ?: compare_numbers(p->ino, q->ino);
}

static int compare_shared(const void *a, const void *b)
{
	const struct shared_file *x = a, *y = b;

	return listed_compare(&x->file, &y->file);
}

static int compare_cgroups(const void *a, const void *b)
{
	const struct shared_cgroup *x = a, *y = b;

	return compare_numbers(x->id, y->id);
}

/**
 * shared_add_cgroup() - one more cgroup
 * @shared: which knows them
 * @id: its number
 * @path: of it, which is @shared's from now on; NULL: its directory is gone
 */
void shared_add_cgroup(struct shared *shared, uint64_t id, char *path)
{
	shared->cgroups =
		alloc_array(shared->cgroups, shared->nr_cgroups + 1, sizeof(*shared->cgroups));
	shared->cgroups[shared->nr_cgroups++] = (struct shared_cgroup){ id, path };
}

static struct shared_part *part_of(struct shared_file *file, uint64_t cgroup)
{
	size_t low = 0, high = file->nr_parts;

	/* A library is every cgroup's, and each of its processes has it mapped. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (file->parts[middle].cgroup < cgroup)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < file->nr_parts && file->parts[low].cgroup == cgroup)
		return &file->parts[low];
	file->parts =
		alloc_room(file->parts, file->nr_parts, &file->parts_room, sizeof(*file->parts));
	memmove(&file->parts[low + 1], &file->parts[low],
		(file->nr_parts++ - low) * sizeof(*file->parts));
	file->parts[low] = (struct shared_part){ .cgroup = cgroup };
	return &file->parts[low];
}

/**
 * shared_add() - pages of one file that are charged to one cgroup
 * @shared: gets them
 * @row: the file and the cgroup
 * @path: of the file, NULL: it has none
 * @elsewhere: it is within the filesystem, which is not mounted here
 */
void shared_add(struct shared *shared, const struct pcinspect_list_file *row, const char *path,
		bool elsewhere)
{
	struct shared_file *file;

	shared->files =
		alloc_room(shared->files, shared->nr_files, &shared->room, sizeof(*shared->files));
	file = &shared->files[shared->nr_files++];
	*file = (struct shared_file){
		.file = { alloc_copy(path), path && elsewhere, *row },
	};
	part_of(file, row->cgroup)->pages = listed_pages(row);
}

static void drop(struct shared_file *file)
{
	free(file->file.path);
	free(file->parts);
}

/* All rows and cgroups are there: from now on users can be found. */
void shared_sort(struct shared *shared)
{
	size_t i, n = 0;

	if (shared->nr_cgroups)
		qsort(shared->cgroups, shared->nr_cgroups, sizeof(*shared->cgroups),
		      compare_cgroups);
	if (!shared->nr_files)
		return;
	qsort(shared->files, shared->nr_files, sizeof(*shared->files), compare_shared);
	for (i = 1; i < shared->nr_files; i++) {
		struct shared_file *last = &shared->files[n], *file = &shared->files[i];

		if (compare_shared(last, file)) {
			file->twins = !compare_inode(last, file);
			last->twins |= file->twins;
			shared->files[++n] = *file;
			continue;
		}
		part_of(last, file->file.row.cgroup)->pages += listed_pages(&file->file.row);
		listed_add(&last->file.row, &file->file.row);
		drop(file);
	}
	shared->nr_files = n + 1;
}

/* A cgroup by its number, NULL: there is none. */
const struct shared_cgroup *shared_cgroup(const struct shared *shared, uint64_t id)
{
	const struct shared_cgroup key = { .id = id };

	return shared->nr_cgroups ? bsearch(&key, shared->cgroups, shared->nr_cgroups,
					    sizeof(key), compare_cgroups) : NULL;
}

/**
 * shared_use() - a task has a file open or mapped
 * @shared: sorted
 * @dev_major: of the file's superblock
 * @dev_minor: likewise
 * @ino: number of the file
 * @cgroup: of the task
 *
 * One that is not cached, or that cannot be told from others, is nothing.
 */
void shared_use(struct shared *shared, uint32_t dev_major, uint32_t dev_minor, uint64_t ino,
		uint64_t cgroup)
{
	const struct shared_file key = {
		.file.row = { .dev_major = dev_major, .dev_minor = dev_minor, .ino = ino },
	};
	size_t low = 0, high = shared->nr_files;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (compare_inode(&shared->files[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low < shared->nr_files && !compare_inode(&shared->files[low], &key) &&
	    !shared->files[low].twins)
		part_of(&shared->files[low], cgroup)->uses = true;
}

static int compare_parts(const void *a, const void *b)
{
	const struct shared_part *x = a, *y = b;

	return compare_numbers(y->pages, x->pages) ?: compare_numbers(x->cgroup, y->cgroup);
}

static int most_first(const void *a, const void *b)
{
	const struct shared_file *x = a, *y = b;

	return compare_numbers(listed_pages(&y->file.row), listed_pages(&x->file.row)) ?:
	       compare_shared(a, b);
}

/* Has one of these cgroups, or one below it, to do with the file? None given: yes. */
static bool is_of_cgroups(const struct shared *shared, const struct shared_file *file,
			  const char *const *only, size_t nr_only)
{
	size_t i, k;

	for (i = 0; i < file->nr_parts; i++) {
		const struct shared_cgroup *cgroup = shared_cgroup(shared, file->parts[i].cgroup);

		for (k = 0; cgroup && cgroup->path && k < nr_only; k++) {
			size_t len = strlen(only[k]);

			if (!strncmp(cgroup->path, only[k], len) &&
			    (len == 1 || !cgroup->path[len] || cgroup->path[len] == '/'))
				return true;
		}
	}
	return !nr_only;
}

/**
 * shared_finish() - keep the files of several cgroups, most pages first
 * @shared: sorted, users added
 * @only: paths of cgroups one of which has to be among them
 * @nr_only: how many, 0: any
 */
void shared_finish(struct shared *shared, const char *const *only, size_t nr_only)
{
	size_t i, n = 0;

	for (i = 0; i < shared->nr_files; i++) {
		struct shared_file *file = &shared->files[i];

		if (file->nr_parts < 2 || !is_of_cgroups(shared, file, only, nr_only)) {
			drop(file);
			continue;
		}
		qsort(file->parts, file->nr_parts, sizeof(*file->parts), compare_parts);
		shared->files[n++] = *file;
	}
	shared->nr_files = n;
	if (n)
		qsort(shared->files, n, sizeof(*shared->files), most_first);
}

/* Free what it holds; its report is somebody else's. */
void shared_free(struct shared *shared)
{
	size_t i;

	for (i = 0; i < shared->nr_files; i++)
		drop(&shared->files[i]);
	for (i = 0; i < shared->nr_cgroups; i++)
		free(shared->cgroups[i].path);
	free(shared->files);
	free(shared->cgroups);
}
