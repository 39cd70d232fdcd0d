// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_reads.c - pcinspect reads: the read ledger of tracked files.
 */
#include <stdio.h>

#include "collect.h"
#include "device.h"
#include "output.h"
#include "view.h"

/**
 * pcinspect_cmd_reads() - pcinspect reads PATH…
 * @args: options and paths
 *
 * Return: the exit status.
 */
int pcinspect_cmd_reads(const struct pcinspect_args *args)
{
	struct pcinspect_collect collect;
	struct pcinspect_report report;
	int status;

	if (!pcinspect_collect_start(&collect, &report))
		return EXIT_FAILED;
	status = pcinspect_collect_paths(&collect, args);
	pcinspect_view_untracked(&report);
	status = pcinspect_output(&report, args, status);
	if (!args->json)
		pcinspect_view_people(&report);
	pcinspect_view_losses(&report);
	pcinspect_collect_free(&collect);
	return status;
}
