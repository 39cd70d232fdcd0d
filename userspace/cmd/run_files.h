/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * run_files.h - the records that belong to a run.
 */
#ifndef PCINSPECT_RUN_FILES_H
#define PCINSPECT_RUN_FILES_H

#include <stdint.h>

#include "collect/collect.h"

int run_list(struct collect *collect, uint32_t flags);
void run_take_off(struct report *report, const struct report *old);
void run_keep_files(struct report *report, const struct pcinspect_run *run);

#endif /* PCINSPECT_RUN_FILES_H */
