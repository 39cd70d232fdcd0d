// SPDX-License-Identifier: GPL-2.0-only
/*
 * run_files.c - the records that belong to a run.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/run_files.h"
#include "collect/device.h"
#include "lib/complain.h"
#include "model/file_since.h"

/* Did anything happen to this file? */
static bool changed(const struct file *file)
{
	static const enum pcinspect_number numbers[] = {
		PCINSPECT_DEMANDED_BYTES, PCINSPECT_FAULTS, PCINSPECT_DEVICE_BYTES,
		PCINSPECT_DIRECT_READ_BYTES, PCINSPECT_DIRECT_WRITE_BYTES,
		PCINSPECT_WRITE_BYTES, PCINSPECT_DIRTIED_PAGES, PCINSPECT_WRITTEN_PAGES,
		PCINSPECT_DEVICE_WRITE_BYTES, PCINSPECT_FSYNCS_TOTAL,
	};
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (number_counted(file, numbers[i]))
			return true;
	return file_inserted(file) || file_removed(file);
}

static bool is_of_run(const struct file *file,
		      const struct pcinspect_run *run)
{
	uint32_t dev = file->snap.dev_major << 20 | file->snap.dev_minor;
	unsigned int i;

	if (!file->who)
		return false;
	if (!run->nr_mounts)
		return file->snap.flags & PCINSPECT_F_TOUCHED && changed(file);
	for (i = 0; i < run->nr_mounts; i++)
		if (run->mounts[i] == dev)
			return changed(file);
	return false;
}

/* Bytes that were moved for a file, either way: asked for, read and written. */
static uint64_t moved(const struct file *file)
{
	static const enum pcinspect_number numbers[] = {
		PCINSPECT_DEVICE_BYTES, PCINSPECT_DEMANDED_BYTES, PCINSPECT_WRITE_BYTES,
		PCINSPECT_DEVICE_WRITE_BYTES, PCINSPECT_DIRECT_READ_BYTES,
		PCINSPECT_DIRECT_WRITE_BYTES,
	};
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		sum += number_of(file, numbers[i]);
	return sum;
}

/* Sorted by bytes moved; then by pages inserted or removed. */
static int compare_moved(const void *a, const void *b)
{
	const struct file *x = a, *y = b;
	uint64_t p = moved(x), q = moved(y);

	if (p == q) {
		p = file_inserted(x) + number_of(x, PCINSPECT_DIRTIED_PAGES);
		q = file_inserted(y) + number_of(y, PCINSPECT_DIRTIED_PAGES);
	}
	if (p != q)
		return p < q ? 1 : -1;
	return strcmp(x->path ?: "", y->path ?: "");
}

/**
 * run_keep_files() - keep the files of a run, what moved most first
 * @report: of all records; the others lend their names
 * @run: as it was begun
 */
void run_keep_files(struct report *report, const struct pcinspect_run *run)
{
	size_t i, n = 0;

	for (i = 0; i < report->nr_files; i++) {
		struct file *file = &report->files[i];

		if (is_of_run(file, run))
			report->files[n++] = *file;
		else
			*report_add_name(report) = *file;
	}
	report->nr_files = n;
	if (n)
		qsort(report->files, n, sizeof(*report->files), compare_moved);
}

/**
 * run_take_off() - leave out what was counted before the run
 * @report: of all records
 * @old: when it had begun
 */
void run_take_off(struct report *report, const struct report *old)
{
	const struct file *was;
	size_t i;

	for (i = 0; i < report->nr_files; i++) {
		was = report_inode(old, &report->files[i].snap);
		if (was && was->snap.flags & PCINSPECT_F_EXPLICIT)
			file_since(&report->files[i], was);
	}
}

/**
 * run_list() - the records there are
 * @collect: just started; its report gets them
 * @flags: PCINSPECT_LIST_*
 *
 * Complains by itself.
 *
 * Return: 0 or -1.
 */
int run_list(struct collect *collect, uint32_t flags)
{
	struct pcinspect_list query = { .flags = flags };

	if (collect_rows(collect, PCINSPECT_IOC_LIST, &query)) {
		complain(NULL, "cannot list the records: %s", strerror(errno));
		return -1;
	}
	return 0;
}
