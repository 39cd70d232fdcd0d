// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_dirty.c - pcinspect dirty: how old the dirty pages of tracked files are,
 * and who made them dirty.
 */
#include <stdio.h>

#include "collect.h"
#include "device.h"
#include "output.h"
#include "view.h"

/**
 * pcinspect_cmd_dirty() - pcinspect dirty PATH…
 * @args: options and paths
 *
 * Return: the exit status.
 */
int pcinspect_cmd_dirty(const struct pcinspect_args *args)
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
		pcinspect_view_ages(&report);
	pcinspect_view_losses(&report);
	pcinspect_collect_free(&collect);
	return status;
}
