/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * args.h - options, the same for every command, and what a command is.
 */
#ifndef PCINSPECT_ARGS_H
#define PCINSPECT_ARGS_H

#include "lib/options.h"
#include "model/field.h"

#define MAX_REMEDIES 16
#define MAX_BOUNDS 64

/* struct bound_option - --max or --min */
struct bound_option {
	const char *text;
	bool most;
};

/**
 * struct args - what the user asked for
 * @what: the files
 * @pace: how often
 * @out: how it is printed
 * @by: --by
 * @ordered: it was given
 * @scan: --scan MOUNT
 * @explain: --explain
 * @mounts: --mount, each
 * @nr_mounts: how many
 * @remedies: --remedy, each
 * @nr_remedies: how many
 * @restore: --restore
 * @bounds: --max and --min, each
 * @nr_bounds: how many
 * @file: record -o, export -o, save -o
 * @openmetrics: export --openmetrics
 * @block: --block
 * @view: --view
 * @hooks: status --hooks
 * @since: --since, NULL: from the beginning
 * @until: --until, NULL: to the end
 * @from: --files-from FILE
 * @null: --null
 * @per: --per
 * @key: --by of the machine; NR_MACHINE_KEYS: not given
 * @pod: --pod
 * @container: --container
 * @pid: --pid
 * @amount: next --bytes N, restore --budget N; 0: not given
 * @order: --order
 * @machine: explain --machine
 * @cgroup: explain --cgroup CGROUP
 * @shared: cgroup --shared
 * @spare: restore --spare
 * @listed: they are all copies
 * @argv: record, assert: what follows --, NULL: nothing does
 */
struct args {
	struct selection what;
	struct pace pace;
	struct output out;
	enum file_order by;
	bool ordered;
	const char *scan;
	bool explain;
	const char *mounts[PCINSPECT_NR_MOUNTS];
	size_t nr_mounts;
	const char *remedies[MAX_REMEDIES];
	size_t nr_remedies;
	bool restore;
	struct bound_option bounds[MAX_BOUNDS];
	size_t nr_bounds;
	const char *file;
	bool openmetrics;
	bool block;
	const char *view;
	bool hooks;
	const char *since;
	const char *until;
	const char *from;
	bool null;
	enum machine_per per;
	enum machine_key key;
	const char *pod;
	const char *container;
	const char *pid;
	uint64_t amount;
	bool order;
	bool machine;
	const char *cgroup;
	bool shared;
	bool spare;
	bool listed;
	char **argv;
};

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

int args_parse(struct args *args, const struct command *command, int argc, char **argv);

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
int cmd_status(const struct args *args);

#endif /* PCINSPECT_ARGS_H */
