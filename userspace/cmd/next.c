// SPDX-License-Identifier: GPL-2.0-only
/*
 * next.c - pcinspect next: what reclaim takes next, in order, by file.
 */
#include <stdio.h>
#include <stdlib.h>

#include "cmd/command.h"
#include "collect/next.h"
#include "lib/complain.h"
#include "lib/output.h"
#include "lib/replace.h"
#include "view/next.h"
#include "view/report_table.h"
#include "view/sheet.h"

#define DEFAULT_BYTES (64UL << 20)

static int save_next(const struct next *next, const struct args *args)
{
	struct replace file;
	FILE *to = replace_begin(&file, args->out.report);

	return replace_report(&file, to && !next_json(next, args->order, to), args->out.report);
}

static void warn_of(const struct next *next)
{
	if (next->moved)
		complain(NULL, "pages were moved %ju times while it looked: the order is that of different moments (try again)",
			 (uintmax_t)next->moved);
	if (next->cut)
		complain(NULL, "there are more pages than the order can hold: the youngest are missing");
	if (next->busy)
		complain(NULL, "%u filesystems were busy: their files have no path (try again)",
			 next->busy);
}

/**
 * cmd_next() - pcinspect next
 * @args: options; the operand is a cgroup, none: all there are
 *
 * Return: exit status.
 */
int cmd_next(const struct args *args)
{
	struct next next = { .bytes = args->amount ?: DEFAULT_BYTES };
	struct collect collect;
	struct report report;
	int status;

	if (args->what.nr_paths > 1) {
		complain(NULL, "next: one CGROUP at most (it and all below it are looked at)");
		return EXIT_USAGE;
	}
	status = sheet_check(&next_file_fields, args->out.columns);
	if (status >= 0)
		return status;
	if (!collect_start(&collect, &report))
		return EXIT_FAILED;
	next.report = &report;
	status = next_collect(&collect, &next, args->what.nr_paths ? args->what.paths[0] : NULL,
			      args->pace.interval);
	if (!status) {
		/* Before anything is printed, whose reader may go away. */
		if (args->out.report && save_next(&next, args))
			status = EXIT_FAILED;
		if (args->out.json ? next_json(&next, args->order, stdout) :
				 next_print(&next, &args->out)) {
			output_failed();
			status = EXIT_FAILED;
		}
		table_audit_print(&report, &args->out);
		warn_of(&next);
	}
	next_free(&next);
	collect_free(&collect);
	return status;
}
