/* SPDX-License-Identifier: GPL-2.0 */
/*
 * args.h - options, the same for every command, and what a command is.
 */
#ifndef PCINSPECT_ARGS_H
#define PCINSPECT_ARGS_H

#include "lib/options.h"

/* Options that a command takes besides the common ones; one bit for each group. */
enum {
	TAKES_COLUMNS = 1 << 0,		/* --output COL,… */
	TAKES_FILE = 1 << 1,		/* --output FILE, --block, -- CMD */
	TAKES_TREE = 1 << 2,		/* --recursive, --one-file-system */
	TAKES_INTERVAL = 1 << 3,	/* --interval, --for */
	TAKES_ONCE = 1 << 4,
	TAKES_EVENTS = 1 << 5,		/* --no-events */
	TAKES_ORDER = 1 << 6,		/* --by, --scan */
	TAKES_LIMIT = 1 << 7,
	TAKES_VIEW = 1 << 8,
	TAKES_CMD = 1 << 9,		/* --mount, --explain; operands are a command */
};

/**
 * struct pcinspect_command - one row of the dispatch table
 * @name: as typed
 * @operands: for the usage line
 * @summary: one line
 * @takes: options
 * @min_paths: operands it needs
 * @columns: of its table, NULL: those of stat
 * @view: it shows, NULL: another
 * @run: does it; returns the exit status
 */
struct pcinspect_command {
	const char *name;
	const char *operands;
	const char *summary;
	unsigned int takes;
	size_t min_paths;
	const char *columns;
	const char *view;
	int (*run)(const struct pcinspect_args *args);
};

int pcinspect_args_parse(struct pcinspect_args *args,
			 const struct pcinspect_command *command, int argc,
			 char **argv);
void pcinspect_args_complete(const struct pcinspect_command *command, const char *last);

int pcinspect_cmd_watch(const struct pcinspect_args *args);
int pcinspect_cmd_top(const struct pcinspect_args *args);
int pcinspect_cmd_track(const struct pcinspect_args *args);
int pcinspect_cmd_untrack(const struct pcinspect_args *args);
int pcinspect_cmd_reset(const struct pcinspect_args *args);
int pcinspect_cmd_run(const struct pcinspect_args *args);
int pcinspect_cmd_record(const struct pcinspect_args *args);
int pcinspect_cmd_report(const struct pcinspect_args *args);
int pcinspect_cmd_status(const struct pcinspect_args *args);

#endif /* PCINSPECT_ARGS_H */
