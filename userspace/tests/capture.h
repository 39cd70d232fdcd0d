/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * capture.h - what functions print on stdout, for a test to look at.
 */
#ifndef PCINSPECT_TEST_CAPTURE_H
#define PCINSPECT_TEST_CAPTURE_H

#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static int capture_stdout, capture_file;

/* From now on stdout goes to memory. */
static inline void capture(void)
{
	fflush(stdout);
	capture_stdout = dup(STDOUT_FILENO);
	capture_file = memfd_create("stdout", MFD_CLOEXEC);
	dup2(capture_file, STDOUT_FILENO);
}

/* No longer. Returns what was printed, until this is called again. */
static inline const char *captured(void)
{
	static char *text;
	off_t size;

	fflush(stdout);
	dup2(capture_stdout, STDOUT_FILENO);
	close(capture_stdout);
	size = lseek(capture_file, 0, SEEK_END);
	text = realloc(text, size + 1);
	if (!text || pread(capture_file, text, size, 0) != size)
		err(1, "what was printed");
	text[size] = '\0';
	close(capture_file);
	return text;
}

#endif /* PCINSPECT_TEST_CAPTURE_H */
