// SPDX-License-Identifier: GPL-2.0
/*
 * windows.c - the readahead windows of each file, a line each, with a bar
 * that one can read at a glance. Touches stdout.
 */
#include <err.h>
#include <libsmartcols.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/complain.h"
#include "lib/escape.h"
#include "view/table.h"
#include "view/text.h"

#define BAR_WIDTH 24

/* enum window_text - cells that are no number */
enum window_text { NUMBER, TIME, INDEX, COMM, CAUSE, BAR };

/*
 * struct window_column - one column
 * @name: heading
 * @text: what it is, if no __u32
 * @offset: else where that is in struct pcinspect_window
 */
static const struct window_column {
	const char *name;
	enum window_text text;
	size_t offset;
} columns[] = {
	{ "TIME", TIME, 0 },
	{ "PID", NUMBER, offsetof(struct pcinspect_window, pid) },
	{ "COMM", COMM, 0 },
	{ "CAUSE", CAUSE, 0 },
	{ "INDEX", INDEX, 0 },
	{ "REQUESTED", NUMBER, offsetof(struct pcinspect_window, requested_pages) },
	{ "PLANNED", NUMBER, offsetof(struct pcinspect_window, planned_pages) },
	{ "ASYNC", NUMBER, offsetof(struct pcinspect_window, async_pages) },
	{ "INSERTED", NUMBER, offsetof(struct pcinspect_window, inserted_pages) },
	{ "EXPANDED", NUMBER, offsetof(struct pcinspect_window, expanded_pages) },
	{ "ORDER", NUMBER, offsetof(struct pcinspect_window, order) },
	{ "RA_PAGES", NUMBER, offsetof(struct pcinspect_window, ra_pages) },
	{ "WINDOW", BAR, 0 },
};

#define NR_COLUMNS (sizeof(columns) / sizeof(*columns))

/* The columns of --output; -1 with @list at the name that is none. */
static int resolve_windows(const char **list, const struct window_column **use)
{
	size_t i, len;
	int n = 0;

	do {
		len = strcspn(*list, ",");
		for (i = 0; i < NR_COLUMNS; i++)
			if (strlen(columns[i].name) == len &&
			    !strncasecmp(columns[i].name, *list, len))
				break;
		if (i == NR_COLUMNS || n == NR_COLUMNS)
			return -1;
		use[n++] = &columns[i];
		*list += len;
	} while (*(*list)++);
	return n;
}

/**
 * view_windows_check() - is --output usable
 * @list: its argument; "help" lists the columns
 *
 * Return: -1 to go on, else the exit status.
 */
int view_windows_check(const char *list)
{
	const struct window_column *use[NR_COLUMNS];
	size_t i;

	if (!strcmp(list, "help")) {
		for (i = 0; i < NR_COLUMNS; i++)
			puts(columns[i].name);
		return 0;
	}
	if (resolve_windows(&list, use) < 0) {
		complain(NULL, "--output: no column %.*s (-o help lists them)",
			 (int)strcspn(list, ","), list);
		return EXIT_USAGE;
	}
	return -1;
}

/*
 * The window at a glance: "." asked for, "#" put in the cache without having
 * been asked for, "+" added by the filesystem; one letter for each @unit pages.
 */
static void window_bar(char *out, const struct pcinspect_window *w, uint64_t unit)
{
	uint64_t parts[3] = { w->requested_pages, 0, w->expanded_pages };
	uint64_t plain = w->inserted_pages - w->expanded_pages;
	int i, used = 0;

	if (w->expanded_pages > w->inserted_pages)
		plain = 0;
	if (parts[0] > plain)
		parts[0] = plain;
	parts[1] = plain - parts[0];
	for (i = 0; i < 3; i++) {
		int cells = (parts[i] + unit - 1) / unit;

		for (; cells-- && used < BAR_WIDTH; used++)
			out[used] = ".#+"[i];
	}
	out[used] = '\0';
}

/* A new string. */
static char *window_cell(const struct pcinspect_window *w, const struct window_column *column,
			 uint64_t unit)
{
	char text[64] = "", comm[PCINSPECT_COMM_LEN + 1] = "";
	uint32_t value;
	char *made;

	switch (column->text) {
	case NUMBER:
		memcpy(&value, (const char *)w + column->offset, sizeof(value));
		snprintf(text, sizeof(text), "%u", value);
		break;
	case TIME:
		snprintf(text, sizeof(text), "%.6f", w->time_ns / 1e9);
		break;
	case INDEX:
		snprintf(text, sizeof(text), "%ju", (uintmax_t)w->index);
		break;
	case COMM:
		memcpy(comm, w->comm, PCINSPECT_COMM_LEN);
		return escape_path(comm);
	case CAUSE:
		snprintf(text, sizeof(text), "%s", pcinspect_cause_word(w->cause));
		break;
	case BAR:
		window_bar(text, w, unit);
		break;
	}
	made = strdup(text);
	if (!made)
		err(1, "out of memory");
	return made;
}

static int print_windows(const struct file *file, const struct args *args,
			 const struct window_column *const *use, int n)
{
	struct libscols_table *table = table_new(args);
	uint64_t most = 1;
	size_t i;
	int k;

	for (k = 0; k < n; k++)
		scols_table_new_column(table, use[k]->name, 0,
				       use[k]->text == COMM || use[k]->text == CAUSE ||
				       use[k]->text == BAR ? 0 : SCOLS_FL_RIGHT);
	for (i = 0; i < file->nr_windows; i++)
		if (file->windows[i].inserted_pages > most)
			most = file->windows[i].inserted_pages;
	for (i = 0; i < file->nr_windows; i++) {
		struct libscols_line *line = scols_table_new_line(table, NULL);

		if (!line)
			err(1, "out of memory");
		for (k = 0; k < n; k++)
			scols_line_refer_data(line, k, window_cell(&file->windows[i], use[k],
							    (most + BAR_WIDTH - 1) / BAR_WIDTH));
	}
	k = scols_print_table(table);
	scols_unref_table(table);
	return k;
}

/**
 * view_windows() - the readahead windows of each file
 * @report: which
 * @args: limit, headings, and columns that were checked before
 *
 * Return: 0, or -1 if it could not be written.
 */
int view_windows(const struct report *report, const struct args *args)
{
	const struct window_column *use[NR_COLUMNS];
	const char *list = args->columns;
	uint64_t total;
	size_t i;
	int n;

	for (n = 0; n < (int)NR_COLUMNS; n++)
		use[n] = &columns[n];
	if (list)
		n = resolve_windows(&list, use);
	for (i = 0; i < table_files_shown(report, args); i++) {
		const struct file *file = &report->files[i];

		if (file->gone || !file->who)
			continue;
		print_path(file);
		if (!file_number(file, PCINSPECT_WINDOWS_TOTAL, &total)) {
			puts(": ? windows (the hook is missing: see pcinspect status)");
			continue;
		}
		printf(": %ju windows, %ju of them no longer kept\n", (uintmax_t)total,
		       (uintmax_t)number_of(file, PCINSPECT_WINDOWS_DROPPED));
		if (file->nr_windows && print_windows(file, args, use, n))
			return -1;
	}
	table_print_more(report, args);
	return fflush(stdout) ? -1 : 0;
}
