// SPDX-License-Identifier: GPL-2.0
/*
 * top.c - pcinspect top: the records, largest first; with --scan, every
 * cached inode of a filesystem as well.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "cmd/output.h"
#include "collect/collect.h"
#include "collect/device.h"
#include "collect/settings.h"
#include "lib/clock.h"
#include "lib/complain.h"
#include "lib/ticks.h"
#include "view/order.h"

static int compare_files(const void *a, const void *b, void *sort)
{
	return order_compare(a, b, *(enum file_order *)sort) ?:
	       order_compare(a, b, SORT_PATH);
}

/* A scan also meets the inodes of records; those have the most to say, first. */
static int compare_identity(const void *a, const void *b)
{
	const struct pcinspect_snapshot *x = &((const struct file *)a)->snap;
	const struct pcinspect_snapshot *y = &((const struct file *)b)->snap;

	if (x->dev_major != y->dev_major)
		return x->dev_major < y->dev_major ? -1 : 1;
	if (x->dev_minor != y->dev_minor)
		return x->dev_minor < y->dev_minor ? -1 : 1;
	if (x->ino != y->ino)
		return x->ino < y->ino ? -1 : 1;
	if (x->i_generation != y->i_generation)
		return x->i_generation < y->i_generation ? -1 : 1;
	return 0;
}

static int compare_detail(const void *a, const void *b)
{
	const struct file *x = a, *y = b;
	int order = compare_identity(a, b);

	return order ?: (x->who ? -1 : y->who ? 1 : 0);
}

/*
 * Namesakes (btrfs: an inode and its copy in a snapshot) are told apart by their
 * records or their paths; list and scan each have an inode once.
 */
static bool same(const struct file *a, const struct file *b)
{
	if (compare_identity(a, b) || a->scanned == b->scanned)
		return false;
	if (a->snap.id && b->snap.id)
		return a->snap.id == b->snap.id;
	return !a->path || !b->path || !strcmp(a->path, b->path);
}

static void merge(struct report *report)
{
	size_t i, k, n = 0;

	qsort(report->files, report->nr_files, sizeof(*report->files),
	      compare_detail);
	for (i = 0; i < report->nr_files; i++) {
		bool twice = false;

		for (k = n; k-- && !compare_identity(&report->files[k],
						     &report->files[i]);)
			twice |= same(&report->files[k], &report->files[i]);
		if (twice)
			file_free(&report->files[i]);
		else
			report->files[n++] = report->files[i];
	}
	report->nr_files = n;
}

static int ask(struct collect *collect, unsigned long request,
	       struct pcinspect_list *list)
{
	size_t i = collect->report->nr_files;

	if (collect_rows(collect, request, list))
		return -1;
	for (; i < collect->report->nr_files; i++)
		collect->report->files[i].scanned = request == PCINSPECT_IOC_SCAN;
	return 0;
}

static int scan(struct collect *collect, const char *point)
{
	struct libmnt_fs *mount = mounts_find(collect->mounts, point);
	struct pcinspect_list list = {};
	const char *type;

	if (!mount) {
		complain(point, "is not a mount point (see findmnt)");
		return EXIT_FAILED;
	}
	list.dev_major = major(mnt_fs_get_devno(mount));
	list.dev_minor = minor(mnt_fs_get_devno(mount));
	/* without subtype */
	type = mnt_fs_get_fstype(mount);
	snprintf(list.fs, sizeof(list.fs), "%.*s", (int)strcspn(type, "."), type);
	if (!strcmp(list.fs, "overlay")) {
		complain(point, "is an overlayfs: its pages are those of the filesystems below (name one of them)");
		return EXIT_FAILED;
	}
	if (ask(collect, PCINSPECT_IOC_SCAN, &list)) {
		complain(point, "cannot scan: %s", strerror(errno));
		return EXIT_FAILED;
	}
	return 0;
}

static int one_report(const struct args *args, bool clear)
{
	struct pcinspect_list list = { .flags = PCINSPECT_LIST_DETAIL };
	struct args table = *args;
	struct collect collect;
	struct report report;
	int status = 0;

	/* The columns that the order is about. */
	if (args->by >= SORT_READ)
		table.table = "DEMANDED,DEVICE,AMPL,SYNC,ASYNC,AROUND,FORCED,WRITE,OTHER,REFAULT,WASTED,UNKNOWN,CACHED,PATH";
	if (!collect_start(&collect, &report))
		return EXIT_FAILED;
	if (args->scan)
		status = scan(&collect, args->scan);
	if (!status && ask(&collect, PCINSPECT_IOC_LIST, &list)) {
		complain(NULL, "cannot list the records: %s", strerror(errno));
		status = EXIT_FAILED;
	}
	if (!status) {
		if (args->scan)
			merge(&report);
		qsort_r(report.files, report.nr_files, sizeof(*report.files),
			compare_files, &table.by);
		report.time_ns = clock_now_ns();
		audit_all(&report, NULL);
		settings_read(&report);
		losses_read(&report, collect.device);
		if (clear)
			printf("\033[H\033[J");
		status = output_report(&report, &table, 0);
	}
	collect_free(&collect);
	return status;
}

/**
 * cmd_top() - pcinspect top
 * @args: options
 *
 * On a terminal it goes on until Ctrl-C; elsewhere, or with --once, one report.
 *
 * Return: the exit status.
 */
int cmd_top(const struct args *args)
{
	bool live = !args->once && (isatty(STDOUT_FILENO) || args->duration > 0);
	struct ticks ticks;
	int status;

	if (args->nr_paths) {
		complain(NULL, "top takes no PATH (use --scan MOUNT, or stat)");
		return EXIT_USAGE;
	}
	ticks_start(&ticks, args->interval, args->duration);
	do {
		status = one_report(args, live && isatty(STDOUT_FILENO) && !args->json);
	} while (!status && live && ticks_wait(&ticks));
	return status;
}
