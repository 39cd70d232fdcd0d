/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * options.h - what the user asked for, for every floor above.
 */
#ifndef PCINSPECT_OPTIONS_H
#define PCINSPECT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uapi/pcinspect.h"

/**
 * enum file_order - orders of files; those from SORT_CACHED on are of --by
 */
enum file_order {
	SORT_TYPED, SORT_PATH, SORT_CACHED, SORT_ACTIVE, SORT_DIRTY, SORT_READ,
	SORT_WASTED, SORT_REFAULT,
	NR_SORTS
};

/* enum machine_per - what the list of the machine is of; of --per */
enum machine_per { PER_FILE, PER_DIRECTORY, PER_FILESYSTEM, PER_CGROUP, PER_PROCESS };

/* enum machine_key - its orders, of --by; those from KEY_DEMANDED on are of processes */
enum machine_key {
	KEY_CACHED, KEY_ACTIVE, KEY_INACTIVE, KEY_DIRTY, KEY_MAPPED, KEY_GROWTH, KEY_FILES,
	KEY_READ, KEY_WASTED, KEY_REFAULT,
	KEY_DEMANDED, KEY_DEVICE, KEY_INSERTED, KEY_DIRTIED, KEY_EVICTED,
	NR_MACHINE_KEYS
};

#define MAX_GLOBS 64
#define MAX_REMEDIES 16
#define MAX_BOUNDS 64

/* struct glob_option - --include or --exclude */
struct glob_option {
	const char *pattern;
	bool exclude;
};

/* struct bound_option - --max or --min */
struct bound_option {
	const char *text;
	bool most;
};

/**
 * struct args - what the user asked for
 * @json: --json, or a line a report
 * @lines: --json-lines
 * @csv: --csv
 * @report: --report FILE
 * @html: --html FILE
 * @columns: --output LIST
 * @noheadings: --noheadings
 * @bytes: --bytes
 * @pages: --pages
 * @recursive: -r
 * @reach: -x, --all-file-systems: enum tree_reach
 * @once: --once
 * @no_events: --no-events
 * @interval: --interval, seconds
 * @often: --interval was given
 * @duration: --for, seconds; 0: until interrupted
 * @by: --by
 * @ordered: it was given
 * @limit: --limit, 0: none
 * @limited: it was given
 * @audits: --audit
 * @scan: --scan MOUNT
 * @explain: --explain
 * @mounts: --mount, each
 * @nr_mounts: how many
 * @remedies: --remedy, each
 * @nr_remedies: how many
 * @restore: --restore
 * @bounds: --max and --min, each
 * @nr_bounds: how many
 * @table: columns of the table without --output, NULL: those of stat
 * @file: record -o, export -o, save -o
 * @openmetrics: export --openmetrics
 * @block: --block
 * @view: --view
 * @hooks: status --hooks
 * @since: --since, NULL: from the beginning
 * @until: --until, NULL: to the end
 * @from: --files-from FILE
 * @null: --null
 * @globs: --include and --exclude, each
 * @nr_globs: how many
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
 * @paths: operands, then those of the list
 * @nr_paths: how many
 * @listed: they are all copies
 * @argv: record, assert: what follows --, NULL: nothing does
 */
struct args {
	bool json;
	bool lines;
	bool csv;
	const char *report;
	const char *html;
	const char *columns;
	bool noheadings;
	bool bytes;
	bool pages;
	bool recursive;
	int reach;
	bool once;
	bool no_events;
	double interval;
	bool often;
	double duration;
	enum file_order by;
	bool ordered;
	unsigned long limit;
	bool limited;
	bool audits;
	const char *scan;
	bool explain;
	const char *mounts[PCINSPECT_NR_MOUNTS];
	size_t nr_mounts;
	const char *remedies[MAX_REMEDIES];
	size_t nr_remedies;
	bool restore;
	struct bound_option bounds[MAX_BOUNDS];
	size_t nr_bounds;
	const char *table;
	const char *file;
	bool openmetrics;
	bool block;
	const char *view;
	bool hooks;
	const char *since;
	const char *until;
	const char *from;
	bool null;
	struct glob_option globs[MAX_GLOBS];
	size_t nr_globs;
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
	char **paths;
	size_t nr_paths;
	bool listed;
	char **argv;
};

bool options_want(const struct args *args, const char *path);
bool options_skip(const struct args *args, const char *path);

#endif /* PCINSPECT_OPTIONS_H */
