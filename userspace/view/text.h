/* SPDX-License-Identifier: GPL-2.0 */
/*
 * text.h - what does not fit a table of files: tasks, culprits, windows,
 * devices, verdicts.
 */
#ifndef PCINSPECT_VIEW_H
#define PCINSPECT_VIEW_H

#include "lib/options.h"
#include "model/report.h"

int pcinspect_view_people(const struct pcinspect_report *report,
			  const struct pcinspect_args *args);
int pcinspect_view_windows(const struct pcinspect_report *report,
			   const struct pcinspect_args *args);
int pcinspect_windows_check(const char *list);
int pcinspect_view_writes(const struct pcinspect_report *report,
			  const struct pcinspect_args *args);
int pcinspect_view_fsyncs(const struct pcinspect_report *report,
			  const struct pcinspect_args *args);
void pcinspect_print_escaped(const char *text);
void pcinspect_print_path(const struct pcinspect_file *file);
void pcinspect_print_comm(const char *comm);
void pcinspect_view_devices(const struct pcinspect_report *report,
			    const struct pcinspect_args *args);
int pcinspect_view_verdicts(const struct pcinspect_report *report,
			    const struct pcinspect_args *args);
void pcinspect_view_losses(const struct pcinspect_report *report);
void pcinspect_view_untracked(const struct pcinspect_report *report);

#endif /* PCINSPECT_VIEW_H */
