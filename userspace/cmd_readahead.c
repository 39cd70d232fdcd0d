// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_readahead.c - pcinspect readahead: the windows of tracked files.
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

/**
 * pcinspect_cmd_readahead() - pcinspect readahead PATH…
 * @args: options and paths
 *
 * Return: the exit status.
 */
int pcinspect_cmd_readahead(const struct pcinspect_args *args)
{
	struct pcinspect_collect collect;
	struct pcinspect_report report;
	int status;

	if (!pcinspect_collect_start(&collect, &report))
		return EXIT_FAILED;
	status = pcinspect_collect_paths(&collect, args);
	pcinspect_view_untracked(&report);
	if (args->json) {
		status = pcinspect_output(&report, args, status);
	} else {
		if (pcinspect_view_windows(&report, args)) {
			pcinspect_complain(NULL, "cannot write the report: %s",
					   strerror(errno));
			status = EXIT_FAILED;
		}
		if (args->report && pcinspect_json_save(&report, args->report))
			status = EXIT_FAILED;
		pcinspect_audit_print(&report, args);
	}
	pcinspect_view_losses(&report);
	pcinspect_collect_free(&collect);
	return status;
}
