// SPDX-License-Identifier: GPL-2.0-only
/*
 * chart.c - cached, hits, inserted and dirty over time, for each file of the screen.
 *
 * What a tick did not tell is unknown and drawn as such; the past of an entry begins
 * anew with another inode. Touches memory, and the screen by way of pen.c.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/text.h"
#include "screen/chart.h"
#include "screen/file.h"

static uint64_t now_of(const struct file *file, enum pcinspect_number number)
{
	uint64_t value;

	return file_number(file, number, &value) ? value : CHART_UNKNOWN;
}

/* What came since the tick before. */
static uint64_t since(const struct file *file, const struct file *before,
		      enum pcinspect_number number)
{
	uint64_t now, then;

	return before && file_number(file, number, &now) && file_number(before, number, &then) &&
	       now >= then ? now - then : CHART_UNKNOWN;
}

/*
 * Bytes that reads were given and that no device had to be asked for. At least: what
 * the device gave may have been more than was missed (readahead), and some of what
 * was given were holes.
 */
static uint64_t hits(const struct file *file, const struct file *before)
{
	uint64_t demanded = since(file, before, PCINSPECT_DEMANDED_BYTES);
	uint64_t device = since(file, before, PCINSPECT_DEVICE_BYTES);
	uint64_t holes = since(file, before, PCINSPECT_HOLE_PAGES);

	if (demanded == CHART_UNKNOWN || device == CHART_UNKNOWN || holes == CHART_UNKNOWN)
		return CHART_UNKNOWN;
	device += holes * file->page_size;
	return demanded > device ? demanded - device : 0;
}

static void take(struct chart_past *past, const struct file *file, const struct file *before)
{
	struct chart_sample *sample;

	if (past->id != file->snap.id)
		past->nr = 0;
	past->id = file->snap.id;
	past->newest = (past->newest + 1) % CHART_TICKS;
	if (past->nr < CHART_TICKS)
		past->nr++;
	sample = &past->samples[past->newest];
	sample->numbers[CHART_CACHED] = now_of(file, PCINSPECT_CACHED);
	sample->numbers[CHART_DIRTY] = now_of(file, PCINSPECT_DIRTY);
	sample->numbers[CHART_INSERTED] = since(file, before, PCINSPECT_INSERTED);
	sample->numbers[CHART_HITS] = hits(file, before);
}

/* A tick is complete: keep what it says of every file. */
void chart_take(struct chart_history *history, const struct watch *watch)
{
	const struct report *report = &watch->report;
	size_t i;

	if (history->nr_files < report->nr_files) {
		history->files =
			alloc_array(history->files, report->nr_files, sizeof(*history->files));
		while (history->nr_files < report->nr_files)
			history->files[history->nr_files++] = NULL;
	}
	for (i = 0; i < report->nr_files; i++) {
		if (report->files[i].gone)
			continue;
		if (!history->files[i])
			history->files[i] = alloc_zero(1, sizeof(**history->files));
		take(history->files[i], &report->files[i], watch_before(watch, i));
	}
}

void chart_free(struct chart_history *history)
{
	while (history->nr_files)
		free(history->files[--history->nr_files]);
	free(history->files);
	history->files = NULL;
}

/**
 * chart_cells() - put ticks in cells
 * @past: of the file, or NULL
 * @number: which
 * @ticks: of a cell
 * @cells: filled in, the last is the newest; a state is the cell's last, what came is
 *	its sum; CHART_UNKNOWN where no tick of the cell told
 * @n: how many
 *
 * Return: how many cells have ticks.
 */
size_t chart_cells(const struct chart_past *past, enum chart_number number,
		   unsigned int ticks, uint64_t *cells, size_t n)
{
	bool sum = number == CHART_HITS || number == CHART_INSERTED;
	size_t age, cell, used = 0;

	for (cell = 0; cell < n; cell++)
		cells[cell] = CHART_UNKNOWN;
	/* From the newest back: the first state that is met is the last of its cell. */
	for (age = 0; past && age < past->nr && age / ticks < n; age++) {
		size_t at = (past->newest + CHART_TICKS - age) % CHART_TICKS;
		uint64_t value = past->samples[at].numbers[number], *to;

		used = age / ticks + 1;
		to = &cells[n - used];
		if (value == CHART_UNKNOWN)
			continue;
		if (*to == CHART_UNKNOWN)
			*to = value;
		else if (sum)
			*to += value;
	}
	return used;
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

static void value_text(const struct subject *a, char *out, size_t size,
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
		/* What is not nothing is seen. */
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
	value_text(a, texts[0], sizeof(texts[0]), number, last);
	value_text(a, texts[1], sizeof(texts[1]), number, least);
	value_text(a, texts[2], sizeof(texts[2]), number, least == CHART_UNKNOWN ? least : most);
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
