// SPDX-License-Identifier: GPL-2.0
/*
 * views.c - the commands that show one side of tracked files: reads,
 * readahead, dirty, fsync, explain. Each is a view of its own name.
 */
#include "cmd/view_table.h"
#include "collect/collect.h"
#include "collect/paths.h"
#include "lib/complain.h"
#include "view/text.h"

/**
 * pcinspect_cmd_view() - pcinspect reads|readahead|dirty|fsync|explain PATH…
 * @args: options and paths; the command's name is the view's
 *
 * Return: the exit status.
 */
int pcinspect_cmd_view(const struct pcinspect_args *args)
{
	struct pcinspect_collect collect;
	struct pcinspect_report report;
	int status;

	if (!pcinspect_collect_start(&collect, &report))
		return EXIT_FAILED;
	status = pcinspect_collect_paths(&collect, args);
	pcinspect_view_untracked(&report);
	status = pcinspect_view_print(args->view, &report, args, status);
	pcinspect_view_losses(&report);
	pcinspect_collect_free(&collect);
	return status;
}
