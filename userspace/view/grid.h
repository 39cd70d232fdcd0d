/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * grid.h - rows and columns as text.
 */
#ifndef PCINSPECT_GRID_H
#define PCINSPECT_GRID_H

#include <stdbool.h>
#include <stddef.h>

#include "view/spool.h"

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
 * struct grid - a table
 * @columns: of it
 * @nr_columns: how many
 * @noheadings: without names
 * @chosen: columns that were asked for, in that order
 * @nr_chosen: how many, 0: nobody asked
 * @width: cells there are, 0: no limit; with one, columns of nothing but 0 or ? go
 * @rows: their cells, each text with its end; all that follows is 0 at first
 * @row: the one that has begun
 * @row_size: bytes there
 * @row_room: allocated
 * @next: its next column
 * @widest: cells of the widest text in each column
 * @seen: with @width, bits of what is in each: 1 something, 2 nothing and that is
 *	known, 4 "?"
 */
struct grid {
	struct grid_column columns[GRID_COLUMNS];
	int nr_columns;
	bool noheadings;
	int chosen[GRID_COLUMNS];
	int nr_chosen;
	int width;
	struct spool rows;
	char *row;
	size_t row_size;
	size_t row_room;
	int next;
	int widest[GRID_COLUMNS];
	unsigned char seen[GRID_COLUMNS];
};

int grid_check(const char *list, const char *const *names);
void grid_choose(struct grid *grid, const char *list);
bool grid_shows_last(const struct grid *grid);
void grid_cell(struct grid *grid, const char *text);
void grid_take(struct grid *grid, char *text, const char *room);
void grid_last(struct grid *grid, const char *text);
void grid_print(struct grid *grid);
void grid_forget(struct grid *grid);

#endif /* PCINSPECT_GRID_H */
