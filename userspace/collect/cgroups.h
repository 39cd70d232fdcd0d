/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * cgroups.h - from cgroups to the files that are charged to them.
 */
#ifndef PCINSPECT_COLLECT_CGROUPS_H
#define PCINSPECT_COLLECT_CGROUPS_H

#include "collect/collect.h"
#include "model/cgroups.h"

/* What --pod, --container and --pid name. */
enum cgroup_selector { SELECT_POD, SELECT_CONTAINER, SELECT_PID };

char *cgroups_select(enum cgroup_selector by, const char *what);
int cgroups_walk(struct collect *collect, const char *path, struct cgroup *cgroup);
int cgroups_open(const char *path, char *full, size_t size);
void cgroups_complain(const char *path, const char *full, int fd);
int cgroups_collect(struct collect *collect, struct cgroups *cgroups,
		    char *const *paths, size_t nr_paths);
void cgroups_left_out(const char *path, size_t nr);

#endif /* PCINSPECT_COLLECT_CGROUPS_H */
