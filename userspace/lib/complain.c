// SPDX-License-Identifier: GPL-2.0
/*
 * complain.c - what goes wrong, in one line. Touches stderr.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/complain.h"
#include "lib/escape.h"
#include "lib/wrap.h"

static char last[256];

/* One line; on a terminal as many as it takes. */
static void print(const char *path, const char *colon, const char *line)
{
	struct winsize size;
	char *all;

	if (asprintf(&all, "pcinspect: %s%s%s", path, colon, line) < 0)
		return;
	wrap_line(stderr, all, isatty(STDERR_FILENO) &&
		  !ioctl(STDERR_FILENO, TIOCGWINSZ, &size) ? size.ws_col : 0);
	putc('\n', stderr);
	free(all);
}

/**
 * complain() - one line on stderr
 * @path: what it is about, escaped here; NULL for none
 * @format: printf-like: what is wrong (what to do); words of others in it are
 *	fit for a terminal afterwards
 */
void complain(const char *path, const char *format, ...)
{
	char *escaped = path ? escape_path(*path ? path : "''") : NULL;
	char *text = NULL, *line;
	va_list args;

	va_start(args, format);
	if (vasprintf(&text, format, args) < 0)
		text = NULL;
	va_end(args);
	line = escape_line(text ?: "out of memory");
	snprintf(last, sizeof(last), "%s%s%s", escaped ?: "", escaped ? ": " : "", line);
	fflush(stdout);
	print(escaped ?: "", escaped ? ": " : "", line);
	free(line);
	free(text);
	free(escaped);
}

/* The last complaint, as far as it fits on a line; empty: there was none. */
const char *complain_last(void)
{
	return last;
}
