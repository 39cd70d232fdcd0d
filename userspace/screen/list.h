/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list.h - a list on the screen: keys, filter, scrolling, help.
 */
#ifndef PCINSPECT_SCREEN_LIST_H
#define PCINSPECT_SCREEN_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

#include "screen/pen.h"

#define LIST_FILTER_LEN	128	/* bytes of a filter, NUL included */

/**
 * struct list - rows, one of which is selected, and the state that every screen has
 * @word: what rows have, in the prompt of @filter
 * @order: the rows that are shown, by index of their owner's
 * @nr: how many
 * @top: place of the first on the screen
 * @row: place of the selected one
 * @filter: what a row must have in it; empty: all are shown
 * @typed: what is being typed
 * @into: the filter that it is typed for, or NULL
 * @prompt: what that is of
 * @paused: nothing is renewed
 * @exact: exact numbers
 * @help: the list of keys is shown
 */
struct list {
	const char *word;
	size_t *order;
	size_t nr;
	size_t top;
	size_t row;
	char filter[LIST_FILTER_LEN];
	char typed[LIST_FILTER_LEN];
	char *into;
	const char *prompt;
	bool paused;
	bool exact;
	bool help;
};

/**
 * enum list_key - what a key did
 * @LIST_QUIT: it means to quit
 * @LIST_DONE: all that it means
 * @LIST_MOVED: another row is selected
 * @LIST_FILTERED: a filter was entered
 * @LIST_OTHER: nothing: it is no key of every list
 */
enum list_key { LIST_QUIT, LIST_DONE, LIST_MOVED, LIST_FILTERED, LIST_OTHER };

/**
 * struct list_screen - what is drawn around a list, and where its owner draws
 * @title: what the first line goes on with
 * @body: all between the first line and the last
 * @keys: the most used ones
 * @help: a line each, @nr_help of them
 */
struct list_screen {
	void (*title)(void *context, struct pane *line);
	void (*body)(void *context);
	const char *keys;
	const char *const *help;
	size_t nr_help;
};

void list_ask(struct list *list, char *into, const char *prompt);
enum list_key list_key(struct list *list, bool special, wint_t key, long page);
void list_move(struct list *list, long by);
void list_scroll(struct list *list, size_t rows);
int list_read_keys(bool (*one_key)(void *context, bool special, wint_t key), void *context);
void list_draw_filter(const struct list *list, struct pane *line);
void list_draw_rows(struct list *list, struct pane *pane,
		    void (*row)(void *context, struct pane *pane, enum pen pen, size_t index),
		    void *context);
void list_draw(const struct list *list, const struct list_screen *screen, void *context,
	       const char *message);

#endif /* PCINSPECT_SCREEN_LIST_H */
