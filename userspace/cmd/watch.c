// SPDX-License-Identifier: GPL-2.0
/*
 * watch.c - pcinspect watch: some files, live. On a terminal that is
 * screen.c; here are the lines for everything else: text, or a JSON report a
 * tick. Touches stdout.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "cmd/args.h"
#include "lib/clock.h"
#include "lib/complain.h"
#include "screen/screen.h"
#include "screen/watch.h"
#include "view/json_events.h"
#include "view/json_report.h"
#include "view/lines.h"
#include "view/table.h"

/* How long a tick may go on reading events that never end. */
#define LAST_MS		500

static int show(struct pcinspect_watch *watch, struct pcinspect_event_log *log)
{
	struct pcinspect_report *report = &watch->report;
	const char *text = watch->events ? pcinspect_event_log_text(log) : NULL;
	size_t i;

	report->events_open = watch->events != NULL;
	if (watch->events)
		report->events_missed = pcinspect_events_missed(watch->events) + log->dropped;
	if (log->json)
		return pcinspect_json_tick(report, text, stdout);
	printf("%.3f s, lru %s\n", report->time_ns / 1e9,
	       pcinspect_report_lru(report));
	for (i = 0; i < report->nr_files; i++)
		pcinspect_lines_print(&report->files[i], pcinspect_watch_before(watch, i));
	for (i = 0; i < report->nr_audits; i++)
		pcinspect_audit_line(&report->audits[i]);
	if (watch->events) {
		fputs(text, stdout);
		printf("events: %zu, missed %" PRIu64 "\n", log->nr, report->events_missed);
	} else if (!watch->args->once && !watch->args->no_events) {
		printf("events: ? (%s)\n", watch->why ?: "no event stream");
	}
	return fflush(stdout) || ferror(stdout) ? -1 : 0;
}

/* Until the next tick; meanwhile events come in. False at the end. */
static bool wait_tick(struct pcinspect_watch *watch, struct pcinspect_event_log *log)
{
	if (!pcinspect_ticks_next(&watch->ticks))
		return false;
	while (!pcinspect_ticks_sleep(&watch->ticks, watch->events ? 50 : 1000)) {
		if (pcinspect_ticks_stopped())
			return false;
		while (watch->events && !pcinspect_ticks_due(&watch->ticks) &&
		       !pcinspect_ticks_stopped() &&
		       pcinspect_event_log_take(log, watch->events, 10))
			;
	}
	return !pcinspect_ticks_stopped();
}

/* The last file is gone: the events of its end, until they come no more. */
static void linger(struct pcinspect_watch *watch, struct pcinspect_event_log *log)
{
	uint64_t now = pcinspect_now_ns(), heard = now, most = now + 20ULL * PCINSPECT_LINGER_NS;
	const struct timespec pause = { .tv_nsec = PCINSPECT_LINGER_NS / 20 };
	size_t nr = log->nr;

	while (watch->events && !pcinspect_ticks_stopped() && now < most &&
	       now - heard < PCINSPECT_LINGER_NS) {
		nanosleep(&pause, NULL);
		pcinspect_event_log_take(log, watch->events, 10);
		now = pcinspect_now_ns();
		if (log->nr != nr)
			heard = now;
		nr = log->nr;
	}
}

static void lines(struct pcinspect_watch *watch)
{
	struct pcinspect_event_log log = { .json = watch->args->json };
	const struct pcinspect_args *args = watch->args;
	bool last = args->once;

	for (;;) {
		uint64_t start;

		/* One more report after the last file is gone, to say so. */
		pcinspect_watch_renew(watch, 0);
		start = pcinspect_now_ns();
		while (watch->events && pcinspect_event_log_take(&log, watch->events, 10) &&
		       (last || pcinspect_now_ns() - start < LAST_MS * 1000000ULL))
			;
		if (!watch->alive)
			linger(watch, &log);
		if (show(watch, &log)) {
			if (errno != EPIPE)
				pcinspect_complain(NULL, "cannot write: %s",
						   strerror(errno));
			watch->status = EXIT_FAILED;
			break;
		}
		if (!watch->alive || last)
			break;
		pcinspect_event_log_clear(&log);
		if (!wait_tick(watch, &log)) {
			/* Ctrl-C: what has come in since the last tick is not lost. */
			if (!watch->events || !pcinspect_ticks_stopped())
				break;
			pcinspect_events_end(watch->events);
			last = true;
		}
	}
	pcinspect_event_log_free(&log);
}

/**
 * pcinspect_cmd_watch() - pcinspect watch PATH…
 * @args: options and paths
 *
 * Return: the exit status; 0 after Ctrl-C.
 */
int pcinspect_cmd_watch(const struct pcinspect_args *args)
{
	struct pcinspect_watch watch;
	bool screen = !args->json && !args->once && pcinspect_screen_possible();

	if (!pcinspect_watch_start(&watch, args))
		return watch.status;
	if (!screen || pcinspect_screen_run(&watch) < 0)
		lines(&watch);
	/* The state at the last tick; events are in no report but those of --json. */
	if (args->report && pcinspect_json_save(&watch.report, args->report))
		watch.status = EXIT_FAILED;
	pcinspect_watch_stop(&watch);
	return watch.status;
}
