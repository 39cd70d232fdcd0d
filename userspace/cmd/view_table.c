// SPDX-License-Identifier: GPL-2.0
/*
 * view_table.c - the sides of a report, by name: of tracked files (cmd_views.c) or of
 * a recording (cmd_report.c). They differ in what they print for people; the
 * report they print for programs is the same.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd/output.h"
#include "cmd/view_table.h"
#include "explain/explain.h"
#include "lib/complain.h"
#include "view/json_report.h"
#include "view/table.h"
#include "view/text.h"

/*
 * struct side - what is printed for people
 * @name: of the view
 * @columns: of a table of files, "": the default ones, NULL: no table
 * @audit: the audit as well, if there is no table that brings it
 * @explain: verdicts are wanted
 * @view: what follows, or NULL; returns 0, or -1 if it could not be written
 */
static const struct side {
	const char *name;
	const char *columns;
	bool audit;
	bool explain;
	int (*view)(const struct pcinspect_report *report,
		    const struct pcinspect_args *args);
} sides[] = {
	{ "stat", "", false, false, NULL },
	{ "reads", PCINSPECT_READS_COLUMNS, false, false, pcinspect_view_people },
	{ "readahead", NULL, true, false, pcinspect_view_windows },
	{ "dirty", PCINSPECT_DIRTY_COLUMNS, false, false, pcinspect_view_writes },
	{ "fsync", NULL, true, false, pcinspect_view_fsyncs },
	{ "explain", NULL, false, true, pcinspect_view_verdicts },
};

static const struct side *find(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(sides) / sizeof(*sides); i++)
		if (!strcmp(sides[i].name, name))
			return &sides[i];
	return NULL;
}

/**
 * pcinspect_view_known() - is there such a view?
 * @name: of which
 *
 * Return: true if so.
 */
bool pcinspect_view_known(const char *name)
{
	return find(name);
}

/**
 * pcinspect_view_print() - print one side of a report as the user asked
 * @name: a known view
 * @report: which
 * @args: how
 * @status: exit status so far
 *
 * Return: @status, or EXIT_FAILED if it could not be written.
 */
int pcinspect_view_print(const char *name, struct pcinspect_report *report,
			 const struct pcinspect_args *args, int status)
{
	const struct side *side = find(name);
	struct pcinspect_args with = *args;

	if (side->explain)
		explain(report);
	if (args->json)
		return pcinspect_output(report, args, status);
	if (side->columns) {
		with.table = *side->columns ? side->columns : NULL;
		status = pcinspect_output(report, &with, status);
	}
	if (side->view && side->view(report, args)) {
		pcinspect_complain(NULL, "cannot write the report: %s", strerror(errno));
		status = EXIT_FAILED;
	}
	if (side->columns)
		return status;
	if (args->report && pcinspect_json_save(report, args->report))
		status = EXIT_FAILED;
	with.noheadings |= !side->audit;
	pcinspect_audit_print(report, &with);
	return status;
}
