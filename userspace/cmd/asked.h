/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * asked.h - the user's request: options and operands.
 */
#ifndef PCINSPECT_ASKED_H
#define PCINSPECT_ASKED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/options.h"
#include "uapi/pcinspect.h"

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

#endif /* PCINSPECT_ASKED_H */
