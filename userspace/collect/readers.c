// SPDX-License-Identifier: GPL-2.0-only
/*
 * readers.c - the processes that have pages read, by file: counted by the module, named by
 * a walk over lists and by /proc.
 *
 * Touches: /dev/pcinspect; reads /proc/PID/comm and stat of those that read, and which files
 * they have open.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "collect/opened.h"
#include "collect/readers.h"
#include "lib/alloc.h"
#include "lib/compare.h"
#include "lib/keyfile.h"

static int compare_inodes(const struct pcinspect_reader *a, const struct pcinspect_reader *b)
{
	return compare_numbers(a->ino, b->ino) ?: compare_numbers(a->dev_minor, b->dev_minor) ?:
	       compare_numbers(a->dev_major, b->dev_major) ?:
	       compare_numbers(a->i_generation, b->i_generation);
}

static int compare_readers(const void *a, const void *b)
{
	return compare_inodes(&(*(struct reader *const *)a)->row,
			      &(*(struct reader *const *)b)->row);
}

/* All readers by file, a new array. */
static struct reader **by_file(struct readers *readers)
{
	struct reader **sorted = alloc_zero(readers->nr + 1, sizeof(*sorted));
	size_t i;

	for (i = 0; i < readers->nr; i++)
		sorted[i] = &readers->list[i];
	qsort(sorted, readers->nr, sizeof(*sorted), compare_readers);
	return sorted;
}

/* Those of a file that have no path get this one. @path: NULL: it has none */
static void name_file(struct reader **sorted, size_t nr, const struct pcinspect_reader *file,
		      const char *path, bool elsewhere)
{
	size_t low = 0, high = nr, middle;

	while (path && low < high) {
		middle = low + (high - low) / 2;
		if (compare_inodes(&sorted[middle]->row, file) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; path && low < nr && !compare_inodes(&sorted[low]->row, file); low++) {
		/* A file that is charged to two cgroups has two rows. */
		if (sorted[low]->path || !sorted[low]->row.serial)
			continue;
		sorted[low]->path = alloc_copy(path);
		sorted[low]->elsewhere = elsewhere;
	}
}

/* The paths of their files, as far as some page of them is on a list. */
static void name_read_files(struct readers *readers, const struct lists_answer *answer)
{
	struct reader **sorted = by_file(readers);
	const struct listed_file *file;

	for (file = answer->files; file < answer->files + answer->lists.nr_given; file++) {
		const struct pcinspect_reader key = {
			.ino = file->row.ino, .dev_major = file->row.dev_major,
			.dev_minor = file->row.dev_minor, .i_generation = file->row.i_generation,
		};

		name_file(sorted, readers->nr, &key, file->path, file->elsewhere);
	}
	free(sorted);
}

/* proc(5): the name, in parentheses, may have anything in it. */
static uint64_t major_faults(uint32_t pid)
{
	struct keyfile file;
	unsigned long long faults;
	uint64_t out = PCINSPECT_UNKNOWN;
	const char *end;

	keyfile_open(&file, "/proc/%u/stat", pid);
	end = keyfile_line(&file) ? strrchr(file.line, ')') : NULL;
	if (end && sscanf(end, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %llu", &faults) == 1)
		out = faults;
	keyfile_close(&file);
	return out;
}

/*
 * Each process is looked at once: for its stat the kernel goes through all of its threads.
 * @done: rows before this one that are named.
 */
static void name_process(struct reader *reader, const struct reader *list, size_t done)
{
	struct keyfile file;

	while (done--) {
		if (!list[done].row.serial || list[done].row.pid != reader->row.pid)
			continue;
		reader->major_faults = list[done].major_faults;
		memcpy(reader->comm, list[done].comm, sizeof(reader->comm));
		return;
	}
	reader->major_faults = major_faults(reader->row.pid);
	keyfile_open(&file, "/proc/%u/comm", reader->row.pid);
	if (keyfile_line(&file))
		strncpy(reader->comm, file.line, sizeof(reader->comm) - 1);
	keyfile_close(&file);
}

/**
 * readers_read() - who has had pages read until now
 * @counter: from demand_open(), and demand_read() was called
 * @answer: of a walk over all lists, for the names, or NULL: none are known
 * @to: filled in; empty: unknown
 */
void readers_read(int counter, const struct lists_answer *answer, struct readers *to)
{
	size_t room = sysconf(_SC_NPROCESSORS_CONF) * PCINSPECT_READER_ROWS, i;
	struct pcinspect_reader *rows = alloc_zero(room, sizeof(*rows));
	struct pcinspect_readers ask = {
		.size = sizeof(ask), .nr_rows = room, .buffer = (uintptr_t)rows,
	};

	*to = (struct readers){};
	if (!ioctl(counter, PCINSPECT_IOC_READERS, &ask)) {
		to->nr = ask.nr_rows;
		to->list = alloc_zero(to->nr + 1, sizeof(*to->list));
		for (i = 0; i < to->nr; i++) {
			to->list[i].row = rows[i];
			if (rows[i].serial)
				name_process(&to->list[i], to->list, i);
		}
		if (answer)
			name_read_files(to, answer);
	}
	free(rows);
}

/* Open files that are looked at for all readers of a tick: some have very many. */
#define OPENED_AT_MOST 4096

struct search {
	struct reader *reader;
	unsigned int left;
};

static bool is_opened(const struct opened_file *file, void *arg)
{
	struct search *search = arg;
	const struct pcinspect_reader *row = &search->reader->row;

	if (file->ino != row->ino || file->mount->major != row->dev_major ||
	    file->mount->minor != row->dev_minor || !file->mount->ours ||
	    file->mount->subvolumes || file->deleted)
		return --search->left;
	search->reader->path = alloc_copy(file->path);
	return false;
}

/**
 * readers_name_as() - the paths of their files, as others have them
 * @readers: those without a path may get one
 * @named: the others
 */
void readers_name_as(struct readers *readers, const struct readers *named)
{
	struct reader **sorted = by_file(readers);
	size_t i;

	for (i = 0; i < named->nr; i++)
		name_file(sorted, readers->nr, &named->list[i].row, named->list[i].path,
			  named->list[i].elsewhere);
	free(sorted);
}

/* The paths by which their processes have them open; those without a path may get one. */
void readers_name_opened(struct readers *readers)
{
	struct search search = { .left = OPENED_AT_MOST };
	struct opened_mounts mounts = {};
	char pid[16];
	size_t i;

	for (i = 0; i < readers->nr && search.left; i++) {
		search.reader = &readers->list[i];
		if (search.reader->path || !search.reader->row.serial)
			continue;
		if (!mounts.nr)
			opened_ours(&mounts);
		snprintf(pid, sizeof(pid), "%u", search.reader->row.pid);
		opened_each(&mounts, pid, is_opened, &search);
	}
	opened_forget(&mounts);
}
