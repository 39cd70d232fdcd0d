// SPDX-License-Identifier: GPL-2.0-only
/*
 * wrap.c - lines that a terminal has no room for, broken between words: a number that is
 * cut in two is read as another.
 *
 * All that is printed goes through here on its way to a terminal, so that no view has to
 * know how wide that is. Text to paste must stay in one line: a command, which is
 * indented by four spaces, and JSON and CSV, which are not for here (wrap_end()).
 * Touches stdout.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/terminal.h"
#include "lib/width.h"
#include "lib/wrap.h"

#define COMMAND_INDENT	4

/* Cells of the first @len bytes. */
static int cells_of(const char *text, size_t len)
{
	char *word = strndup(text, len);
	int cells = word ? width_of(word) : (int)len;

	free(word);
	return cells;
}

/**
 * wrap_line() - print a line, or as many as it takes
 * @to: where
 * @line: without its end, which is not printed
 * @width: cells there are; 0: as many as it takes
 *
 * Further lines are indented by two more. A word that is wider than that is left to the
 * terminal.
 */
void wrap_line(FILE *to, const char *line, int width)
{
	int before = strspn(line, " "), indent = before < width / 8 ? before + 2 : 2;
	int at = 0, cells;
	size_t spaces, len;
	bool first = true;

	if (!width || before == COMMAND_INDENT || width_of(line) <= width) {
		fputs(line, to);
		return;
	}
	for (; *line; line += spaces + len, first = false) {
		spaces = strspn(line, " ");
		len = strcspn(line + spaces, " ");
		cells = cells_of(line + spaces, len);
		if (first || at + (int)spaces + cells <= width) {
			fwrite(line, 1, spaces + len, to);
			at += spaces + cells;
		} else if (len) {
			fprintf(to, "\n%*s%.*s", indent, "", (int)len, line + spaces);
			at = indent + cells;
		}
	}
}

/**
 * struct wrap - stdout while it is wrapped
 * @terminal: what stdout was, NULL: it is not wrapped
 * @line: that has no end yet
 * @len: of it
 */
static struct wrap {
	FILE *terminal;
	char *line;
	size_t len;
} wrap;

static void put_line(const char *end)
{
	wrap_line(wrap.terminal, wrap.line ?: "", terminal_width());
	fputs(end, wrap.terminal);
	free(wrap.line);
	wrap.line = NULL;
	wrap.len = 0;
}

static ssize_t write_wrapped(void *cookie, const char *text, size_t size)
{
	const char *end, *rest = text;
	char *longer;
	size_t n;

	(void)cookie;
	while (rest < text + size) {
		end = memchr(rest, '\n', text + size - rest);
		n = (end ?: text + size) - rest;
		longer = realloc(wrap.line, wrap.len + n + 1);
		if (!longer)
			return 0;
		wrap.line = longer;
		memcpy(wrap.line + wrap.len, rest, n);
		wrap.len += n;
		wrap.line[wrap.len] = '\0';
		rest += n;
		if (end) {
			put_line("\n");
			rest++;
		}
	}
	return fflush(wrap.terminal) || ferror(wrap.terminal) ? 0 : (ssize_t)size;
}

/* From now on lines are broken between words, if stdout is a terminal. */
void wrap_begin(void)
{
	FILE *to;

	if (!terminal_width() || wrap.terminal)
		return;
	to = fopencookie(NULL, "w", (cookie_io_functions_t){ .write = write_wrapped });
	if (!to)
		return;
	setvbuf(to, NULL, _IOLBF, BUFSIZ);
	wrap.terminal = stdout;
	stdout = to;
}

/* From now on they are printed as they are. */
void wrap_end(void)
{
	FILE *was = stdout;

	if (!wrap.terminal)
		return;
	fflush(was);
	if (wrap.len)
		put_line("");
	stdout = wrap.terminal;
	wrap.terminal = NULL;
	fclose(was);
}
