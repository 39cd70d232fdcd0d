// SPDX-License-Identifier: GPL-2.0-only
/*
 * windows.c - the readahead windows of each file, a line each, with a bar that shows a window
 * at a glance; and the table of their fields. Touches stdout.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/alloc.h"
#include "lib/escape.h"
#include "lib/output.h"
#include "lib/text.h"
#include "lib/wall.h"
#include "view/csv.h"
#include "view/report_table.h"
#include "view/sheet.h"
#include "view/text.h"

#define BAR_WIDTH 24

/* The windows of one file; @unit is how many pages a letter of the bar is. */
struct shown {
	const struct report *report;
	uint64_t unit;
};

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

static char *bar_text_of(const void *row, const void *of)
{
	char room[GRID_ROOM];

	window_bar(room, row, ((const struct shown *)of)->unit);
	return alloc_copy(room);
}

static char *time_text(const void *row, const void *of)
{
	(void)of;
	return alloc_text("%.6f", ((const struct pcinspect_window *)row)->time_ns / 1e9);
}

static char *wall_text(const void *row, const void *of)
{
	const struct report *report = ((const struct shown *)of)->report;
	char room[GRID_ROOM] = "?";

	if (report->wall_ns)
		wall_time_of_day(room, sizeof(room), report_wall(report,
				 ((const struct pcinspect_window *)row)->time_ns));
	return alloc_copy(room);
}

FIELD_COMPUTE(cause, pcinspect_window, text, pcinspect_cause_word(row->cause), true)

/* Counts are in pages, which the line above them says. */
static const struct field windows[] = {
	FIELD(pcinspect_window, time_ns,
	      COLUMN("TIME", NS, .cell = time_text, .flags = FIELD_KEEP)),
	FIELD(pcinspect_window, pid, COLUMN("PID", EVENTS, .rank = 4)),
	FIELD_AS(pcinspect_window, comm, "comm", COMM,
		 COLUMN("COMM", EVENTS, .rank = 2, .flags = FIELD_LEFT)),
	FIELD_GET("cause", TEXT, cause, COLUMN("CAUSE", EVENTS, .flags = FIELD_LEFT)),
	FIELD(pcinspect_window, index, COLUMN("INDEX", EVENTS, .rank = 1)),
#define WINDOW(member, name, heading, spare) \
	FIELD(pcinspect_window, member, COLUMN(heading, EVENTS, .rank = spare)),
	PCINSPECT_WINDOW_NUMBERS(WINDOW)
#undef WINDOW
	{ COLUMN("WALL", EVENTS, .cell = wall_text, .rank = 9) },
	{ COLUMN("WINDOW", EVENTS, .cell = bar_text_of, .flags = FIELD_LEFT) },
};

const struct fields window_fields = FIELDS(windows);

static void print_windows(struct shown *shown, const struct file *file, const struct output *out)
{
	struct sheet sheet;
	uint64_t most = 1;
	size_t i;

	for (i = 0; i < file->nr_windows; i++)
		if (file->windows[i].inserted_pages > most)
			most = file->windows[i].inserted_pages;
	shown->unit = (most + BAR_WIDTH - 1) / BAR_WIDTH;
	sheet_begin(&sheet, &window_fields, shown, out, 0);
	for (i = 0; i < file->nr_windows; i++)
		sheet_row(&sheet, &file->windows[i]);
	sheet_end(&sheet, 0, "");
}

/* Each window of a file with its path before it. */
static void windows_csv(const struct sheet *sheet, const struct file *file)
{
	char *path = escape_path(file->path ?: "");
	size_t i;

	for (i = 0; i < file->nr_windows; i++) {
		csv_put(path, true);
		sheet_csv_row(sheet, &file->windows[i]);
		csv_end();
	}
	free(path);
}

/**
 * view_windows() - the readahead windows of each file
 * @report: which
 * @out: limit, headings, and columns that were checked before
 *
 * Return: 0, or -1 if it could not be written.
 */
int view_windows(const struct report *report, const struct output *out)
{
	struct shown shown = { .report = report, .unit = 1 };
	struct sheet csv;
	uint64_t total;
	char page[32];
	size_t i;

	size_text(page, sizeof(page), report->page_size);
	sheet_begin(&csv, &window_fields, &shown, out, 0);
	if (out->csv && !out->noheadings) {
		csv_put("PATH", true);
		sheet_csv_headings(&csv);
		csv_end();
	}
	for (i = 0; i < table_files_shown(report, out) && !output_failed(); i++) {
		const struct file *file = &report->files[i];

		if (file->gone || !file->who)
			continue;
		if (out->csv) {
			windows_csv(&csv, file);
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
			print_windows(&shown, file, out);
	}
	if (!out->csv)
		table_print_more(report, out);
	return fflush(stdout) || output_failed() ? -1 : 0;
}
