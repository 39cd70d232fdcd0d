// SPDX-License-Identifier: GPL-2.0-only
/*
 * paths.c - the paths of a command, and what is below them: a whole report.
 */
#include "collect/paths.h"
#include "collect/settings.h"

/**
 * collect_paths() - a whole report on the paths of a command
 * @collect: just started
 * @what: the paths, and whether to descend
 *
 * Return: the exit status.
 */
int collect_paths(struct collect *collect, const struct selection *what)
{
	size_t i;

	collect->what = what;
	for (i = 0; i < what->nr_paths && !collect->stop; i++) {
		if (what->recursive)
			collect_tree(collect, what->paths[i], what->reach, NULL);
		else
			collect_path(collect, what->paths[i], PCINSPECT_IOC_SNAPSHOT);
	}
	report_now(collect->report); /* not of when their names are found */
	collect_tree_left_out(collect);
	collect_names(collect);
	audit_all(collect->report, &collect->tally);
	settings_read(collect->report);
	losses_read(collect->report, collect->device);
	return collect_status(collect);
}
