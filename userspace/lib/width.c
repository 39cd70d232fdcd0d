// SPDX-License-Identifier: GPL-2.0-only
/*
 * width.c - text by the cells it takes on a terminal: wide characters take two, those
 * that combine none. Pure.
 */
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "lib/alloc.h"
#include "lib/width.h"

#define ELLIPSIS "\u2026"	/* one cell */

/* The first character: its bytes, and in *@cells what it takes. */
static size_t character(const char *text, int *cells)
{
	mbstate_t state = {};
	wchar_t wide;
	size_t n;

	*cells = 1;
	if (!(*text & 0x80))
		return 1;
	n = mbrtowc(&wide, text, strlen(text), &state);
	if (n == (size_t)-1 || n == (size_t)-2)
		return 1;
	*cells = wcwidth(wide);
	if (*cells < 0)
		*cells = 1;
	return n;
}

/**
 * width_size() - the cells a text takes, and its bytes
 * @text: UTF-8 without control characters
 * @size: set to strlen(3) of it
 *
 * Return: so many cells.
 */
int width_size(const char *text, size_t *size)
{
	const char *at = text;
	int width, cells;

	/* Most of most names. */
	while (!(*at & 0x80) && *at)
		at++;
	for (width = at - text; *at; width += cells)
		at += character(at, &cells);
	*size = at - text;
	return width;
}

/* The cells a text takes. */
int width_of(const char *text)
{
	size_t size;

	return width_size(text, &size);
}

/**
 * width_shorten() - shorten a path in the middle
 * @text: as of width_of(); changed, or freed
 * @width: cells there are, more than 0
 *
 * A third of what stays is of its beginning, the rest of its end: that tells files
 * apart.
 *
 * Return: @text if it is short enough, else a new string with an ellipsis in it.
 */
char *width_shorten(char *text, int width)
{
	int total = width_of(text), head = (width - 1) / 3, used = 0, cells;
	const char *end = text, *rest;
	size_t n, len;
	char *out;

	if (total <= width)
		return text;
	for (;;) {
		n = character(end, &cells);
		if (used + cells > head)
			break;
		end += n;
		used += cells;
	}
	/* Leave out characters until the rest fits, and those that combine with the ellipsis. */
	for (rest = end, total -= used; *rest; rest += n, total -= cells) {
		n = character(rest, &cells);
		if (total <= width - 1 - used && cells)
			break;
	}
	len = end - text;
	out = alloc_array(NULL, 1, len + strlen(ELLIPSIS) + strlen(rest) + 1);
	memcpy(out, text, len);
	strcpy(stpcpy(out + len, ELLIPSIS), rest);
	free(text);
	return out;
}
