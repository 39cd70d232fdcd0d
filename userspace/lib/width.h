/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * width.h - text by the cells it takes on a terminal.
 */
#ifndef PCINSPECT_WIDTH_H
#define PCINSPECT_WIDTH_H

#include <stddef.h>

int width_size(const char *text, size_t *size);
int width_of(const char *text);
char *width_shorten(char *text, int width);

#endif /* PCINSPECT_WIDTH_H */
