/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * text.h - lists beside a table of files: tasks, windows, ages and fsync calls,
 * devices, verdicts, what is missing; each is in the file named here.
 */
#ifndef PCINSPECT_VIEW_TEXT_H
#define PCINSPECT_VIEW_TEXT_H

#include <stdio.h>

#include "lib/options.h"
#include "model/field.h"
#include "model/report.h"

/* text.c */
void print_escaped(const char *text);
void print_path(const struct file *file);
void print_comm(const char *comm);
/* tasks.c */
int view_tasks(const struct report *report, const struct output *out);
/* windows.c */
int view_windows(const struct report *report, const struct output *out);
extern const struct fields window_fields;
/* writes.c */
int view_writes(const struct report *report, const struct output *out);
int view_fsyncs(const struct report *report, const struct output *out);
/* devices.c */
void view_devices(const struct report *report, const struct output *out);
void view_gone(const struct report *report, const struct output *out);
/* verdicts.c */
int view_verdicts(const struct report *report, const struct output *out);
void view_verdicts_first(const struct report *report, size_t nr, bool priced);
/* losses.c */
void view_losses(const struct report *report, FILE *to);
void view_gaps(const struct report *report);
size_t view_untracked(const struct report *report);

#endif /* PCINSPECT_VIEW_TEXT_H */
