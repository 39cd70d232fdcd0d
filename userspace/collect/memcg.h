/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * memcg.h - from the number of a memory cgroup to its path.
 */
#ifndef PCINSPECT_MEMCG_H
#define PCINSPECT_MEMCG_H

#include "model/report.h"

char *memcg_path(uint64_t id);
void memcg_name(struct file *file);
char *memcg_of_process(const char *pid, bool *v1);

#endif /* PCINSPECT_MEMCG_H */
