// SPDX-License-Identifier: GPL-2.0-only
/*
 * history.c - panes on the history of the selected file:
 * numbers over time, readahead, dirty pages, fsync calls. Touches the screen, by way of
 * pen.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/text.h"
#include "screen/file.h"

#define STRETCH		6	/* columns of a cell, at most */

/* Its readahead windows as a chart. */
void part_timeline(const struct subject *a)
{
	uint64_t span = screen_zoom_ns(a->screen->view.zoom), most = 0, total;
	int columns = a->pane->cols - 7, rows = 2 + a->spare, n, each = 1, row, i;
	struct timeline_cell cells[SCREEN_CELLS];
	char line[SCREEN_CELLS + 1];

	if (columns > SCREEN_CELLS)
		columns = SCREEN_CELLS;
	if (columns < 1)
		return;
	/* A few windows are easier to see when they are broad. */
	if (!span && a->file->nr_windows)
		each = columns / (int)a->file->nr_windows;
	each = each < 1 ? 1 : each > STRETCH ? STRETCH : each;
	n = columns / each;
	screen_timeline(cells, n, a->file->windows, a->file->nr_windows,
			a->file->snap.time_ns, span);
	for (i = 0; i < n; i++)
		if (cells[i].pages > most)
			most = cells[i].pages;
	subject_title(a, "ahead");
	if (!file_number(a->file, PCINSPECT_WINDOWS_TOTAL, &total)) {
		pen_print(a->pane, PEN_PLAIN, " ? windows");
		pen_end(a->pane);
		return;
	}
	pen_print(a->pane, PEN_PLAIN, " %ju windows, %ju not kept; a cell is %s, "
		  "up to %ju pages", (uintmax_t)total,
		  (uintmax_t)number_of(a->file, PCINSPECT_WINDOWS_DROPPED),
		  screen_zoom_name(a->screen->view.zoom), (uintmax_t)most);
	pen_end(a->pane);
	for (row = rows - 1; row >= 0; row--) {
		for (i = 0; i < n; i++) {
			uint64_t level = most ? (cells[i].pages * rows + most - 1) / most : 0;
			char letter = ' ';

			if (level > (uint64_t)row)
				letter = PCINSPECT_CAUSE_LETTERS[cells[i].cause];
			else if (!row && cells[i].windows)
				letter = '.';
			if (cells[i].expanded && level == (uint64_t)row + 1)
				letter = '+';
			memset(line + i * each, letter, each);
		}
		line[n * each] = '\0';
		pen_print(a->pane, PEN_PLAIN, "%7s", "");
		pen_letters(a->pane, line);
		pen_end(a->pane);
	}
}

/* The greatest age of the pages of a bucket. */
static void age_name(char *text, size_t size, int i)
{
	int ms = i < PCINSPECT_NR_AGES ? pcinspect_age_bounds_ms[i] : -1;

	if (ms < 0)
		snprintf(text, size, "?");
	else if (!ms)
		snprintf(text, size, ">%ds", pcinspect_age_bounds_ms[i - 1] / 1000);
	else if (ms % 1000)
		snprintf(text, size, "%dms", ms);
	else
		snprintf(text, size, "%ds", ms / 1000);
}

static uint64_t age_pages(const struct file *file, int i)
{
	return number_of(file, i < PCINSPECT_NR_AGES ? PCINSPECT_LE_10_MS + i :
						       PCINSPECT_UNKNOWN_AGE_PAGES);
}

/* One line of names, one of numbers; or a line each, with bars. */
static void age_lines(const struct subject *a, bool bars)
{
	char text[32], name[16];
	uint64_t most = 1;
	int i, line, width = a->pane->cols - 28;

	for (i = 0; i <= PCINSPECT_NR_AGES; i++)
		if (age_pages(a->file, i) > most)
			most = age_pages(a->file, i);
	for (line = 0; line < 2 && !bars; line++) {
		subject_title(a, line ? "" : "  to");
		for (i = 0; i <= PCINSPECT_NR_AGES; i++) {
			int cell;

			age_name(name, sizeof(name), i);
			count_text(text, sizeof(text), age_pages(a->file, i), a->raw);
			cell = strlen(text) > 5 ? (int)strlen(text) : 5;
			pen_print(a->pane, !line ? PEN_DIM : age_pages(a->file, i) ?
					  PEN_YELLOW : PEN_PLAIN, " %*s", cell,
					  line ? text : name);
		}
		pen_end(a->pane);
	}
	for (i = 0; i <= PCINSPECT_NR_AGES && bars; i++) {
		age_name(name, sizeof(name), i);
		count_text(text, sizeof(text), age_pages(a->file, i), a->raw);
		pen_print(a->pane, PEN_PLAIN, "  to %5s ", name);
		pen_bar(a->pane, (__u64[]){ age_pages(a->file, i),
				  most - age_pages(a->file, i) }, "# ", 2, width);
		pen_print(a->pane, PEN_PLAIN, " %s", text);
		pen_end(a->pane);
	}
}

static const enum pcinspect_number writes[] = {
	PCINSPECT_DIRTY, PCINSPECT_LE_10_MS, PCINSPECT_DIRTIED_PAGES, PCINSPECT_WRITTEN_PAGES,
	PCINSPECT_REDIRTIED_PAGES, PCINSPECT_DEVICE_WRITE_BYTES,
};

/* Its dirty pages; their ages get a line each where all fits. */
void part_dirty(const struct subject *a)
{
	bool bars = a->pane->rows - a->pane->row >= PCINSPECT_NR_AGES + 3 + a->spare;
	static const char *const marks[] = { "?", "-", "", "~", "> " };
	bool aged = number_known(a->file, PCINSPECT_LE_10_MS);
	enum oldest kind;
	uint64_t oldest;
	double x = 0;
	char text[32];

	if (subject_all_zero(a, writes, sizeof(writes) / sizeof(*writes)))
		return;
	subject_title(a, "dirty");
	kind = file_oldest(a->file, &oldest);
	text[0] = '\0';
	if (kind >= OLDEST_KNOWN)
		duration_text(text, sizeof(text), oldest * 1000000);
	pen_print(a->pane, PEN_PLAIN, aged ? " oldest %s%s" : " ages ?", marks[kind], text);
	subject_number(a, "dirtied", PCINSPECT_DIRTIED_PAGES);
	subject_number(a, "written", PCINSPECT_WRITTEN_PAGES);
	subject_number(a, "again", PCINSPECT_REDIRTIED_PAGES);
	subject_number(a, "device", PCINSPECT_DEVICE_WRITE_BYTES);
	subject_factor(a, file_write_amplification(a->file, &x), x);
	pen_end(a->pane);
	if (aged)
		age_lines(a, bars);
}

/* Its fsync calls, the newest first. */
void part_fsyncs(const struct subject *a)
{
	uint64_t total;
	char text[32];
	int i;

	if (file_number(a->file, PCINSPECT_FSYNCS_TOTAL, &total) && !total)
		return;
	subject_title(a, "fsync");
	if (!file_number(a->file, PCINSPECT_FSYNCS_TOTAL, &total)) {
		pen_print(a->pane, PEN_PLAIN, " ? calls");
		pen_end(a->pane);
		return;
	}
	pen_print(a->pane, PEN_PLAIN, " %ju calls", (uintmax_t)total);
	for (i = 0; i <= a->spare && i < (int)a->file->nr_fsyncs; i++) {
		const struct pcinspect_fsync *call = &a->file->fsyncs[a->file->nr_fsyncs - 1 - i];

		if (i)
			subject_title(a, "");
		else
			pen_print(a->pane, PEN_PLAIN, ":");
		duration_text(text, sizeof(text), call->duration_ns);
		pen_print(a->pane, PEN_PLAIN, " %s ", pcinspect_fsync_kind_word(pcinspect_fsync_kind(call)));
		pen_word(a->pane, PEN_PLAIN, call->comm, PCINSPECT_COMM_LEN);
		pen_print(a->pane, PEN_PLAIN, "-%u ", call->pid);
		pen_print(a->pane, PEN_YELLOW, "%s", text);
		subject_count(a, "dirty", call->flags & PCINSPECT_FSYNC_DIRTY,
			      call->dirty_at_entry_pages);
		subject_count(a, "written", !(call->flags & PCINSPECT_FSYNC_NO_WRITTEN),
			      call->written_pages);
		subject_count(a, "requests", call->flags & PCINSPECT_FSYNC_REQUESTS,
			      call->requests);
		subject_count(a, "log", call->flags & PCINSPECT_FSYNC_LOG, call->log_requests);
		pen_end(a->pane);
	}
	if (!i)
		pen_end(a->pane);
}

static const struct {
	const char *name;
	const char *what;
	bool bytes;
} charts[CHART_NUMBERS] = {
	[CHART_CACHED] = { "cached", "pages", false },
	[CHART_HITS] = { "hits", "bytes a cell, at least", true },
	[CHART_INSERTED] = { "inserted", "pages a cell", false },
	[CHART_DIRTY] = { "dirty", "pages", false },
};

/* Ticks of a cell, by zoom. */
static const unsigned int cell_ticks[SCREEN_NR_ZOOMS] = { 1, 2, 5, 10, 15, 20 };

static void chart_text(const struct subject *a, char *out, size_t size,
		       enum chart_number number, uint64_t value)
{
	if (value == CHART_UNKNOWN)
		strcpy(out, "?");
	else if (charts[number].bytes && !a->raw)
		size_text(out, size, value);
	else
		count_text(out, size, value, a->raw);
}

/* One row of the chart, in eighths of a line. */
static void chart_row(const struct subject *a, const uint64_t *cells, size_t n, size_t used,
		      uint64_t most, int row, int rows)
{
	static const char *const blocks[] = {
		" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█",
	};
	char line[SCREEN_CELLS * 4 + 1] = "", *to = line;
	size_t i;

	for (i = 0; i < n; i++) {
		int level = 0;

		if (cells[i] == CHART_UNKNOWN) {
			to = stpcpy(to, row || i < n - used ? " " : "?");
			continue;
		}
		/* A value above 0 is visible. */
		if (cells[i])
			level = (double)cells[i] / most * rows * 8 + 0.5;
		if (cells[i] && !level)
			level = 1;
		level -= row * 8;
		to = stpcpy(to, blocks[level < 0 ? 0 : level > 8 ? 8 : level]);
	}
	pen_print(a->pane, PEN_PLAIN, "%7s", "");
	pen_print(a->pane, PEN_CYAN, "%s", line);
	pen_end(a->pane);
}

/* One number over time, newest right. */
static void over_time(const struct subject *a, enum chart_number number, int rows)
{
	const struct chart_history *history = &a->screen->history;
	size_t file = a->screen->view.selected;
	const struct chart_past *past = file < history->nr_files ? history->files[file] : NULL;
	unsigned int ticks = cell_ticks[a->screen->view.zoom];
	uint64_t cells[SCREEN_CELLS], most = 0, least = CHART_UNKNOWN, last = CHART_UNKNOWN;
	char texts[3][32], span[32];
	int columns = a->pane->cols - 7, row;
	size_t n, i, used;

	if (columns < 1)
		return;
	n = columns > SCREEN_CELLS ? SCREEN_CELLS : columns;
	used = chart_cells(past, number, ticks, cells, n);
	for (i = 0; i < n; i++) {
		if (cells[i] == CHART_UNKNOWN)
			continue;
		most = cells[i] > most ? cells[i] : most;
		least = cells[i] < least ? cells[i] : least;
		last = cells[i];
	}
	chart_text(a, texts[0], sizeof(texts[0]), number, last);
	chart_text(a, texts[1], sizeof(texts[1]), number, least);
	chart_text(a, texts[2], sizeof(texts[2]), number, least == CHART_UNKNOWN ? least : most);
	duration_text(span, sizeof(span), ticks * a->screen->watch->ticks.interval_ns);
	subject_title(a, "chart");
	pen_print(a->pane, PEN_PLAIN, " %s: now %s, least %s, most %s %s; a cell is %s",
		  charts[number].name, texts[0], texts[1], texts[2], charts[number].what, span);
	pen_end(a->pane);
	for (row = rows - 1; row >= 0 && most; row--)
		chart_row(a, cells, n, used, most, row, rows);
}

/* Readahead windows where there are some, or what the keys have chosen. */
void part_chart(const struct subject *a)
{
	int chart = a->screen->view.chart, rows = 2 + a->spare;
	uint64_t windows;

	/* It has the room of what there is nothing to say of. */
	if (subject_quiet(a))
		rows += 3;
	if (chart > SCREEN_CHART_AHEAD)
		over_time(a, chart - SCREEN_CHART_AHEAD - 1, rows);
	else if (chart == SCREEN_CHART_AUTO &&
		 file_number(a->file, PCINSPECT_WINDOWS_TOTAL, &windows) && !windows)
		over_time(a, CHART_CACHED, rows);
	else
		part_timeline(a);
}
