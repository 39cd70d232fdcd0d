// SPDX-License-Identifier: GPL-2.0-only
/*
 * files_from.c - the files of --files-from: operands that did not fit a command line.
 * Touches the list, or stdin.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/files_from.h"
#include "lib/alloc.h"
#include "lib/complain.h"

/* One more operand; after files_from_begin(). */
void files_from_add(struct args *args, const char *name)
{
	/* Doubled at 64, 128... */
	if (args->what.nr_paths >= 63 && !((args->what.nr_paths + 1) & args->what.nr_paths))
		args->what.paths = alloc_array(args->what.paths, (args->what.nr_paths + 1) * 2,
					  sizeof(*args->what.paths));
	args->what.paths[args->what.nr_paths] = alloc_copy(name);
	args->what.paths[++args->what.nr_paths] = NULL;
}

/* Make the operands copies, unless they are: for files_from_free(). */
void files_from_begin(struct args *args)
{
	char **operands = args->what.paths;
	size_t typed = args->what.nr_paths, i;

	if (args->listed)
		return;
	args->listed = true;
	args->what.paths = alloc_zero(64, sizeof(*args->what.paths));
	args->what.nr_paths = 0;
	for (i = 0; i < typed; i++)
		files_from_add(args, operands[i]);
}

/* Forget the operands and names that files_from_read() has put there. */
void files_from_free(struct args *args)
{
	if (!args->listed)
		return;
	while (args->what.nr_paths)
		free(args->what.paths[--args->what.nr_paths]);
	free(args->what.paths);
	args->listed = false;
}

/**
 * files_from_read() - add the names of a list to the operands
 * @args: with the list; its paths are new afterwards, for files_from_free()
 *
 * Names end with a newline or, with --null, a null byte; empty ones are left out, and
 * those that --include and --exclude do not want; with -r these are about what is below.
 * Complains by itself.
 *
 * Return: -1 to go on, else the exit status: an empty list is not every file.
 */
int files_from_read(struct args *args)
{
	bool standard = !strcmp(args->from, "-");
	FILE *from = standard ? stdin : fopen(args->from, "re");
	size_t typed = args->what.nr_paths, size = 0;
	char *name = NULL;
	int end = args->null ? 0 : '\n', error;
	ssize_t len;

	if (!from) {
		complain(args->from, "cannot read the list: %s", open_error_text(errno));
		return EXIT_FAILED;
	}
	files_from_begin(args);
	while ((errno = 0, len = getdelim(&name, &size, end, from)) > 0) {
		if (name[len - 1] == end)
			name[--len] = '\0';
		/* A null byte where newlines end names: this is the other kind of list. */
		if (strlen(name) != (size_t)len) {
			free(name);
			complain(args->from, "has null bytes between its names (add --null)");
			return EXIT_USAGE;
		}
		if (len && (args->what.recursive || options_want(&args->what, name)))
			files_from_add(args, name);
	}
	error = errno;
	free(name);
	if (!standard)
		fclose(from);
	if (error) {
		complain(args->from, "cannot read the list: %s", strerror(error));
		return EXIT_FAILED;
	}
	if (args->what.nr_paths == typed) {
		complain(standard ? "stdin" : args->from, "no name is in the list%s", args->what.nr_globs ?
			 " that --include and --exclude want" : "");
		return EXIT_FAILED;
	}
	return -1;
}
