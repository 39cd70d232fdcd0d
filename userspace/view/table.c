// SPDX-License-Identifier: GPL-2.0
/*
 * table.c - tables by libsmartcols; one array is the source of columns, -o and
 * its help. Unknown is "?". Touches stdout.
 */
#include <err.h>
#include <libsmartcols.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "lib/complain.h"
#include "lib/escape.h"
#include "lib/text.h"
#include "view/columns.h"
#include "view/table.h"

/* More rows than this are printed without libsmartcols. */
#define LISTING_ROWS 500

static char *orders_text(const struct pcinspect_snapshot *snap)
{
	char *out = NULL;
	size_t size;
	FILE *to = open_memstream(&out, &size);
	int order;

	if (!to)
		err(1, "out of memory");
	for (order = 0; order < PCINSPECT_NR_ORDERS; order++)
		if (snap->orders[order])
			fprintf(to, "%s%d:%ju", ftell(to) ? "," : "", order,
				(uintmax_t)snap->orders[order]);
	fclose(to);
	return out;
}

/* Is a column one of whole numbers, as they are? */
static bool is_count(const struct column *column)
{
	enum pcinspect_unit unit = number_rows[column->number].unit;

	return column->special == A_NUMBER &&
	       (unit == PCINSPECT_UNIT_PAGES || unit == PCINSPECT_UNIT_EVENTS);
}

/* A number of pages in the unit that was asked for. */
static uint64_t shown(const struct column *column, uint64_t value,
		      const struct args *args, uint32_t page_size)
{
	return args->bytes && number_rows[column->number].unit == PCINSPECT_UNIT_PAGES ?
		value * page_size : value;
}

/* A number's file_cell; nothing is dirty: no oldest page, which is not unknown. */
static void number_text(char *out, size_t size, const struct file *file,
			const struct column *column,
			const struct args *args)
{
	uint64_t value, dirty;

	if (column->number == PCINSPECT_OLDEST_MS &&
	    number_known(file, PCINSPECT_LE_10_MS) &&
	    file_number(file, PCINSPECT_DIRTY, &dirty) && !dirty)
		snprintf(out, size, "-");
	else if (!file_number(file, column->number, &value))
		snprintf(out, size, "?");
	else if (number_rows[column->number].unit == PCINSPECT_UNIT_MS)
		snprintf(out, size, "%.1f", value / 1e3);
	else if (is_count(column) || args->bytes)
		snprintf(out, size, "%ju",
			 (uintmax_t)shown(column, value, args, file->page_size));
	else
		size_text(out, size, value);
}

/* The text of one file_cell, a new string; "?" for what is unknown. */
static char *file_cell(const struct file *file, const struct column *column,
		       const struct args *args)
{
	const struct pcinspect_snapshot *snap = &file->snap;
	char text[64] = "?";
	char *path, *out;
	double factor;

	switch (column->special) {
	case A_NUMBER:
		number_text(text, sizeof(text), file, column, args);
		break;
	case AMPLIFICATION:
	case WRITE_AMPLIFICATION:
		if (column->special == AMPLIFICATION ?
		    file_amplification(file, &factor) :
		    file_write_amplification(file, &factor))
			snprintf(text, sizeof(text), factor < 10 ? "%.2f" : "%.0f",
				 factor);
		break;
	case SIZE:
		if (file->gone)
			break;
		if (args->bytes)
			snprintf(text, sizeof(text), "%ju", (uintmax_t)snap->size_bytes);
		else
			size_text(text, sizeof(text), snap->size_bytes);
		break;
	case DEV:
		snprintf(text, sizeof(text), "%u:%u", snap->dev_major, snap->dev_minor);
		break;
	case INO:
		snprintf(text, sizeof(text), "%ju", (uintmax_t)snap->ino);
		break;
	case GENERATION:
		snprintf(text, sizeof(text), "%u", snap->i_generation);
		break;
	case FS:
		snprintf(text, sizeof(text), "%s", snap->fs);
		break;
	case KIND:
		snprintf(text, sizeof(text), "%s",
			 snap->flags & PCINSPECT_F_EXPLICIT ? "explicit" :
			 snap->flags & PCINSPECT_F_AUTO ? "auto" : "-");
		break;
	case ORDERS:
		return orders_text(snap);
	case MEMCG:
		if (file->memcg_paths[0])
			return escape_path(file->memcg_paths[0]);
		break;
	case REAL_PATH:
		return escape_path(file->real_path ?: "-");
	case PATH:
		path = file->path ? escape_path(file->path) : strdup("?");
		if (!file->gone && !(snap->flags & PCINSPECT_F_DELETED))
			return path;
		if (asprintf(&out, "%s%s", path,
			     file->gone ? " (gone)" :
			     snap->flags & PCINSPECT_F_DELETED ? " (deleted)" : "") < 0)
			err(1, "out of memory");
		free(path);
		return out;
	}
	out = strdup(text);
	if (!out)
		err(1, "out of memory");
	return out;
}

/* Widest text of a column of numbers, without making the texts. */
static int number_width(const struct report *report,
			const struct column *column, const struct args *args)
{
	uint64_t value, most = 0;
	int width = strlen(column->name), digits = 1;
	size_t i;

	for (i = 0; i < report->nr_files; i++)
		if (file_number(&report->files[i], column->number, &value) &&
		    value > most)
			most = value;
	most = shown(column, most, args, report->page_size);
	for (; most >= 10; most /= 10)
		digits++;
	return digits > width ? digits : width;
}

static void put_right(const char *text, int width)
{
	int n = strlen(text);

	for (; n < width; n++)
		putc_unlocked(' ', stdout);
	fputs_unlocked(text, stdout);
}

static const char *digits_of(uint64_t value, char *end)
{
	*--end = '\0';
	do
		*--end = '0' + value % 10;
	while (value /= 10);
	return end;
}

/*
 * The same table for thousands of files. libsmartcols takes 64,000 instructions
 * for a row of the default columns, four times what opening the file, walking
 * its pages and closing it takes; this takes 7,000. Columns that are not
 * numbers are not padded to the widest, but to a tab stop.
 */
static int print_listing(const struct report *report,
			 const struct args *args,
			 const struct column **use, int n)
{
	int width[MAX_COLUMNS];
	char text[32];
	uint64_t value;
	size_t i, rows = table_files_shown(report, args);
	int k;

	for (k = 0; k < n; k++)
		width[k] = is_count(use[k]) ?
			number_width(report, use[k], args) : 8;
	for (k = 0; k < n && !args->noheadings; k++) {
		if (k)
			putchar(' ');
		put_right(use[k]->name, use[k]->special == PATH ? 0 : width[k]);
	}
	if (!args->noheadings)
		putchar('\n');
	for (i = 0; i < rows; i++) {
		for (k = 0; k < n; k++) {
			char *made = NULL;
			const char *show = "?";

			if (k)
				putc_unlocked(' ', stdout);
			if (!is_count(use[k]))
				show = made = file_cell(&report->files[i], use[k], args);
			else if (file_number(&report->files[i], use[k]->number, &value))
				show = digits_of(shown(use[k], value, args, report->page_size),
						 text + sizeof(text));
			put_right(show, use[k]->special == PATH ? 0 : width[k]);
			free(made);
		}
		putc_unlocked('\n', stdout);
	}
	table_print_more(report, args);
	return fflush(stdout) ? -1 : 0;
}

/* An empty table, as all of ours look. Never NULL. */
struct libscols_table *table_new(const struct args *args)
{
	struct libscols_table *table;

	scols_init_debug(0);
	table = scols_new_table();
	if (!table)
		err(1, "out of memory");
	scols_table_enable_noheadings(table, args->noheadings);
	/* Lines are data: never cut them, or columns, to the width of a terminal. */
	scols_table_set_termforce(table, SCOLS_TERMFORCE_NEVER);
	scols_table_enable_noencoding(table, 1);
	return table;
}

/**
 * table_files_shown() - how many files are shown to people
 * @report: which
 * @args: its limit; programs get all
 *
 * Return: so many, the first ones.
 */
size_t table_files_shown(const struct report *report, const struct args *args)
{
	return args->limit && args->limit < report->nr_files ? args->limit :
							       report->nr_files;
}

/* Say how many files are not shown. */
void table_print_more(const struct report *report, const struct args *args)
{
	size_t more = report->nr_files - table_files_shown(report, args);

	if (more && !args->noheadings)
		printf("and %zu more (--limit 0: all)\n", more);
}

/**
 * table_print() - print the files of a report
 * @report: which
 * @args: columns, headings, units, limit
 *
 * Return: 0, or -1 with errno set if it could not be written.
 */
int table_print(const struct report *report, const struct args *args)
{
	const struct column *use[MAX_COLUMNS];
	struct libscols_table *table;
	size_t i, rows = table_files_shown(report, args);
	int n, k;

	n = columns_parse(args->table, args->columns, use);
	if (rows > LISTING_ROWS)
		return print_listing(report, args, use, n);
	table = table_new(args);
	for (k = 0; k < n; k++)
		scols_table_new_column(table, use[k]->name, 0,
				       use[k]->special == PATH ||
				       use[k]->special == REAL_PATH ||
				       use[k]->special == MEMCG ||
				       use[k]->special == ORDERS ||
				       use[k]->special == FS ||
				       use[k]->special == KIND ?
				       0 : SCOLS_FL_RIGHT);
	for (i = 0; i < rows; i++) {
		struct libscols_line *line = scols_table_new_line(table, NULL);

		if (!line)
			err(1, "out of memory");
		for (k = 0; k < n; k++)
			if (scols_line_refer_data(line, k, file_cell(&report->files[i],
								     use[k], args)))
				err(1, "out of memory");
	}
	k = scols_print_table(table);
	scols_unref_table(table);
	table_print_more(report, args);
	return k || fflush(stdout) ? -1 : 0;
}

/* One reconciliation on stdout. */
void table_audit_line(const struct audit *audit)
{
	printf("audit: %s", audit->what);
	if (audit->major || audit->minor)
		printf(" of %u:%u", audit->major, audit->minor);
	printf(" %ju, %s says %ju", (uintmax_t)audit->ours, audit->source,
	       (uintmax_t)audit->theirs);
	if (audit->slack)
		printf(" (%ju came and went meanwhile)", (uintmax_t)audit->slack);
	fputs(": ", stdout);
	if (audit_ok(audit))
		puts("ok");
	else
		printf("UNTRUSTED, it differs by %jd\n",
		       (intmax_t)(audit->ours - audit->theirs));
}

/**
 * table_audit_print() - the reconciliation, below a table
 * @report: which
 * @args: with --noheadings only what does not agree is said
 *
 * A sum that does not agree also prints UNTRUSTED on stderr.
 */
void table_audit_print(const struct report *report, const struct args *args)
{
	size_t i;

	for (i = 0; i < report->nr_audits; i++) {
		const struct audit *audit = &report->audits[i];
		bool ok = audit_ok(audit);

		if (!args->noheadings && !args->json) {
			if (!i)
				putchar('\n');
			table_audit_line(audit);
		}
		if (!ok)
			complain(NULL, "UNTRUSTED: %s differs from %s by %jd (the cache changed while it was read, or the kernel is not what we think: compare again)",
				 audit->what, audit->source,
				 (intmax_t)(audit->ours - audit->theirs));
	}
	if (report->skipped)
		complain(NULL, "%ju inodes could not be looked at: their filesystem was frozen, or being unmounted or remounted: %s (try again)",
			 (uintmax_t)report->skipped, *report->busy ? report->busy : "?");
}
