// SPDX-License-Identifier: GPL-2.0
/*
 * paths.c - the paths of a command, and what is below them: a whole report.
 */
#include "collect/paths.h"
#include "collect/settings.h"
#include "lib/clock.h"

/**
 * pcinspect_collect_paths() - a whole report on the paths of a command
 * @collect: just started
 * @args: the paths, and whether to descend
 *
 * Return: the exit status.
 */
int pcinspect_collect_paths(struct pcinspect_collect *collect,
			    const struct pcinspect_args *args)
{
	size_t i;

	for (i = 0; i < args->nr_paths; i++) {
		if (args->recursive)
			pcinspect_collect_tree(collect, args->paths[i],
					       args->one_filesystem);
		else
			pcinspect_collect_path(collect, args->paths[i],
					       PCINSPECT_IOC_SNAPSHOT);
	}
	pcinspect_collect_names(collect);
	collect->report->time_ns = pcinspect_now_ns();
	pcinspect_audit_report(collect->report, &collect->tally);
	settings_read(collect->report);
	pcinspect_losses_read(collect->report, collect->device);
	return pcinspect_collect_status(collect);
}
