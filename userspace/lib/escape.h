/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * escape.h - paths are bytes; tables, lines and JSON are not.
 */
#ifndef PCINSPECT_ESCAPE_H
#define PCINSPECT_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool escape_wanted(uint32_t c);
char *escape_path(const char *path);
bool unescape_path(char *text);
char *escape_comm(const char *comm);
char *escape_line(const char *text);
void escape_mask(char *text);
char *escape_json(char *text);
bool utf8_valid(const char *text);
char *utf8_replace(const char *text);
char *hex_text(const char *text);

#endif /* PCINSPECT_ESCAPE_H */
