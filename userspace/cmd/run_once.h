/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * run_once.h - a command is run once, and what it did is counted.
 */
#ifndef PCINSPECT_RUN_ONCE_H
#define PCINSPECT_RUN_ONCE_H

#include <stdbool.h>
#include <stdint.h>

#include "cmd/asked.h"
#include "collect/collect.h"

/**
 * struct run_in - what a command runs in
 * @env: NAME=VALUE that it gets besides, ends with NULL; NULL: none
 * @keep: a file that it inherits, -1: none
 * @procs: cgroup.procs of the cgroup that it is put into, open; -1: it stays
 * @settle: called when it has ended, before anything is counted; NULL: nothing is
 * @arg: for it
 */
struct run_in {
	char *const *env;
	int keep;
	int procs;
	void (*settle)(void *arg);
	void *arg;
};

/**
 * struct run_once - a run that has ended
 * @collect: what its report was collected with
 * @old: the same of the report before it
 * @report: of it
 * @was: what there was when it began
 * @begun: CLOCK_MONOTONIC, ns
 * @status: of the command, as a shell has it
 * @collecting: the first four are to be freed
 */
struct run_once {
	struct collect collect, old;
	struct report report, was;
	uint64_t begun;
	int status;
	bool collecting;
};

bool run_once(struct run_once *run, const struct args *args, const struct run_in *in);
void run_end(struct run_once *run);
int run_signal(void);
void run_free(struct run_once *run);

#endif /* PCINSPECT_RUN_ONCE_H */
