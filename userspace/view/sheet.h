/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sheet.h - rows of one kind as a table or as CSV, by the table of their fields.
 */
#ifndef PCINSPECT_SHEET_H
#define PCINSPECT_SHEET_H

#include "lib/options.h"
#include "model/field.h"
#include "view/grid.h"

/**
 * struct sheet - a table of rows
 * @fields: of the rows
 * @of: what the rows belong to
 * @out: columns, headings, units
 * @page_size: bytes
 * @columns: the fields that have one, in their order
 * @grid: its cells
 */
struct sheet {
	const struct fields *fields;
	const void *of;
	const struct output *out;
	uint32_t page_size;
	const struct field *columns[GRID_COLUMNS];
	struct grid grid;
};

int sheet_check(const struct fields *fields, const char *list);
const struct field *sheet_column(const struct fields *fields, size_t i);
char *sheet_cell(const struct fields *fields, const struct field *field, const void *row,
		 const void *of, const struct output *out, uint32_t page_size);
void sheet_begin(struct sheet *sheet, const struct fields *fields, const void *of,
		 const struct output *out, uint32_t page_size);
void sheet_row(struct sheet *sheet, const void *row);
void sheet_pages(struct sheet *sheet, bool known, uint64_t pages);
size_t sheet_limit(const struct output *out, size_t nr);
int sheet_end(struct sheet *sheet, size_t more, const char *of);
void sheet_csv_headings(const struct sheet *sheet);
void sheet_csv_row(const struct sheet *sheet, const void *row);

#endif /* PCINSPECT_SHEET_H */
