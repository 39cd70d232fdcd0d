// SPDX-License-Identifier: GPL-2.0-only
/*
 * sheet.c - rows of one kind as a table or as CSV: which columns there are, what is in them,
 * and in which unit, the table of their fields says (model/field.h). Touches stdout.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/escape.h"
#include "lib/output.h"
#include "lib/terminal.h"
#include "lib/text.h"
#include "view/csv.h"
#include "view/report_table.h"
#include "view/sheet.h"

/**
 * sheet_column() - the columns of a kind of row, one after the other
 * @fields: of the rows
 * @i: 0, 1...
 *
 * Return: NULL behind the last.
 */
const struct field *sheet_column(const struct fields *fields, size_t i)
{
	size_t k;

	for (k = 0; k < fields->nr; k++)
		if (fields->list[k].heading && field_is_in(fields, &fields->list[k]) && !i--)
			return &fields->list[k];
	return NULL;
}

/**
 * sheet_check() - is --output usable
 * @fields: of the rows
 * @list: its argument, or NULL
 *
 * Return: -1 to go on, else the exit status.
 */
int sheet_check(const struct fields *fields, const char *list)
{
	const char *names[GRID_COLUMNS + 1] = {};
	const struct field *field;
	size_t i;

	for (i = 0; (field = sheet_column(fields, i)); i++)
		names[i] = field->heading;
	return list ? grid_check(list, names) : -1;
}

/* A number by its unit, as people read it or exactly. */
static void unit_text(char room[GRID_ROOM], enum pcinspect_unit unit, uint64_t value,
		      const struct output *out, uint32_t page_size)
{
	bool human = !out->csv && table_human(out);

	if (unit == PCINSPECT_UNIT_PAGES && (human || out->bytes)) {
		unit = PCINSPECT_UNIT_BYTES;
		value *= page_size;
	}
	if (unit == PCINSPECT_UNIT_BYTES && human)
		size_text(room, GRID_ROOM, value);
	else if (unit == PCINSPECT_UNIT_NS && human)
		duration_text(room, GRID_ROOM, value);
	else
		snprintf(room, GRID_ROOM, "%" PRIu64, value);
}

/**
 * sheet_cell() - one cell
 * @fields: of the row
 * @field: which of them
 * @row: whose
 * @of: what the row belongs to
 * @out: units
 * @page_size: bytes
 *
 * Return: a new string, fit for a terminal; "?" for what is unknown.
 */
char *sheet_cell(const struct fields *fields, const struct field *field, const void *row,
		 const void *of, const struct output *out, uint32_t page_size)
{
	char room[GRID_ROOM] = "?", comm[PCINSPECT_COMM_LEN + 1] = "";
	union field_value value;
	bool known;

	if (field->cell)
		return field->cell(row, of);
	known = field_value(fields, field, row, of, &value);
	switch (field->type) {
	case FIELD_TEXT:
	case FIELD_PATH:
	case FIELD_CHARS:
		return escape_path(known ? value.text : "-");
	case FIELD_COMM:
		memcpy(comm, value.text, PCINSPECT_COMM_LEN);
		return escape_path(comm);
	case FIELD_S64:
		if (!known)
			break;
		snprintf(room, sizeof(room), "%s", value.number > 0 ? "+" : value.number < 0 ? "-" : "");
		unit_text(room + strlen(room), field->unit,
			  value.number < 0 ? -(uint64_t)value.number : (uint64_t)value.number,
			  out, page_size);
		break;
	default:
		if (known)
			unit_text(room, field->unit, value.count, out, page_size);
	}
	return alloc_copy(room);
}

/**
 * sheet_begin() - begin a table
 * @sheet: filled in
 * @fields: of its rows
 * @of: what these belong to
 * @out: columns, headings, units
 * @page_size: bytes
 */
void sheet_begin(struct sheet *sheet, const struct fields *fields, const void *of,
		 const struct output *out, uint32_t page_size)
{
	struct grid *grid = &sheet->grid;
	const struct field *field;
	size_t i;

	*sheet = (struct sheet){ .fields = fields, .of = of, .out = out,
				 .page_size = page_size };
	grid->noheadings = out->noheadings;
	grid->width = out->noheadings ? 0 : terminal_width();
	for (i = 0; (field = sheet_column(fields, i)); i++) {
		sheet->columns[i] = field;
		grid->columns[i] = (struct grid_column){
			.name = field->heading, .rank = field->rank,
			.left = field->flags & FIELD_LEFT, .shrinks = field->flags & FIELD_SHRINKS,
			.keep = field->flags & FIELD_KEEP,
		};
	}
	grid->nr_columns = i;
	grid_choose(grid, out->columns);
}

static char *cell(const struct sheet *sheet, int k, const void *row)
{
	return sheet_cell(sheet->fields, sheet->columns[k], row, sheet->of, sheet->out,
			  sheet->page_size);
}

/* A row of it. */
void sheet_row(struct sheet *sheet, const void *row)
{
	int k;

	for (k = 0; k < sheet->grid.nr_columns; k++)
		grid_take(&sheet->grid, cell(sheet, k, row), NULL);
}

/* A cell of a line that is no row: pages, or "?". */
void sheet_pages(struct sheet *sheet, bool known, uint64_t pages)
{
	char room[GRID_ROOM] = "?";

	if (known)
		unit_text(room, PCINSPECT_UNIT_PAGES, pages, sheet->out, sheet->page_size);
	grid_cell(&sheet->grid, room);
}

/* How many of so many rows are shown. */
size_t sheet_limit(const struct output *out, size_t nr)
{
	return out->limit && out->limit < nr ? out->limit : nr;
}

/* The unit of counts, where it is not beside them. */
static void print_unit(const struct sheet *sheet)
{
	const struct output *out = sheet->out;
	char text[GRID_ROOM];
	int k;

	if (table_human(out) || out->bytes || out->columns || out->noheadings)
		return;
	for (k = 0; k < sheet->grid.nr_columns; k++)
		if (sheet->columns[k]->unit == PCINSPECT_UNIT_PAGES)
			break;
	if (k == sheet->grid.nr_columns)
		return;
	size_text(text, sizeof(text), sheet->page_size);
	printf("counts are in pages of %s (--bytes: in bytes)\n", text);
}

/**
 * sheet_end() - print it
 * @sheet: which; its rows go
 * @more: rows that are not shown
 * @of: a space and what they are, or ""
 *
 * Return: 0, or -1 if it could not be written.
 */
int sheet_end(struct sheet *sheet, size_t more, const char *of)
{
	grid_print(&sheet->grid);
	if (more && !sheet->out->noheadings)
		printf("and %zu more%s (--limit 0: all)\n", more, of);
	print_unit(sheet);
	return fflush(stdout) || output_failed() ? -1 : 0;
}

/* The headings as comma-separated values; the line is left open. */
void sheet_csv_headings(const struct sheet *sheet)
{
	const struct grid *grid = &sheet->grid;
	int k, n = grid->nr_chosen ?: grid->nr_columns;

	for (k = 0; k < n; k++)
		csv_put(grid->columns[grid->nr_chosen ? grid->chosen[k] : k].name, false);
}

/* A row likewise, after a cell of the caller's. */
void sheet_csv_row(const struct sheet *sheet, const void *row)
{
	const struct grid *grid = &sheet->grid;
	int k, n = grid->nr_chosen ?: grid->nr_columns;
	char *text;

	for (k = 0; k < n; k++) {
		text = cell(sheet, grid->nr_chosen ? grid->chosen[k] : k, row);
		csv_put(text, false);
		free(text);
	}
}
