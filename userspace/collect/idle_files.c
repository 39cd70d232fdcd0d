// SPDX-License-Identifier: GPL-2.0-only
/*
 * idle_files.c - files that hold the memory that those of a report lack.
 *
 * A file that nobody touched makes no event, so a run does not know it. When many of the
 * pages read came back after an eviction, the LRU lists of the cgroup whose limit evicts,
 * or of the machine, are walked, and the largest files there that the run did not touch
 * are added to the report's names: explain judges them.
 *
 * Touches: what cgroups.c does; a walk of LRU lists costs time, so it is not for nothing.
 */
#include <stdlib.h>
#include <string.h>

#include "collect/cgroups.h"
#include "collect/device.h"
#include "collect/idle_files.h"
#include "collect/memcg.h"
#include "lib/alloc.h"

/* Refaults that are worth a walk: as many pages, and a part of what was read. */
#define WORTH_PAGES 256
#define WORTH_PART 4

/* The largest; the first may be the one that misses. */
#define HOLDERS 2

static bool much_came_back(const struct report *report)
{
	uint64_t back = 0, read = 0;
	size_t i;

	for (i = 0; i < report->nr_files; i++) {
		const struct file *file = &report->files[i];

		if (!file->who)
			continue;
		back += number_of(file, PCINSPECT_REFAULT_PAGES);
		read += file_inserted(file) - number_counted(file, PCINSPECT_INSERTED_WRITE);
	}
	return back >= WORTH_PAGES && back * WORTH_PART >= read;
}

/* The cgroup whose limit evicts, of the file that missed most; a new string. */
static char *evicting_cgroup(const struct report *report)
{
	struct memcg_limit limit, worst = { .path = "/", .len = 1 };
	const char *likely = report_likely_memcg(report);
	uint64_t most = 0;
	size_t i;

	for (i = 0; i < report->nr_files; i++) {
		const struct file *file = &report->files[i];
		uint64_t back = number_of(file, PCINSPECT_REFAULT_PAGES);

		/* One of which nothing is left is of the likeliest. */
		const char *memcg = file->memcg_paths[0] ?: likely;

		if (back > most && memcg && report_memcg_limit(report, memcg, false, &limit)) {
			worst = limit;
			most = back;
		}
	}
	return alloc_first(worst.path, worst.len);
}

/* Did the run touch it, or could it have without our knowing? */
static bool maybe_touched(const struct report *report, const struct pcinspect_list_file *row)
{
	const struct pcinspect_culprit key = {
		.ino = row->ino, .dev_major = row->dev_major, .dev_minor = row->dev_minor,
		.i_generation = row->i_generation,
	};
	const struct file *known = report_culprit(report, &key);
	size_t i;

	if (known >= report->files && known < report->files + report->nr_files)
		return true;
	if (known && (number_of(known, PCINSPECT_DEMANDED_BYTES) ||
		      number_of(known, PCINSPECT_FAULTS)))
		return true;
	/* With --mount others are not looked at. */
	for (i = 0; i < report->nr_files; i++)
		if (report->files[i].snap.dev_major == row->dev_major &&
		    report->files[i].snap.dev_minor == row->dev_minor)
			return false;
	return true;
}

static void know(struct file *file, enum pcinspect_number number, uint64_t value)
{
	file->snap.known[number / 64] |= 1ULL << number % 64;
	file->snap.numbers[number] = value;
}

static void add_holder(struct report *report, const struct listed_file *from, const char *cgroup)
{
	const struct pcinspect_list_file *row = &from->row;
	struct file *file = report_add_name(report);

	file->page_size = report->page_size;
	file->held = true;
	file->path = alloc_copy(from->path);
	file->memcg_paths[0] = alloc_copy(cgroup);
	file->snap.dev_major = row->dev_major;
	file->snap.dev_minor = row->dev_minor;
	file->snap.ino = row->ino;
	file->snap.i_generation = row->i_generation;
	file->snap.size_bytes = row->size_bytes;
	memcpy(file->snap.fs, row->fs, sizeof(row->fs));
	know(file, PCINSPECT_ACTIVE, row->pages[PCINSPECT_LIST_ACTIVE]);
	know(file, PCINSPECT_INACTIVE, row->pages[PCINSPECT_LIST_INACTIVE]);
	know(file, PCINSPECT_CACHED, listed_pages(row));
	know(file, PCINSPECT_MAPPED, row->mapped_pages);
}

/**
 * idle_files_read() - find who holds what the files of a report miss
 * @collect: of a run's report, with its settings; gets names that are held
 *
 * Says nothing when it cannot: a report is a report without it.
 */
void idle_files_read(struct collect *collect)
{
	struct report *report = collect->report;
	struct cgroup cgroup = {};
	size_t i, found = 0;
	char *path;

	if (!much_came_back(report))
		return;
	path = evicting_cgroup(report);
	if (!cgroups_walk(collect, path, &cgroup)) {
		for (i = 0; i < cgroup.nr_files && found < HOLDERS; i++) {
			const struct listed_file *file = &cgroup.files[i];

			if (!file->path || file->row.flags & (PCINSPECT_F_DELETED |
							      PCINSPECT_F_BLOCK_DEVICE) ||
			    maybe_touched(report, &file->row))
				continue;
			add_holder(report, file, path);
			found++;
		}
	}
	cgroup_free(&cgroup);
	free(path);
}

/* Files that are to be added, for each change of the names sorts them anew. */
struct held {
	struct collect *collect;
	struct file *files;
	size_t nr;
	size_t room;
};

static void keep_file(struct held *held, const struct file *file)
{
	held->files = alloc_room(held->files, held->nr, &held->room, sizeof(*held->files));
	held->files[held->nr++] = *file;
}

/* A tracked file that nobody has used since, whoever asks for what. */
static void add_tracked(const struct pcinspect_snapshot *row, void *arg)
{
	static const enum pcinspect_number used[] = {
		PCINSPECT_DEMANDED_BYTES, PCINSPECT_FAULTS, PCINSPECT_WRITE_BYTES,
		PCINSPECT_DIRTIED_PAGES,
	};
	const struct pcinspect_culprit key = {
		.ino = row->ino, .dev_major = row->dev_major, .dev_minor = row->dev_minor,
		.i_generation = row->i_generation,
	};
	struct held *held = arg;
	struct collect *collect = held->collect;
	struct file taken = {}, file = {};
	bool known = true;
	size_t i;

	if (!(row->flags & PCINSPECT_F_EXPLICIT) || row->flags & PCINSPECT_F_DELETED ||
	    report_culprit(collect->report, &key))
		return;
	pcinspect_snapshot_take(&taken.snap, row);
	for (i = 0; i < sizeof(used) / sizeof(*used); i++)
		known &= number_known(&taken, used[i]) && !number_of(&taken, used[i]);
	if (!known || number_of(&taken, PCINSPECT_CACHED) < WORTH_PAGES)
		return;
	file_take(&file, row);
	file.page_size = collect->report->page_size;
	file.path = collect_absolute_path(collect, row);
	file.held = true;
	memcg_name(&file);
	keep_file(held, &file);
}

/**
 * idle_files_tracked() - find who holds what the files of a report miss, among all that
 *	are tracked
 * @collect: of a report of tracked files; gets names that are held
 *
 * Of files that are not tracked nobody knows whether they are used: they are not blamed.
 * Says nothing when it cannot.
 */
void idle_files_tracked(struct collect *collect)
{
	struct pcinspect_list list = { .flags = PCINSPECT_LIST_DETAIL };
	struct held held = { .collect = collect };
	size_t i;

	if (much_came_back(collect->report))
		device_list(collect->device, PCINSPECT_IOC_LIST, &list, add_tracked, &held);
	for (i = 0; i < held.nr; i++)
		*report_add_name(collect->report) = held.files[i];
	free(held.files);
}
