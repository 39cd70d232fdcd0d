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

/* A key while a filter is being typed. */
static void prompt_key(struct screen_view *view, bool special, wint_t key)
{
	char *filter = view->prompt == SCREEN_PROMPT_FILES ? view->filter :
							     view->events_filter;
	enum list_typing state = list_type(filter, view->typed, special, key);

	if (state == LIST_TYPING)
		return;
	view->prompt = SCREEN_NO_PROMPT;
	if (state == LIST_ENTERED) {
		view->back = 0;
		view->top = 0;
	}
}

static void begin_prompt(struct screen_view *view, enum screen_prompt prompt)
{
	view->prompt = prompt;
	strcpy(view->typed, prompt == SCREEN_PROMPT_FILES ? view->filter :
							    view->events_filter);
}

static void special_key(struct screen_view *view, wint_t key, int lines)
{
	long by = list_jump(key, lines > 4 ? lines / 2 : 1);

	if (by)
		screen_move(view, by);
	else if (key == KEY_BTAB)
		screen_move(view, -1);
	else if (key == KEY_F(1))
		view->help = true;
}

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

	if (view->prompt) {
		prompt_key(view, special, key);
		return true;
	}
	if (view->help) {
		view->help = false;
		return special || key != 'q';
	}
	if (special) {
		special_key(view, key, lines);
		return true;
	}
	switch (key) {
	case 'q': return false;
	case 'p':
	case ' ': view->paused = !view->paused; break;
	case 'n':
	case 'j':
	case '\t': next_file(view); break;
	case 'N':
	case 'k': screen_move(view, -1); break;
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
	case '/': begin_prompt(view, SCREEN_PROMPT_FILES); break;
	case 'e': begin_prompt(view, SCREEN_PROMPT_EVENTS); break;
	case 'o': view->only = !view->only; break;
	case 'v': view->show = (view->show + 1) % SCREEN_NR_SHOWS; break;
	case 'u': view->raw = !view->raw; break;
	case '[': view->back += page; break;
	case ']': view->back = view->back > page ? view->back - page : 0; break;
	case 'h':
	case '?': view->help = true; break;
	}
	return true;
}
