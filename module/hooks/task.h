/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * task.h - membership of a run at fork, for its probe and its tests.
 */
#ifndef PCINSPECT_HOOK_TASK_H
#define PCINSPECT_HOOK_TASK_H

#include <linux/types.h>

struct task_struct;

bool pcinspect_task_sees_run(void);
void pcinspect_task_forks(const struct task_struct *child);

#endif /* PCINSPECT_HOOK_TASK_H */
