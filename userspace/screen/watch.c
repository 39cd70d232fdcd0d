// SPDX-License-Identifier: GPL-2.0-only
/*
 * watch.c - the files of a watch, renewed tick by tick: what becomes of them, where
 * their names lead, and which are new.
 *
 * Touches the device and the event stream.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "collect/device.h"
#include "lib/alloc.h"
#include "lib/clock.h"
#include "lib/complain.h"
#include "screen/watch.h"

static void clear_file(struct file *file)
{
	free(file->who);
	memset(file, 0, sizeof(*file));
}

/* The state of @file becomes that of the tick before. */
static void keep(struct file *before, struct file *file)
{
	clear_file(before);
	before->snap = file->snap;
	before->gone = file->gone;
	before->who = file->who;
	file->who = NULL;
}

/* Room for the state before of as many files as there are. */
static void make_room(struct watch *watch)
{
	size_t room = watch->report.room;

	if (watch->room >= room)
		return;
	watch->before = alloc_array(watch->before, room, sizeof(*watch->before));
	memset(watch->before + watch->room, 0, (room - watch->room) * sizeof(*watch->before));
	watch->room = room;
}

/* Other files than before are of interest. */
static void follow_events(struct watch *watch)
{
	if (watch->events)
		events_follow(watch->events, &watch->report);
}

static void renew(struct watch *watch, size_t i)
{
	struct file *file = &watch->report.files[i];
	struct file *before = &watch->before[i];

	if (file->gone)
		before->gone = true;
	else
		keep(before, file);
	switch (follow_one(&watch->follow, i)) {
	case FOLLOWED:
		break;
	case FOLLOWED_MOVED:
		make_room(watch);
		/* The past goes with the inode. */
		if (watch->follow.moved >= 0) {
			before = &watch->before[watch->follow.moved];
			clear_file(before);
			*before = watch->before[i];
			memset(&watch->before[i], 0, sizeof(*watch->before));
		}
		clear_file(&watch->before[i]);
		follow_events(watch);
		break;
	case FOLLOWED_BUSY:
	case FOLLOWED_GONE:
		/* It was not answered: what is known is what was known. */
		if (before->who && !file->who) {
			file->who = before->who;
			before->who = NULL;
		}
	}
}

/* A tick begins: mounts may have changed, and files be new. */
static void look_around(struct watch *watch)
{
	size_t i, old = watch->report.nr_files;

	if (names_remounted(&watch->follow))
		for (i = 0; i < old && i < watch->follow.room; i++)
			watch->follow.names[i].parted = true;
	if (!watch->report.grows || !grow_read(&watch->grow))
		return;
	make_room(watch);
	follow_events(watch);
}

/**
 * watch_renew() - ask again about the files
 * @watch: which
 * @budget_ns: stop after about this long, 0: do not; the next call goes on
 *
 * Return: true if the tick is complete: all files, the audit and the losses.
 */
bool watch_renew(struct watch *watch, uint64_t budget_ns)
{
	struct report *report = &watch->report;
	uint64_t start = clock_now_ns();

	if (!watch->next) {
		watch->alive = 0;
		look_around(watch);
	}
	while (watch->next < report->nr_files) {
		renew(watch, watch->next);
		watch->alive += !report->files[watch->next++].gone;
		if (budget_ns && watch->next < report->nr_files &&
		    clock_now_ns() - start > budget_ns)
			return false;
	}
	watch->next = 0;
	watch->nr_ticks++;
	report_forget_index(report);
	report->left_out = watch->grow.left_out;
	follow_audit(&watch->follow);
	return true;
}

/**
 * watch_before() - the state at the tick before
 * @watch: which
 * @file: index of the file
 *
 * Return: it, or NULL if there was no tick before.
 */
const struct file *watch_before(const struct watch *watch, size_t file)
{
	const struct file *before = &watch->before[file];

	return watch->nr_ticks > 1 && (before->snap.time_ns || before->gone) ? before : NULL;
}

/* Complain of a path that cannot be watched, before anything takes time. */
static bool good_path(struct watch *watch, const char *path)
{
	struct stat st;

	if (grow_is_pattern(path))
		return true;
	if (stat(path, &st))
		complain(path, "%s", open_error_text(errno));
	else if (S_ISDIR(st.st_mode) && !watch->what->recursive)
		complain(path, "is a directory (watch -r watches the files in it)");
	else if (!S_ISDIR(st.st_mode) && !S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode))
		complain(path, "%s", device_error_text(EOPNOTSUPP, PCINSPECT_REFUSE_SPECIAL));
	else
		return true;
	return false;
}

/**
 * watch_start() - reach the module, and look at the paths
 * @watch: filled in
 * @what: the paths
 * @pace: how often
 *
 * Complains by itself, and takes no time.
 *
 * Return: false if there is nothing to watch; @watch->status says how to end,
 * and there is nothing to stop.
 */
bool watch_start(struct watch *watch, const struct selection *what, const struct pace *pace)
{
	size_t i;

	memset(watch, 0, sizeof(*watch));
	watch->what = what;
	watch->pace = pace;
	watch->status = EXIT_FAILED;
	if (!collect_start(&watch->collect, &watch->report))
		return false;
	watch->paths = alloc_zero(what->nr_paths, sizeof(*watch->paths));
	for (i = 0; i < what->nr_paths; i++) {
		if (good_path(watch, what->paths[i]))
			watch->paths[watch->nr_paths++] = what->paths[i];
		else
			watch->collect.failed++;
	}
	watch->status = collect_status(&watch->collect);
	if (watch->nr_paths)
		return true;
	watch_stop(watch);
	return false;
}

static void show_message(struct watch *watch, const char *what)
{
	if (watch->say)
		watch->say(watch->context, what);
}

static void say_file(void *context, size_t file)
{
	struct watch *watch = context;
	char text[80];

	if (file == 1)
		snprintf(text, sizeof(text), "the first file: hooks are put in place");
	else
		snprintf(text, sizeof(text), "file %zu", file);
	show_message(watch, text);
}

/* Track what was named: files first, so that their entries come first. */
static void track(struct watch *watch)
{
	struct stat st;
	size_t i;

	follow_start(&watch->follow, &watch->collect, NULL, 0);
	names_start(&watch->follow);
	watch->collect.what = watch->what;
	for (i = 0; i < watch->nr_paths && !ticks_stopped(); i++) {
		size_t nr = watch->report.nr_files;

		if (grow_is_pattern(watch->paths[i]) ||
		    (!stat(watch->paths[i], &st) && S_ISDIR(st.st_mode))) {
			watch->report.grows = true;
			continue;
		}
		say_file(watch, nr + 1);
		collect_path(&watch->collect, watch->paths[i], PCINSPECT_IOC_HOLD);
		if (watch->report.nr_files > nr)
			names_new(&watch->follow, nr);
	}
	grow_start(&watch->grow, &watch->follow);
	watch->grow.say = say_file;
	watch->grow.context = watch;
	for (i = 0; i < watch->nr_paths && !ticks_stopped(); i++) {
		if (grow_is_pattern(watch->paths[i]))
			grow_pattern(&watch->grow, watch->paths[i]);
		else if (!stat(watch->paths[i], &st) && S_ISDIR(st.st_mode))
			grow_tree(&watch->grow, watch->paths[i], watch->what->reach);
	}
	collect_tree_left_out(&watch->collect);
	watch->grow.say = NULL;
}

/**
 * watch_begin() - track the files, open the stream, start the clock
 * @watch: started; @watch->say is told what is waited for
 *
 * Complains by itself.
 *
 * Return: false if there is nothing to watch after all, or a signal came;
 * @watch->status says how to end.
 */
bool watch_begin(struct watch *watch)
{
	const struct pace *pace = watch->pace;
	struct report *report = &watch->report;

	/* From here on there are records to let go, whatever ends us. */
	ticks_end_on(SIGINT);
	ticks_end_on(SIGTERM);
	ticks_end_on(SIGHUP);
	track(watch);
	watch->status = collect_status(&watch->collect);
	report->left_out = watch->grow.left_out;
	if (!report->nr_files && (!watch->grow.nr_dirs || ticks_stopped()))
		return false;
	make_room(watch);
	show_message(watch, "the event stream");
	if (pace->once)
		watch->why = "not with --once";
	else if (pace->no_events)
		watch->why = "off (--no-events)";
	else
		watch->events = events_open(report, &watch->why);
	show_message(watch, "the first answers");
	/* The clock starts now: the first track attaches the probes. */
	ticks_start(&watch->ticks, pace->interval, pace->duration);
	return true;
}

/* Let the files go, and all memory. */
void watch_stop(struct watch *watch)
{
	size_t i;

	if (watch->events)
		events_close(watch->events);
	for (i = 0; i < watch->room; i++)
		clear_file(&watch->before[i]);
	free(watch->before);
	free(watch->paths);
	if (watch->follow.collect) {
		grow_stop(&watch->grow);
		names_stop(&watch->follow);
	}
	collect_free(&watch->collect);
}
