/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * report_table.h - a report as a table.
 */
#ifndef PCINSPECT_REPORT_TABLE_H
#define PCINSPECT_REPORT_TABLE_H

#include "lib/options.h"
#include "model/report.h"
#include "view/columns.h"
#include "view/grid.h"

/**
 * struct table - a table of files
 * @report: whose
 * @asked: columns, headings, units, limit
 * @use: its columns
 * @human: sizes and times with units
 * @exact: without, also of what is counted in bytes
 * @total: all files, below them, once they are added up
 * @grid: the rows
 */
struct table {
	const struct report *report;
	const struct output *asked;
	const struct column *use[MAX_COLUMNS];
	bool human;
	bool exact;
	const struct file *total;
	struct grid grid;
};

void table_begin(struct table *table, const struct report *report, const struct output *out);
void table_file(struct table *table, const struct file *file);
int table_end(struct table *table);
bool table_human(const struct output *out);
void table_pages_text(char room[GRID_ROOM], const struct output *out, uint32_t page_size,
		      uint64_t pages);
size_t table_files_shown(const struct report *report, const struct output *out);
void table_print_more(const struct report *report, const struct output *out);
void table_headings(const struct output *out);
void table_csv_row(const struct table *table, const struct file *file, bool first);
int table_csv(const struct report *report, const struct output *out);
int table_print(const struct report *report, const struct output *out);
void table_audit_lines(const struct report *report, const struct output *out);
void table_audit_text(const struct report *report, const struct output *out);
void table_audit_complain(const struct report *report);
void table_audit_print(const struct report *report, const struct output *out);

#endif /* PCINSPECT_REPORT_TABLE_H */
