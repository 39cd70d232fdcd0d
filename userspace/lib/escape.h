/* SPDX-License-Identifier: GPL-2.0 */
/*
 * escape.h - paths are bytes; tables, lines and JSON are not.
 */
#ifndef PCINSPECT_ESCAPE_H
#define PCINSPECT_ESCAPE_H

#include <stdbool.h>
#include <stddef.h>

char *pcinspect_escape(const char *path);
char *pcinspect_comm(const char *comm);
bool pcinspect_is_utf8(const char *text);
char *pcinspect_to_utf8(const char *text);
char *pcinspect_to_hex(const char *text);

#endif /* PCINSPECT_ESCAPE_H */
