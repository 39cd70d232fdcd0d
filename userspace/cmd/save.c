// SPDX-License-Identifier: GPL-2.0-only
/*
 * save.c - pcinspect save: which pages of files are cached, and on which list, in a file;
 * and pcinspect restore: the same again.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "cmd/command.h"
#include "collect/audit.h"
#include "collect/cgroups.h"
#include "collect/device.h"
#include "collect/residency.h"
#include "collect/restore.h"
#include "lib/alloc.h"
#include "lib/complain.h"
#include "lib/replace.h"
#include "trace/ranges_file.h"
#include "view/residency.h"

/**
 * struct save - a save
 * @collect: of it
 * @to: the file that is written
 * @residency: its rows
 * @ours: pages of all files, and those that cannot be saved
 * @before: the same by cachestat(2), before each file was looked at
 * @after: and after
 * @counted: there is that call
 */
struct save {
	struct collect collect;
	FILE *to;
	struct residency residency;
	uint64_t ours;
	uint64_t before;
	uint64_t after;
	bool counted;
};

static struct save *save_of(struct collect *collect)
{
	return collect->context;
}

static void failed(struct collect *collect, const char *name, int error)
{
	complain(name, "%s", error == EOPNOTSUPP ? "is no regular file (left out)" :
			     open_error_text(error));
	collect->failed++;
}

/* Write down one open file. */
static void save_open(struct save *save, int fd, const char *name)
{
	struct saved_file file = { .path = realpath(name, NULL) };
	struct audit_cachestat before = {}, after = {};
	uint64_t skipped;

	if (!file.path)
		file.path = alloc_copy(name);
	save->counted &= !audit_cachestat(fd, &before);
	if (residency_identify(fd, &file) ||
	    residency_read(save->collect.device, fd, file.size_bytes, &file.ranges, &skipped)) {
		failed(&save->collect, name, errno);
	} else {
		save->counted &= !audit_cachestat(fd, &after) && skipped != PCINSPECT_UNKNOWN;
		save->collect.ok++;
		ranges_file_add(save->to, &file);
		save->ours += residency_add(&save->residency, &file)->saved_pages + skipped;
		save->before += before.nr_cache;
		save->after += after.nr_cache;
	}
	ranges_free(&file.ranges);
	free(file.path);
}

/* One of a descent. */
static void save_one(struct collect *collect, const char *place, const char *name,
		     bool directory)
{
	int fd;

	if (directory)
		return;
	fd = collect_open_inode(place, O_NOFOLLOW);
	if (fd < 0) {
		failed(collect, name, errno);
		return;
	}
	save_open(save_of(collect), fd, name);
	close(fd);
}

/* The files of a cgroup. */
static void save_cgroup(struct save *save, const char *path)
{
	struct cgroup cgroup;
	size_t i, out = 0;

	if (save->collect.device < 0) {
		complain(path, "of a cgroup only the module knows the files (modprobe pcinspect)");
		save->collect.failed++;
		return;
	}
	if (cgroups_walk(&save->collect, path, &cgroup)) {
		complain(path, "cannot walk its LRU lists: %s", strerror(errno));
		save->collect.failed++;
	}
	for (i = 0; i < cgroup.nr_files; i++) {
		const struct listed_file *file = &cgroup.files[i];

		if (!listed_opens(file))
			out++;
		else if (options_want(save->collect.what, file->path))
			save_one(&save->collect, file->path, file->path, false);
	}
	cgroups_left_out(path, out);
	cgroup_free(&cgroup);
}

static bool is_cgroup(const char *path)
{
	struct statfs fs;

	return !statfs(path, &fs) && fs.f_type == CGROUP2_SUPER_MAGIC;
}

/**
 * cmd_save() - pcinspect save
 * @args: options; operands are files, directories and cgroups
 *
 * Return: exit status.
 */
int cmd_save(const struct args *args)
{
	struct save save = { .counted = true };
	struct report report;
	struct replace file;
	int status;
	size_t i;

	if (!args->file) {
		complain(NULL, "save: no FILE given (usage: pcinspect save PATH… -o FILE)");
		return EXIT_USAGE;
	}
	if (!collect_start_without(&save.collect, &report))
		return EXIT_FAILED;
	save.collect.context = &save;
	save.collect.what = &args->what;
	save.to = replace_begin(&file, args->file);
	if (save.to)
		ranges_file_head(save.to, report.page_size);
	for (i = 0; save.to && i < args->what.nr_paths; i++) {
		if (is_cgroup(args->what.paths[i]))
			save_cgroup(&save, args->what.paths[i]);
		else
			collect_tree(&save.collect, args->what.paths[i], args->what.reach, save_one);
	}
	collect_tree_left_out(&save.collect);
	report_now(&report);
	if (save.counted && save.residency.nr)
		report_add_audit(&report, "saved_pages", save.ours, save.before, save.after,
				 "cachestat(2)");
	status = collect_status(&save.collect);
	/* Nothing is kept of what is nothing. */
	if (replace_report(&file, save.to && status != EXIT_ALL_FAILED, args->file))
		status = status ?: EXIT_FAILED;
	else if (residency_show(&save.residency, NULL, &report, &args->out))
		status = EXIT_FAILED;
	residency_free(&save.residency);
	collect_free(&save.collect);
	return status;
}

/* The exit status of a restore: files that failed are as paths that failed. */
static int restore_status(const struct restore *restore)
{
	size_t i, nr = restore->residency.nr, failed = 0, partly = 0;

	for (i = 0; i < nr; i++) {
		failed += restore->residency.rows[i].state >= RESIDENCY_CHANGED;
		partly += restore->residency.rows[i].state == RESIDENCY_PARTLY;
	}
	if (partly && !restore->stopped)
		complain(NULL, "restore: what was read of %zu files was evicted again (there is not enough memory for it: --spare, --budget)",
			 partly);
	if (!failed)
		return partly && !restore->stopped ? EXIT_SOME_FAILED : 0;
	return failed == nr ? EXIT_ALL_FAILED : EXIT_SOME_FAILED;
}

/* The metadata that a filesystem reads for so many pages. */
#define METADATA(bytes) ((bytes) / 50 + (1 << 20))

/*
 * No more may have been read than has come; less where there are holes, or it is compressed.
 * Of what was evicted again nothing is known.
 */
static void audit_device(struct report *report, const struct restore *restore)
{
	uint64_t come = restore->come_pages * report->page_size;
	struct residency_row sum;

	residency_sum(&restore->residency, &sum);
	if (restore->device_bytes != PCINSPECT_UNKNOWN && (!sum.missing_pages || restore->stopped))
		report_audit_most(report, "device_bytes", restore->device_bytes,
				  come + METADATA(come), "pages that came, and 2 % + 1 MiB");
}

/**
 * cmd_restore() - pcinspect restore
 * @args: options; the operand is a file of save
 *
 * Needs no module.
 *
 * Return: exit status.
 */
int cmd_restore(const struct args *args)
{
	struct saved_files saved;
	struct restore restore = {
		.saved = &saved, .budget_bytes = args->amount ?: UINT64_MAX, .spare = args->spare,
	};
	struct report report;
	int status = EXIT_FAILED;

	if (args->what.nr_paths > 1) {
		complain(NULL, "restore: one FILE at a time");
		return EXIT_USAGE;
	}
	report_begin(&report);
	if (!ranges_file_read(args->what.paths[0], &saved))
		goto out;
	if (saved.page_size != report.page_size) {
		complain(args->what.paths[0], "was saved with pages of %u bytes; here they have %u",
			 saved.page_size, report.page_size);
		goto out;
	}
	restore_all(&restore);
	report_now(&report);
	/* mincore(2) leaves out what is not up to date. */
	if (restore.counted_pages != PCINSPECT_UNKNOWN && saved.nr)
		report_audit_most(&report, "cached_pages", restore.cached_pages,
				  restore.counted_pages, "cachestat(2)");
	status = restore_status(&restore);
	audit_device(&report, &restore);
	if (residency_show(&restore.residency, &restore, &report, &args->out))
		status = EXIT_FAILED;
	if (restore.stopped)
		complain(NULL, "restore: stopped before the end by %s", restore.stopped);
out:
	residency_free(&restore.residency);
	saved_files_free(&saved);
	report_free(&report);
	return status;
}
