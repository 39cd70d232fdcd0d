// SPDX-License-Identifier: GPL-2.0-only
/*
 * list.c - a list on the screen: the keys that move in it, typing a filter, scrolling,
 * the help, the first and the last line. Touches the screen, by way of pen.c.
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

/* A key while a filter is being typed. */
static enum list_key type(struct list *list, bool special, wint_t key)
{
	if (special ? key == KEY_ENTER : key == '\r' || key == '\n') {
		strcpy(list->into, list->typed);
		list->into = NULL;
		return LIST_FILTERED;
	}
	if (!special && (key == 27 || key == CTRL('g')))
		list->into = NULL;
	else if (special ? key == KEY_BACKSPACE : key == 127 || key == '\b')
		remove_last(list->typed);
	else if (!special && key == CTRL('u'))
		*list->typed = '\0';
	else if (!special && iswprint(key))
		append_key(list->typed, key);
	return LIST_DONE;
}

/**
 * list_ask() - a filter is typed from now on
 * @list: of which list
 * @into: the filter, of LIST_FILTER_LEN bytes; it changes when Enter is typed
 * @prompt: what it is of
 */
void list_ask(struct list *list, char *into, const char *prompt)
{
	list->into = into;
	list->prompt = prompt;
	*list->typed = '\0';
}

/* Rows down the list (negative: up) that a key moves; 0: it does not. */
static long jump(bool special, wint_t key, long page)
{
	if (!special)
		return key == 'j' ? 1 : key == 'k' ? -1 : 0;
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

/* Select the row so many rows below the selected one; it stops at the ends. */
void list_move(struct list *list, long by)
{
	long to = (long)list->row + by;

	if (to >= (long)list->nr)
		to = (long)list->nr - 1;
	list->row = to < 0 ? 0 : to;
}

/**
 * list_key() - one key, if it is one that every list has
 * @list: which
 * @special: @key is one of curses' KEY_*
 * @key: the key
 * @page: rows of a page
 */
enum list_key list_key(struct list *list, bool special, wint_t key, long page)
{
	long by;

	if (list->into)
		return type(list, special, key);
	if (list->help) {
		list->help = false;
		return special || key != 'q' ? LIST_DONE : LIST_QUIT;
	}
	by = jump(special, key, page);
	if (by) {
		list_move(list, by);
		return LIST_MOVED;
	}
	if (special) {
		if (key == KEY_F(10))
			return LIST_QUIT;
		list->help = key == KEY_F(1);
		return list->help ? LIST_DONE : LIST_OTHER;
	}
	switch (key) {
	case 'q': return LIST_QUIT;
	case 'p':
	case ' ': list->paused = !list->paused; break;
	case 'u': list->exact = !list->exact; break;
	case '/': list_ask(list, list->filter, list->word ?: "name"); break;
	case 'h':
	case '?': list->help = true; break;
	default: return LIST_OTHER;
	}
	return LIST_DONE;
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

/* The filter, and how many rows pass it. */
void list_draw_filter(const struct list *list, struct pane *line)
{
	if (!*list->filter)
		return;
	pen_print(line, PEN_YELLOW, "  /");
	pen_name(line, PEN_YELLOW, list->filter, 24);
	pen_print(line, PEN_YELLOW, " %zu", list->nr);
}

/* Of so many rows on the screen the selected one is one. */
void list_scroll(struct list *list, size_t rows)
{
	if (!rows)
		return;
	if (list->top > list->row)
		list->top = list->row;
	if (list->row >= list->top + rows)
		list->top = list->row - rows + 1;
	/* No empty rows while there are rows above. */
	if (list->top + rows > list->nr)
		list->top = list->nr > rows ? list->nr - rows : 0;
}

/**
 * list_draw_rows() - as many rows as fit, the selected one among them
 * @list: which
 * @pane: where, below its headings
 * @row: draws the row of an index of @list->order
 * @context: for it
 */
void list_draw_rows(struct list *list, struct pane *pane,
		    void (*row)(void *context, struct pane *pane, enum pen pen, size_t index),
		    void *context)
{
	size_t rows = pane->rows - pane->row, i;

	list_scroll(list, rows);
	for (i = list->top; i < list->nr && i < list->top + rows; i++) {
		enum pen pen = i == list->row ? PEN_SELECTED : PEN_PLAIN;

		row(context, pane, pen, list->order[i]);
		pen_fill(pane, pen);
	}
}

/* The first words: the program, the time, and whether it is paused. */
static void draw_title(const struct list *list, struct pane *line)
{
	time_t now = time(NULL);
	char clock[16];
	struct tm tm;

	strftime(clock, sizeof(clock), "%H:%M:%S", localtime_r(&now, &tm));
	pen_print(line, PEN_TITLE, "pcinspect %s", clock);
	if (list->paused)
		pen_print(line, PEN_YELLOW, " PAUSED");
}

/* The last line: a filter that is being typed, a message, or the keys. */
static void draw_last(const struct list *list, const char *message, const char *keys)
{
	struct pane line = pane(LINES - 1, 0, 1, COLS);

	if (!list->into) {
		pen_print(&line, *message ? PEN_BAD : PEN_DIM, "%s", *message ? message : keys);
		return;
	}
	pen_print(&line, PEN_TITLE, "%s has: ", list->prompt);
	pen_name(&line, PEN_PLAIN, list->typed, COLS - line.col - 1);
	pen_print(&line, PEN_SELECTED, " ");
}

/**
 * list_draw() - paint everything anew
 * @list: its keys, its title
 * @screen: what is around it
 * @context: for that
 * @message: of something that failed, or empty
 *
 * curses sends the terminal only what has changed.
 */
void list_draw(const struct list *list, const struct list_screen *screen, void *context,
	       const char *message)
{
	struct pane line = pane(0, 0, 1, COLS), all = pane(1, 0, LINES - 1, COLS);
	size_t i;

	erase();
	draw_title(list, &line);
	screen->title(context, &line);
	for (i = 0; list->help && i < screen->nr_help; i++) {
		pen_print(&all, PEN_PLAIN, " %s", screen->help[i]);
		pen_end(&all);
	}
	if (!list->help && LINES > 2)
		screen->body(context);
	if (LINES > 1)
		draw_last(list, message, screen->keys);
	refresh();
}
