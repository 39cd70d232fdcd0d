/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * complain.h - what goes wrong: a line on stderr, and the exit status.
 */
#ifndef PCINSPECT_COMPLAIN_H
#define PCINSPECT_COMPLAIN_H

/* Exit statuses; see pcinspect(1). */
enum {
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_LOSSES = 3,
	EXIT_ALL_FAILED = 32,
	EXIT_SOME_FAILED = 64,
	EXIT_UNSUPPORTED = 77,
};

void complain(const char *path, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
const char *complain_last(void);
const char *open_error_text(int error);
const char *command_error_text(int error);

#endif /* PCINSPECT_COMPLAIN_H */
