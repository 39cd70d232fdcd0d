/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * task.h - what a fork means for a run, for its probe and for tests of it.
 */
#ifndef PCINSPECT_HOOK_TASK_H
#define PCINSPECT_HOOK_TASK_H

#include <linux/types.h>

struct task_struct;

bool pcinspect_task_sees_run(void);
void pcinspect_task_forks(const struct task_struct *child);

#endif /* PCINSPECT_HOOK_TASK_H */
