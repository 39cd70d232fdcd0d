// SPDX-License-Identifier: GPL-2.0
/*
 * report.c - pcinspect report: the views of a recording, on any machine.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/args.h"
#include "cmd/output.h"
#include "cmd/view_table.h"
#include "lib/complain.h"
#include "lib/escape.h"
#include "trace/recording.h"
#include "view/json_report.h"
#include "view/table.h"
#include "view/text.h"

/* How many events of each kind each file had. */
static void print_counts(const struct report *report, const struct args *args)
{
	const struct event_counts *counts = report->counts;
	size_t i, k;

	for (i = 0; i < table_files_shown(report, args); i++) {
		char *path = escape_path(report->files[i].path ?: "?");

		for (k = 0; k < counts->nr; k++)
			if (counts->list[k].file == i)
				printf("%10" PRIu64 " %s:%s %s\n", counts->list[k].events,
				       counts->list[k].system, counts->list[k].name, path);
		free(path);
	}
	printf("%10" PRIu64 " events in all, %" PRIu64 " on other files, missed %" PRIu64 "%s\n",
	       counts->total, counts->others, counts->missed,
	       counts->missed_unknown ? " and more, unknown how many" : "");
}

static int print_events(const char *path, const struct report *report,
			const struct args *args)
{
	int status = recording_print(path, report) ? EXIT_FAILED : 0;

	if (args->report && report_json_save(report, args->report))
		status = EXIT_FAILED;
	return status;
}

/**
 * cmd_report() - pcinspect report FILE
 * @args: options and the file
 *
 * Return: the exit status.
 */
int cmd_report(const struct args *args)
{
	struct report report;
	const char *view = args->view ?: "stat";
	const char *path = args->paths[0];
	bool events = !strcmp(view, "events");
	int status = 0;

	if (args->nr_paths > 1) {
		complain(NULL, "report: one FILE at a time");
		return EXIT_USAGE;
	}
	if (recording_load(path, &report)) {
		report_free(&report);
		return EXIT_FAILED;
	}
	if (events)
		status = args->json ? output_report(&report, args, 0) :
				      print_events(path, &report, args);
	else
		status = view_print(view, &report, args, 0);
	if (!args->json && !args->view) {
		putchar('\n');
		print_counts(&report, args);
	}
	view_losses(&report);
	if (report.counts->missed || report.counts->missed_unknown)
		complain(NULL, "events were lost while recording: what is said of them is too low");
	report_free(&report);
	return status;
}
