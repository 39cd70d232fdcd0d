// SPDX-License-Identifier: GPL-2.0-only
/*
 * quote.c - words for a shell: what we print to be pasted does what it says, whatever
 * a file is called. Pure.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/escape.h"
#include "lib/quote.h"

/* Is it more than spaces and backslashes that cannot be printed as it is? */
static bool unprintable(const char *escaped)
{
	for (; (escaped = strchr(escaped, '\\')); escaped += 4)
		if (strncmp(escaped, "\\040", 4) && strncmp(escaped, "\\134", 4))
			return true;
	return false;
}

/**
 * shell_word() - text as one word of a POSIX shell
 * @text: bytes
 *
 * Quoted only where it has to be. Unprintable characters become $'\ooo', which bash,
 * zsh, ksh and POSIX of 2024 know.
 *
 * Return: a new string.
 */
char *shell_word(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_./:@%+,-";
	char *escaped = escape_path(text), *out = NULL;
	bool odd = unprintable(escaped);
	const char *c = odd ? escaped : text;
	size_t size;
	FILE *to;

	if (*text && !text[strspn(text, plain)]) {
		free(escaped);
		escaped = NULL;
		out = alloc_copy(text);
	} else {
		to = alloc_stream(&out, &size);
		fputs(odd ? "$'" : "'", to);
		for (; *c; c++) {
			if (*c == '\'')
				fputs(odd ? "\\'" : "'\\''", to);
			else
				fputc(*c, to);
		}
		fputc('\'', to);
		alloc_close(to);
	}
	free(escaped);
	return out;
}

/* The character that a backslash within $'' stands for. */
static const char *take_octal(const char *c, FILE *to)
{
	int value = 0, digits;

	for (digits = 0; digits < 3 && *c >= '0' && *c <= '7'; digits++)
		value = value * 8 + *c++ - '0';
	if (digits)
		fputc(value, to);
	else if (*c)
		fputc(*c++, to);
	return c;
}

/**
 * shell_unquote() - the text of a word as shell_word() makes it
 * @text: begins with it
 * @end: set to what is behind it
 *
 * Return: a new string.
 */
char *shell_unquote(const char *text, const char **end)
{
	const char *c = text;
	char *out = NULL;
	size_t size;
	FILE *to = alloc_stream(&out, &size);

	while (*c && !strchr(" ;|&<>\n", *c)) {
		if (*c == '\\' && c[1]) {
			fputc(c[1], to);
			c += 2;
		} else if (!strncmp(c, "$'", 2)) {
			for (c += 2; *c && *c != '\'';) {
				if (*c == '\\')
					c = take_octal(c + 1, to);
				else
					fputc(*c++, to);
			}
			c += *c == '\'';
		} else if (*c == '\'') {
			for (c++; *c && *c != '\''; c++)
				fputc(*c, to);
			c += *c == '\'';
		} else {
			fputc(*c++, to);
		}
	}
	alloc_close(to);
	*end = c;
	return out;
}
