/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * complain.h - errors: a line on stderr, and the exit status.
 */
#ifndef PCINSPECT_COMPLAIN_H
#define PCINSPECT_COMPLAIN_H

#include "lib/exit.h"

void complain(const char *path, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
const char *complain_last(void);
const char *open_error_text(int error);
const char *command_error_text(int error);

#endif /* PCINSPECT_COMPLAIN_H */
