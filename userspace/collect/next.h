/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * next.h - from a cgroup to what reclaim takes of it next.
 */
#ifndef PCINSPECT_COLLECT_NEXT_H
#define PCINSPECT_COLLECT_NEXT_H

#include "collect/collect.h"
#include "model/next.h"

int next_collect(struct collect *collect, struct next *next, const char *path,
		 double interval);

#endif /* PCINSPECT_COLLECT_NEXT_H */
