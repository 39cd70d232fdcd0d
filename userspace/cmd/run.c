// SPDX-License-Identifier: GPL-2.0-only
/*
 * run.c - pcinspect run: what a command and its children did to the page
 * cache, file by file, beside the devices' own counters. run_once.c counts,
 * run_show.c prints.
 */
#include "cmd/command.h"
#include "cmd/deliver.h"
#include "cmd/run_once.h"
#include "cmd/run_show.h"
#include "lib/complain.h"

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
		shown = run_show(&run.report, args, run.begun);
		status = run.status ?: shown ?: report_lost(&run.report) ? EXIT_LOSSES : 0;
	} else {
		status = run.status ?: EXIT_FAILED;
	}
	run_free(&run);
	return status;
}
