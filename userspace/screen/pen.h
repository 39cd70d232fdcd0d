/* SPDX-License-Identifier: GPL-2.0 */
/*
 * pen.h - writing in a rectangle of the screen and never past its edge.
 */
#ifndef PCINSPECT_SCREEN_PEN_H
#define PCINSPECT_SCREEN_PEN_H

#include <stdbool.h>
#include <stdint.h>
#include <linux/types.h>

/**
 * enum pcinspect_pen - how text looks
 */
enum pcinspect_pen {
	PEN_PLAIN, PEN_TITLE, PEN_DIM, PEN_BAD, PEN_SELECTED,
	PEN_GREEN, PEN_YELLOW, PEN_MAGENTA, PEN_BLUE, PEN_CYAN, PEN_RED,
	NR_PENS
};

/**
 * struct pcinspect_pane - a rectangle that is filled line by line
 * @y: of its first line
 * @x: of its first column
 * @rows: how many
 * @cols: how many
 * @row: line that is written next
 * @col: column that is written next
 */
struct pcinspect_pane {
	int y, x, rows, cols;
	int row, col;
};

void pcinspect_pen_start(bool colours);
void pcinspect_pen_say(struct pcinspect_pane *pane, enum pcinspect_pen pen,
		       const char *format, ...) __attribute__((format(printf, 3, 4)));
void pcinspect_pen_name(struct pcinspect_pane *pane, enum pcinspect_pen pen,
			const char *path, int columns);
void pcinspect_pen_word(struct pcinspect_pane *pane, enum pcinspect_pen pen,
			const char *comm, int columns);
void pcinspect_pen_bar(struct pcinspect_pane *pane, const __u64 *parts,
		       const char *letters, int n, int width);
void pcinspect_pen_letters(struct pcinspect_pane *pane, const char *letters);
enum pcinspect_pen pcinspect_pen_of(char letter);
void pcinspect_pen_end(struct pcinspect_pane *pane);
void pcinspect_pen_fill(struct pcinspect_pane *pane, enum pcinspect_pen pen);
bool pcinspect_pane_full(const struct pcinspect_pane *pane);

#endif /* PCINSPECT_SCREEN_PEN_H */
