// SPDX-License-Identifier: GPL-2.0-only
/*
 * list.c - the parts that every list on the screen shares: the keys that move in it,
 * typing a filter, scrolling, the help. Touches the screen, by way of pen.c.
 */
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <wctype.h>

#include "screen/list.h"

#define CTRL(letter)	((letter) & 0x1f)

static void remove_last(char *text)
{
	size_t n = strlen(text);

	while (n && ((unsigned char)text[n - 1] & 0xc0) == 0x80)
		n--;
	text[n ? n - 1 : 0] = '\0';
}

static void append_key(char *text, wint_t key)
{
	char bytes[MB_LEN_MAX];
	mbstate_t state = {};
	size_t n = wcrtomb(bytes, key, &state), used = strlen(text);

	if (n == (size_t)-1 || used + n >= LIST_FILTER_LEN)
		return;
	memcpy(text + used, bytes, n);
	text[used + n] = '\0';
}

/**
 * list_type() - one key while a filter is being typed
 * @filter: set to @typed by Enter
 * @typed: the text so far; both have LIST_FILTER_LEN bytes
 * @special: @key is one of curses' KEY_*
 * @key: the key
 */
enum list_typing list_type(char *filter, char *typed, bool special, wint_t key)
{
	if (special ? key == KEY_ENTER : key == '\r' || key == '\n') {
		strcpy(filter, typed);
		return LIST_ENTERED;
	}
	if (!special && (key == 27 || key == CTRL('g')))
		return LIST_DROPPED;
	if (special ? key == KEY_BACKSPACE : key == 127 || key == '\b')
		remove_last(typed);
	else if (!special && key == CTRL('u'))
		*typed = '\0';
	else if (!special && iswprint(key))
		append_key(typed, key);
	return LIST_TYPING;
}

/* Rows down the list (negative: up) that a special key moves; 0: it does not. */
long list_jump(wint_t key, long page)
{
	switch (key) {
	case KEY_DOWN: return 1;
	case KEY_UP: return -1;
	case KEY_NPAGE: return page;
	case KEY_PPAGE: return -page;
	case KEY_HOME: return -(LONG_MAX / 2);
	case KEY_END: return LONG_MAX / 2;
	}
	return 0;
}

/* The row so many rows below @row, of @nr; it stops at the ends. */
size_t list_move(size_t row, size_t nr, long by)
{
	long to = (long)row + by;

	if (to >= (long)nr)
		to = (long)nr - 1;
	return to < 0 ? 0 : to;
}

/**
 * list_scroll() - the first row on the screen, so that the selected one is seen
 * @top: the first row until now
 * @row: the selected row
 * @nr: rows in the list
 * @rows: rows on the screen
 */
size_t list_scroll(size_t top, size_t row, size_t nr, size_t rows)
{
	if (!rows)
		return top;
	if (top > row)
		top = row;
	if (row >= top + rows)
		top = row - rows + 1;
	/* No empty rows while there are rows above. */
	if (top + rows > nr)
		top = nr > rows ? nr - rows : 0;
	return top;
}

/**
 * list_read_keys() - all keys that were typed
 * @one_key: handles one key; returns false to quit
 * @context: for it
 *
 * Return: -1 to quit, 1 if something changed, 0 if there was no key.
 */
int list_read_keys(bool (*one_key)(void *context, bool special, wint_t key), void *context)
{
	int kind, changed = 0;
	wint_t key;

	while ((kind = get_wch(&key)) != ERR) {
		if (kind == KEY_CODE_YES && key == KEY_RESIZE)
			clearok(stdscr, TRUE);
		else if (!one_key(context, kind == KEY_CODE_YES, key))
			return -1;
		changed = 1;
	}
	return changed;
}

void list_draw_help(const char *const *lines, size_t nr)
{
	struct pane all = pane(1, 0, LINES - 1, COLS);
	size_t i;

	for (i = 0; i < nr; i++) {
		pen_print(&all, PEN_PLAIN, " %s", lines[i]);
		pen_end(&all);
	}
}

/**
 * list_draw_keys() - the last line: a filter being typed, a message, or the keys
 * @prompt: of the filter, NULL: none is being typed
 * @typed: so far
 * @message: of something that failed, or empty
 * @keys: the most used ones
 */
void list_draw_keys(const char *prompt, const char *typed, const char *message,
		    const char *keys)
{
	struct pane line = pane(LINES - 1, 0, 1, COLS);

	if (!prompt) {
		pen_print(&line, *message ? PEN_BAD : PEN_DIM, "%s", *message ? message : keys);
		return;
	}
	pen_print(&line, PEN_TITLE, "%s", prompt);
	pen_name(&line, PEN_PLAIN, typed, COLS - line.col - 1);
	pen_print(&line, PEN_SELECTED, " ");
}

/* The first words of the title: the program, the time, and whether it is paused. */
void list_draw_title(struct pane *line, bool paused)
{
	time_t now = time(NULL);
	char clock[16];
	struct tm tm;

	strftime(clock, sizeof(clock), "%H:%M:%S", localtime_r(&now, &tm));
	pen_print(line, PEN_TITLE, "pcinspect %s", clock);
	if (paused)
		pen_print(line, PEN_YELLOW, " PAUSED");
}
