/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cgroups.h - pages charged to cgroups, by file: the model of "cgroup".
 */
#ifndef PCINSPECT_CGROUPS_H
#define PCINSPECT_CGROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/listed.h"
#include "model/report.h"
#include "uapi/pcinspect.h"

/**
 * struct cgroup - one cgroup and all below it
 * @path: within its hierarchy; NULL: its directory is gone
 * @name: of the container, pod or unit, as its name says; or NULL
 * @lists: what the kernel counts, and what was met, of all of them
 * @files: their pages, most first
 * @nr_files: how many
 * @room: allocated
 * @current_bytes: memory.current
 * @current_known: it could be read
 */
struct cgroup {
	char *path;
	char *name;
	struct pcinspect_list_cgroup lists;
	struct listed_file *files;
	size_t nr_files;
	size_t room;
	uint64_t current_bytes;
	bool current_known;
};

/**
 * struct cgroups - the answer
 * @report: moment, machine and audits; its files are not used
 * @list: as they were asked for, or all, parents before children
 * @nr: how many
 * @again: lists that were walked again
 * @busy: filesystems whose files have no name for this reason
 */
struct cgroups {
	struct report *report;
	struct cgroup *list;
	size_t nr;
	uint32_t again;
	uint32_t busy;
};

uint64_t cgroup_counted(const struct cgroup *cgroup);
uint64_t cgroup_named(const struct cgroup *cgroup);
uint64_t cgroup_unnamed(const struct cgroup *cgroup);
uint64_t cgroup_set(uint64_t current_bytes, const struct pcinspect_list_cgroup *lists,
		    uint32_t page_size);
bool cgroup_working_set(const struct cgroup *cgroup, uint32_t page_size,
			uint64_t *bytes);
void cgroup_add_lists(struct pcinspect_list_cgroup *sum,
		      const struct pcinspect_list_cgroup *one);
void cgroup_add_file(struct cgroup *cgroup, const struct pcinspect_list_file *row,
		     const char *path, bool elsewhere);
void cgroup_sort(struct cgroup *cgroup);
void cgroup_free(struct cgroup *cgroup);
void cgroups_free(struct cgroups *cgroups);
char *cgroup_name(const char *path);

#endif /* PCINSPECT_CGROUPS_H */
