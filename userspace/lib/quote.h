/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * quote.h - words for a shell.
 */
#ifndef PCINSPECT_QUOTE_H
#define PCINSPECT_QUOTE_H

char *shell_word(const char *text);
char *shell_unquote(const char *text, const char **end);

#endif /* PCINSPECT_QUOTE_H */
