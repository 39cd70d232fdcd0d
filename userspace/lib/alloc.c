// SPDX-License-Identifier: GPL-2.0-only
/*
 * alloc.c - memory that is there, or the program has ended with a line that says why.
 *
 * A command that has no memory left can do nothing sensible about it: what it had begun
 * it has not printed, and what it has set in the kernel goes with its open files.
 * Each function returns what the C library's does, which it is named after below, but
 * never NULL for want of memory.
 */
#include <err.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/exit.h"

/**
 * alloc_got() - what a function of a library gave, that has only one reason to fail
 * @memory: that
 */
void *alloc_got(void *memory)
{
	if (!memory)
		err(EXIT_FAILED, "out of memory");
	return memory;
}

/**
 * alloc_zero() - calloc(3), of none as well
 * @nr: how many
 * @size: of each, bytes
 */
void *alloc_zero(size_t nr, size_t size)
{
	return alloc_got(calloc(nr ? nr : 1, size));
}

/**
 * alloc_array() - reallocarray(3), of none as well
 * @array: as it is; NULL: none yet
 * @nr: how many there shall be
 * @size: of each, bytes
 */
void *alloc_array(void *array, size_t nr, size_t size)
{
	return alloc_got(reallocarray(array, nr ? nr : 1, size));
}

/**
 * alloc_room() - room for one more at the end of an array
 * @array: as it is; NULL: none yet
 * @used: how many are in it
 * @room: how many it has room for; twice as many, if all is used
 * @size: of each, bytes
 */
void *alloc_room(void *array, size_t used, size_t *room, size_t size)
{
	if (used < *room)
		return array;
	*room = *room ? *room * 2 : 16;
	return alloc_array(array, *room, size);
}

/**
 * alloc_copy() - strdup(3)
 * @text: what; NULL: its copy is NULL
 */
char *alloc_copy(const char *text)
{
	return text ? alloc_got(strdup(text)) : NULL;
}

/**
 * alloc_first() - strndup(3)
 * @text: what
 * @len: how much of it, bytes
 */
char *alloc_first(const char *text, size_t len)
{
	return alloc_got(strndup(text, len));
}

/**
 * alloc_vtext() - vasprintf(3)
 * @format: as printf(3) has it
 * @args: for it
 */
char *alloc_vtext(const char *format, va_list args)
{
	char *text;

	return alloc_got(vasprintf(&text, format, args) < 0 ? NULL : text);
}

/**
 * alloc_text() - asprintf(3)
 * @format: as printf(3) has it
 */
char *alloc_text(const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = alloc_vtext(format, args);
	va_end(args);
	return text;
}

/**
 * alloc_stream() - open_memstream(3)
 * @text: where the text will be after alloc_close()
 * @size: how long it will be, bytes
 */
FILE *alloc_stream(char **text, size_t *size)
{
	return alloc_got(open_memstream(text, size));
}

/**
 * alloc_close() - fclose(3) of what alloc_stream() gave
 * @stream: that
 */
void alloc_close(FILE *stream)
{
	if (fclose(stream))
		alloc_got(NULL);
}
