/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * command.h - commands, and the table of them.
 */
#ifndef PCINSPECT_COMMAND_H
#define PCINSPECT_COMMAND_H

#include "cmd/asked.h"
#include "model/field.h"

/* Options that a command takes besides the common ones; one bit for each group. */
enum {
	TAKES_COLUMNS = 1 << 0,		/* --output COL,…, --csv: a table of files */
	TAKES_CHOICE = 1 << 1,		/* --output COL,… of a table of its own */
	TAKES_FILE = 1 << 2,		/* --output FILE, --block, -- CMD */
	TAKES_TREE = 1 << 3,		/* --recursive, --one-file-system */
	TAKES_INTERVAL = 1 << 4,	/* --interval, --for */
	TAKES_ONCE = 1 << 5,
	TAKES_EVENTS = 1 << 6,		/* --no-events */
	TAKES_ORDER = 1 << 7,		/* --by, --scan */
	TAKES_LIMIT = 1 << 8,
	TAKES_VIEW = 1 << 9,
	TAKES_LIST = 1 << 10,		/* --files-from, --null, --include, --exclude */
	TAKES_CMD = 1 << 11,		/* --mount; operands are a command */
	TAKES_HOOKS = 1 << 12,
	TAKES_CGROUP = 1 << 13,		/* --pod, --container, --pid, --shared */
	TAKES_MACHINE = 1 << 14,	/* --per, --by */
	TAKES_EXPLAIN = 1 << 15,
	TAKES_TRY = 1 << 16,		/* --remedy, --restore */
	TAKES_NEXT = 1 << 17,		/* --bytes N, --order, --interval */
	TAKES_DOMAINS = 1 << 18,	/* --machine, --cgroup, --interval */
	TAKES_EXPORT = 1 << 19,		/* --openmetrics, --output FILE */
	TAKES_BOUNDS = 1 << 20,		/* --max, --min; -- CMD */
	TAKES_FOR = 1 << 21,		/* --for, of views */
	TAKES_SAVE = 1 << 23,		/* --output FILE; directories are descended into */
	TAKES_RESTORE = 1 << 24,	/* --budget, --spare */
	TAKES_FILES_OF = 1 << 25,	/* --pid, --cgroup: their files */
	TAKES_WHY = 1 << 22,		/* --for, of why */
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
 * @tables: the fields of its own tables; it checks --output by itself
 * @limit: files it shows without --limit, 0: all
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
	unsigned long limit;
	const struct fields *tables[2];
	int (*run)(const struct args *args);
};

int cmd_machine(const struct args *args);
int cmd_view(const struct args *args);
int cmd_watch(const struct args *args);
int cmd_top(const struct args *args);
int cmd_track(const struct args *args);
int cmd_untrack(const struct args *args);
int cmd_reset(const struct args *args);
int cmd_run(const struct args *args);
int cmd_try(const struct args *args);
int cmd_cgroup(const struct args *args);
int cmd_cgroup_shared(const struct args *args, char *const *paths, size_t nr_paths);
int cmd_next(const struct args *args);
int cmd_explain(const struct args *args);
int cmd_why(const struct args *args);
int cmd_record(const struct args *args);
int cmd_report(const struct args *args);
int cmd_diff(const struct args *args);
int cmd_export(const struct args *args);
int cmd_save(const struct args *args);
int cmd_restore(const struct args *args);
int cmd_assert(const struct args *args);
int cmd_selftest(const struct args *args);
int cmd_status(const struct args *args);

#endif /* PCINSPECT_COMMAND_H */
