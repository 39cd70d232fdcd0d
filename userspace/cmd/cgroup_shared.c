// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroup_shared.c - pcinspect cgroup --shared: files that several cgroups have to do with.
 */
#include <stdio.h>

#include "cmd/command.h"
#include "collect/shared.h"
#include "lib/complain.h"
#include "lib/output.h"
#include "lib/replace.h"
#include "view/shared.h"

static int save_shared(const struct shared *shared, const char *path)
{
	struct replace file;
	FILE *to = replace_begin(&file, path);

	return replace_report(&file, to && !shared_json(shared, to), path);
}

/**
 * cmd_cgroup_shared() - pcinspect cgroup --shared
 * @args: options
 * @paths: cgroups one of which has to be among those of a file
 * @nr_paths: how many, 0: any
 *
 * Return: exit status.
 */
int cmd_cgroup_shared(const struct args *args, char *const *paths, size_t nr_paths)
{
	struct shared shared = {};
	struct collect collect;
	struct report report;
	int status;

	if (!collect_start(&collect, &report))
		return EXIT_FAILED;
	shared.report = &report;
	status = shared_collect(&collect, &shared, paths, nr_paths);
	if (!status || status == EXIT_SOME_FAILED) {
		/* Before anything is printed, whose reader may go away. */
		if (args->out.report && save_shared(&shared, args->out.report))
			status = EXIT_FAILED;
		if (args->out.json ? shared_json(&shared, stdout) : shared_print(&shared, &args->out)) {
			output_failed();
			status = EXIT_FAILED;
		}
		if (shared.busy)
			complain(NULL, "%u filesystems were busy: their files have no path (try again)",
				 shared.busy);
	}
	shared_free(&shared);
	collect_free(&collect);
	return status;
}
