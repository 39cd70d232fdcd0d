// SPDX-License-Identifier: GPL-2.0-only
/*
 * track.c - pcinspect track, untrack and reset: explicit records.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmd/command.h"
#include "cmd/deliver.h"
#include "collect/collect.h"
#include "collect/device.h"
#include "collect/memcg.h"
#include "lib/complain.h"

/**
 * struct job - what is done to each file
 * @request: PCINSPECT_IOC_TRACK, UNTRACK or RESET
 * @wanted: what it is like then is reported
 */
struct job {
	unsigned long request;
	bool wanted;
};

/* Silent when all went well, but for --json and --report. */
static int report_if_wanted(struct collect *collect, const struct args *args)
{
	int status = collect_status(collect);

	if (!args->out.json && !args->out.report)
		return status;
	report_now(collect->report);
	audit_all(collect->report, &collect->tally);
	losses_read(collect->report, collect->device);
	return deliver_report(collect->report, args, status);
}

/*
 * Is the inode that was tracked another than the one that the next open(2) of its file
 * meets? Without a device some filesystems make a new one each time.
 */
static bool is_left_alone(const struct collect *collect, const char *place, int flags,
			  const struct pcinspect_snapshot *tracked)
{
	struct pcinspect_snapshot now = {};
	struct pcinspect_query query = {
		.size = sizeof(query), .buffer = (uintptr_t)&now, .buffer_size = sizeof(now),
	};
	bool alone;

	if (tracked->dev_major)
		return false;
	query.fd = collect_open_inode(place, flags);
	if (query.fd < 0)
		return false;
	alone = !ioctl(collect->device, PCINSPECT_IOC_SNAPSHOT, &query) &&
		now.ino == tracked->ino && now.dev_minor == tracked->dev_minor &&
		now.i_generation == tracked->i_generation &&
		!(now.flags & PCINSPECT_F_EXPLICIT);
	close(query.fd);
	return alone;
}

/* The last file of the report was tracked; false, and it is no more, if in vain. */
static bool is_of_use(struct collect *collect, const char *place, int flags, const char *path)
{
	const struct file *file = &collect->report->files[collect->report->nr_files - 1];
	struct pcinspect_query query = { .size = sizeof(query), .fd = -1, .id = file->snap.id };

	if (!is_left_alone(collect, place, flags, &file->snap))
		return true;
	ioctl(collect->device, PCINSPECT_IOC_UNTRACK, &query);
	complain(path, "not tracked: its filesystem makes a new inode at each open (for 9p: mount it with a cache, such as -o cache=loose)");
	report_drop_last(collect->report);
	return false;
}

/* TRACK one that was opened, its entry is added. Returns -1 with errno set. */
static int track_open(struct collect *collect, int fd, const char *path, uint32_t *refusal)
{
	struct file *file = report_add(collect->report, path);
	int error;

	if (!collect_ask(collect, fd, PCINSPECT_IOC_TRACK, file, refusal)) {
		memcg_name(file);
		return 0;
	}
	error = errno;
	report_drop_last(collect->report);
	errno = error;
	return -1;
}

/* TRACK one path, as it was typed. */
static void track_path(struct collect *collect, const char *path)
{
	size_t nr = collect->report->nr_files;

	collect_path(collect, path, PCINSPECT_IOC_TRACK);
	if (collect->report->nr_files > nr && !is_of_use(collect, path, 0, path)) {
		collect->ok--;
		collect->failed++;
	}
}

/* UNTRACK or RESET one path, or any of the three below a directory. */
static void one_file(struct collect *collect, const char *place, const char *path, int flags)
{
	const struct job *job = collect->context;
	struct pcinspect_query query = { .size = sizeof(query) };
	bool track = job->request == PCINSPECT_IOC_TRACK;
	int failed;

	query.fd = flags ? collect_open_inode(place, flags) : collect_open(path);
	if (query.fd < 0) {
		if (flags)
			complain(path, "%s", open_error_text(errno));
		collect->failed++;
		return;
	}
	failed = track ? track_open(collect, query.fd, path, &query.refusal) :
			 ioctl(collect->device, job->request, &query);
	/* Below a directory those that are tracked are meant. */
	if (failed && flags && errno == ENOENT) {
		collect->ok++;
	} else if (failed) {
		complain(path, "%s", device_error_text(errno, query.refusal));
		/* There is room for no more: said once. */
		collect->stop = flags && query.refusal == PCINSPECT_REFUSE_LIMIT;
		collect->failed++;
	}
	close(query.fd);
	if (failed)
		return;
	if (track && !is_of_use(collect, place, flags, path))
		collect->failed++;
	else if (!track && job->wanted)
		collect_path(collect, path, PCINSPECT_IOC_SNAPSHOT);
	else
		collect->ok++;
}

static void one_below(struct collect *collect, const char *place, const char *name,
		      bool directory)
{
	if (!directory)
		one_file(collect, place, name, O_NOFOLLOW);
}

/* Every path, and with --recursive what is below it. */
static void each(struct collect *collect, const struct args *args, unsigned long request)
{
	struct job job = { request, args->out.json || args->out.report };
	size_t i;

	collect->what = &args->what;
	collect->context = &job;
	for (i = 0; i < args->what.nr_paths && !collect->stop; i++) {
		if (args->what.recursive)
			collect_tree(collect, args->what.paths[i], args->what.reach, one_below);
		else if (request == PCINSPECT_IOC_TRACK)
			track_path(collect, args->what.paths[i]);
		else
			one_file(collect, args->what.paths[i], args->what.paths[i], 0);
	}
	collect_tree_left_out(collect);
	collect->context = NULL;
}

/**
 * cmd_track() - pcinspect track PATH…
 * @args: options and paths
 *
 * Return: the exit status.
 */
int cmd_track(const struct args *args)
{
	struct collect collect;
	struct report report;
	int status;

	if (!collect_start(&collect, &report))
		return EXIT_FAILED;
	each(&collect, args, PCINSPECT_IOC_TRACK);
	status = report_if_wanted(&collect, args);
	collect_free(&collect);
	return status;
}

/* UNTRACK or RESET every path, or every record without any. */
static int all(const struct args *args, unsigned long request)
{
	struct pcinspect_query every = { .size = sizeof(every), .fd = -1 };
	struct collect collect;
	struct report report;
	int status;

	if (!collect_start(&collect, &report))
		return EXIT_FAILED;
	if (!args->what.nr_paths && ioctl(collect.device, request, &every)) {
		complain(NULL, "%s", strerror(errno));
		collect.failed++;
	}
	each(&collect, args, request);
	status = report_if_wanted(&collect, args);
	collect_free(&collect);
	return status;
}

/**
 * cmd_untrack() - pcinspect untrack [PATH…]
 * @args: options and paths
 *
 * Return: the exit status.
 */
int cmd_untrack(const struct args *args)
{
	return all(args, PCINSPECT_IOC_UNTRACK);
}

/**
 * cmd_reset() - pcinspect reset [PATH…]
 * @args: options and paths
 *
 * Return: the exit status.
 */
int cmd_reset(const struct args *args)
{
	return all(args, PCINSPECT_IOC_RESET);
}
