// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff.c - pcinspect diff: what differs between two reports, or recordings, on any
 * machine. A recording becomes the report that pcinspect report makes of it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "explain/explain.h"
#include "lib/alloc.h"
#include "lib/complain.h"
#include "lib/output.h"
#include "trace/recording.h"
#include "trace/saved.h"
#include "view/diff.h"
#include "view/json_report.h"

/* With these bytes a trace.dat begins. */
static const char magic[] = "\x17\x08\x44tracing";

static int load_recording(const char *path, struct side *side)
{
	struct recording recording = { .path = path };
	struct report report;
	int failed = recording_load(&recording, &report, true);
	char *text = NULL;
	size_t size;
	FILE *both;

	*side = (struct side){ .path = path };
	if (!failed) {
		explain(&report);
		text = report_json(&report, false);
		size = strlen(text);
		both = alloc_got(fmemopen(text, size, "r"));
		failed = saved_read(path, both, side);
		fclose(both);
		free(text);
	}
	report_free(&report);
	return failed;
}

/* Complains by itself. */
static int load_report(const char *path, struct side *side)
{
	FILE *from = fopen(path, "re");
	int failed = -1, first;

	*side = (struct side){ .path = path };
	if (!from) {
		complain(path, "cannot be opened: %s", open_error_text(errno));
		return -1;
	}
	errno = 0;
	first = getc(from);
	if (first == *magic) {
		failed = load_recording(path, side);
	} else if (first == EOF) {
		if (ferror(from))
			complain(path, "cannot be read: %s", open_error_text(errno));
		else
			complain(path, "is empty (--report FILE of any command writes a report)");
	} else {
		ungetc(first, from);
		failed = saved_read(path, from, side);
	}
	fclose(from);
	return failed;
}

static int diff_show(const struct diff *diff, const struct args *args)
{
	int status = 0;

	/* Before anything is printed, whose reader may go away. */
	if (args->out.report && diff_json_save(diff, args->out.report))
		status = EXIT_FAILED;
	if (args->out.json) {
		if (diff_json(diff, stdout)) {
			output_failed();
			status = EXIT_FAILED;
		}
	} else {
		diff_print(diff, &args->out);
		if (fflush(stdout) || output_failed())
			status = EXIT_FAILED;
	}
	if (args->out.json || args->out.noheadings)
		diff_notes(diff, stderr);
	return status;
}

/**
 * cmd_diff() - pcinspect diff A B
 * @args: options and the two files
 *
 * Return: 0, whether they differ or not; EXIT_FAILED if one cannot be read; EXIT_LOSSES
 * if one says that something was lost.
 */
int cmd_diff(const struct args *args)
{
	struct side a, b = {};
	struct diff diff;
	int status;

	if (args->what.nr_paths != 2) {
		complain(NULL, "diff: two files are compared, not %zu (usage: pcinspect diff [OPTION]… A B)",
			 args->what.nr_paths);
		return EXIT_USAGE;
	}
	/* Both are wrong, perhaps: each has its line. */
	status = load_report(args->what.paths[0], &a) ? EXIT_FAILED : 0;
	if (load_report(args->what.paths[1], &b))
		status = EXIT_FAILED;
	if (!status) {
		diff_make(&diff, &a, &b);
		status = diff_show(&diff, args);
		if (!status && (side_lost(&a) || side_lost(&b)))
			status = EXIT_LOSSES;
		diff_free(&diff);
	}
	side_free(&a);
	side_free(&b);
	return status;
}
