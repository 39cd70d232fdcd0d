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
#include "lib/complain.h"
#include "lib/output.h"
#include "lib/terminal.h"
#include "lib/ticks.h"
#include "view/order.h"
#include "view/table.h"
#include "view/text.h"

/* Lines of a terminal that are no files: headings, total, what is left out, audit. */
#define LINES_BESIDE 9

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

/* What is asked about: a list of files, or every record. Complains by itself. */
static int gather(struct collect *collect, const struct args *args)
{
	struct pcinspect_list list = { .flags = PCINSPECT_LIST_DETAIL };
	struct report *report = collect->report;
	size_t i, n = 0;

	if (args->from) {
		for (i = 0; i < args->nr_paths; i++)
			collect_path(collect, args->paths[i], PCINSPECT_IOC_SNAPSHOT);
		return collect_status(collect);
	}
	if (args->scan && scan(collect, args->scan))
		return EXIT_FAILED;
	if (ask(collect, PCINSPECT_IOC_LIST, &list)) {
		complain(NULL, "cannot list the records: %s", strerror(errno));
		return EXIT_FAILED;
	}
	if (args->scan)
		merge(report);
	for (i = 0; args->nr_globs && i < report->nr_files; i++) {
		if (report->files[i].path && options_want(args, report->files[i].path))
			report->files[n++] = report->files[i];
		else
			file_free(&report->files[i]);
	}
	if (args->nr_globs)
		report->nr_files = n;
	return 0;
}

/*
 * An order by what only ledgers count: those without one are no smaller than others,
 * they are left out, and counted.
 */
static void say_unknown(size_t known, size_t all, const struct args *args)
{
	if (args->noheadings)
		return;
	if (!all)
		puts("No file has a record: no cache has changed since the module was loaded, or\n"
		     "it was loaded with auto=0 (top --scan MOUNT; or pcinspect track PATH).");
	else if (!known)
		printf("%zu files have records, but \"%s\" is counted of none of them:\n"
		       "pcinspect track PATH first, or use pcinspect run -- CMD (or --by cached).\n",
		       all, order_name(args->by));
	else if (known < all)
		printf("and %zu more of which \"%s\" is not known%s\n", all - known,
		       order_name(args->by),
		       args->by >= SORT_READ ? " (pcinspect track PATH)" : "");
}

/* The table; JSON and CSV are of all. */
static int show(struct report *report, const struct args *args)
{
	size_t all = report->nr_files, known = 0;
	int status;

	if (args->json || args->csv)
		return output_report(report, args, 0);
	while (known < all && order_known(&report->files[known], args->by))
		known++;
	status = output_saved(report, args, 0);
	report->nr_files = known;
	if (!known && !args->noheadings)
		table_headings(args);
	if (table_print(report, args))
		status = EXIT_FAILED;
	if (!output_failed())
		say_unknown(known, all, args);
	report->nr_files = all;
	table_audit_print(report, args);
	return status;
}

/* As many as the terminal has lines for, unless somebody says how many. */
static unsigned long fitting(const struct args *args)
{
	int lines = terminal_height() - LINES_BESIDE;

	if (args->limited || lines >= (int)args->limit)
		return args->limit;
	return lines > 1 ? lines : 1;
}

static int one_report(const struct args *args, bool clear)
{
	struct args table = *args;
	struct collect collect;
	struct report report;
	int status;

	/* The columns that the order is about. */
	if (args->by >= SORT_READ)
		table.table = "DEMANDED,DEVICE,AMPL,SYNC,ASYNC,AROUND,FORCED,WRITE,OTHER,REFAULT,WASTED,UNKNOWN,CACHED,PATH";
	if (!collect_start(&collect, &report))
		return EXIT_FAILED;
	status = gather(&collect, args);
	if (status != EXIT_FAILED) {
		qsort_r(report.files, report.nr_files, sizeof(*report.files),
			compare_files, &table.by);
		report_now(&report);
		audit_all(&report, NULL);
		settings_read(&report);
		losses_read(&report, collect.device);
		if (clear) {
			table.limit = fitting(args);
			printf("\033[H\033[J");
		}
		view_losses(&report, args->json || args->csv || args->noheadings ?
			    stderr : stdout);
		status = show(&report, &table) ?: status;
	}
	collect_free(&collect);
	return status;
}

/**
 * cmd_top() - pcinspect top
 * @args: options
 *
 * On a terminal, and with --json-lines, it goes on until Ctrl-C; elsewhere, or with
 * --once, one report.
 *
 * Return: the exit status.
 */
int cmd_top(const struct args *args)
{
	bool live = !args->once && !args->csv &&
		    (isatty(STDOUT_FILENO) || args->duration > 0 || args->lines);
	struct ticks ticks;
	int status;

	if (args->nr_paths && !args->from) {
		complain(NULL, "top takes no PATH (use -b LIST, --scan MOUNT, or stat)");
		return EXIT_USAGE;
	}
	ticks_start(&ticks, args->interval, args->duration);
	do {
		status = one_report(args, live && isatty(STDOUT_FILENO) && !args->json);
	} while ((!status || status == EXIT_SOME_FAILED) && live && ticks_wait(&ticks));
	return status;
}
