/* SPDX-License-Identifier: GPL-2.0 */
/*
 * task_names.h - the names of the threads that made a batch of events.
 */
#ifndef PCINSPECT_TASK_NAMES_H
#define PCINSPECT_TASK_NAMES_H

#include <stddef.h>
#include <stdio.h>

struct tep_handle;

/**
 * struct pcinspect_task_names - names asked for in one batch
 * @comms: as ftrace remembers them, NULL: not read yet
 * @list: threads and their names
 * @nr: how many
 */
struct pcinspect_task_names {
	struct tep_handle *comms;
	struct {
		int pid;
		char comm[16];
	} list[64];
	size_t nr;
};

void pcinspect_task_names_load(FILE *from, struct tep_handle *comms);
const char *pcinspect_task_name(struct pcinspect_task_names *names, int pid);
void pcinspect_task_names_forget(struct pcinspect_task_names *names);

#endif /* PCINSPECT_TASK_NAMES_H */
