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

#include "device.h"
#include "escape.h"
#include "table.h"

enum special { PAGES, PATH, REAL_PATH, SIZE, DEV, INO, GENERATION, FS, KIND,
	       MEMCG, ORDERS };

static const struct column {
	const char *name;
	enum special special;
	enum pcinspect_field field;
	const char *help;
} columns[] = {
	{ "CACHED", PAGES, FIELD_CACHED, "pages in the page cache" },
	{ "ACTIVE", PAGES, FIELD_ACTIVE, "on the active list, or in the two youngest generations" },
	{ "INACTIVE", PAGES, FIELD_INACTIVE, "on the inactive list, or in an older generation" },
	{ "UNEVICTABLE", PAGES, FIELD_UNEVICTABLE, "locked in memory" },
	{ "OFF_LRU", PAGES, FIELD_OFF_LRU, "in a per-CPU batch or isolated" },
	{ "DIRTY", PAGES, FIELD_DIRTY, "dirty, whole folios" },
	{ "WRITEBACK", PAGES, FIELD_WRITEBACK, "under writeback, whole folios" },
	{ "MAPPED", PAGES, FIELD_MAPPED, "whole folios with a mapping" },
	{ "REFERENCED", PAGES, FIELD_REFERENCED, "accessed by fd" },
	{ "WORKINGSET", PAGES, FIELD_WORKINGSET, "flag PG_workingset" },
	{ "EVICTED", PAGES, FIELD_EVICTED, "reclaimed since the inode was loaded" },
	{ "GEN0", PAGES, FIELD_GEN0, "youngest MGLRU generation" },
	{ "GEN1", PAGES, FIELD_GEN1, "second youngest" },
	{ "GEN2", PAGES, FIELD_GEN2, "third youngest" },
	{ "GEN3", PAGES, FIELD_GEN3, "oldest" },
	{ "INSERTED", PAGES, FIELD_INSERTED, "inserted since the record began" },
	{ "REMOVED", PAGES, FIELD_REMOVED, "removed since the record began" },
	{ "SIZE", SIZE, 0, "size of the file" },
	{ "DEV", DEV, 0, "device of the filesystem" },
	{ "INO", INO, 0, "inode number" },
	{ "I_GENERATION", GENERATION, 0, "tells reused inode numbers apart" },
	{ "FS", FS, 0, "filesystem type" },
	{ "KIND", KIND, 0, "auto or explicit record" },
	{ "ORDERS", ORDERS, 0, "order:pages of its folios" },
	{ "MEMCG", MEMCG, 0, "memory cgroup charged with most pages" },
	{ "REAL_PATH", REAL_PATH, 0, "whose pages they are (overlayfs)" },
	{ "PATH", PATH, 0, "path" },
};

/* More rows than this are printed without libsmartcols. */
#define LISTING_ROWS 500

#define NR_COLUMNS (sizeof(columns) / sizeof(*columns))

static const char *const default_columns =
	"CACHED,ACTIVE,INACTIVE,UNEVICTABLE,OFF_LRU,DIRTY,WRITEBACK,EVICTED,GEN0,GEN1,GEN2,GEN3,SIZE,PATH";

static const struct column *find(const char *name, size_t len)
{
	size_t i;

	for (i = 0; i < NR_COLUMNS; i++)
		if (strlen(columns[i].name) == len &&
		    !strncasecmp(columns[i].name, name, len))
			return &columns[i];
	return NULL;
}

/* Resolve a list of names; returns how many, or -1 with *@bad at the culprit. */
static int resolve(const char *list, const struct column **to, size_t room,
		   const char **bad)
{
	size_t n = 0;

	while (*list) {
		size_t len = strcspn(list, ",");

		*bad = list;
		if (n == room)
			return -1;
		to[n] = find(list, len);
		if (!to[n])
			return -1;
		n++;
		list += len;
		list += *list == ',';
	}
	return n;
}

/**
 * pcinspect_table_check() - is --output usable
 * @list: its argument; "help" lists the columns, a leading "+" adds to the
 *	default ones
 *
 * Return: -1 to go on, else the exit status.
 */
int pcinspect_table_check(const char *list)
{
	const struct column *to[2 * NR_COLUMNS];
	const char *bad = list;
	size_t i;

	if (!strcmp(list, "help")) {
		for (i = 0; i < NR_COLUMNS; i++)
			printf("%-13s %s\n", columns[i].name, columns[i].help);
		return 0;
	}
	if (resolve(list + (*list == '+'), to, 2 * NR_COLUMNS, &bad) <= 0) {
		pcinspect_complain(NULL, "--output: no column %.*s (-o help lists them)",
				   (int)strcspn(bad, ","), bad);
		return EXIT_USAGE;
	}
	return -1;
}

/**
 * pcinspect_size_text() - bytes with a unit: 5, 4K, 1.5M
 * @out: filled in
 * @size: of @out
 * @bytes: how many
 */
void pcinspect_size_text(char *out, size_t size, uint64_t bytes)
{
	static const char units[] = "BKMGTPE";
	unsigned int unit = 0;
	double value = bytes;

	if (bytes < 1024) {
		snprintf(out, size, "%u", (unsigned int)bytes);
		return;
	}
	while (value >= 1024 && unit < 6) {
		value /= 1024;
		unit++;
	}
	if (value < 10 && value != (uint64_t)value)
		snprintf(out, size, "%.1f%c", value, units[unit]);
	else
		snprintf(out, size, "%.0f%c", value, units[unit]);
}

static char *orders_text(const struct pcinspect_snapshot *snap)
{
	char *out = NULL;
	size_t size;
	FILE *to = open_memstream(&out, &size);
	int order;

	if (!to)
		err(1, "out of memory");
	for (order = 0; order < PCINSPECT_NR_ORDERS; order++)
		if (snap->pages.orders[order])
			fprintf(to, "%s%d:%ju", ftell(to) ? "," : "", order,
				(uintmax_t)snap->pages.orders[order]);
	fclose(to);
	return out;
}

/* The text of one cell, a new string; "?" for what is unknown. */
static char *cell(const struct pcinspect_file *file, const struct column *column,
		  const struct pcinspect_args *args)
{
	const struct pcinspect_snapshot *snap = &file->snap;
	static long page_size;
	char text[64] = "?";
	char *path, *out;
	uint64_t value;

	if (!page_size)
		page_size = sysconf(_SC_PAGESIZE);
	switch (column->special) {
	case PAGES:
		if (pcinspect_file_number(file, column->field, &value))
			snprintf(text, sizeof(text), "%ju",
				 (uintmax_t)(args->bytes ? value * page_size : value));
		break;
	case SIZE:
		if (file->gone)
			break;
		if (args->bytes)
			snprintf(text, sizeof(text), "%ju", (uintmax_t)snap->size_bytes);
		else
			pcinspect_size_text(text, sizeof(text), snap->size_bytes);
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
			return pcinspect_escape(file->memcg_paths[0]);
		break;
	case REAL_PATH:
		return pcinspect_escape(file->real_path ?: "-");
	case PATH:
		path = file->path ? pcinspect_escape(file->path) : strdup("?");
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
static int number_width(const struct pcinspect_report *report,
			const struct column *column, const struct pcinspect_args *args)
{
	uint64_t value, most = 0;
	int width = strlen(column->name), digits = 1;
	size_t i;

	for (i = 0; i < report->nr_files; i++)
		if (pcinspect_file_number(&report->files[i], column->field, &value) &&
		    value > most)
			most = value;
	if (args->bytes)
		most *= sysconf(_SC_PAGESIZE);
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
static int print_listing(const struct pcinspect_report *report,
			 const struct pcinspect_args *args,
			 const struct column **use, int n)
{
	int width[2 * NR_COLUMNS];
	char text[32];
	uint64_t value;
	size_t i;
	int k;

	for (k = 0; k < n; k++)
		width[k] = use[k]->special == PAGES ?
			number_width(report, use[k], args) : 8;
	for (k = 0; k < n && !args->noheadings; k++) {
		if (k)
			putchar(' ');
		put_right(use[k]->name, use[k]->special == PATH ? 0 : width[k]);
	}
	if (!args->noheadings)
		putchar('\n');
	for (i = 0; i < report->nr_files; i++) {
		for (k = 0; k < n; k++) {
			char *made = NULL;
			const char *show = "?";

			if (k)
				putc_unlocked(' ', stdout);
			if (use[k]->special != PAGES)
				show = made = cell(&report->files[i], use[k], args);
			else if (pcinspect_file_number(&report->files[i],
						       use[k]->field, &value))
				show = digits_of(args->bytes ?
						 value * sysconf(_SC_PAGESIZE) :
						 value, text + sizeof(text));
			put_right(show, use[k]->special == PATH ? 0 : width[k]);
			free(made);
		}
		putc_unlocked('\n', stdout);
	}
	return fflush(stdout) ? -1 : 0;
}

/**
 * pcinspect_table_print() - print the files of a report
 * @report: which
 * @args: columns, headings, units; its limit is applied by the caller
 *
 * Return: 0, or -1 with errno set if it could not be written.
 */
int pcinspect_table_print(const struct pcinspect_report *report,
			  const struct pcinspect_args *args)
{
	const struct column *use[2 * NR_COLUMNS];
	struct libscols_table *table;
	const char *bad;
	size_t i;
	int n, k;

	n = 0;
	if (!args->columns || *args->columns == '+')
		n = resolve(default_columns, use, 2 * NR_COLUMNS, &bad);
	if (args->columns)
		n += resolve(args->columns + (*args->columns == '+'), use + n,
			     2 * NR_COLUMNS - n, &bad);

	if (report->nr_files > LISTING_ROWS)
		return print_listing(report, args, use, n);
	scols_init_debug(0);
	table = scols_new_table();
	if (!table)
		err(1, "out of memory");
	scols_table_enable_noheadings(table, args->noheadings);
	/* Lines are data: never cut them to the width of a terminal. */
	scols_table_enable_nowrap(table, 1);
	scols_table_enable_noencoding(table, 1);
	for (k = 0; k < n; k++)
		scols_table_new_column(table, use[k]->name, 0,
				       use[k]->special == PATH ||
				       use[k]->special == REAL_PATH ||
				       use[k]->special == MEMCG ||
				       use[k]->special == ORDERS ||
				       use[k]->special == FS ||
				       use[k]->special == KIND ?
				       0 : SCOLS_FL_RIGHT);
	for (i = 0; i < report->nr_files; i++) {
		struct libscols_line *line = scols_table_new_line(table, NULL);

		if (!line)
			err(1, "out of memory");
		for (k = 0; k < n; k++)
			if (scols_line_refer_data(line, k, cell(&report->files[i],
								use[k], args)))
				err(1, "out of memory");
	}
	k = scols_print_table(table);
	scols_unref_table(table);
	return k || fflush(stdout) ? -1 : 0;
}

/**
 * pcinspect_audit_print() - the reconciliation, below a table
 * @report: which
 * @args: with --noheadings only what does not agree is said
 *
 * A sum that does not agree also prints UNTRUSTED on stderr.
 */
void pcinspect_audit_print(const struct pcinspect_report *report,
			   const struct pcinspect_args *args)
{
	size_t i;

	for (i = 0; i < report->nr_audits; i++) {
		const struct pcinspect_audit *audit = &report->audits[i];
		bool ok = pcinspect_audit_ok(audit);

		if (!args->noheadings && !args->json)
			printf("%saudit: %s %ju, %s says %ju: %s\n", i ? "" : "\n",
			       audit->what, (uintmax_t)audit->ours, audit->source,
			       (uintmax_t)audit->theirs, ok ? "ok" : "UNTRUSTED");
		if (!ok)
			pcinspect_complain(NULL, "UNTRUSTED: %s differs from %s by %jd (the cache changed while it was read, or the kernel is not what we think: compare again)",
					   audit->what, audit->source,
					   (intmax_t)(audit->ours - audit->theirs));
	}
	if (report->skipped)
		pcinspect_complain(NULL, "%ju inodes could not be looked at: their filesystem was being unmounted or remounted (try again)",
				   (uintmax_t)report->skipped);
}
