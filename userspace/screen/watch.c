// SPDX-License-Identifier: GPL-2.0
/*
 * watch.c - the files of a watch, renewed tick by tick.
 *
 * Touches the device and the event stream.
 */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "lib/clock.h"
#include "lib/complain.h"
#include "screen/watch.h"

static void forget(struct file *file)
{
	free(file->who);
	memset(file, 0, sizeof(*file));
}

/* The state of @file becomes that of the tick before. */
static void keep(struct file *before, struct file *file)
{
	forget(before);
	before->snap = file->snap;
	before->gone = file->gone;
	before->who = file->who;
	file->who = NULL;
}

static void renew(struct watch *watch, size_t i)
{
	struct file *file = &watch->report.files[i];
	struct file *before = &watch->before[i];

	if (file->gone)
		return;
	keep(before, file);
	switch (follow_one(&watch->follow, i)) {
	case FOLLOWED:
		break;
	case FOLLOWED_MOVED:
		if (watch->events)
			events_follow(watch->events, &watch->report);
		break;
	case FOLLOWED_BUSY:
	case FOLLOWED_GONE:
		/* It was not answered: what is known is what was known. */
		file->who = before->who;
		before->who = NULL;
	}
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

	if (!watch->next)
		watch->alive = 0;
	while (watch->next < report->nr_files) {
		renew(watch, watch->next);
		watch->alive += !report->files[watch->next++].gone;
		if (budget_ns && watch->next < report->nr_files &&
		    clock_now_ns() - start > budget_ns)
			return false;
	}
	watch->next = 0;
	watch->nr_ticks++;
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
	return watch->nr_ticks > 1 ? &watch->before[file] : NULL;
}

/**
 * watch_start() - track the paths, start the clock, open the stream
 * @watch: filled in
 * @args: the paths
 *
 * Complains by itself.
 *
 * Return: false if there is nothing to watch; @watch->status says how to end,
 * and there is nothing to stop.
 */
bool watch_start(struct watch *watch, const struct args *args)
{
	struct report *report = &watch->report;

	memset(watch, 0, sizeof(*watch));
	watch->args = args;
	watch->status = EXIT_FAILED;
	if (!collect_start(&watch->collect, report))
		return false;
	/* From here on there are records to let go, whatever ends us. */
	ticks_end_on(SIGINT);
	ticks_end_on(SIGTERM);
	ticks_end_on(SIGHUP);
	watch->status = follow_start(&watch->follow, &watch->collect,
				     args->paths, args->nr_paths);
	watch->before = calloc(args->nr_paths, sizeof(*watch->before));
	if (!watch->before) {
		complain(NULL, "out of memory");
		watch_stop(watch);
		return false;
	}
	if (!report->nr_files) {
		watch_stop(watch);
		return false;
	}
	if (args->once)
		watch->why = "not with --once";
	else if (args->no_events)
		watch->why = "off (--no-events)";
	else
		watch->events = events_open(report, &watch->why);
	/* The clock starts now: the first track attaches the probes. */
	ticks_start(&watch->ticks, args->interval, args->duration);
	return true;
}

/* Let the files go, and all memory. */
void watch_stop(struct watch *watch)
{
	size_t i;

	if (watch->events)
		events_close(watch->events);
	for (i = 0; watch->before && i < watch->report.nr_files; i++)
		forget(&watch->before[i]);
	free(watch->before);
	collect_free(&watch->collect);
}
