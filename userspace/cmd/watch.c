// SPDX-License-Identifier: GPL-2.0-only
/*
 * watch.c - pcinspect watch: some files, live. On a terminal that is
 * screen.c; here are the lines for everything else: text, or a JSON report a
 * tick. Touches stdout.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd/command.h"
#include "collect/device.h"
#include "lib/clock.h"
#include "lib/complain.h"
#include "lib/output.h"
#include "lib/text.h"
#include "lib/ticks.h"
#include "lib/wall.h"
#include "screen/screen.h"
#include "screen/terminal.h"
#include "screen/watch.h"
#include "view/json_events.h"
#include "view/json_report.h"
#include "view/report_table.h"
#include "view/watch_lines.h"

/* How long a tick may go on reading events that never end. */
#define LAST_MS		500

static int show_tick(struct watch *watch, struct event_log *log, const struct output *out)
{
	struct report *report = &watch->report;
	const char *text = watch->events ? event_log_text(log) : NULL;
	char wall[WALL_TEXT], page[32];
	size_t i;

	report->events_open = watch->events != NULL;
	if (watch->events)
		report->events_missed = events_missed(watch->events) + log->dropped;
	if (log->json) {
		for (i = 0; i < report->nr_files; i++)
			report->files[i].told = report->files[i].gone;
		return report_json_tick(report, text, stdout);
	}
	wall_local(wall, sizeof(wall), report->wall_ns);
	size_text(page, sizeof(page), report->page_size);
	printf("%.3f s, lru %s, %s, counts in pages of %s\n", report->time_ns / 1e9,
	       report_lru(report), wall, page);
	for (i = 0; i < report->nr_files; i++) {
		struct file *file = &report->files[i];

		if (!file->gone || !file->told)
			watch_lines_print(file, watch_before(watch, i));
		file->told = file->gone;
	}
	if (report->left_out)
		printf("and %zu more files, which are not watched (%d at most)\n",
		       report->left_out, GROW_FILES);
	table_audit_lines(report, out);
	if (watch->events) {
		fputs(text, stdout);
		printf("events: %zu, missed %" PRIu64 "\n", log->nr, report->events_missed);
	} else if (!watch->pace->once && !watch->pace->no_events) {
		printf("events: ? (%s)\n", watch->why ?: "no event stream");
	}
	return fflush(stdout) || output_failed() ? -1 : 0;
}

/* Until the next tick; meanwhile events come in. False at the end. */
static bool wait_tick(struct watch *watch, struct event_log *log)
{
	if (!ticks_next(&watch->ticks))
		return false;
	while (!ticks_sleep(&watch->ticks, watch->events ? 50 : 1000)) {
		if (ticks_stopped())
			return false;
		while (watch->events && !ticks_due(&watch->ticks) &&
		       !ticks_stopped() &&
		       event_log_take(log, watch->events, 10))
			;
	}
	return !ticks_stopped();
}

/* The last file is gone: the events of its end, until they come no more. */
static void linger(struct watch *watch, struct event_log *log)
{
	uint64_t now = clock_now_ns(), heard = now, most = now + 20ULL * FOLLOW_LINGER_NS;
	const struct timespec pause = { .tv_nsec = FOLLOW_LINGER_NS / 20 };
	size_t nr = log->nr;

	while (watch->events && !ticks_stopped() && now < most &&
	       now - heard < FOLLOW_LINGER_NS) {
		nanosleep(&pause, NULL);
		event_log_take(log, watch->events, 10);
		now = clock_now_ns();
		if (log->nr != nr)
			heard = now;
		nr = log->nr;
	}
}

/* Is there nothing left, and nothing that may come? */
static bool over(const struct watch *watch)
{
	return !watch->alive && !watch->report.grows;
}

static void lines(struct watch *watch, const struct output *out)
{
	struct event_log log = { .json = out->json };
	bool last = watch->pace->once;

	for (;;) {
		uint64_t start;

		/* One more report after the last file is gone, to say so. */
		watch_renew(watch, 0);
		start = clock_now_ns();
		while (watch->events && event_log_take(&log, watch->events, 10) &&
		       (last || clock_now_ns() - start < LAST_MS * 1000000ULL))
			;
		if (over(watch)) {
			linger(watch, &log);
			/* A new file of an old name is as good. */
			watch_renew(watch, 0);
		}
		if (show_tick(watch, &log, out)) {
			output_failed();
			watch->status = EXIT_FAILED;
			break;
		}
		if (over(watch) || last)
			break;
		event_log_clear(&log);
		if (!wait_tick(watch, &log)) {
			/* Ctrl-C: what has come in since the last tick is not lost. */
			if (!watch->events || !ticks_stopped())
				break;
			events_end(watch->events);
			last = true;
		}
	}
	event_log_free(&log);
}

/* Without the module there are no events, and no records: what stat has, tick by tick. */
static int watch_plain(const struct args *args)
{
	struct args view = *args;
	struct ticks ticks;
	int status;

	view.view = "stat";
	view.out.lines = args->out.json;
	view.pace.duration = 0;
	ticks_start(&ticks, args->pace.interval, args->pace.duration);
	do {
		status = cmd_view(&view);
	} while (!args->pace.once && (!status || status == EXIT_SOME_FAILED) && ticks_wait(&ticks));
	return status;
}

/**
 * cmd_watch() - pcinspect watch PATH…
 * @args: options and paths
 *
 * Return: the exit status; 0 after Ctrl-C.
 */
int cmd_watch(const struct args *args)
{
	struct watch watch;
	bool screen = !args->out.json && !args->pace.once && terminal_possible();

	if (!device_is_there())
		return watch_plain(args);
	if (!watch_start(&watch, &args->what, &args->pace))
		return watch.status;
	if ((!screen || screen_run(&watch) < 0) && watch_begin(&watch))
		lines(&watch, &args->out);
	/* The state at the last tick; events are in no report but those of --json. */
	if (args->out.report && report_json_save(&watch.report, args->out.report))
		watch.status = EXIT_FAILED;
	watch_stop(&watch);
	return watch.status;
}
