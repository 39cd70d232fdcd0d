/* SPDX-License-Identifier: GPL-2.0 */
/*
 * view_table.h - the views of a report: each is a command of its own, and one
 * that report --view shows of a recording.
 */
#ifndef PCINSPECT_VIEWS_H
#define PCINSPECT_VIEWS_H

#include <stdbool.h>

#include "cmd/args.h"
#include "model/report.h"

/* What reads and run show of each file. */
#define PCINSPECT_READS_COLUMNS \
	"DEMANDED,DEVICE,AMPL,SYNC,ASYNC,AROUND,FORCED,WRITE,OTHER,HOLE,REFAULT,WASTED,RECLAIM,INVALIDATE,PATH"

bool pcinspect_view_command(size_t i, struct pcinspect_command *command);
const char *pcinspect_view_name(size_t i);
int pcinspect_view_check(const char *name, const char *list);
int pcinspect_view_print(const char *name, struct pcinspect_report *report,
			 const struct pcinspect_args *args, int status);

#endif /* PCINSPECT_VIEWS_H */
