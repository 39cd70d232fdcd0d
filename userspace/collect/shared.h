/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shared.h - from all LRU lists and all tasks to the files of several cgroups.
 */
#ifndef PCINSPECT_COLLECT_SHARED_H
#define PCINSPECT_COLLECT_SHARED_H

#include "collect/collect.h"
#include "model/shared.h"

int shared_collect(struct collect *collect, struct shared *shared, char *const *paths,
		   size_t nr_paths);

#endif /* PCINSPECT_COLLECT_SHARED_H */
