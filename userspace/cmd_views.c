// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_views.c - the commands that show one side of tracked files: reads,
 * readahead, dirty, fsync, explain. They differ in what they print for people;
 * the report they print for programs is the same.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "collect.h"
#include "device.h"
#include "output.h"
#include "report_json.h"
#include "table.h"
#include "view.h"

/*
 * struct side - what a command prints for people
 * @table: a table of files first
 * @audit: the audit as well, if there is no table that brings it
 * @view: what follows; returns 0, or -1 if it could not be written
 */
struct side {
	bool table;
	bool audit;
	int (*view)(const struct pcinspect_report *report,
		    const struct pcinspect_args *args);
};

/* Print for people; returns the exit status. */
static int print(const struct side *side, const struct pcinspect_report *report,
		 const struct pcinspect_args *args, int status)
{
	if (side->table)
		status = pcinspect_output(report, args, status);
	if (side->view(report, args)) {
		pcinspect_complain(NULL, "cannot write the report: %s",
				   strerror(errno));
		status = EXIT_FAILED;
	}
	if (side->table)
		return status;
	if (args->report && pcinspect_json_save(report, args->report))
		status = EXIT_FAILED;
	if (side->audit)
		pcinspect_audit_print(report, args);
	return status;
}

static int run(const struct side *side, const struct pcinspect_args *args,
	       bool explain)
{
	struct pcinspect_collect collect;
	struct pcinspect_report report;
	int status;

	if (!pcinspect_collect_start(&collect, &report))
		return EXIT_FAILED;
	status = pcinspect_collect_paths(&collect, args);
	report.explain = explain;
	pcinspect_view_untracked(&report);
	status = args->json ? pcinspect_output(&report, args, status) :
			      print(side, &report, args, status);
	pcinspect_view_losses(&report);
	pcinspect_collect_free(&collect);
	return status;
}

/**
 * pcinspect_cmd_reads() - pcinspect reads PATH…
 * @args: options and paths
 *
 * Return: the exit status.
 */
int pcinspect_cmd_reads(const struct pcinspect_args *args)
{
	static const struct side side = { .table = true, .view = pcinspect_view_people };

	return run(&side, args, false);
}

/**
 * pcinspect_cmd_readahead() - pcinspect readahead PATH…
 * @args: options and paths
 *
 * Return: the exit status.
 */
int pcinspect_cmd_readahead(const struct pcinspect_args *args)
{
	static const struct side side = { .audit = true, .view = pcinspect_view_windows };

	return run(&side, args, false);
}

/**
 * pcinspect_cmd_dirty() - pcinspect dirty PATH…
 * @args: options and paths
 *
 * Return: the exit status.
 */
int pcinspect_cmd_dirty(const struct pcinspect_args *args)
{
	static const struct side side = { .table = true, .view = pcinspect_view_writes };

	return run(&side, args, false);
}

/**
 * pcinspect_cmd_fsync() - pcinspect fsync PATH…
 * @args: options and paths
 *
 * Return: the exit status.
 */
int pcinspect_cmd_fsync(const struct pcinspect_args *args)
{
	static const struct side side = { .view = pcinspect_view_fsyncs };

	return run(&side, args, false);
}

/**
 * pcinspect_cmd_explain() - pcinspect explain PATH…
 * @args: options and paths
 *
 * Return: the exit status.
 */
int pcinspect_cmd_explain(const struct pcinspect_args *args)
{
	static const struct side side = { .view = pcinspect_view_verdicts };

	return run(&side, args, true);
}
