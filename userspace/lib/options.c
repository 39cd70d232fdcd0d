// SPDX-License-Identifier: GPL-2.0-only
/*
 * options.c - the filter of --include and --exclude. Pure.
 */
#include <fnmatch.h>
#include <string.h>

#include "lib/options.h"

/* A pattern without a slash is of names, one with is of whole paths. */
static bool pattern_matches(const char *pattern, const char *path)
{
	const char *name = strrchr(path, '/');

	return !fnmatch(pattern, strchr(pattern, '/') || !name ? path : name + 1, 0);
}

/* Does an --exclude match? Of a directory: nothing below it is wanted. */
bool options_skip(const struct selection *what, const char *path)
{
	size_t i;

	for (i = 0; i < what->nr_globs; i++)
		if (what->globs[i].exclude && pattern_matches(what->globs[i].pattern, path))
			return true;
	return false;
}

/* No --exclude matches, and an --include does if there are any. */
bool options_want(const struct selection *what, const char *path)
{
	bool any = false;
	size_t i;

	if (options_skip(what, path))
		return false;
	for (i = 0; i < what->nr_globs; i++) {
		if (what->globs[i].exclude)
			continue;
		if (pattern_matches(what->globs[i].pattern, path))
			return true;
		any = true;
	}
	return !any;
}
