// SPDX-License-Identifier: GPL-2.0-only
/*
 * export.c - pcinspect export: the machine, its cgroups and tracked files as metrics,
 * once. The scraper calls it again.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "collect/collect.h"
#include "collect/idle_files.h"
#include "collect/settings.h"
#include "explain/explain.h"
#include "lib/complain.h"
#include "lib/output.h"
#include "collect/machine_sample.h"
#include "view/machine.h"
#include "view/openmetrics.h"
#include "view/order.h"
#include "view/report_table.h"

/* Only what somebody tracks: automatic records come and go, and each would be a series. */
static enum streamed_file tracked_only(void *to, const struct file *file)
{
	(void)to;
	return file->snap.flags & PCINSPECT_F_EXPLICIT ? STREAM_KEEP : STREAM_LEAVE;
}

static int compare_tracked(const void *a, const void *b)
{
	return order_compare(a, b, SORT_CACHED) ?: order_compare(a, b, SORT_PATH);
}

/* The tracked files, most pages first, and what is wrong with them. */
static int collect_tracked(struct collect *collect)
{
	struct pcinspect_list list = { .flags = PCINSPECT_LIST_DETAIL };
	struct report *report = collect->report;

	collect->stream = tracked_only;
	if (collect_rows(collect, PCINSPECT_IOC_LIST, &list)) {
		complain(NULL, "cannot list the records: %s", strerror(errno));
		return -1;
	}
	collect->stream = NULL;
	if (report->nr_files)
		qsort(report->files, report->nr_files, sizeof(*report->files), compare_tracked);
	collect_names(collect);
	report_now(report);
	settings_read(report);
	losses_read(report, collect->device);
	idle_files_tracked(collect);
	explain(report);
	return 0;
}

static int export_check(const struct args *args)
{
	if (args->what.nr_paths)
		complain(NULL, "export: takes no PATH (pcinspect track PATH: then it is exported)");
	else if (!args->openmetrics)
		complain(NULL, "export: in which format? (--openmetrics)");
	else if (args->out.json)
		complain(NULL, "export: --openmetrics and --json are two (give one, and --report FILE for the other)");
	else
		return 0;
	return EXIT_USAGE;
}

static int write_all(const struct machine_sample *sample, const struct report *files,
		     const struct args *args)
{
	struct metrics metrics = { .machine = &sample->machine, .files = files,
				   .limit = args->out.limit };
	int status = 0;

	if (args->out.report && machine_json_save(&sample->machine, NULL, args->out.report))
		status = EXIT_FAILED;
	if (args->file) {
		if (openmetrics_save(&metrics, args->file))
			status = EXIT_FAILED;
	} else if (openmetrics_write(&metrics, stdout)) {
		output_failed();
		status = EXIT_FAILED;
	}
	table_audit_complain(&sample->report);
	return status;
}

/**
 * cmd_export() - pcinspect export --openmetrics
 * @given: options
 *
 * Return: exit status.
 */
int cmd_export(const struct args *given)
{
	struct collect collect;
	struct report files;
	struct machine_sample *sample;
	int status = export_check(given);

	if (status)
		return status;
	/* A cgroup's refaults are read where they are the order. */
	sample = machine_sample_take(PER_CGROUP, KEY_REFAULT, NULL, NULL, -1);
	if (!sample)
		return EXIT_FAILED;
	machine_sort(&sample->machine, KEY_CACHED);
	if (sample->report.without_module) {
		/* Nothing can be tracked. */
		report_begin(&files);
		files.without_module = true;
		status = write_all(sample, &files, given);
	} else if (collect_start(&collect, &files)) {
		status = collect_tracked(&collect) ? EXIT_FAILED :
			 write_all(sample, &files, given);
		collect_free(&collect);
	} else {
		status = EXIT_FAILED;
	}
	machine_sample_free(sample);
	return status;
}
