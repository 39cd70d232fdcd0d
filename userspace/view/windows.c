// SPDX-License-Identifier: GPL-2.0
/*
 * windows.c - the readahead windows of each file, a line each, with a bar
 * that one can read at a glance. Touches stdout.
 */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/complain.h"
#include "lib/escape.h"
#include "lib/output.h"
#include "lib/terminal.h"
#include "lib/text.h"
#include "lib/wall.h"
#include "view/csv.h"
#include "view/grid.h"
#include "view/report_table.h"
#include "view/text.h"

#define BAR_WIDTH 24

/* enum window_text - cells that are no number */
enum window_text { NUMBER, TIME, WALL, INDEX, COMM, CAUSE, BAR };

/*
 * struct window_column - one column
 * @name: heading
 * @text: what it is, if no __u32
 * @offset: else where that is in struct pcinspect_window
 * @rank: the larger, the sooner it goes for want of room
 */
static const struct window_column {
	const char *name;
	enum window_text text;
	size_t offset;
	int rank;
} columns[] = {
	{ "TIME", TIME, 0, 0 },
	{ "PID", NUMBER, offsetof(struct pcinspect_window, pid), 4 },
	{ "COMM", COMM, 0, 2 },
	{ "CAUSE", CAUSE, 0, 0 },
	{ "INDEX", INDEX, 0, 1 },
#define COLUMN(member, name, heading, rank)				\
	{ heading, NUMBER, offsetof(struct pcinspect_window, member), rank },
	PCINSPECT_WINDOW_NUMBERS(COLUMN)
#undef COLUMN
	{ "WALL", WALL, 0, 9 },
	{ "WINDOW", BAR, 0, 0 },
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

/**
 * view_windows_column() - the columns, one after the other
 * @i: 0, 1…
 * @help: set to NULL: the page has them
 *
 * Return: its name, NULL behind the last.
 */
const char *view_windows_column(size_t i, const char **help)
{
	*help = NULL;
	return i < NR_COLUMNS ? columns[i].name : NULL;
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

/* The windows of one file as they are shown. */
struct shown {
	const struct report *report;
	const struct file *file;
	const struct window_column *use[NR_COLUMNS];
	uint64_t unit;
};

/* In @room or a new string. */
static char *window_cell(const struct shown *shown, size_t row, int k, char room[GRID_ROOM])
{
	const struct pcinspect_window *w = &shown->file->windows[row];
	const struct window_column *column = shown->use[k];
	char comm[PCINSPECT_COMM_LEN + 1] = "";
	uint32_t value;

	switch (column->text) {
	case NUMBER:
		memcpy(&value, (const char *)w + column->offset, sizeof(value));
		snprintf(room, GRID_ROOM, "%u", value);
		break;
	case TIME:
		snprintf(room, GRID_ROOM, "%.6f", w->time_ns / 1e9);
		break;
	case WALL:
		strcpy(room, "?");
		if (shown->report->wall_ns)
			wall_time_of_day(room, GRID_ROOM, report_wall(shown->report, w->time_ns));
		break;
	case INDEX:
		snprintf(room, GRID_ROOM, "%ju", (uintmax_t)w->index);
		break;
	case COMM:
		memcpy(comm, w->comm, PCINSPECT_COMM_LEN);
		return escape_path(comm);
	case CAUSE:
		snprintf(room, GRID_ROOM, "%s", pcinspect_cause_word(w->cause));
		break;
	case BAR:
		window_bar(room, w, shown->unit);
		break;
	}
	return room;
}

static void print_windows(struct shown *shown, const struct args *args, int n)
{
	struct grid grid = {
		.nr_columns = n, .noheadings = args->noheadings,
		.width = args->noheadings ? 0 : terminal_width(),
	};
	char room[GRID_ROOM];
	uint64_t most = 1;
	size_t i;
	int k;

	for (k = 0; k < n; k++)
		grid.columns[k] = (struct grid_column){
			.name = shown->use[k]->name, .rank = shown->use[k]->rank,
			.left = shown->use[k]->text == COMM || shown->use[k]->text == CAUSE ||
				shown->use[k]->text == BAR,
			.keep = args->columns || shown->use[k]->text == TIME,
		};
	for (i = 0; i < shown->file->nr_windows; i++)
		if (shown->file->windows[i].inserted_pages > most)
			most = shown->file->windows[i].inserted_pages;
	shown->unit = (most + BAR_WIDTH - 1) / BAR_WIDTH;
	for (i = 0; i < shown->file->nr_windows; i++)
		for (k = 0; k < n; k++)
			grid_take(&grid, window_cell(shown, i, k, room), room);
	grid_print(&grid);
}

/* Each window of a file with its path before it. */
static void windows_csv(struct shown *shown, int n)
{
	char *path = escape_path(shown->file->path ?: ""), room[GRID_ROOM], *text;
	size_t row;
	int k;

	shown->unit = 1;
	for (row = 0; row < shown->file->nr_windows; row++) {
		csv_put(path, true);
		for (k = 0; k < n; k++) {
			text = window_cell(shown, row, k, room);
			csv_put(text, false);
			if (text != room)
				free(text);
		}
		csv_end();
	}
	free(path);
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
	const char *list = args->columns;
	struct shown shown;
	uint64_t total;
	char page[32];
	size_t i;
	int n, k;

	size_text(page, sizeof(page), report->page_size);
	for (n = 0; n < (int)NR_COLUMNS; n++)
		shown.use[n] = &columns[n];
	if (list)
		n = resolve_windows(&list, shown.use);
	if (args->csv && !args->noheadings) {
		csv_put("PATH", true);
		for (k = 0; k < n; k++)
			csv_put(shown.use[k]->name, false);
		csv_end();
	}
	for (i = 0; i < table_files_shown(report, args) && !output_failed(); i++) {
		const struct file *file = &report->files[i];

		if (file->gone || !file->who)
			continue;
		shown.file = file;
		shown.report = report;
		if (args->csv) {
			windows_csv(&shown, n);
			continue;
		}
		print_path(file);
		if (!file_number(file, PCINSPECT_WINDOWS_TOTAL, &total)) {
			puts(": ? windows (the hook is missing: see pcinspect status)");
			continue;
		}
		printf(": %ju windows, %ju of them no longer kept; in pages of %s\n",
		       (uintmax_t)total,
		       (uintmax_t)number_of(file, PCINSPECT_WINDOWS_DROPPED), page);
		if (file->nr_windows)
			print_windows(&shown, args, n);
	}
	if (!args->csv)
		table_print_more(report, args);
	return fflush(stdout) || output_failed() ? -1 : 0;
}
