// SPDX-License-Identifier: GPL-2.0-only
/*
 * text.c - words that somebody else chose, as one word on stdout. Touches stdout.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/escape.h"
#include "view/text.h"

/* Print a path as one word. */
void print_escaped(const char *text)
{
	char *escaped = escape_path(text);

	fputs(escaped, stdout);
	free(escaped);
}

/**
 * print_comm() - print a thread's name as one word
 * @comm: PCINSPECT_COMM_LEN bytes
 */
void print_comm(const char *comm)
{
	char text[PCINSPECT_COMM_LEN + 1] = "";

	memcpy(text, comm, PCINSPECT_COMM_LEN);
	print_escaped(text);
}

/* Print a file's path as one word. */
void print_path(const struct file *file)
{
	print_escaped(file->path ?: "?");
}
