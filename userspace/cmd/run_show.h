/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * run_show.h - the result of a run, for output.
 */
#ifndef PCINSPECT_RUN_SHOW_H
#define PCINSPECT_RUN_SHOW_H

#include <stdint.h>

#include "cmd/asked.h"
#include "model/report.h"

int run_show(const struct report *report, const struct args *args, uint64_t begun);

#endif /* PCINSPECT_RUN_SHOW_H */
