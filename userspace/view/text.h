/* SPDX-License-Identifier: GPL-2.0 */
/*
 * text.h - what does not fit a table of files: tasks, culprits, windows,
 * devices, verdicts.
 */
#ifndef PCINSPECT_VIEW_H
#define PCINSPECT_VIEW_H

#include <stdio.h>

#include "lib/options.h"
#include "model/report.h"

int view_tasks(const struct report *report, const struct args *args);
int view_windows(const struct report *report, const struct args *args);
int view_windows_check(const char *list);
const char *view_windows_column(size_t i, const char **help);
int view_writes(const struct report *report, const struct args *args);
int view_fsyncs(const struct report *report, const struct args *args);
void print_escaped(const char *text);
void print_path(const struct file *file);
void print_comm(const char *comm);
void view_devices(const struct report *report, const struct args *args);
void view_gone(const struct report *report, const struct args *args);
int view_verdicts(const struct report *report, const struct args *args);
void view_verdicts_first(const struct report *report, size_t nr, bool priced);
void view_losses(const struct report *report, FILE *to);
void view_gaps(const struct report *report);
void view_untracked(const struct report *report);

#endif /* PCINSPECT_VIEW_H */
