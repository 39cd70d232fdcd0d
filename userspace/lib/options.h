/* SPDX-License-Identifier: GPL-2.0 */
/*
 * options.h - what the user asked for, for every floor above.
 */
#ifndef PCINSPECT_OPTIONS_H
#define PCINSPECT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "uapi/pcinspect.h"

/**
 * enum file_order - orders of files; those from SORT_CACHED on are of --by
 */
enum file_order {
	SORT_TYPED, SORT_PATH, SORT_CACHED, SORT_ACTIVE, SORT_DIRTY, SORT_READ,
	SORT_WASTED, SORT_REFAULT,
	NR_SORTS
};

/**
 * struct args - what the user asked for
 * @json: --json
 * @report: --report FILE
 * @columns: --output LIST
 * @noheadings: --noheadings
 * @bytes: --bytes
 * @recursive: -r
 * @one_filesystem: -x
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
 * @table: columns of the table without --output, NULL: those of stat
 * @file: record -o
 * @block: --block
 * @view: --view
 * @paths: operands
 * @nr_paths: how many
 * @argv: record: what follows --, NULL: nothing does
 */
struct args {
	bool json;
	const char *report;
	const char *columns;
	bool noheadings;
	bool bytes;
	bool recursive;
	bool one_filesystem;
	bool once;
	bool no_events;
	double interval;
	double duration;
	enum file_order by;
	unsigned long limit;
	const char *scan;
	bool explain;
	const char *mounts[PCINSPECT_NR_MOUNTS];
	size_t nr_mounts;
	const char *table;
	const char *file;
	bool block;
	const char *view;
	char **paths;
	size_t nr_paths;
	char **argv;
};

#endif /* PCINSPECT_OPTIONS_H */
