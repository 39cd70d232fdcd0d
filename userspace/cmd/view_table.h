/* SPDX-License-Identifier: GPL-2.0 */
/*
 * view_table.h - the sides of a report, by name.
 */
#ifndef PCINSPECT_VIEWS_H
#define PCINSPECT_VIEWS_H

#include <stdbool.h>

#include "cmd/args.h"
#include "model/report.h"

/* What reads and run show of each file. */
#define PCINSPECT_READS_COLUMNS \
	"DEMANDED,DEVICE,AMPL,SYNC,ASYNC,AROUND,FORCED,WRITE,OTHER,HOLE,REFAULT,WASTED,RECLAIM,INVALIDATE,PATH"

/* What dirty shows. */
#define PCINSPECT_DIRTY_COLUMNS \
	"DIRTY,OLDEST,UNKNOWN_AGE,WRITEBACK,WRITTEN,WRITE_BYTES,DEVICE_WRITE,WRITE_AMPL,CACHED,PATH"

bool pcinspect_view_known(const char *name);
int pcinspect_view_print(const char *name, struct pcinspect_report *report,
			 const struct pcinspect_args *args, int status);

#endif /* PCINSPECT_VIEWS_H */
