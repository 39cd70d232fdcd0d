/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * replace.h - a file that is replaced as a whole, or not at all.
 */
#ifndef PCINSPECT_REPLACE_H
#define PCINSPECT_REPLACE_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

/**
 * struct replace - a file being replaced
 * @to: what is written goes here
 * @path: which, links followed
 * @temp: what the new one is called before it is @path; NULL: it is no file that could
 *	be replaced
 * @old: what it was, if it was
 * @there: that
 * @output: it is this output of ours, or 0
 */
struct replace {
	FILE *to;
	char *path;
	char *temp;
	struct stat old;
	bool there;
	int output;
};

FILE *replace_begin(struct replace *replace, const char *path);
int replace_end(struct replace *replace, bool good);
int replace_report(struct replace *replace, bool good, const char *path);

#endif /* PCINSPECT_REPLACE_H */
