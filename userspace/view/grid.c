// SPDX-License-Identifier: GPL-2.0
/*
 * grid.c - rows and columns as text, also a million rows: cells are made twice, once to
 * see how wide they are, and kept nowhere; or the caller has kept and measured them.
 *
 * Not by libsmartcols, which takes 64,000 instructions for a row of the default columns,
 * four times what opening the file, walking its pages and closing it takes; which cuts
 * the end of what is too long, and a path's end is its name; and which drops the last
 * columns. Touches stdout.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/output.h"
#include "lib/width.h"
#include "view/grid.h"

/* Less than this of a path says nothing. */
#define PATH_LEAST	24

enum gone { SHOWN, ZERO, UNKNOWN, NO_ROOM };

/**
 * struct layout - which columns are shown, and how wide
 * @width: of each
 * @gone: whether, and why not
 * @last: the last one that is shown
 */
struct layout {
	int width[GRID_COLUMNS];
	enum gone gone[GRID_COLUMNS];
	int last;
};

/* Is nothing in a cell, and is that known? */
static enum gone nothing(const char *text)
{
	if (!text[strspn(text, "?-")])
		return strchr(text, '?') ? UNKNOWN : ZERO;
	return text[strspn(text, "0.%s")] ? SHOWN : ZERO;
}

/**
 * grid_see() - one more cell of a column
 * @seen: what was seen of the rows before
 * @column: which
 * @text: what is in it
 */
void grid_see(struct grid_seen *seen, int column, const char *text)
{
	int width = width_of(text);

	if (width > seen->width[column])
		seen->width[column] = width;
	if (!(seen->what[column] & 1U << SHOWN))
		seen->what[column] |= 1U << nothing(text);
}

/* How wide each column is, and whether there is anything in it. */
static void measure(const struct grid *grid, struct layout *layout)
{
	struct grid_seen seen = grid->seen ? *grid->seen : (struct grid_seen){};
	size_t row = grid->seen ? grid->nr_seen : 0;
	int k, last = grid->nr_columns - 1;
	char room[GRID_ROOM], *text;

	/* Nobody asks how wide it is. */
	if (!grid->width && last >= 0 && grid->columns[last].left)
		last--;
	for (; row < grid->rows; row++)
		for (k = 0; k <= last; k++) {
			text = grid->cell(grid->context, row, k, room);
			grid_see(&seen, k, text);
			if (text != room)
				free(text);
		}
	for (k = 0; k < grid->nr_columns; k++) {
		layout->width[k] = grid->noheadings ? 0 : width_of(grid->columns[k].name);
		if (seen.width[k] > layout->width[k])
			layout->width[k] = seen.width[k];
		if (!grid->rows || !grid->width || grid->columns[k].keep ||
		    seen.what[k] & 1U << SHOWN)
			layout->gone[k] = SHOWN;
		else
			layout->gone[k] = seen.what[k] & 1U << ZERO ? ZERO : UNKNOWN;
	}
}

/* Cells of a whole line; of a path as few as possible. */
static int needed(const struct grid *grid, const struct layout *layout)
{
	int k, sum = -1;

	for (k = 0; k < grid->nr_columns; k++)
		if (layout->gone[k] == SHOWN)
			sum += 1 + (grid->columns[k].shrinks && layout->width[k] > PATH_LEAST ?
				    PATH_LEAST : layout->width[k]);
	return sum;
}

/* Let columns go until the rest fits; then paths have what is left. */
static void fit(const struct grid *grid, struct layout *layout)
{
	int k, worst, shrinking = 0, over;

	while (needed(grid, layout) > grid->width) {
		for (k = 0, worst = -1; k < grid->nr_columns; k++)
			if (layout->gone[k] == SHOWN && !grid->columns[k].keep &&
			    (worst < 0 || grid->columns[k].rank >= grid->columns[worst].rank))
				worst = k;
		if (worst < 0)
			break;
		for (k = 0; k < grid->nr_columns; k++)
			if (layout->gone[k] == SHOWN && !grid->columns[k].keep &&
			    (k == worst || (grid->columns[k].rank &&
					    grid->columns[k].rank == grid->columns[worst].rank)))
				layout->gone[k] = NO_ROOM;
	}
	for (k = 0, over = -1 - grid->width; k < grid->nr_columns; k++) {
		if (layout->gone[k] != SHOWN)
			continue;
		over += 1 + layout->width[k];
		shrinking += grid->columns[k].shrinks;
	}
	for (k = 0; k < grid->nr_columns && over > 0; k++) {
		if (layout->gone[k] != SHOWN || !grid->columns[k].shrinks)
			continue;
		layout->width[k] -= over / shrinking;
		over -= over / shrinking--;
		if (layout->width[k] < PATH_LEAST / 2)
			layout->width[k] = PATH_LEAST / 2;
	}
}

/* A line as it is put together: to write it at once takes a third of the instructions. */
struct line {
	char *text;
	size_t size;
	size_t room;
	bool begun;
};

/* Room for so many bytes more; they are part of it. */
static char *line_more(struct line *line, size_t size)
{
	line->size += size;
	if (line->size > line->room) {
		line->room = line->size * 2;
		line->text = alloc_array(line->text, 1, line->room);
	}
	return line->text + line->size - size;
}

static void line_pad(struct line *line, int cells)
{
	if (cells > 0)
		memset(line_more(line, cells), ' ', cells);
}

static void line_end(struct line *line)
{
	*line_more(line, 1) = '\n';
	fwrite_unlocked(line->text, 1, line->size, stdout);
	line->size = 0;
	line->begun = false;
}

/* One cell, and what is between it and the one before. */
static void put(const struct grid *grid, const struct layout *layout, int k,
		const char *text, struct line *line)
{
	bool left = grid->columns[k].left, padded = !left || k != layout->last;
	int space = padded ? layout->width[k] - width_of(text) : 0;
	size_t size = strlen(text);

	if (line->begun)
		line_pad(line, 1);
	line->begun = true;
	if (!left)
		line_pad(line, space);
	memcpy(line_more(line, size), text, size);
	if (left)
		line_pad(line, space);
}

static void print_row(const struct grid *grid, const struct layout *layout, size_t row,
		      struct line *line)
{
	char room[GRID_ROOM], *ours;
	const char *text;
	int k;

	for (k = 0; k < grid->nr_columns; k++) {
		if (layout->gone[k] != SHOWN)
			continue;
		text = grid->kept ? grid->kept(grid->context, row, k) : NULL;
		ours = text ? room : grid->cell(grid->context, row, k, room);
		if (grid->width && grid->columns[k].shrinks && (text || ours != room))
			ours = width_shorten(text ? alloc_copy(text) : ours, layout->width[k]);
		put(grid, layout, k, text && ours == room ? text : ours, line);
		if (ours != room)
			free(ours);
	}
	line_end(line);
}

/* A word of a paragraph; returns where it ends on its line. */
static int put_word(const char *word, int at, int width)
{
	int cells = width_of(word);

	if (at && at + 1 + cells > width) {
		putchar('\n');
		at = 0;
	}
	printf("%s%s", at ? " " : "", word);
	return at + (at != 0) + cells;
}

/* What the table has left out, so that nobody takes it for what there is not. */
static void print_gone(const struct grid *grid, const struct layout *layout)
{
	static const char *const why[] = { [ZERO] = "All 0:", [UNKNOWN] = "All unknown:",
					   [NO_ROOM] = "No room:" };
	int k, last, at = 0;
	char word[128];
	enum gone gone;

	for (gone = ZERO; gone <= NO_ROOM; gone++) {
		for (k = 0, last = -1; k < grid->nr_columns; k++)
			if (layout->gone[k] == gone)
				last = k;
		if (last >= 0)
			at = put_word(why[gone], at, grid->width);
		for (k = 0; k <= last; k++) {
			if (layout->gone[k] != gone)
				continue;
			snprintf(word, sizeof(word), "%s%s", grid->columns[k].name,
				 k < last ? "" : gone == NO_ROOM ? " (wider, or -o)." : ".");
			at = put_word(word, at, grid->width);
		}
	}
	if (at)
		putchar('\n');
}

/**
 * grid_print() - print a table
 * @grid: which
 *
 * On a terminal no line is longer than it is wide, as far as columns may go and paths
 * be shortened; what is left out is said below.
 */
void grid_print(const struct grid *grid)
{
	struct layout layout = {};
	struct line line = {};
	size_t row;
	int k;

	measure(grid, &layout);
	if (grid->width)
		fit(grid, &layout);
	for (k = 0; k < grid->nr_columns; k++)
		if (layout.gone[k] == SHOWN)
			layout.last = k;
	for (k = 0; k < grid->nr_columns && !grid->noheadings; k++) {
		if (layout.gone[k] != SHOWN)
			continue;
		put(grid, &layout, k, grid->columns[k].name, &line);
	}
	if (!grid->noheadings)
		line_end(&line);
	for (row = 0; row < grid->rows && !output_failed(); row++)
		print_row(grid, &layout, row, &line);
	free(line.text);
	if (!grid->noheadings)
		print_gone(grid, &layout);
}
