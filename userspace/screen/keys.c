// SPDX-License-Identifier: GPL-2.0-only
/*
 * keys.c - keys to changes of the view. Knows curses' names of keys, and
 * touches memory only.
 */
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "screen/keys.h"

/* The next file; after the last comes the first. */
static void next_file(struct screen_view *view)
{
	size_t was = view->selected;

	screen_move(view, 1);
	if (view->selected == was)
		screen_move(view, -LONG_MAX / 2);
}

/**
 * screen_key() - one key
 * @view: what it changes
 * @special: @key is one of curses' KEY_*
 * @key: which
 * @lines: of the terminal
 *
 * Return: false if it means to quit.
 */
bool screen_key(struct screen_view *view, bool special, wint_t key, int lines)
{
	size_t page = lines > 4 ? lines / 4 : 1;

	switch (list_key(&view->list, special, key, lines > 4 ? lines / 2 : 1)) {
	case LIST_QUIT: return false;
	case LIST_DONE: return true;
	case LIST_MOVED:
		screen_move(view, 0);
		return true;
	case LIST_FILTERED:
		view->back = 0;
		view->list.top = 0;
		return true;
	case LIST_OTHER: break;
	}
	if (special) {
		if (key == KEY_BTAB)
			screen_move(view, -1);
		return true;
	}
	switch (key) {
	case 'n':
	case '\t': next_file(view); break;
	case 'N': screen_move(view, -1); break;
	case 's':
	case 'S':
		view->sort = (view->sort + (key == 's' ? 1 : NR_SORTS - 1)) %
			     NR_SORTS;
		view->first = true;
		break;
	case 'z':
	case '+': view->zoom = (view->zoom + 1) % SCREEN_NR_ZOOMS; break;
	case 'Z':
	case '-': view->zoom = (view->zoom + SCREEN_NR_ZOOMS - 1) % SCREEN_NR_ZOOMS; break;
	case 'c': view->chart = (view->chart + 1) % SCREEN_NR_CHARTS; break;
	case 'C':
		view->chart = (view->chart + SCREEN_NR_CHARTS - 1) % SCREEN_NR_CHARTS;
		break;
	case 'e': list_ask(&view->list, view->events_filter, "event"); break;
	case 'o': view->only = !view->only; break;
	case 'v': view->show = (view->show + 1) % SCREEN_NR_SHOWS; break;
	case '[': view->back += page; break;
	case ']': view->back = view->back > page ? view->back - page : 0; break;
	}
	return true;
}
