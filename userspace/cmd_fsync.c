// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_fsync.c - pcinspect fsync: what each fsync call on tracked files had to
 * write, and how it was split.
 */
#include <stdio.h>

#include "collect.h"
#include "device.h"
#include "output.h"
#include "report_json.h"
#include "view.h"

/**
 * pcinspect_cmd_fsync() - pcinspect fsync PATH…
 * @args: options and paths
 *
 * Return: the exit status.
 */
int pcinspect_cmd_fsync(const struct pcinspect_args *args)
{
	struct pcinspect_collect collect;
	struct pcinspect_report report;
	int status;

	if (!pcinspect_collect_start(&collect, &report))
		return EXIT_FAILED;
	status = pcinspect_collect_paths(&collect, args);
	pcinspect_view_untracked(&report);
	if (args->json)
		status = pcinspect_output(&report, args, status);
	else
		pcinspect_view_fsyncs(&report);
	if (!args->json && args->report &&
	    pcinspect_json_save(&report, args->report))
		status = EXIT_FAILED;
	pcinspect_view_losses(&report);
	pcinspect_collect_free(&collect);
	return status;
}
