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
 * struct command - one row of the dispatch table
 * @name: as typed
 * @operands: for the usage line
 * @summary: one line
 * @takes: options
 * @min_paths: operands it needs
 * @columns: of its table, NULL: those of stat
 * @view: it shows, NULL: another
 * @run: does it; returns the exit status
 */
struct command {
	const char *name;
	const char *operands;
	const char *summary;
	unsigned int takes;
	size_t min_paths;
	const char *columns;
	const char *view;
	int (*run)(const struct args *args);
};

int args_parse(struct args *args, const struct command *command, int argc, char **argv);
void args_complete(const struct command *command, const char *last);

int cmd_watch(const struct args *args);
int cmd_top(const struct args *args);
int cmd_track(const struct args *args);
int cmd_untrack(const struct args *args);
int cmd_reset(const struct args *args);
int cmd_run(const struct args *args);
int cmd_record(const struct args *args);
int cmd_report(const struct args *args);
int cmd_status(const struct args *args);

#endif /* PCINSPECT_ARGS_H */
