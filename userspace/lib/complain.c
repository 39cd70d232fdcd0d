// SPDX-License-Identifier: GPL-2.0-only
/*
 * complain.c - errors, one line each. Touches stderr.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/complain.h"
#include "lib/escape.h"
#include "lib/wrap.h"

static char last[256];

/* One line; on a terminal as many as it takes. */
static void print_line(const char *path, const char *colon, const char *line)
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
	print_line(escaped ?: "", escaped ? ": " : "", line);
	free(line);
	free(text);
	free(escaped);
}

/* The last complaint, as far as it fits on a line; empty: there was none. */
const char *complain_last(void)
{
	return last;
}

struct remedy {
	int error;
	const char *text;
};

/* An error in words, and what to do about it if there is something to say. */
static const char *error_text(int error, const struct remedy *remedies, size_t nr)
{
	static char text[128];
	size_t i;

	for (i = 0; i < nr; i++) {
		if (remedies[i].error != error)
			continue;
		snprintf(text, sizeof(text), "%s (%s)", strerror(error), remedies[i].text);
		return text;
	}
	return strerror(error);
}

/**
 * open_error_text() - the error of opening a path, or of writing, in words
 * @error: errno
 *
 * Return: what is wrong, and what to do; good until the next call.
 */
const char *open_error_text(int error)
{
	static const struct remedy remedies[] = {
		{ ENOENT, "check the path" },
		{ ENOTDIR, "check the path" },
		{ EISDIR, "name a file in it" },
		{ EACCES, "run as root, or ask the owner" },
		{ EPERM, "run as root" },
		{ ELOOP, "its links lead to themselves: see namei(1)" },
		{ ENAMETOOLONG, "go to its directory, and give the rest" },
		{ EMFILE, "raise ulimit -n" },
		{ ENXIO, "is its device there?" },
		{ ENOSPC, "make room, or write elsewhere" },
		{ EROFS, "write elsewhere" },
		{ EBADF, "is it closed?" },
	};

	return error_text(error, remedies, sizeof(remedies) / sizeof(*remedies));
}

/**
 * command_error_text() - the error of executing a command in words
 * @error: errno
 *
 * Return: what is wrong, and what to do; good until the next call.
 */
const char *command_error_text(int error)
{
	static const struct remedy remedies[] = {
		{ ENOENT, "check its name, and PATH" },
		{ EACCES, "is it a program that you may run?" },
		{ ENOEXEC, "has it a line that begins with #!?" },
	};

	return error_text(error, remedies, sizeof(remedies) / sizeof(*remedies));
}
