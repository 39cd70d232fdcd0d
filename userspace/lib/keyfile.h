/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * keyfile.h - files of lines "KEY NUMBER" or "KEY: NUMBER" as /proc and cgroups have them.
 */
#ifndef PCINSPECT_KEYFILE_H
#define PCINSPECT_KEYFILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/**
 * struct keyfile - an open file; zero it, or set @from
 * @from: the stream; NULL: the file cannot be opened, and has no lines
 * @line: the current line without its end
 * @size: of its memory
 * @key: after keyfile_next(): the first word of the line, without a colon
 * @value: after keyfile_next(): the number that follows
 */
struct keyfile {
	FILE *from;
	char *line;
	size_t size;
	const char *key;
	uint64_t value;
};

bool keyfile_open(struct keyfile *file, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
bool keyfile_line(struct keyfile *file);
bool keyfile_next(struct keyfile *file);
void keyfile_close(struct keyfile *file);

bool keyfile_number(uint64_t *number, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
bool keyfile_find(uint64_t *number, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void keyfile_flush(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif /* PCINSPECT_KEYFILE_H */
