/* SPDX-License-Identifier: GPL-2.0 */
/*
 * table.h - a report as a table.
 */
#ifndef PCINSPECT_TABLE_H
#define PCINSPECT_TABLE_H

#include "lib/options.h"
#include "model/report.h"
#include "view/grid.h"
#include "view/kept.h"

/**
 * struct table_rows - rows of a table that are printed later; all zero is none
 * @rows: their cells
 * @seen: how wide these are
 */
struct table_rows {
	struct kept rows;
	struct grid_seen seen;
};

void table_keep(struct table_rows *rows, const struct report *report,
		const struct args *args, const struct file *file);
int table_print_rows(const struct report *report, const struct args *args,
		     struct table_rows *rows);
bool table_human(const struct args *args);
size_t table_files_shown(const struct report *report, const struct args *args);
void table_print_more(const struct report *report, const struct args *args);
void table_headings(const struct args *args);
void table_csv_row(const struct report *report, const struct args *args,
		   const struct file *file, bool first);
int table_csv(const struct report *report, const struct args *args);
int table_print(const struct report *report, const struct args *args);
void table_audit_line(const struct audit *audit);
void table_audit_lines(const struct report *report, const struct args *args);
void table_audit_text(const struct report *report, const struct args *args);
void table_audit_complain(const struct report *report);
void table_audit_print(const struct report *report, const struct args *args);

#endif /* PCINSPECT_TABLE_H */
