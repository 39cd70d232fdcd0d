/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * pen.h - writing in a rectangle of the screen and never past its edge.
 */
#ifndef PCINSPECT_SCREEN_PEN_H
#define PCINSPECT_SCREEN_PEN_H

#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>
#include <linux/types.h>

/**
 * enum pen - how text looks
 */
enum pen {
	PEN_PLAIN, PEN_TITLE, PEN_DIM, PEN_BAD, PEN_SELECTED,
	PEN_GREEN, PEN_YELLOW, PEN_MAGENTA, PEN_BLUE, PEN_CYAN, PEN_RED,
	NR_PENS
};

/**
 * struct pane - a rectangle that is filled line by line
 * @y: of its first line
 * @x: of its first column
 * @rows: how many
 * @cols: how many
 * @row: line that is written next
 * @col: column that is written next
 */
struct pane {
	int y, x, rows, cols;
	int row, col;
};

static inline struct pane pane(int y, int x, int rows, int cols)
{
	return (struct pane){ .y = y, .x = x, .rows = rows, .cols = cols };
}

void pen_start(bool colours);
int pen_cut(wchar_t *out, size_t room, const char *text, int columns, bool tail);
void pen_print(struct pane *pane, enum pen pen,
	       const char *format, ...) __attribute__((format(printf, 3, 4)));
void pen_name(struct pane *pane, enum pen pen, const char *path, int columns);
void pen_name_safe(struct pane *pane, enum pen pen, const char *text, int columns);
void pen_word(struct pane *pane, enum pen pen, const char *comm, int columns);
void pen_bar(struct pane *pane, const __u64 *parts,
	     const char *letters, int n, int width);
void pen_letters(struct pane *pane, const char *letters);
void pen_end(struct pane *pane);
void pen_fill(struct pane *pane, enum pen pen);
bool pane_full(const struct pane *pane);

#endif /* PCINSPECT_SCREEN_PEN_H */
