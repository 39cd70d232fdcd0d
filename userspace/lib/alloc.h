/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * alloc.h - memory that is there, or the program has ended with a line that says why.
 */
#ifndef PCINSPECT_ALLOC_H
#define PCINSPECT_ALLOC_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

void *alloc_got(void *memory);
void *alloc_zero(size_t nr, size_t size);
void *alloc_array(void *array, size_t nr, size_t size);
void *alloc_room(void *array, size_t used, size_t *room, size_t size);
char *alloc_copy(const char *text);
char *alloc_first(const char *text, size_t len);
char *alloc_vtext(const char *format, va_list args) __attribute__((format(printf, 1, 0)));
char *alloc_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
FILE *alloc_stream(char **text, size_t *size);
void alloc_close(FILE *stream);

#endif /* PCINSPECT_ALLOC_H */
