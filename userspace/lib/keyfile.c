// SPDX-License-Identifier: GPL-2.0-only
/*
 * keyfile.c - read files of lines "KEY NUMBER". An absent file, an absent key and a text
 * such as "max" give no number; the caller's variable keeps its value then.
 *
 * Touches: reads the file.
 */
#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/keyfile.h"

static void open_path(struct keyfile *file, const char *format, va_list args)
{
	char *path = alloc_vtext(format, args);
	int error;

	*file = (struct keyfile){ .from = fopen(path, "re") };
	error = errno;
	free(path);
	errno = error;
}

#define OPEN_PATH(file, format)			\
	do {					\
		va_list args;			\
						\
		va_start(args, format);		\
		open_path(file, format, args);	\
		va_end(args);			\
	} while (0)

/**
 * keyfile_open() - open a file
 * @file: initialised, also when the file cannot be opened
 * @format: of its path
 *
 * Return: false with errno set if it cannot be opened.
 */
bool keyfile_open(struct keyfile *file, const char *format, ...)
{
	OPEN_PATH(file, format);
	return file->from;
}

/* Read the next line, however long. Returns false at the end. */
bool keyfile_line(struct keyfile *file)
{
	ssize_t len = file->from ? getline(&file->line, &file->size, file->from) : -1;

	if (len > 0 && file->line[len - 1] == '\n')
		file->line[len - 1] = '\0';
	return len >= 0;
}

static bool read_number(const char *text, uint64_t *number)
{
	text += strspn(text, " \t");
	if (!isdigit((unsigned char)*text))
		return false;
	*number = strtoull(text, NULL, 10);
	return true;
}

/* Read the next line that is a key and a number; skip others. Returns false at the end. */
bool keyfile_next(struct keyfile *file)
{
	while (keyfile_line(file)) {
		char *key = file->line + strspn(file->line, " \t");
		size_t len = strcspn(key, " \t");

		if (!len || !read_number(key + len, &file->value))
			continue;
		key[key[len - 1] == ':' ? len - 1 : len] = '\0';
		file->key = key;
		return true;
	}
	return false;
}

/* Close the file and free the line; may be called twice. */
void keyfile_close(struct keyfile *file)
{
	if (file->from)
		fclose(file->from);
	free(file->line);
	*file = (struct keyfile){ 0 };
}

/* The number that a file begins with. Returns false if there is none. */
bool keyfile_number(uint64_t *number, const char *format, ...)
{
	struct keyfile file;
	bool found;

	OPEN_PATH(&file, format);
	found = keyfile_line(&file) && read_number(file.line, number);
	keyfile_close(&file);
	return found;
}

/* The number of the first line with a key. Returns false if there is none. */
bool keyfile_find(uint64_t *number, const char *key, const char *format, ...)
{
	struct keyfile file;
	bool found = false;

	OPEN_PATH(&file, format);
	while (!found && keyfile_next(&file))
		found = !strcmp(file.key, key);
	if (found)
		*number = file.value;
	keyfile_close(&file);
	return found;
}

/* Read a file to its end: the kernel adds up the counters of all CPUs meanwhile. */
void keyfile_flush(const char *format, ...)
{
	struct keyfile file;

	OPEN_PATH(&file, format);
	while (keyfile_line(&file))
		;
	keyfile_close(&file);
}
