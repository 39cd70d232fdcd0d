// SPDX-License-Identifier: GPL-2.0
/*
 * complain.c - what goes wrong, in one line. Touches stderr.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/complain.h"
#include "lib/escape.h"

/**
 * complain() - one line on stderr
 * @path: what it is about, escaped here; NULL for none
 * @format: printf-like: what is wrong (what to do)
 */
void complain(const char *path, const char *format, ...)
{
	char *escaped = path ? escape_path(path) : NULL;
	va_list args;

	fflush(stdout);
	fprintf(stderr, "pcinspect: %s%s", escaped ?: "", escaped ? ": " : "");
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	free(escaped);
}
