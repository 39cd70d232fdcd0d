// SPDX-License-Identifier: GPL-2.0
/*
 * complain.c - what goes wrong, in one line. Touches stderr.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/complain.h"
#include "lib/escape.h"

static char last[256];

/**
 * complain() - one line on stderr
 * @path: what it is about, escaped here; NULL for none
 * @format: printf-like: what is wrong (what to do); words of others in it are
 *	fit for a terminal afterwards
 */
void complain(const char *path, const char *format, ...)
{
	char *escaped = path ? escape_path(path) : NULL;
	char *text = NULL, *line;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	line = escape_line(text ?: "out of memory");
	snprintf(last, sizeof(last), "%s%s%s", escaped ?: "", escaped ? ": " : "", line);
	fflush(stdout);
	fprintf(stderr, "pcinspect: %s%s%s\n", escaped ?: "", escaped ? ": " : "", line);
	free(line);
	free(text);
	free(escaped);
}

/* The last complaint, as far as it fits on a line; empty: there was none. */
const char *complain_last(void)
{
	return last;
}
