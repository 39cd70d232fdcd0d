/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cgroups.h - pages charged to cgroups, as tables and as JSON.
 */
#ifndef PCINSPECT_VIEW_CGROUPS_H
#define PCINSPECT_VIEW_CGROUPS_H

#include <stdio.h>

#include "lib/options.h"
#include "model/cgroups.h"
#include "model/field.h"

struct jsonw;

/**
 * struct cgroup_shown - one cgroup of a report: of itself, or of it and all below
 * @path: within its hierarchy; NULL: its directory is gone
 * @name: of the container, pod or unit, or NULL
 * @id: number of its directory
 * @lists: what the kernel counts, NULL: nobody knows
 * @active: pages
 * @inactive: likewise
 * @mapped: of them
 * @dirty: likewise
 * @cached_known: they are all of its page cache
 * @unnamed: pages that no file has
 * @files: how many
 * @current_bytes: memory.current
 * @current_known: of what is told here
 * @grown: pages since the tick before, NULL: nobody knows
 */
struct cgroup_shown {
	const char *path;
	const char *name;
	uint64_t id;
	const struct pcinspect_list_cgroup *lists;
	uint64_t active;
	uint64_t inactive;
	uint64_t mapped;
	uint64_t dirty;
	bool cached_known;
	uint64_t unnamed;
	uint64_t files;
	uint64_t current_bytes;
	bool current_known;
	const int64_t *grown;
};

void json_cgroup(struct jsonw *w, const struct cgroup_shown *cgroup,
		 const struct report *report);
extern const struct fields cgroup_fields, cgroup_file_fields;
int cgroups_print(const struct cgroups *cgroups, const struct output *out);
int cgroups_print_list(const struct cgroups *cgroups, const struct output *out);
int cgroups_json(const struct cgroups *cgroups, FILE *to);

#endif /* PCINSPECT_VIEW_CGROUPS_H */
