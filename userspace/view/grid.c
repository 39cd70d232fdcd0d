// SPDX-License-Identifier: GPL-2.0-only
/*
 * grid.c - rows and columns as text, also a million rows. Cells come one by one, are
 * measured, and kept (spool.c) until all have come: only then is known how wide columns are.
 *
 * Not by libsmartcols, which takes 64,000 instructions for a row of the default columns,
 * four times what opening the file, walking its pages and closing it takes; which cuts
 * the end of what is too long, and a path's end is its name; and which drops the last
 * columns. Touches stdout.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "lib/alloc.h"
#include "lib/complain.h"
#include "lib/output.h"
#include "lib/text.h"
#include "lib/width.h"
#include "view/grid.h"

/* Less than this of a path says nothing. */
#define PATH_LEAST	24

enum gone { SHOWN, ZERO, UNKNOWN, NO_ROOM };

/**
 * struct layout - which columns are shown, and how wide
 * @width: of each
 * @gone: whether, and why not
 * @first: the first one that is shown
 * @last: the last one
 */
struct layout {
	int width[GRID_COLUMNS];
	enum gone gone[GRID_COLUMNS];
	int first;
	int last;
};

static bool called(const char *name, const char *list, size_t len)
{
	return strlen(name) == len && !strncasecmp(name, list, len);
}

/**
 * grid_check() - is --output usable for a table that has these columns
 * @list: its argument; "help" lists them
 * @names: of the columns, NULL behind the last
 *
 * Return: -1 to go on, else the exit status.
 */
int grid_check(const char *list, const char *const *names)
{
	char *all = alloc_copy(*names), *more;
	size_t len, i, nr = 0;
	struct like like;

	for (i = 1; names[i]; i++) {
		more = alloc_text("%s, %s", all, names[i]);
		free(all);
		all = more;
	}
	if (!strcmp(list, "help")) {
		for (i = 0; names[i]; i++)
			puts(names[i]);
		free(all);
		return 0;
	}
	for (;; list += len + 1) {
		len = strcspn(list, ",");
		for (i = 0; names[i] && !called(names[i], list, len); i++)
			;
		if (!names[i] || nr++ == GRID_COLUMNS)
			break;
		if (!list[len]) {
			free(all);
			return -1;
		}
	}
	like = (struct like){ .typed = list, .len = len };
	for (i = 0; names[i]; i++)
		like_word(&like, names[i]);
	complain(NULL, "--output: no column %.*s (%s%s%sthere are %s)", (int)len, list,
		 like.word ? "perhaps " : "", like.word ?: "", like.word ? "; " : "", all);
	free(all);
	return EXIT_USAGE;
}

/**
 * grid_choose() - show some columns only, in another order
 * @grid: its columns are known, all their cells will come
 * @list: names that grid_check() has seen; NULL: as it is
 */
void grid_choose(struct grid *grid, const char *list)
{
	size_t len;
	int k;

	while (list && *list) {
		len = strcspn(list, ",");
		for (k = 0; k < grid->nr_columns; k++)
			if (called(grid->columns[k].name, list, len))
				grid->chosen[grid->nr_chosen++] = k;
		list += len + (list[len] != '\0');
	}
}

/* Is the last column shown, where rows that are no entries say what they are? */
bool grid_shows_last(const struct grid *grid)
{
	int k;

	for (k = 0; k < grid->nr_chosen; k++)
		if (grid->chosen[k] == grid->nr_columns - 1)
			return true;
	return !grid->nr_chosen;
}

/* Is nothing in a cell, and is that known? */
static enum gone nothing(const char *text)
{
	if (!text[strspn(text, "?-")])
		return strchr(text, '?') ? UNKNOWN : ZERO;
	return text[strspn(text, "0.%s")] ? SHOWN : ZERO;
}

/**
 * grid_cell() - the next cell of a row, or the first one of the next row
 * @grid: of which
 * @text: copied
 */
void grid_cell(struct grid *grid, const char *text)
{
	int k = grid->next, width = 0;
	size_t size;

	/* Of a path that ends a line nobody asks how wide it is. */
	if (k == grid->nr_columns - 1 && !grid->width && grid->columns[k].left)
		size = strlen(text);
	else
		width = width_size(text, &size);
	if (width > grid->widest[k])
		grid->widest[k] = width;
	if (grid->width && !(grid->seen[k] & 1U << SHOWN))
		grid->seen[k] |= 1U << nothing(text);
	size++;
	if (grid->row_size + size > grid->row_room) {
		grid->row_room = (grid->row_size + size) * 2;
		grid->row = alloc_array(grid->row, 1, grid->row_room);
	}
	memcpy(grid->row + grid->row_size, text, size);
	grid->row_size += size;
	if (++grid->next < grid->nr_columns)
		return;
	spool_add(&grid->rows, grid->row, grid->row_size);
	grid->row_size = 0;
	grid->next = 0;
}

/* The same of a new string, which is freed; unless it is @room, which is not. */
void grid_take(struct grid *grid, char *text, const char *room)
{
	grid_cell(grid, text);
	if (text != room)
		free(text);
}

/* The last cell of a row, and nothing in those before it that did not come. */
void grid_last(struct grid *grid, const char *text)
{
	while (grid->next < grid->nr_columns - 1)
		grid_cell(grid, "");
	grid_cell(grid, text);
}

/* How wide each column is, and whether there is anything in it. */
static void measure(const struct grid *grid, struct layout *layout)
{
	int k;

	for (k = 0; k < grid->nr_columns; k++) {
		layout->width[k] = grid->noheadings ? 0 : width_of(grid->columns[k].name);
		if (grid->widest[k] > layout->width[k])
			layout->width[k] = grid->widest[k];
		if (!grid->rows.nr || !grid->width || grid->columns[k].keep ||
		    grid->seen[k] & 1U << SHOWN)
			layout->gone[k] = SHOWN;
		else
			layout->gone[k] = grid->seen[k] & 1U << ZERO ? ZERO : UNKNOWN;
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

static void line_end(struct line *line)
{
	*line_more(line, 1) = '\n';
	fwrite_unlocked(line->text, 1, line->size, stdout);
	line->size = 0;
}

/* One cell, @width wide, and what is between it and the one before. */
static void put_cell(const struct grid *grid, const struct layout *layout, int k,
		     const char *text, size_t size, int width, struct line *line)
{
	bool left = grid->columns[k].left, begun = k > layout->first;
	int space = left && k == layout->last ? 0 : layout->width[k] - width;
	char *at;

	if (space < 0)
		space = 0;
	at = line_more(line, begun + space + size);
	memset(at, ' ', begun + space + size);
	memcpy(at + begun + (left ? 0 : space), text, size);
}

/* One row; its cells are one behind the other. */
static void print_row(const struct grid *grid, const struct layout *layout, const char *text,
		      struct line *line)
{
	size_t size, len;
	char *shorter;
	int k, width;

	for (k = 0; k < grid->nr_columns; k++, text += size + 1) {
		width = width_size(text, &size);
		if (layout->gone[k] != SHOWN)
			continue;
		if (!grid->width || !grid->columns[k].shrinks || width <= layout->width[k]) {
			put_cell(grid, layout, k, text, size, width, line);
			continue;
		}
		shorter = width_shorten(alloc_copy(text), layout->width[k]);
		width = width_size(shorter, &len);
		put_cell(grid, layout, k, shorter, len, width, line);
		free(shorter);
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

/* The number of rows left out, so that nobody takes the table for complete. */
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

/* Of all cells those that were asked for. */
static void take_chosen(struct grid *grid)
{
	struct grid to = { .noheadings = grid->noheadings, .width = grid->width,
			   .nr_columns = grid->nr_chosen };
	const char *cells[GRID_COLUMNS];
	size_t row;
	int k;

	for (k = 0; k < to.nr_columns; k++) {
		to.columns[k] = grid->columns[grid->chosen[k]];
		to.columns[k].keep = true;
	}
	for (row = 0; row < grid->rows.nr; row++) {
		cells[0] = spool_row(&grid->rows, row);
		for (k = 1; k < grid->nr_columns; k++)
			cells[k] = strchr(cells[k - 1], '\0') + 1;
		for (k = 0; k < to.nr_columns; k++)
			grid_cell(&to, cells[grid->chosen[k]]);
	}
	grid_forget(grid);
	*grid = to;
}

/**
 * grid_print() - print a table, and forget its rows
 * @grid: which
 *
 * On a terminal no line is longer than it is wide, as far as columns may go and paths
 * be shortened; what is left out is said below.
 */
void grid_print(struct grid *grid)
{
	struct layout layout = { .first = -1 };
	struct line line = {};
	size_t row;
	int k;

	if (grid->nr_chosen)
		take_chosen(grid);
	measure(grid, &layout);
	if (grid->width)
		fit(grid, &layout);
	for (k = 0; k < grid->nr_columns; k++) {
		if (layout.gone[k] != SHOWN)
			continue;
		if (layout.first < 0)
			layout.first = k;
		layout.last = k;
	}
	for (k = 0; k < grid->nr_columns && !grid->noheadings; k++) {
		const char *name = grid->columns[k].name;

		if (layout.gone[k] == SHOWN)
			put_cell(grid, &layout, k, name, strlen(name), width_of(name), &line);
	}
	if (!grid->noheadings)
		line_end(&line);
	for (row = 0; row < grid->rows.nr && !output_failed(); row++)
		print_row(grid, &layout, spool_row(&grid->rows, row), &line);
	free(line.text);
	if (!grid->noheadings)
		print_gone(grid, &layout);
	grid_forget(grid);
}

/* Forget its rows. */
void grid_forget(struct grid *grid)
{
	spool_forget(&grid->rows);
	free(grid->row);
	grid->row = NULL;
	grid->row_room = 0;
}
