// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroup.c - pcinspect cgroup: every cached page that is charged to a cgroup, by
 * file; nothing has to be tracked before.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "collect/cgroups.h"
#include "lib/alloc.h"
#include "lib/complain.h"
#include "lib/output.h"
#include "lib/replace.h"
#include "view/cgroups.h"
#include "view/report_table.h"
#include "view/sheet.h"

/* The cgroups that options name, added to the operands. Returns how many, or -1. */
static int add_selected(const struct args *args, char **paths, size_t nr)
{
	static const enum cgroup_selector by[] = {
		SELECT_POD, SELECT_CONTAINER, SELECT_PID
	};
	const char *const what[] = { args->pod, args->container, args->pid };
	size_t i;

	for (i = 0; i < 3; i++) {
		if (!what[i])
			continue;
		paths[nr] = cgroups_select(by[i], what[i]);
		if (!paths[nr++])
			return -1;
	}
	return nr;
}

/* Is --output usable? Returns -1 to go on, else the exit status. */
static int check_columns(const struct args *args)
{
	bool all = !args->what.nr_paths && !args->pod && !args->container && !args->pid;

	if (!args->out.columns || !args->shared)
		return sheet_check(all ? &cgroup_fields : &cgroup_file_fields, args->out.columns);
	complain(NULL, "cgroup: --shared prints no table, and has no --output (use --json)");
	return EXIT_USAGE;
}

static int save_cgroups(const struct cgroups *cgroups, const char *path)
{
	struct replace file;
	FILE *to = replace_begin(&file, path);

	return replace_report(&file, to && !cgroups_json(cgroups, to), path);
}

static int print_cgroups(const struct cgroups *cgroups, const struct args *args, bool all)
{
	if (args->out.json)
		return cgroups_json(cgroups, stdout);
	return all ? cgroups_print_list(cgroups, &args->out) : cgroups_print(cgroups, &args->out);
}

/**
 * cmd_cgroup() - pcinspect cgroup
 * @args: options; operands are cgroups, none: all there are
 *
 * Return: exit status.
 */
int cmd_cgroup(const struct args *args)
{
	char **paths = alloc_zero(args->what.nr_paths + 3, sizeof(*paths));
	struct cgroups cgroups = {};
	struct collect collect;
	struct report report;
	int status = check_columns(args), nr;

	if (status >= 0) {
		free(paths);
		return status;
	}
	memcpy(paths, args->what.paths, args->what.nr_paths * sizeof(*paths));
	nr = add_selected(args, paths, args->what.nr_paths);
	if (nr >= 0 && args->shared) {
		status = cmd_cgroup_shared(args, paths, nr);
		free(paths);
		return status;
	}
	if (nr < 0 || !collect_start_without(&collect, &report)) {
		free(paths);
		return EXIT_FAILED;
	}
	cgroups.report = &report;
	status = cgroups_collect(&collect, &cgroups, paths, nr);
	/* Before anything is printed, whose reader may go away. */
	if (cgroups.nr && args->out.report && save_cgroups(&cgroups, args->out.report))
		status = EXIT_FAILED;
	if (cgroups.nr && print_cgroups(&cgroups, args, !nr)) {
		output_failed();
		status = EXIT_FAILED;
	}
	if (cgroups.nr)
		table_audit_print(&report, &args->out);
	if (cgroups.busy)
		complain(NULL, "%u filesystems were busy: their files have no path (try again)",
			 cgroups.busy);
	cgroups_free(&cgroups);
	collect_free(&collect);
	free(paths);
	return status;
}
