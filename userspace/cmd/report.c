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
static void print_counts(const struct pcinspect_report *report,
			 const struct pcinspect_args *args)
{
	const struct pcinspect_counts *counts = report->counts;
	size_t i, k;

	for (i = 0; i < pcinspect_files_shown(report, args); i++) {
		char *path = pcinspect_escape(report->files[i].path ?: "?");

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

static int print_events(const char *path, const struct pcinspect_report *report,
			const struct pcinspect_args *args)
{
	int status = pcinspect_recording_print(path, report) ? EXIT_FAILED : 0;

	if (args->report && pcinspect_json_save(report, args->report))
		status = EXIT_FAILED;
	return status;
}

/**
 * pcinspect_cmd_report() - pcinspect report FILE
 * @args: options and the file
 *
 * Return: the exit status.
 */
int pcinspect_cmd_report(const struct pcinspect_args *args)
{
	struct pcinspect_report report;
	const char *view = args->view ?: "stat";
	const char *path = args->paths[0];
	bool events = !strcmp(view, "events");
	int status = 0;

	if (args->nr_paths > 1) {
		pcinspect_complain(NULL, "report: one FILE at a time");
		return EXIT_USAGE;
	}
	if (pcinspect_recording_load(path, &report)) {
		pcinspect_report_free(&report);
		return EXIT_FAILED;
	}
	if (events)
		status = args->json ? pcinspect_output(&report, args, 0) :
				      print_events(path, &report, args);
	else
		status = pcinspect_view_print(view, &report, args, 0);
	if (!args->json && !args->view) {
		putchar('\n');
		print_counts(&report, args);
	}
	pcinspect_view_losses(&report);
	if (report.counts->missed || report.counts->missed_unknown)
		pcinspect_complain(NULL, "events were lost while recording: what is said of them is too low");
	pcinspect_report_free(&report);
	return status;
}
