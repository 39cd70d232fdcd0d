/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * wrap.h - lines that a terminal has no room for, broken between words.
 */
#ifndef PCINSPECT_WRAP_H
#define PCINSPECT_WRAP_H

#include <stdio.h>

void wrap_line(FILE *to, const char *line, int width);
void wrap_begin(void);
void wrap_end(void);

#endif /* PCINSPECT_WRAP_H */
