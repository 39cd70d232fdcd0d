/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * option.h - the table of options.
 */
#ifndef PCINSPECT_OPTION_H
#define PCINSPECT_OPTION_H

#include "cmd/command.h"

/* Options without a short letter have numbers from here on. */
#define OPT_LONG 256
#define MAX_OPTIONS 64

/**
 * struct arg_option - one option
 * @letter: short letter, or a number of its own from OPT_LONG on
 * @name: long name
 * @value: name of its argument, NULL for none; completion offers files for FILE,
 *	columns for LIST, mounts for MOUNT, limits for those of assert
 * @takes: a command takes it if it has this bit, 0: always
 * @set: keeps its argument, optarg, or that it was given; NULL: --help, --version
 * @at: offset of the member of struct args that it is kept in
 * @first: of a number: that of the first word, or without words the number itself
 * @help: one line
 * @words: what its argument may be, one after the other, NULL: anything
 */
struct arg_option {
	int letter;
	const char *name;
	const char *value;
	unsigned int takes;
	int (*set)(struct args *args, const struct arg_option *option);
	size_t at;
	int first;
	const char *help;
	const char *(*words)(size_t i);
};

const struct arg_option *args_option(size_t i);
bool args_allowed(const struct arg_option *option, const struct command *command);

#endif /* PCINSPECT_OPTION_H */
