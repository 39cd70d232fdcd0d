/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * run.h - a run: some tasks and filesystems whose every inode gets a ledger.
 */
#ifndef PCINSPECT_RUN_H
#define PCINSPECT_RUN_H

struct file;
struct pcinspect_run;

int pcinspect_run_start(const struct pcinspect_run *run,
			const struct file *owner);
void pcinspect_run_end(const struct file *owner);
void pcinspect_run_wait(void);
u64 pcinspect_run_left(void);

#endif /* PCINSPECT_RUN_H */
