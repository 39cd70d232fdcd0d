/* SPDX-License-Identifier: GPL-2.0 */
/*
 * args.h - options, the same for every command.
 */
#ifndef PCINSPECT_ARGS_H
#define PCINSPECT_ARGS_H

#include "lib/options.h"

/**
 * struct pcinspect_command - one row of the dispatch table
 * @name: as typed
 * @operands: for the usage line
 * @summary: one line
 * @options: letters of the options it takes besides the common ones
 * @min_paths: operands it needs
 * @columns: of its table, NULL: those of stat
 * @run: does it; returns the exit status
 */
struct pcinspect_command {
	const char *name;
	const char *operands;
	const char *summary;
	const char *options;
	size_t min_paths;
	const char *columns;
	int (*run)(const struct pcinspect_args *args);
};

int pcinspect_args_parse(struct pcinspect_args *args,
			 const struct pcinspect_command *command, int argc,
			 char **argv);

int pcinspect_cmd_stat(const struct pcinspect_args *args);
int pcinspect_cmd_watch(const struct pcinspect_args *args);
int pcinspect_cmd_top(const struct pcinspect_args *args);
int pcinspect_cmd_track(const struct pcinspect_args *args);
int pcinspect_cmd_untrack(const struct pcinspect_args *args);
int pcinspect_cmd_reset(const struct pcinspect_args *args);
int pcinspect_cmd_view(const struct pcinspect_args *args);
int pcinspect_cmd_run(const struct pcinspect_args *args);
int pcinspect_cmd_record(const struct pcinspect_args *args);
int pcinspect_cmd_report(const struct pcinspect_args *args);
int pcinspect_cmd_status(const struct pcinspect_args *args);

#endif /* PCINSPECT_ARGS_H */
