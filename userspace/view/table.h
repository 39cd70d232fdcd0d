/* SPDX-License-Identifier: GPL-2.0 */
/*
 * table.h - a report as a table.
 */
#ifndef PCINSPECT_TABLE_H
#define PCINSPECT_TABLE_H

#include "lib/options.h"
#include "model/report.h"

struct libscols_table;

struct libscols_table *pcinspect_table_new(const struct pcinspect_args *args);
size_t pcinspect_files_shown(const struct pcinspect_report *report,
			     const struct pcinspect_args *args);
void pcinspect_print_more(const struct pcinspect_report *report,
			  const struct pcinspect_args *args);
int pcinspect_table_print(const struct pcinspect_report *report,
			  const struct pcinspect_args *args);
void pcinspect_audit_line(const struct pcinspect_audit *audit);
void pcinspect_audit_print(const struct pcinspect_report *report,
			   const struct pcinspect_args *args);

#endif /* PCINSPECT_TABLE_H */
