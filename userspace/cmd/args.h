/* SPDX-License-Identifier: GPL-2.0 */
/*
 * args.h - options, the same for every command.
 */
#ifndef PCINSPECT_ARGS_H
#define PCINSPECT_ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/report.h"

/**
 * enum pcinspect_sort - top --by
 */
enum pcinspect_sort {
	SORT_CACHED, SORT_ACTIVE, SORT_DIRTY, SORT_READ, SORT_WASTED,
	SORT_REFAULT,
};

struct pcinspect_command;

/**
 * struct pcinspect_args - what the user asked for
 * @json: --json
 * @report: --report FILE
 * @columns: --output LIST
 * @noheadings: --noheadings
 * @bytes: --bytes
 * @recursive: -r
 * @once: --once
 * @no_events: --no-events
 * @interval: --interval, seconds
 * @duration: --for, seconds; 0: until interrupted
 * @by: --by
 * @limit: --limit, 0: none
 * @scan: --scan MOUNT
 * @explain: --explain
 * @mounts: --mount, each
 * @nr_mounts: how many
 * @command: which is run
 * @file: record -o
 * @block: --block
 * @view: --view
 * @paths: operands
 * @nr_paths: how many
 * @argv: record: what follows --, NULL: nothing does
 */
struct pcinspect_args {
	bool json;
	const char *report;
	const char *columns;
	bool noheadings;
	bool bytes;
	bool recursive;
	bool once;
	bool no_events;
	double interval;
	double duration;
	enum pcinspect_sort by;
	unsigned long limit;
	const char *scan;
	bool explain;
	const char *mounts[PCINSPECT_NR_MOUNTS];
	size_t nr_mounts;
	const struct pcinspect_command *command;
	const char *file;
	bool block;
	const char *view;
	char **paths;
	size_t nr_paths;
	char **argv;
};

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
