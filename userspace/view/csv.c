// SPDX-License-Identifier: GPL-2.0-only
/*
 * csv.c - cells of comma-separated values, by RFC 4180 but for the ends of lines, which
 * are those of this system. Touches stdout.
 *
 * Texts were escaped like those of tables: a line is a record, whatever a file is
 * called, and no terminal obeys it. Only spaces are spaces.
 */
#include <stdio.h>
#include <string.h>

#include "view/csv.h"

#define SPACE "\\040"

/**
 * csv_put() - print one cell
 * @text: escaped
 * @first: it is the first of its line
 */
void csv_put(const char *text, bool first)
{
	bool quoted = strpbrk(text, ",\"") || strstr(text, SPACE);

	if (!first)
		putchar(',');
	if (quoted)
		putchar('"');
	while (*text) {
		if (!strncmp(text, SPACE, strlen(SPACE))) {
			putchar(' ');
			text += strlen(SPACE);
			continue;
		}
		if (*text == '"')
			putchar('"');
		putchar(*text++);
	}
	if (quoted)
		putchar('"');
}

/* The end of a line. */
void csv_end(void)
{
	putchar('\n');
}
