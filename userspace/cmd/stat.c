// SPDX-License-Identifier: GPL-2.0
/*
 * stat.c - pcinspect stat: one report now, no tracking needed.
 */
#include <stdio.h>

#include "cmd/output.h"
#include "collect/collect.h"
#include "collect/paths.h"
#include "lib/complain.h"

/**
 * pcinspect_cmd_stat() - pcinspect stat PATH…
 * @args: options and paths
 *
 * Return: the exit status.
 */
int pcinspect_cmd_stat(const struct pcinspect_args *args)
{
	struct pcinspect_collect collect;
	struct pcinspect_report report;
	int status;

	if (!pcinspect_collect_start(&collect, &report))
		return EXIT_FAILED;
	status = pcinspect_collect_paths(&collect, args);
	status = pcinspect_output(&report, args, status);

	pcinspect_collect_free(&collect);
	return status;
}
