/* SPDX-License-Identifier: GPL-2.0 */
/*
 * grid.h - rows and columns as text.
 */
#ifndef PCINSPECT_GRID_H
#define PCINSPECT_GRID_H

#include <stdbool.h>
#include <stddef.h>

#define GRID_COLUMNS	256
#define GRID_ROOM	64

/**
 * struct grid_column - one column
 * @name: its heading
 * @left: text; else numbers, to the right
 * @shrinks: a path, which may be shortened in the middle
 * @keep: it stays, whatever is in it and however narrow the terminal is
 * @rank: the larger, the sooner it goes for want of room; equals go together, those of
 *	rank 0 at last and one by one, from the right
 */
struct grid_column {
	const char *name;
	bool left;
	bool shrinks;
	bool keep;
	int rank;
};

/**
 * struct grid_seen - what is in the columns of rows; all zero is none
 * @width: cells of the widest text in each
 * @what: bits of what there is: 1 something, 2 nothing and that is known, 4 "?"
 */
struct grid_seen {
	int width[GRID_COLUMNS];
	unsigned char what[GRID_COLUMNS];
};

/**
 * struct grid - a table
 * @columns: of it
 * @nr_columns: how many
 * @rows: how many
 * @noheadings: without names
 * @width: cells there are, 0: no limit; with one, columns of nothing but 0 or ? go
 * @cell: makes the text of a cell: in @room, or a new string
 * @kept: the text of a cell that need not be made, or NULL; it lasts until the next is
 *	asked for
 * @context: for both
 * @seen: what is in the first rows, where somebody has looked
 * @nr_seen: how many these are
 */
struct grid {
	struct grid_column columns[GRID_COLUMNS];
	int nr_columns;
	size_t rows;
	bool noheadings;
	int width;
	char *(*cell)(const void *context, size_t row, int column, char room[GRID_ROOM]);
	const char *(*kept)(const void *context, size_t row, int column);
	const void *context;
	const struct grid_seen *seen;
	size_t nr_seen;
};

void grid_see(struct grid_seen *seen, int column, const char *text);
void grid_print(const struct grid *grid);

#endif /* PCINSPECT_GRID_H */
