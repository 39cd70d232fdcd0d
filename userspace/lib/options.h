/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * options.h - options that many commands have.
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

/* struct glob_option - --include or --exclude */
struct glob_option {
	const char *pattern;
	bool exclude;
};

/**
 * struct selection - which files are looked at
 * @paths: operands, then those of --files-from
 * @nr_paths: how many
 * @recursive: -r
 * @reach: -x, --all-file-systems: enum tree_reach
 * @globs: --include and --exclude, each
 * @nr_globs: how many
 */
struct selection {
	char **paths;
	size_t nr_paths;
	bool recursive;
	int reach;
	struct glob_option globs[MAX_GLOBS];
	size_t nr_globs;
};

/**
 * struct pace - how often, and for how long
 * @interval: --interval, seconds
 * @often: --interval was given
 * @duration: --for, seconds; 0: until interrupted
 * @once: --once
 * @no_events: --no-events
 */
struct pace {
	double interval;
	bool often;
	double duration;
	bool once;
	bool no_events;
};

/**
 * struct output - how it is printed
 * @json: --json, or a line a report
 * @lines: --json-lines
 * @csv: --csv
 * @report: --report FILE
 * @html: --html FILE
 * @junit: --junit FILE
 * @columns: --output LIST
 * @table: columns of the table without --output, NULL: those of stat
 * @noheadings: --noheadings
 * @bytes: --bytes
 * @pages: --pages
 * @limit: --limit, 0: none
 * @limited: it was given
 * @audits: --audit
 */
struct output {
	bool json;
	bool lines;
	bool csv;
	const char *report;
	const char *html;
	const char *junit;
	const char *columns;
	const char *table;
	bool noheadings;
	bool bytes;
	bool pages;
	unsigned long limit;
	bool limited;
	bool audits;
};

bool options_want(const struct selection *what, const char *path);
bool options_skip(const struct selection *what, const char *path);

#endif /* PCINSPECT_OPTIONS_H */
