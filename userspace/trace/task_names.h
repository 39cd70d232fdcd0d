/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * task_names.h - the names of the threads that made a batch of events.
 */
#ifndef PCINSPECT_TASK_NAMES_H
#define PCINSPECT_TASK_NAMES_H

#include <stddef.h>
#include <stdio.h>

struct tep_handle;

/**
 * struct task_names - names asked for in one batch
 * @comms: as ftrace remembers them, NULL: not read yet
 * @list: threads and their names
 * @nr: how many
 */
struct task_names {
	struct tep_handle *comms;
	struct {
		int pid;
		char comm[16];
	} list[64];
	size_t nr;
};

void task_names_load(FILE *from, struct tep_handle *comms);
const char *task_name(struct task_names *names, int pid);
void task_names_forget(struct task_names *names);

#endif /* PCINSPECT_TASK_NAMES_H */
