// SPDX-License-Identifier: GPL-2.0-only
/*
 * report_table.c - the files of a report as a table; one array (columns.c) is the source of
 * columns, -o and its help. Unknown is "?". Touches stdout.
 *
 * On a terminal it is for people: sizes have units, the columns fit. Elsewhere, and as
 * soon as somebody says what he wants (-o, -n, --bytes, --pages), counts are exact; and with
 * the last two, sizes are.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/complain.h"
#include "lib/escape.h"
#include "lib/output.h"
#include "lib/terminal.h"
#include "lib/text.h"
#include "view/columns.h"
#include "view/csv.h"
#include "view/file_name.h"
#include "view/grid.h"
#include "view/report_table.h"

static char *orders_text(const struct pcinspect_snapshot *snap)
{
	char *out = NULL;
	size_t size;
	FILE *to = alloc_stream(&out, &size);
	int order;

	for (order = 0; order < PCINSPECT_NR_ORDERS; order++)
		if (snap->orders[order])
			fprintf(to, "%s%d:%ju", ftell(to) ? "," : "", order,
				(uintmax_t)snap->orders[order]);
	fclose(to);
	return out;
}

/* As printf(3) would, in a tenth of the instructions: most cells are this. */
static char *print_digits(char *out, uint64_t value)
{
	char digits[20];
	int n = 0;

	do
		digits[n++] = '0' + value % 10;
	while (value /= 10);
	while (n)
		*out++ = digits[--n];
	*out = '\0';
	return out;
}

static void bytes(char *out, uint64_t value, bool exact)
{
	/* Less than that has no unit. */
	if (exact || value < 1024)
		print_digits(out, value);
	else
		size_text(out, GRID_ROOM, value);
}

/* The oldest dirty page: "-" of none, "~" by the inode's time, ">" what is known. */
static void oldest_text(char *out, const struct table *table, const struct file *file)
{
	uint64_t ms;

	switch (file_oldest(file, &ms)) {
	case OLDEST_UNKNOWN:
		strcpy(out, "?");
		return;
	case OLDEST_NONE:
		strcpy(out, "-");
		return;
	case OLDEST_ABOUT:
		*out++ = '~';
		break;
	case OLDEST_MORE:
		*out++ = '>';
		break;
	case OLDEST_KNOWN:
		break;
	}
	snprintf(out, GRID_ROOM - 1, table->human ? "%.1fs" : "%.1f", ms / 1e3);
}

/* A number's cell. */
static void number_cell(char *out, const struct table *table, const struct file *file,
			enum pcinspect_number number)
{
	uint64_t value;

	if (number == PCINSPECT_OLDEST_MS) {
		oldest_text(out, table, file);
		return;
	}
	if (!file_number(file, number, &value)) {
		strcpy(out, "?");
		return;
	}
	switch (number_rows[number].unit) {
	case PCINSPECT_UNIT_PAGES:
		if (table->human || table->asked->bytes)
			bytes(out, value * file->page_size, !table->human);
		else
			print_digits(out, value);
		break;
	case PCINSPECT_UNIT_MS:
		snprintf(out, GRID_ROOM, table->human ? "%.1fs" : "%.1f", value / 1e3);
		break;
	case PCINSPECT_UNIT_EVENTS:
		print_digits(out, value);
		break;
	default:
		bytes(out, value, table->exact);
	}
}

/* Rounded down: what is not all is not 100 %. */
static void percent_text(char *out, const struct table *table, const struct file *file)
{
	double percent;

	if (!file_cached_percent(file, &percent)) {
		strcpy(out, number_known(file, PCINSPECT_CACHED) ? "-" : "?");
	} else if (!table->human) {
		out = print_digits(out, percent);
		*out++ = '.';
		print_digits(out, (uint64_t)(percent * 10) % 10);
	} else {
		share_text(out, GRID_ROOM, percent);
	}
}

static char *path_cell(const struct file *file)
{
	char *path = file->path ? escape_path(file->path) : alloc_copy("?"), *out;
	const char *behind = file->gone ? " (gone)" : file_name_deleted(file->snap.flags);

	if (!*behind)
		return path;
	out = alloc_text("%s%s", path, behind);
	free(path);
	return out;
}

/* The sum of all files in the last row; NULL: none. */
static char *total_text(const struct table *table, const struct column *column)
{
	switch (column->special) {
	case A_NUMBER: case AMPLIFICATION: case WRITE_AMPLIFICATION: case SIZE:
	case CACHED_PERCENT:
		return NULL;
	case PATH:
		return alloc_text("total of %zu files",
				  table->report->nr_files + table->report->streamed.files);
	default:
		return alloc_copy("");
	}
}

/* The text of one cell, in @room or a new string; "?" for what is unknown. */
static char *cell_of(const struct table *table, const struct file *file, int k,
		     char room[GRID_ROOM])
{
	const struct column *column = table->use[k];
	const struct pcinspect_snapshot *snap = &file->snap;
	char *text = file == table->total ? total_text(table, column) : NULL;
	double factor;

	if (text)
		return text;
	strcpy(room, "?");
	switch (column->special) {
	case A_NUMBER:
		number_cell(room, table, file, column->number);
		break;
	case AMPLIFICATION:
	case WRITE_AMPLIFICATION:
		if (column->special == AMPLIFICATION ?
		    file_amplification(file, &factor) :
		    file_write_amplification(file, &factor))
			snprintf(room, GRID_ROOM, factor < 10 ? "%.2f" : "%.0f", factor);
		break;
	case CACHED_PERCENT:
		percent_text(room, table, file);
		break;
	case SIZE:
		if (!file->gone)
			bytes(room, snap->size_bytes, table->exact);
		break;
	case DEV:
		snprintf(room, GRID_ROOM, "%u:%u", snap->dev_major, snap->dev_minor);
		break;
	case INO:
		print_digits(room, snap->ino);
		break;
	case GENERATION:
		print_digits(room, snap->i_generation);
		break;
	case FS:
		snprintf(room, GRID_ROOM, "%s", snap->fs);
		break;
	case KIND:
		strcpy(room, snap->flags & PCINSPECT_F_EXPLICIT ? "explicit" :
			     snap->flags & PCINSPECT_F_AUTO ? "auto" : "-");
		break;
	case ORDERS:
		return orders_text(snap);
	case MEMCG:
		return file->memcg_paths[0] ? escape_path(file->memcg_paths[0]) : room;
	case REAL_PATH:
		return escape_path(file->real_path ?: "-");
	case PATH:
		return path_cell(file);
	}
	return room;
}

/* All files as one: each inode once; what is unknown of one is unknown of all. */
static void sum_files(const struct report *report, struct file *total)
{
	size_t i;

	if (report->streamed.files)
		*total = report->streamed.total;
	else
		file_begin_sum(total, report->page_size);
	for (i = 0; i < report->nr_files; i++)
		if (!report->files[i].gone && !report->files[i].again &&
		    report_first_name(report, i) == i)
			file_add(total, &report->files[i]);
}

/**
 * table_human() - is a report shown to somebody who reads it
 * @out: what was asked for
 *
 * Return: true on a terminal, unless exact numbers are asked for.
 */
bool table_human(const struct output *out)
{
	return !out->bytes && !out->pages && !out->columns && !out->noheadings &&
	       terminal_width();
}

/* Pages as people read them; or exactly, with --bytes in bytes. */
void table_pages_text(char room[GRID_ROOM], const struct output *out, uint32_t page_size,
		      uint64_t pages)
{
	bool human = table_human(out);

	bytes(room, human || out->bytes ? pages * page_size : pages, !human);
}

/**
 * table_files_shown() - how many files are shown to people
 * @report: which
 * @out: its limit; programs get all
 *
 * Return: so many, the first ones.
 */
size_t table_files_shown(const struct report *report, const struct output *out)
{
	return out->limit && out->limit < report->nr_files ? out->limit :
							       report->nr_files;
}

static void print_more(size_t more, const struct output *out)
{
	if (more && !out->noheadings)
		printf("and %zu more (--limit 0 shows all)\n", more);
}

/* Say how many files are not shown. */
void table_print_more(const struct report *report, const struct output *out)
{
	print_more(report->nr_files - table_files_shown(report, out), out);
}

/**
 * table_begin() - begin a table
 * @table: filled in
 * @report: whose
 * @out: columns, headings, units, limit
 */
void table_begin(struct table *table, const struct report *report, const struct output *out)
{
	struct grid *grid = &table->grid;
	const struct column *column;
	bool asked = out->columns != NULL;
	int k;

	*table = (struct table){
		.report = report, .asked = out, .human = !out->csv && table_human(out),
		.exact = out->csv || out->bytes || out->pages,
	};
	grid->nr_columns = columns_parse(out->table, out->columns, table->use);
	grid->noheadings = out->noheadings;
	grid->width = out->noheadings ? 0 : terminal_width();
	for (k = 0; k < grid->nr_columns; k++) {
		column = table->use[k];
		grid->columns[k] = (struct grid_column){
			.name = column->name, .rank = columns_rank(column),
			/* A path. */
			.shrinks = column->special == PATH || column->special == REAL_PATH ||
				   column->special == MEMCG,
			.left = column->special == ORDERS || column->special == FS ||
				column->special == KIND,
			/* The first is what the table is about. */
			.keep = asked || !k || column->special == PATH,
		};
		grid->columns[k].left |= grid->columns[k].shrinks;
	}
}

/**
 * table_file() - a file of a table: its row is kept, in a tenth of what the file takes
 * @table: which
 * @file: a file of its report, or one that it does not keep
 */
void table_file(struct table *table, const struct file *file)
{
	char room[GRID_ROOM];
	int k;

	for (k = 0; k < table->grid.nr_columns; k++)
		grid_take(&table->grid, cell_of(table, file, k, room), room);
}

/* In which units counts are, where these are not beside them. */
static void print_unit(const struct table *table)
{
	const char *pages = NULL, *seconds = NULL;
	char text[GRID_ROOM];
	int k;

	for (k = table->grid.nr_columns; k--;) {
		if (table->use[k]->special != A_NUMBER)
			continue;
		if (number_rows[table->use[k]->number].unit == PCINSPECT_UNIT_PAGES)
			pages = table->use[k]->name;
		else if (number_rows[table->use[k]->number].unit == PCINSPECT_UNIT_MS)
			seconds = table->use[k]->name;
	}
	if (!pages)
		return;
	size_text(text, sizeof(text), table->report->page_size);
	printf("\n%s and other counts are in pages of %s%s%s%s (--bytes: in bytes; see -o help)\n",
	       pages, text, seconds ? ", " : "", seconds ?: "", seconds ? " in seconds" : "");
}

/**
 * table_end() - print a table, and forget its rows
 * @table: which; its report is complete, as far as it is kept
 *
 * Return: 0, or -1 with errno set if it could not be written.
 */
int table_end(struct table *table)
{
	const struct report *report = table->report;
	const struct output *out = table->asked;
	size_t all = report->nr_files + report->streamed.files, rows = table->grid.rows.nr;
	struct file total;

	/* A user who names columns has a program that reads them. */
	if (rows && !out->noheadings && all > 1 && (!out->columns || terminal_width())) {
		sum_files(report, &total);
		table->total = &total;
		table_file(table, &total);
	}
	if (rows)
		grid_print(&table->grid);
	print_more(all - rows, out);
	if (rows && !table->human && !out->bytes && !out->columns && !out->noheadings)
		print_unit(table);
	return fflush(stdout) || output_failed() ? -1 : 0;
}

/**
 * table_print() - print the files of a report
 * @report: which
 * @out: columns, headings, units, limit
 *
 * Return: 0, or -1 with errno set if it could not be written.
 */
int table_print(const struct report *report, const struct output *out)
{
	size_t row, rows = table_files_shown(report, out);
	struct table table;

	table_begin(&table, report, out);
	for (row = 0; row < rows; row++)
		table_file(&table, &report->files[row]);
	return table_end(&table);
}

/* The columns of a table that has no rows. */
void table_headings(const struct output *out)
{
	const struct column *use[MAX_COLUMNS];
	int k, n = columns_parse(out->table, out->columns, use), at = 0, width;

	for (k = 0; k < n; k++) {
		width = strlen(use[k]->name) + (k > 0);
		/* The first ones, and the last. */
		if (terminal_width() && k < n - 1 &&
		    at + width + 1 + (int)strlen(use[n - 1]->name) > terminal_width())
			continue;
		printf("%s%s", k ? " " : "", use[k]->name);
		at += width;
	}
	putchar('\n');
}

static void csv_headings(const struct table *table)
{
	int k;

	for (k = 0; k < table->grid.nr_columns && !table->asked->noheadings; k++)
		csv_put(table->use[k]->name, !k);
	if (!table->asked->noheadings)
		csv_end();
}

/**
 * table_csv_row() - one file as comma-separated values
 * @table: of which; numbers are exact, what is unknown or does not apply is empty
 * @file: one of its report, or one that it does not keep
 * @first: the heading as well, if it is wanted
 */
void table_csv_row(const struct table *table, const struct file *file, bool first)
{
	char room[GRID_ROOM], *text;
	bool named;
	int k;

	if (first)
		csv_headings(table);
	for (k = 0; k < table->grid.nr_columns; k++) {
		text = cell_of(table, file, k, room);
		/* A file may have such a name. */
		named = table->use[k]->special == PATH && file->path;
		csv_put(named || (strcmp(text, "?") && strcmp(text, "-")) ? text : "", !k);
		if (text != room)
			free(text);
	}
	csv_end();
}

/**
 * table_csv() - the files of a report as comma-separated values
 * @report: which
 * @out: columns, heading, --bytes, limit
 *
 * Return: 0, or -1 with errno set if it could not be written.
 */
int table_csv(const struct report *report, const struct output *out)
{
	size_t row, rows = table_files_shown(report, out);
	struct table table;

	table_begin(&table, report, out);
	csv_headings(&table);
	for (row = 0; row < rows && !output_failed(); row++)
		table_csv_row(&table, &report->files[row], false);
	return fflush(stdout) || output_failed() ? -1 : 0;
}

/* One reconciliation on stdout. */
static void table_audit_line(const struct audit *audit)
{
	printf("audit: %s", audit->what);
	if (audit->major || audit->minor)
		printf(" of %u:%u", audit->major, audit->minor);
	printf(" %ju, %s says %ju", (uintmax_t)audit->ours, audit->source,
	       (uintmax_t)audit->theirs);
	if (audit->slack)
		printf(" (%ju changed meanwhile)", (uintmax_t)audit->slack);
	fputs(": ", stdout);
	if (audit_ok(audit))
		puts("ok");
	else
		printf("UNTRUSTED, it differs by %jd\n", (intmax_t)audit_difference(audit));
}

/* How many sums agree, in one line; each in a line where one does not, or --audit asks. */
void table_audit_lines(const struct report *report, const struct output *out)
{
	size_t i, ok = 0, n = report->nr_audits;

	for (i = 0; i < n; i++)
		ok += audit_ok(&report->audits[i]);
	if (!n)
		return;
	printf("audit: %zu of %zu ok", ok, n);
	if (ok < n)
		printf(", %zu UNTRUSTED", n - ok);
	putchar('\n');
	for (i = 0; i < n && (ok < n || out->audits); i++)
		table_audit_line(&report->audits[i]);
}

/**
 * table_audit_text() - what table_audit_print() prints on stdout
 * @report: which
 * @out: with --noheadings nothing
 */
void table_audit_text(const struct report *report, const struct output *out)
{
	if (out->noheadings || out->json || out->csv || !report->nr_audits)
		return;
	putchar('\n');
	table_audit_lines(report, out);
}

/* The output of table_audit_print() on stderr: UNTRUSTED, for a sum that does not agree. */
void table_audit_complain(const struct report *report)
{
	size_t i;

	for (i = 0; i < report->nr_audits; i++) {
		const struct audit *audit = &report->audits[i];
		char dev[32] = "";

		if (audit_ok(audit))
			continue;
		if (audit->major || audit->minor)
			snprintf(dev, sizeof(dev), " of %u:%u", audit->major, audit->minor);
		output_untrusted();
		complain(NULL, "UNTRUSTED: %s%s differs from %s by %jd (the cache changed while it was read, or pcinspect misreads this kernel: compare again)",
			 audit->what, dev, audit->source,
			 (intmax_t)audit_difference(audit));
	}
	if (report->skipped)
		complain(NULL, "%ju inodes could not be looked at: their filesystem was frozen, or being unmounted or remounted: %s (try again)",
			 (uintmax_t)report->skipped, *report->busy ? report->busy : "?");
}

/**
 * table_audit_print() - the reconciliation, below a table
 * @report: which
 * @out: with --noheadings only what does not agree is said
 */
void table_audit_print(const struct report *report, const struct output *out)
{
	table_audit_text(report, out);
	table_audit_complain(report);
}
