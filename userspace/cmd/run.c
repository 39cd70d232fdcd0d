// SPDX-License-Identifier: GPL-2.0
/*
 * run.c - pcinspect run: what a command and its children did to the page
 * cache, file by file, and what the devices say to that. Touches stdout; what is
 * counted is in run_once.c.
 */
#include <stdio.h>

#include "cmd/output.h"
#include "cmd/run_once.h"
#include "lib/complain.h"
#include "lib/wall.h"
#include "view/text.h"

/* With the verdicts first, fewer files do: one screen. */
#define FILES_EXPLAINED	10
#define FILES_TASKS	3
#define TASKS_EXPLAINED	1

static void say_when(const struct report *report, uint64_t begun)
{
	char wall[WALL_TEXT];

	wall_local(wall, sizeof(wall), report_wall(report, begun));
	printf("run of %.3f s, from %s on (%.3f s since boot)\n", report->interval_ns / 1e9,
	       wall, begun / 1e9);
}

static int show_report(const struct report *report, const struct args *args, uint64_t begun)
{
	struct args files = *args, tasks = *args;
	bool text = !args->json && !args->csv;
	int status;

	if (text && !args->limited && args->explain)
		files.limit = FILES_EXPLAINED;
	if (!args->limited)
		tasks.limit = args->explain ? TASKS_EXPLAINED : FILES_TASKS;
	/* CMD's own output is on stdout: keep apart from it. */
	fflush(stdout);
	if (!text || args->noheadings) {
		view_losses(report, stderr);
	} else {
		say_when(report, begun);
		view_losses(report, stdout);
		if (!report->nr_files)
			puts("no file was touched");
	}
	if (text && args->explain) {
		view_verdicts(report, args);
		view_devices(report, args);
		putchar('\n');
	}
	status = output_report(report, &files, 0);
	if (text && !args->noheadings)
		view_gone(report, args);
	if (text) {
		if (!args->explain)
			view_devices(report, args);
		view_tasks(report, &tasks);
	}
	view_gaps(report);
	return status;
}

/**
 * cmd_run() - pcinspect run [-m MOUNT]… -- CMD…
 * @args: options and the command
 *
 * Return: the exit status of CMD; EXIT_FAILED if it could not be run, or if it
 * ended well and the report could not be written; EXIT_LOSSES if it ended well and
 * the report lacks something.
 */
int cmd_run(const struct args *args)
{
	struct run_once run;
	int status, shown;

	if (run_once(&run, args, NULL)) {
		shown = show_report(&run.report, args, run.begun);
		status = run.status ?: shown ?: report_lost(&run.report) ? EXIT_LOSSES : 0;
	} else {
		status = run.status ?: EXIT_FAILED;
	}
	run_free(&run);
	return status;
}
