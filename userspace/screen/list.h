/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * list.h - the parts that every list on the screen shares: keys, filter, scrolling, help.
 */
#ifndef PCINSPECT_SCREEN_LIST_H
#define PCINSPECT_SCREEN_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <wchar.h>

#include "screen/pen.h"

#define LIST_FILTER_LEN	128	/* bytes of a filter, NUL included */

/**
 * enum list_typing - the state of a filter after a key
 */
enum list_typing { LIST_TYPING, LIST_ENTERED, LIST_DROPPED };

enum list_typing list_type(char *filter, char *typed, bool special, wint_t key);
long list_jump(wint_t key, long page);
size_t list_move(size_t row, size_t nr, long by);
size_t list_scroll(size_t top, size_t row, size_t nr, size_t rows);
int list_read_keys(bool (*one_key)(void *context, bool special, wint_t key), void *context);
void list_draw_help(const char *const *lines, size_t nr);
void list_draw_keys(const char *prompt, const char *typed, const char *message,
		    const char *keys);
void list_draw_title(struct pane *line, bool paused);

#endif /* PCINSPECT_SCREEN_LIST_H */
