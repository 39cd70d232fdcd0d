/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * views.h - the views of a report: each is a command of its own, and one
 * that report --view shows of a recording.
 */
#ifndef PCINSPECT_VIEWS_H
#define PCINSPECT_VIEWS_H

#include <stdbool.h>

#include "cmd/command.h"
#include "model/report.h"

/* The columns of reads. */
#define VIEW_READS_COLUMNS \
	"DEMANDED,DEVICE,AMPL,SYNC,ASYNC,AROUND,FORCED,WRITE,OTHER,HOLE,REFAULT,WASTED,RECLAIM,INVALIDATE,PATH"

/* The columns of run: the bytes moved, and their cost to the cache. */
#define VIEW_RUN_COLUMNS \
	"DEMANDED,DEVICE,AMPL,WRITE_BYTES,DEVICE_WRITE,CACHED,REFAULT,RECLAIM,PATH"

bool view_command(size_t i, struct command *command);
bool view_has_table(const char *name);
const char *view_name(size_t i);
int view_check(const char *name, const char *list);
const struct fields *view_fields(const char *name);
int view_print(const char *name, struct report *report,
	       const struct args *args, int status);

#endif /* PCINSPECT_VIEWS_H */
