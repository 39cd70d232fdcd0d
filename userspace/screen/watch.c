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

static void forget(struct pcinspect_file *file)
{
	free(file->reads);
	free(file->writes);
	memset(file, 0, sizeof(*file));
}

/* The state of @file becomes that of the tick before. */
static void keep(struct pcinspect_file *before, struct pcinspect_file *file)
{
	forget(before);
	before->snap = file->snap;
	before->gone = file->gone;
	before->reads = file->reads;
	before->writes = file->writes;
	file->reads = NULL;
	file->writes = NULL;
}

static void renew(struct pcinspect_watch *watch, size_t i)
{
	struct pcinspect_file *file = &watch->report.files[i];
	struct pcinspect_file *before = &watch->before[i];

	if (file->gone)
		return;
	keep(before, file);
	switch (pcinspect_follow_one(&watch->follow, i)) {
	case FOLLOWED:
		break;
	case FOLLOWED_MOVED:
		if (watch->events)
			pcinspect_events_follow(watch->events, &watch->report);
		break;
	case FOLLOWED_BUSY:
	case FOLLOWED_GONE:
		/* It was not answered: what is known is what was known. */
		file->reads = before->reads;
		file->writes = before->writes;
		before->reads = NULL;
		before->writes = NULL;
	}
}

/**
 * pcinspect_watch_renew() - ask again about the files
 * @watch: which
 * @budget_ns: stop after about this long, 0: do not; the next call goes on
 *
 * Return: true if the tick is complete: all files, the audit and the losses.
 */
bool pcinspect_watch_renew(struct pcinspect_watch *watch, uint64_t budget_ns)
{
	struct pcinspect_report *report = &watch->report;
	uint64_t start = pcinspect_now_ns();

	if (!watch->next)
		watch->alive = 0;
	while (watch->next < report->nr_files) {
		renew(watch, watch->next);
		watch->alive += !report->files[watch->next++].gone;
		if (budget_ns && watch->next < report->nr_files &&
		    pcinspect_now_ns() - start > budget_ns)
			return false;
	}
	watch->next = 0;
	watch->nr_ticks++;
	pcinspect_follow_audit(&watch->follow);
	return true;
}

/**
 * pcinspect_watch_before() - the state at the tick before
 * @watch: which
 * @file: index of the file
 *
 * Return: it, or NULL if there was no tick before.
 */
const struct pcinspect_file *pcinspect_watch_before(const struct pcinspect_watch *watch,
						    size_t file)
{
	return watch->nr_ticks > 1 ? &watch->before[file] : NULL;
}

/**
 * pcinspect_watch_start() - track the paths, start the clock, open the stream
 * @watch: filled in
 * @args: the paths
 *
 * Complains by itself.
 *
 * Return: false if there is nothing to watch; @watch->status says how to end,
 * and there is nothing to stop.
 */
bool pcinspect_watch_start(struct pcinspect_watch *watch,
			   const struct pcinspect_args *args)
{
	struct pcinspect_report *report = &watch->report;

	memset(watch, 0, sizeof(*watch));
	watch->args = args;
	watch->status = EXIT_FAILED;
	if (!pcinspect_collect_start(&watch->collect, report))
		return false;
	/* From here on there are records to let go, whatever ends us. */
	pcinspect_ticks_catch(SIGINT);
	pcinspect_ticks_catch(SIGTERM);
	pcinspect_ticks_catch(SIGHUP);
	watch->status = pcinspect_follow_start(&watch->follow, &watch->collect,
					       args->paths, args->nr_paths);
	watch->before = calloc(args->nr_paths, sizeof(*watch->before));
	if (!watch->before) {
		pcinspect_complain(NULL, "out of memory");
		pcinspect_watch_stop(watch);
		return false;
	}
	if (!report->nr_files) {
		pcinspect_watch_stop(watch);
		return false;
	}
	if (args->once)
		watch->why = "not with --once";
	else if (args->no_events)
		watch->why = "off (--no-events)";
	else
		watch->events = pcinspect_events_open(report, &watch->why);
	/* The clock starts now: the first track attaches the probes. */
	pcinspect_ticks_start(&watch->ticks, args->interval, args->duration);
	return true;
}

/**
 * pcinspect_watch_stop() - let the files go, and all memory
 * @watch: which
 */
void pcinspect_watch_stop(struct pcinspect_watch *watch)
{
	size_t i;

	if (watch->events)
		pcinspect_events_close(watch->events);
	for (i = 0; watch->before && i < watch->report.nr_files; i++)
		forget(&watch->before[i]);
	free(watch->before);
	pcinspect_collect_free(&watch->collect);
}
