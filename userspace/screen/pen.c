// SPDX-License-Identifier: GPL-2.0-only
/*
 * pen.c - the only place that puts characters on the screen: what is too
 * long is cut, what no terminal should see is replaced. Touches the terminal.
 */
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/escape.h"
#include "lib/text.h"
#include "screen/pen.h"
#include "uapi/pcinspect.h"

#define WIDEST		1024	/* columns of a line; terminals are narrower */

static attr_t looks[NR_PENS];

/**
 * pen_start() - choose what the pens look like
 * @colours: the terminal has some, and the user wants them
 */
void pen_start(bool colours)
{
	static const short table[NR_PENS] = {
		[PEN_BAD] = COLOR_RED, [PEN_GREEN] = COLOR_GREEN,
		[PEN_YELLOW] = COLOR_YELLOW, [PEN_MAGENTA] = COLOR_MAGENTA,
		[PEN_BLUE] = COLOR_BLUE, [PEN_CYAN] = COLOR_CYAN,
		[PEN_RED] = COLOR_RED,
	};
	int pen;

	memset(looks, 0, sizeof(looks));
	looks[PEN_TITLE] = A_BOLD;
	looks[PEN_BAD] = A_BOLD;
	looks[PEN_SELECTED] = A_REVERSE;
	if (!colours)
		return;
	looks[PEN_DIM] = A_DIM;
	start_color();
	use_default_colors();
	for (pen = 0; pen < NR_PENS; pen++) {
		if (!table[pen])
			continue;
		init_pair(pen, table[pen], -1);
		looks[pen] |= COLOR_PAIR(pen);
	}
}

/* Is there no line left? */
bool pane_full(const struct pane *pane)
{
	return pane->row >= pane->rows;
}

/* The next character as one that a terminal shows and nothing else. */
static size_t first_wide(const char *text, wchar_t *wide, int *columns)
{
	mbstate_t state = {};
	size_t n = mbrtowc(wide, text, strlen(text), &state);

	if (n == (size_t)-1 || n == (size_t)-2 || !n) {
		n = 1;
		*wide = L'?';
	}
	*columns = wcwidth(*wide);
	if (*columns < 0 || escape_wanted(*wide)) {
		*wide = L'?';
		*columns = 1;
	}
	return n;
}

/**
 * pen_cut() - as much of a text as fits
 * @out: wide characters, NUL-terminated
 * @room: of them, the NUL included
 * @text: multibyte; what cannot be shown becomes a question mark
 * @columns: of the terminal
 * @tail: keep the end of a text that is too long, not its beginning
 *
 * A "~" stands where something was cut off. No character is split: a wide one
 * that does not fit is left out.
 *
 * Return: columns that are filled.
 */
int pen_cut(wchar_t *out, size_t room, const char *text, int columns, bool tail)
{
	const char *p;
	int total = 0, used = 0, skip = 0, width;
	bool cut;
	wchar_t wide;

	if (columns <= 0 || room < 2) {
		if (room)
			*out = L'\0';
		return 0;
	}
	for (p = text; *p; total += width)
		p += first_wide(p, &wide, &width);
	cut = total > columns;
	if (cut && tail) {
		*out++ = L'~';
		room--;
		used = 1;
		for (p = text; total - skip > columns - 1; skip += width)
			p += first_wide(p, &wide, &width);
		/* A mark that modifies a cut character is cut with it. */
		for (; *p; p += skip) {
			skip = first_wide(p, &wide, &width);
			if (width)
				break;
		}
	} else {
		p = text;
	}
	for (; *p && room > 2; used += width, room--) {
		size_t n = first_wide(p, &wide, &width);

		if (used + width > columns - (cut && !tail ? 1 : 0))
			break;
		p += n;
		*out++ = wide;
	}
	if (cut && !tail) {
		*out++ = L'~';
		used++;
	}
	*out = L'\0';
	return used;
}

static void put_wide(struct pane *pane, enum pen pen, const char *text, int columns, bool tail)
{
	wchar_t wide[WIDEST + 1];
	int used;

	if (columns > pane->cols - pane->col)
		columns = pane->cols - pane->col;
	if (columns > WIDEST)
		columns = WIDEST;
	if (pane_full(pane) || columns <= 0)
		return;
	used = pen_cut(wide, WIDEST + 1, text, columns, tail);
	attrset(looks[pen]);
	mvaddwstr(pane->y + pane->row, pane->x + pane->col, wide);
	attrset(A_NORMAL);
	pane->col += used;
}

/* Write on in the line. */
void pen_print(struct pane *pane, enum pen pen, const char *format, ...)
{
	va_list args;
	char *text;

	if (pane_full(pane) || pane->col >= pane->cols)
		return;
	va_start(args, format);
	text = alloc_vtext(format, args);
	va_end(args);
	put_wide(pane, pen, text, pane->cols, false);
	free(text);
}

/**
 * pen_name() - write a path, or its end if it is too long
 * @pane: where
 * @pen: how it looks
 * @path: raw bytes; NULL if there is none
 * @columns: at most
 */
void pen_name(struct pane *pane, enum pen pen, const char *path, int columns)
{
	char *text = escape_path(path ?: "?");

	put_wide(pane, pen, text, columns, true);
	free(text);
}

/* The same, of a text that is fit for a terminal already. */
void pen_name_safe(struct pane *pane, enum pen pen, const char *text, int columns)
{
	put_wide(pane, pen, text, columns, true);
}

/**
 * pen_word() - write a thread's name, or its beginning
 * @pane: where
 * @pen: how it looks
 * @comm: PCINSPECT_COMM_LEN bytes
 * @columns: at most
 */
void pen_word(struct pane *pane, enum pen pen, const char *comm, int columns)
{
	char name[PCINSPECT_COMM_LEN + 1] = "", *text;

	memcpy(name, comm, PCINSPECT_COMM_LEN);
	text = escape_path(name);
	put_wide(pane, pen, text, columns, false);
	free(text);
}

/* The colour of a letter in bars and timelines. */
static enum pen pen_of(char letter)
{
	switch (letter) {
	case 'A': case '0': case 's': return PEN_GREEN;
	case 'i': case '1': case 'a': return PEN_CYAN;
	case 'u': case '2': case 'r': return PEN_MAGENTA;
	case 'o': case '3': case 'f': return PEN_YELLOW;
	default: return PEN_PLAIN;
	}
}

/**
 * pen_letters() - write letters, each in its colour
 * @pane: where
 * @letters: they
 */
void pen_letters(struct pane *pane, const char *letters)
{
	int end;

	for (; *letters; letters += end) {
		for (end = 1; letters[end] == *letters;)
			end++;
		pen_print(pane, pen_of(*letters), "%.*s", end, letters);
	}
}

/**
 * pen_bar() - write a bar in brackets
 * @pane: where
 * @parts: sizes
 * @letters: one for each part
 * @n: how many parts
 * @width: columns between the brackets
 */
void pen_bar(struct pane *pane, const __u64 *parts, const char *letters, int n, int width)
{
	char bar[WIDEST + 1];

	if (width > WIDEST)
		width = WIDEST;
	if (width < 1)
		return;
	bar_text(bar, parts, letters, n, width);
	pen_print(pane, PEN_PLAIN, "[");
	pen_letters(pane, bar);
	pen_print(pane, PEN_PLAIN, "]");
}

/* Go to the next line. */
void pen_end(struct pane *pane)
{
	pane->row++;
	pane->col = 0;
}

/**
 * pen_fill() - blanks to the end of the line, which ends
 * @pane: where
 * @pen: how they look
 */
void pen_fill(struct pane *pane, enum pen pen)
{
	pen_print(pane, pen, "%*s", pane->cols - pane->col, "");
	pen_end(pane);
}
