// SPDX-License-Identifier: GPL-2.0-only
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

#include "cmd/command.h"
#include "cmd/deliver.h"
#include "collect/collect.h"
#include "collect/device.h"
#include "collect/memory.h"
#include "collect/settings.h"
#include "lib/alloc.h"
#include "lib/complain.h"
#include "lib/output.h"
#include "lib/terminal.h"
#include "lib/text.h"
#include "lib/ticks.h"
#include "lib/wrap.h"
#include "screen/screen.h"
#include "screen/terminal.h"
#include "view/order.h"
#include "view/report_table.h"
#include "view/text.h"

/* Is what the kernel counts as the page cache less shmem without this file's pages? */
static bool in_memory(const struct file *file)
{
	static const char *const kinds[] = { "tmpfs", "devtmpfs", "rootfs", "hugetlbfs" };
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(file->snap.fs, kinds[i]))
			return true;
	return false;
}

/* How many pages files on disks have here; false if none is listed. */
static bool pages_here(const struct report *report, uint64_t *sum)
{
	bool any = report->streamed.on_disk;
	uint64_t pages;
	size_t i;

	*sum = report->streamed.disk_pages;
	for (i = 0; i < report->nr_files; i++) {
		const struct file *file = &report->files[i];

		if (in_memory(file) || !file_number(file, PCINSPECT_CACHED, &pages))
			continue;
		any = true;
		*sum += pages;
	}
	return any;
}

static int compare_listed(const void *a, const void *b, void *sort)
{
	return order_compare(a, b, *(enum file_order *)sort) ?:
	       order_compare(a, b, SORT_PATH);
}

/* A scan also meets the inodes of records, which have more to say. */
static int compare_identity(const void *a, const void *b)
{
	const struct file *x = a, *y = b;

	return snapshot_compare(&x->snap, &y->snap);
}

/*
 * Namesakes (btrfs: an inode and its copy in a snapshot) are told apart by their
 * records or their paths; list and scan each have an inode once.
 */
static bool same(const struct file *a, const struct file *b)
{
	if (a->snap.id && b->snap.id)
		return a->snap.id == b->snap.id;
	return !a->path || !b->path || !strcmp(a->path, b->path);
}

/**
 * struct gathering - what is met: the records, and what a scan meets besides
 * @collect: by whom
 * @report: in a scan, the records are its first files, by identity
 * @records: how many
 * @args: which files are wanted
 * @dev: of this filesystem only, 0: of all
 * @out: where they go at once, NULL: they are kept
 * @best: only as many are kept as the table has lines: the first ones, as a heap with
 *	the last of them on top
 */
struct gathering {
	const struct collect *collect;
	struct report *report;
	size_t records;
	const struct args *args;
	dev_t dev;
	struct delivery *out;
	bool best;
};

static bool has_record(const struct gathering *gathering, const struct file *file)
{
	const struct file *files = gathering->report->files, *at, *end;

	if (gathering->best)
		return collect_owns(gathering->collect, &file->snap);
	if (!gathering->records)
		return false;
	at = bsearch(file, files, gathering->records, sizeof(*files), compare_identity);
	if (!at)
		return false;
	while (at > files && !compare_identity(at - 1, file))
		at--;
	for (end = files + gathering->records; at < end && !compare_identity(at, file); at++)
		if (same(at, file))
			return true;
	return false;
}

static bool is_listed(const struct args *args, const struct file *file)
{
	return !args->what.nr_globs || (file->path && options_want(&args->what, file->path));
}

static void swap(struct file *a, struct file *b)
{
	struct file c = *a;

	*a = *b;
	*b = c;
}

/* The last of the files goes to its place in the heap of those before it. */
static void heap_add(struct file *files, size_t last, const enum file_order *by)
{
	size_t above;

	for (; last; last = above) {
		above = (last - 1) / 2;
		if (compare_listed(&files[last], &files[above], (void *)by) <= 0)
			break;
		swap(&files[last], &files[above]);
	}
}

/* The first of so many files has changed. */
static void heap_mend(struct file *files, size_t nr, const enum file_order *by)
{
	size_t at = 0, below;

	while ((below = 2 * at + 1) < nr) {
		if (below + 1 < nr &&
		    compare_listed(&files[below + 1], &files[below], (void *)by) > 0)
			below++;
		if (compare_listed(&files[below], &files[at], (void *)by) <= 0)
			break;
		swap(&files[at], &files[below]);
		at = below;
	}
}

/* A file of the list that is not kept. */
static void leave_out(struct streamed *streamed, const struct file *file)
{
	uint64_t pages;

	if (in_memory(file) || !file_number(file, PCINSPECT_CACHED, &pages))
		return;
	streamed->on_disk = true;
	streamed->disk_pages += pages;
}

/*
 * The last file of the report: is it among the first ones? Of others the sums are kept,
 * and of what the order is not known of also the number, and what audits need.
 */
static enum streamed_file keep_best(const struct gathering *gathering)
{
	const struct args *args = gathering->args;
	struct report *report = gathering->report;
	size_t kept = report->nr_files - 1;
	struct file *file = &report->files[kept];

	if (!order_known(file, args->by)) {
		file->again = true;
		report->streamed.unordered++;
	} else if (kept < args->out.limit) {
		heap_add(report->files, kept, &args->by);
		return STREAM_KEEP;
	} else if (compare_listed(file, report->files, (void *)&args->by) < 0) {
		swap(file, report->files);
		heap_mend(report->files, kept, &args->by);
	}
	leave_out(&report->streamed, file);
	return STREAM_FORGET;
}

/* One record, where not all are kept. */
static enum streamed_file met_record(void *to, const struct file *file)
{
	const struct gathering *gathering = to;
	const struct pcinspect_snapshot *snap = &file->snap;

	if ((gathering->dev && makedev(snap->dev_major, snap->dev_minor) != gathering->dev) ||
	    !is_listed(gathering->args, file))
		return STREAM_LEAVE;
	return keep_best(gathering);
}

/* One inode of a scan. */
static enum streamed_file scan_inode(void *to, const struct file *file)
{
	const struct gathering *gathering = to;

	if (!is_listed(gathering->args, file) || has_record(gathering, file))
		return STREAM_LEAVE;
	if (gathering->best)
		return keep_best(gathering);
	if (!gathering->out)
		return STREAM_KEEP;
	delivery_file(gathering->out, file);
	return delivery_wanted(gathering->out) ? STREAM_FORGET : STREAM_STOP;
}

/* Every inode of a filesystem that has no record. */
static int scan(struct collect *collect, struct libmnt_fs *mount,
		struct gathering *gathering)
{
	struct report *report = collect->report;
	struct pcinspect_list list = {
		.dev_major = major(mnt_fs_get_devno(mount)),
		.dev_minor = minor(mnt_fs_get_devno(mount)),
	};
	const char *type = mnt_fs_get_fstype(mount);
	int rc;

	/* without subtype */
	snprintf(list.fs, sizeof(list.fs), "%.*s", (int)strcspn(type, "."), type);
	gathering->records = report->nr_files;
	if (!gathering->best && report->nr_files)
		qsort(report->files, report->nr_files, sizeof(*report->files),
		      compare_identity);
	collect->stream = scan_inode;
	collect->stream_to = gathering;
	rc = collect_rows(collect, PCINSPECT_IOC_SCAN, &list);
	collect->stream = NULL;
	if (!rc)
		return 0;
	complain(gathering->args->scan, "cannot scan: %s", strerror(errno));
	return EXIT_FAILED;
}

/* Of all records those on the filesystem that is asked about, with names that are. */
static void keep_wanted(struct report *report, const struct args *args, dev_t dev)
{
	size_t i, n = 0;

	for (i = 0; i < report->nr_files; i++) {
		struct file *file = &report->files[i];

		if ((!dev || makedev(file->snap.dev_major, file->snap.dev_minor) == dev) &&
		    is_listed(args, file))
			report->files[n++] = *file;
		else
			file_free(file);
	}
	report->nr_files = n;
}

/*
 * A table has so many lines: no more files are kept, of a million. Not where programs get
 * all; nor where namesakes are told apart by their paths.
 */
static bool is_best(const struct args *args, struct libmnt_fs *mount)
{
	return args->out.limit && !args->out.json && !args->out.csv && !args->out.report &&
	       !(mount && !strcmp(mnt_fs_get_fstype(mount), "btrfs"));
}

/*
 * Collect the files: a list of them, or every record. With @out the files of a scan are
 * written there, and freed. Complains by itself.
 */
static int gather(struct collect *collect, const struct args *args, struct delivery *out)
{
	struct pcinspect_list list = { .flags = PCINSPECT_LIST_DETAIL };
	struct gathering gathering = { .collect = collect, .report = collect->report,
				       .args = args, .out = out };
	struct libmnt_fs *mount = NULL;
	size_t i;
	int rc;

	if (args->from) {
		for (i = 0; i < args->what.nr_paths; i++)
			collect_path(collect, args->what.paths[i], PCINSPECT_IOC_SNAPSHOT);
		return collect_status(collect);
	}
	if (args->scan && !(mount = mounts_named(collect->mounts, args->scan)))
		return EXIT_FAILED;
	gathering.dev = mount ? mnt_fs_get_devno(mount) : 0;
	gathering.best = is_best(args, mount);
	if (gathering.best) {
		collect->stream = met_record;
		collect->stream_to = &gathering;
	}
	rc = collect_rows(collect, PCINSPECT_IOC_LIST, &list);
	collect->stream = NULL;
	if (rc) {
		complain(NULL, "cannot list the records: %s", strerror(errno));
		return EXIT_FAILED;
	}
	if (!gathering.best)
		keep_wanted(collect->report, args, gathering.dev);
	return mount ? scan(collect, mount, &gathering) : 0;
}

/*
 * An order by what only ledgers count: those without one are no smaller than others,
 * they are left out, and counted.
 */
static void say_unknown(size_t known, size_t all, const struct args *args)
{
	if (args->out.noheadings)
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

/*
 * How much of the page cache the files of the list are; what has all of it. Files of
 * tmpfs are no part of what there is. The kernel's counters and the records are not of
 * one moment: where the former have fewer pages nobody knows.
 */
static void say_share(const struct report *report, const struct memory *memory)
{
	char these[16], whole[16] = "?", share[16] = "?";
	uint64_t pages, all;

	if (!pages_here(report, &pages))
		return;
	size_text(these, sizeof(these), pages * report->page_size);
	if (memory_file_pages(memory, &all)) {
		size_text(whole, sizeof(whole), all * report->page_size);
		if (all && pages <= all)
			snprintf(share, sizeof(share), "%.1f%%", (1000 * pages / all) / 10.0);
	}
	printf("These files: %s, %s of the page cache of files (%s); all of it: pcinspect machine\n",
	       these, share, whole);
}

/* The table, and what stands above and below it; nothing but stdout is touched. */
static int top_show(struct report *report, const struct args *args, const struct memory *memory)
{
	size_t kept = report->nr_files, told = report->streamed.files, known = 0;
	size_t all = kept + told;
	int status = 0;

	if (!args->out.noheadings)
		view_losses(report, stdout);
	while (known < kept && order_known(&report->files[known], args->by))
		known++;
	report->nr_files = known;
	report->streamed.files -= report->streamed.unordered;
	known += report->streamed.files;
	if (!known && !args->out.noheadings)
		table_headings(&args->out);
	if (table_print(report, &args->out))
		status = EXIT_FAILED;
	if (!output_failed())
		say_unknown(known, all, args);
	report->nr_files = kept;
	report->streamed.files = told;
	if (!output_failed() && !args->out.noheadings && !args->from)
		say_share(report, memory);
	table_audit_text(report, &args->out);
	return status;
}

/*
 * The output, in lines that fit, as a new string. As many files as leave room for the
 * lines below them, but at least half the lines.
 */
static char *printed(struct report *report, struct args *args, const struct memory *memory,
		     int rows, int *status)
{
	/* Also of a terminal that has room for none. */
	const size_t least = rows / 2 ?: 1;
	FILE *terminal = stdout;
	char *text, *page = NULL;
	size_t size, lines, i;
	char *line, *next;

	for (;;) {
		free(page);
		stdout = alloc_stream(&text, &size);
		*status = top_show(report, args, memory) ?: *status;
		fclose(stdout);
		stdout = alloc_stream(&page, &size);
		for (line = text; *line; line = next) {
			next = strchrnul(line, '\n');
			if (*next)
				*next++ = '\0';
			wrap_line(stdout, line, terminal_width());
			putchar('\n');
		}
		fclose(stdout);
		stdout = terminal;
		free(text);
		for (i = lines = 0; i < size; i++)
			lines += page[i] == '\n';
		if ((int)lines <= rows || args->out.limited || args->out.limit <= least)
			return page;
		args->out.limit = args->out.limit > lines - rows + least ?
			      args->out.limit - (lines - rows) : least;
	}
}

/*
 * A report on stdout, or as a page. JSON and CSV are of all. Output to files is
 * written once, however often a page is tried.
 */
static int put_page(struct report *report, struct args *args, int rows, char **page, int status)
{
	struct memory memory;

	if (args->out.json || args->out.csv || args->out.noheadings)
		view_losses(report, stderr);
	if (args->out.json || args->out.csv)
		return deliver_report(report, args, 0) ?: status;
	status = deliver_saved(report, args, status);
	memory_read(&memory, args->pace.once);
	if (page)
		*page = printed(report, args, &memory, rows, &status);
	else
		status = top_show(report, args, &memory) ?: status;
	table_audit_complain(report);
	return status;
}

/* All there is to say of the files that were gathered. */
static void complete(struct report *report, struct collect *collect, struct args *args)
{
	if (report->nr_files)
		qsort_r(report->files, report->nr_files, sizeof(*report->files),
			compare_listed, &args->by);
	report_now(report);
	audit_all(report, NULL);
	settings_read(report);
	losses_read(report, collect->device);
}

/* JSON of all of a filesystem: what has no record goes out as it is met. */
static int stream(struct collect *collect, struct report *report, struct args *args)
{
	struct delivery out;
	int status;

	delivery_begin(&out, report, args);
	status = gather(collect, args, &out);
	if (status) {
		delivery_drop(&out);
		return status;
	}
	/* The evicting task had no record: it had exited. */
	collect_names(collect);
	complete(report, collect, args);
	view_losses(report, stderr);
	status = delivery_end(&out, delivery_save(&out, status));
	table_audit_print(report, &args->out);
	return status;
}

/* One report, on stdout; or on a screen of so many lines, in *@page. */
static int one_report(const struct args *args, int rows, char **page)
{
	struct args table = *args;
	struct collect collect;
	struct report report;
	int status;

	/* The columns that the order is about. */
	if (args->by >= SORT_READ)
		table.out.table = "DEMANDED,DEVICE,AMPL,SYNC,ASYNC,AROUND,FORCED,WRITE,OTHER,REFAULT,WASTED,UNKNOWN,CACHED,PATH";
	if (!collect_start(&collect, &report))
		return EXIT_FAILED;
	if (args->out.json && args->scan && !args->from) {
		status = stream(&collect, &report, &table);
	} else {
		status = gather(&collect, args, NULL);
		if (status != EXIT_FAILED) {
			complete(&report, &collect, &table);
			status = put_page(&report, &table, rows, page, status);
		}
	}
	collect_free(&collect);
	return status;
}

/* struct live - top on a terminal */
struct live {
	const struct args *args;
	int status;
};

static char *make_page(void *context, int rows)
{
	struct live *live = context;
	char *page = NULL;

	live->status = one_report(live->args, rows, &page);
	return page;
}

/*
 * Was something asked for that only records have, or only this list? What is left is the
 * machine, which is never less than they are.
 */
static bool about_records(const struct args *args)
{
	return args->ordered || args->out.limited || args->scan || args->from || args->out.columns ||
	       args->what.nr_globs || args->what.nr_paths || args->out.json || args->out.report ||
	       args->out.audits || args->out.noheadings || !isatty(STDOUT_FILENO) ||
	       !terminal_possible();
}

/**
 * cmd_top() - pcinspect top
 * @args: options
 *
 * On a terminal, without an option that is about records, it is pcinspect machine; with
 * one it goes on until q or Ctrl-C, with --json-lines until Ctrl-C;
 * elsewhere, or with --once, it is one report. A terminal without a cursor gets one
 * report after the other.
 *
 * Return: the exit status.
 */
int cmd_top(const struct args *args)
{
	bool live = !args->pace.once && !args->out.csv &&
		    (isatty(STDOUT_FILENO) || args->pace.duration > 0 || args->out.lines);
	struct live screen = { .args = args };
	struct ticks ticks;
	int status;

	/* Without the module there are no records. */
	if ((live && !about_records(args)) ||
	    (!args->scan && !args->from && !args->out.csv && !args->out.columns && !args->what.nr_paths &&
	     !device_is_there()))
		return cmd_machine(args);
	if (args->what.nr_paths && !args->from) {
		complain(NULL, "top takes no PATH (use -b LIST, --scan MOUNT, or stat)");
		return EXIT_USAGE;
	}
	ticks_start(&ticks, args->pace.interval, args->pace.duration);
	if (live && !args->out.json && terminal_possible()) {
		/* It draws. */
		wrap_end();
		if (!screen_pages(&ticks, make_page, &screen))
			return screen.status;
	}
	do {
		status = one_report(args, 0, NULL);
	} while ((!status || status == EXIT_SOME_FAILED) && live && ticks_wait(&ticks));
	return status;
}
