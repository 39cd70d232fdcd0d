/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * exit.h - exit statuses; see pcinspect(1).
 */
#ifndef PCINSPECT_EXIT_H
#define PCINSPECT_EXIT_H

enum {
	EXIT_FAILED = 1,
	EXIT_USAGE = 2,
	EXIT_LOSSES = 3,
	EXIT_ALL_FAILED = 32,
	EXIT_SOME_FAILED = 64,
	EXIT_UNSUPPORTED = 77,
};

#endif /* PCINSPECT_EXIT_H */
