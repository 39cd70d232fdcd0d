// SPDX-License-Identifier: GPL-2.0-only
/*
 * rows.c - entries for the module's records, whose paths are those within
 * their filesystem: where are they in our mount namespace?
 *
 * Touches: reads /sys/dev/block.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/collect.h"
#include "collect/device.h"
#include "collect/memcg.h"
#include "lib/alloc.h"

/* /dev/block/254:16 to /dev/vdb, where there is such a node. */
static char *device_node(const char *link)
{
	const char *number = strrchr(link, '/') + 1;
	char sys[64], target[PATH_MAX], *node;
	ssize_t n;

	snprintf(sys, sizeof(sys), "/sys/dev/block/%.20s", number);
	n = readlink(sys, target, sizeof(target) - 1);
	if (n < 0)
		return NULL;
	target[n] = '\0';
	node = alloc_text("/dev/%s", strrchr(target, '/') + 1);
	if (!access(node, F_OK))
		return node;
	free(node);
	return NULL;
}

/* Where in our mount namespace a row's inode is, a new string; NULL if nowhere. */
char *collect_absolute_path(const struct collect *collect, const struct pcinspect_snapshot *row)
{
	char path[PATH_MAX];

	if (!collect_row_path(row, path))
		return NULL;
	if (row->flags & PCINSPECT_F_BLOCK_DEVICE)
		return device_node(path);
	return mounts_path(collect->mounts, row->dev_major, row->dev_minor, path);
}

/* One more file that evictors may be. */
static void collect_name(const struct pcinspect_snapshot *row, void *arg)
{
	struct collect *collect = arg;
	struct file *name;

	if (row->flags & (PCINSPECT_F_GONE | PCINSPECT_F_SKIPPED))
		return;
	name = report_add_name(collect->report);
	pcinspect_snapshot_take(&name->snap, row);
	name->path = collect_absolute_path(collect, row);
}

/**
 * collect_names() - learn the paths of evictors
 * @collect: its report's files are there
 *
 * Costs a look at every record, so only where some evictor's path is unknown.
 */
void collect_names(struct collect *collect)
{
	struct report *report = collect->report;
	struct pcinspect_list list = {};
	bool wanted = false;
	size_t i;
	int k;

	for (i = 0; i < report->nr_files; i++)
		for (k = 0; report->files[i].who && k < PCINSPECT_NR_CULPRITS; k++)
			wanted |= report->files[i].who->evictors[k].ino &&
				  !report_name(report,
					       &report->files[i].who->evictors[k]);
	if (wanted)
		device_list(collect->device, PCINSPECT_IOC_LIST, &list,
			    collect_name, collect);
}

/* Remember which filesystem was busy, as far as there is room to say so. */
static void collect_skipped(struct report *report,
			    const struct pcinspect_snapshot *row)
{
	size_t n = strlen(report->busy);

	snprintf(report->busy + n, sizeof(report->busy) - n, "%s%s %u:%u",
		 n ? ", " : "", row->fs, row->dev_major, row->dev_minor);
}

/* One record of LIST or SCAN. */
static void collect_row(const struct pcinspect_snapshot *row, void *arg)
{
	struct collect *collect = arg;
	struct file *file;

	if (collect->stop)
		return;
	if (row->flags & PCINSPECT_F_SKIPPED) {
		collect_skipped(collect->report, row);
		return;
	}
	if (row->flags & PCINSPECT_F_GONE) {
		file = report_add_gone(collect->report);
		pcinspect_snapshot_take(&file->snap, row);
		return;
	}
	file = report_add(collect->report, NULL);
	file_take(file, row);
	file->path = collect_absolute_path(collect, row);
	file->scanned = collect->scans;
	memcg_name(file);
	collect->ok++;
	collect_stream_last(collect);
}

/**
 * collect_rows() - entries for the records of LIST or SCAN
 * @collect: the collection
 * @request: PCINSPECT_IOC_LIST or PCINSPECT_IOC_SCAN
 * @list: what to ask for
 *
 * Paths are made absolute in our mount namespace; an inode that no mount of
 * ours shows has none.
 *
 * Return: 0, or -1 with errno set.
 */
int collect_rows(struct collect *collect,
		 unsigned long request, struct pcinspect_list *list)
{
	int rc;

	collect->scans = request == PCINSPECT_IOC_SCAN;
	rc = device_list(collect->device, request, list, collect_row, collect);
	collect->report->skipped += list->skipped;
	return rc;
}
