// SPDX-License-Identifier: GPL-2.0-only
/*
 * report.c - pcinspect report: the views of a recording, on any machine.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/deliver.h"
#include "cmd/views.h"
#include "explain/explain.h"
#include "lib/alloc.h"
#include "lib/complain.h"
#include "lib/escape.h"
#include "lib/output.h"
#include "lib/replace.h"
#include "trace/recording.h"
#include "trace/timeline.h"
#include "view/html.h"
#include "view/json_report.h"
#include "view/report_table.h"
#include "view/text.h"

/* How many events of each kind each file had. */
static void print_counts(const struct report *report, const struct args *args)
{
	const struct event_counts *counts = report->counts;
	size_t i, k, n = table_files_shown(report, &args->out), more = 0;
	/* Of each file the first, and behind each the next; 0: none, else one more. */
	size_t *first = alloc_zero(report->nr_files + 1, sizeof(*first));
	size_t *next = alloc_zero(counts->nr + 1, sizeof(*next));

	for (k = counts->nr; k--;) {
		next[k] = first[counts->list[k].file];
		first[counts->list[k].file] = k + 1;
	}
	for (i = 0; i < report->nr_files && !output_failed(); i++) {
		char *path;

		if (i >= n) {
			more += first[i] != 0;
			continue;
		}
		path = escape_path(report->files[i].path ?: "?");
		for (k = first[i]; k; k = next[k - 1])
			printf("%10" PRIu64 " %s:%s %s\n", counts->list[k - 1].events,
			       counts->list[k - 1].system, counts->list[k - 1].name, path);
		free(path);
	}
	free(first);
	free(next);
	if (more && !args->out.noheadings)
		printf("and those of %zu more files (--limit 0 shows all)\n", more);
	printf("%10" PRIu64 " events in all, %" PRIu64 " on other files, missed %" PRIu64 "%s\n",
	       counts->total, counts->others, counts->missed,
	       counts->missed_unknown ? " and more, unknown how many" : "");
}

/* First, when and where it was. */
static void print_recorded(const struct recording *recording, const struct report *report)
{
	char from[WALL_TEXT] = "?", to[WALL_TEXT] = "?", now[WALL_TEXT] = "?";

	if (report->wall_ns) {
		wall_local(from, sizeof(from), report_wall(report, recording->begin_ns));
		wall_local(to, sizeof(to), report_wall(report, recording->end_ns));
		wall_local(now, sizeof(now), report->wall_ns);
	}
	printf("recorded from %s to %s, %.3f s, kernel %s\n", from, to,
	       (recording->end_ns - recording->begin_ns) / 1e9, report->kernel);
	if (report->time_ns != recording->end_ns)
		printf("as it was at %s, second %.3f\n", now,
		       (report->time_ns - recording->begin_ns) / 1e9);
}

/* A report with --report has all that one without had. */
static int report_show(const struct recording *recording, struct report *report,
		       const struct args *args)
{
	const char *view = args->view ?: "stat";
	bool text = !args->out.json && !args->out.csv && !args->out.noheadings;
	int status = 0;

	if (!args->out.json && !strcmp(view, "events")) {
		if (args->out.report && report_json_save(report, args->out.report))
			status = EXIT_FAILED;
		return recording_print(recording, report) ? EXIT_FAILED : status;
	}
	/* Its rules hold calls against sums, which are of all the time. */
	if (strcmp(view, "explain"))
		recording_cut(recording, report);
	if (text && !args->view)
		print_recorded(recording, report);
	view_losses(report, text ? stdout : stderr);
	status = strcmp(view, "events") ? view_print(view, report, args, 0) :
					  deliver_report(report, args, 0);
	if (!args->out.json && !args->out.csv && !args->view) {
		putchar('\n');
		print_counts(report, args);
	}
	return status;
}

/* The page for a browser, with verdicts; the text follows. */
static int save_html(const struct recording *recording, struct report *report,
		     const char *path)
{
	struct replace replace;
	FILE *to = replace_begin(&replace, path);

	if (to)
		html_page(to, report, recording->timeline);
	return replace_report(&replace, to && !ferror(to), path);
}

/**
 * cmd_report() - pcinspect report FILE
 * @args: options and the file
 *
 * Return: the exit status; EXIT_LOSSES if the recording lacks something.
 */
int cmd_report(const struct args *args)
{
	struct recording recording = { .path = args->what.paths[0] };
	struct moment since, until;
	struct timeline timeline;
	struct report report;
	bool count;
	int status;

	if (args->what.nr_paths > 1) {
		complain(NULL, "report: one FILE at a time");
		return EXIT_USAGE;
	}
	if ((args->out.csv || args->out.columns) && args->view && !view_has_table(args->view)) {
		complain(NULL, "report: --view %s has no table, so no %s (see pcinspect report --help)",
			 args->view, args->out.csv ? "CSV" : "columns");
		return EXIT_USAGE;
	}
	if (args->since && moment_parse(args->since, &since))
		recording.since = &since;
	if (args->until && moment_parse(args->until, &until))
		recording.until = &until;
	/* A view of events begins at once. */
	count = args->out.json || args->out.report || args->out.html || !args->view || strcmp(args->view, "events");
	if (args->out.html) {
		timeline = (struct timeline){};
		recording.timeline = &timeline;
	}
	if (recording_load(&recording, &report, count)) {
		status = EXIT_FAILED;
		goto out;
	}
	if (args->out.html)
		explain(&report);
	status = report_show(&recording, &report, args);
	/* Windows and calls of other times are left out by now. */
	if (args->out.html && save_html(&recording, &report, args->out.html))
		status = EXIT_FAILED;
	if (!count)
		view_losses(&report, stderr);
	view_gaps(&report);
	if (!status && report_lost(&report))
		status = EXIT_LOSSES;
out:
	if (args->out.html)
		timeline_free(&timeline);
	report_free(&report);
	return status;
}
