// SPDX-License-Identifier: GPL-2.0-only
/*
 * args.c - parsing the options of a command, with the table of option.c. Touches
 * stdout and stderr.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/args.h"
#include "cmd/files_from.h"
#include "cmd/files_of.h"
#include "cmd/help.h"
#include "cmd/option.h"
#include "cmd/views.h"
#include "collect/collect.h"
#include "lib/complain.h"
#include "lib/text.h"
#include "view/machine.h"

/* The option of a letter, or of a word like --limit=3. */
static const struct arg_option *option_of(const struct command *command, const char *word)
{
	size_t len = strcspn(word, "="), i;
	const struct arg_option *o;

	for (i = 0; (o = args_option(i)); i++)
		if (args_allowed(o, command) &&
		    (optopt ? o->letter == optopt : !strncmp(o->name, word, len)))
			return o;
	return NULL;
}

/* Is it a letter that getopt did not know? Within a word of several optind is not behind it. */
static bool is_letter(int letter, const char *word)
{
	return letter == '?' && optopt && optopt < OPT_LONG &&
	       (strncmp(word, "--", 2) || !strchr(word, '='));
}

/* The error of an option that getopt_long(3) does not take. */
static int wrong_option(const struct command *command, bool incomplete, const char *word)
{
	bool is_long = !strncmp(word, "--", 2), many = false;
	const struct arg_option *option = option_of(command, word + 2 * is_long);
	const char *like = NULL;
	size_t best = 3, i, len;

	if (incomplete && option) {
		complain(NULL, "%s: option --%s lacks its %s (see pcinspect %s --help)",
			 command->name, option->name, option->value, command->name);
	} else if (is_long && option && optopt) {
		complain(NULL, "%s: option --%s takes no value, but has %s (see pcinspect %s --help)",
			 command->name, option->name, word + strcspn(word, "="),
			 command->name);
	} else if (!is_long && optopt) {
		complain(NULL, "%s: unknown option -%c (see pcinspect %s --help)",
			 command->name, optopt, command->name);
	} else {
		/* One that was meant, or begins like it. */
		len = strlen(word + 2);
		for (i = 0; (option = args_option(i)); i++) {
			if (!args_allowed(option, command))
				continue;
			if (!strncmp(option->name, word + 2, len)) {
				many |= like != NULL;
				like = option->name;
				best = 0;
			} else if (words_differ(option->name, word + 2) < best) {
				best = words_differ(option->name, word + 2);
				like = option->name;
			}
		}
		complain(NULL, "%s: %s option %s (%s%s%s%ssee pcinspect %s --help)",
			 command->name, many ? "ambiguous" : "unknown", word,
			 like && !many ? "perhaps " : "", like && !many ? "--" : "",
			 like && !many ? like : "", like && !many ? "; " : "",
			 command->name);
	}
	return EXIT_USAGE;
}

/* Does the command read the files of a list? */
static bool reads_list(struct args *args)
{
	if (args->null && !args->from)
		args->from = "-";
	return args->from;
}

/* The option that a command means by the name of one. */
static const struct arg_option *same_name(const struct arg_option *option,
					  const struct command *command)
{
	const struct arg_option *o;
	size_t i;

	for (i = 0; (o = args_option(i)); i++)
		if (!strcmp(o->name, option->name) && args_allowed(o, command))
			return o;
	return option;
}

/**
 * args_parse() - options and operands of one command
 * @args: filled in
 * @command: which
 * @argc: words, from the command's name on
 * @argv: likewise
 *
 * Return: -1 to go on, else the exit status.
 */
int args_parse(struct args *args, const struct command *command, int argc, char **argv)
{
	struct option longs[MAX_OPTIONS + 1] = {};
	char shorts[2 * MAX_OPTIONS + 3] = "", *s = shorts;
	const struct arg_option *option;
	int letter, status;
	size_t i;

	*args = (struct args){
		.pace.interval = 1,
		.out = { .table = command->columns, .limit = command->limit },
		.view = command->view, .by = SORT_CACHED, .key = NR_MACHINE_KEYS,
	};
	/* Options behind run's CMD are CMD's own. */
	if (command->takes & TAKES_CMD)
		*s++ = '+';
	*s++ = ':';
	/* record has both PATHs and a CMD, assert LIMITs. */
	for (i = 1; command->takes & (TAKES_FILE | TAKES_BOUNDS) && i < (size_t)argc; i++) {
		if (!strcmp(argv[i], "--")) {
			args->argv = argv[i + 1] ? argv + i + 1 : NULL;
			argc = i;
		}
	}
	for (i = 0; (option = args_option(i)); i++) {
		/* Of two with one name the one that the command takes. */
		bool valued = same_name(option, command)->value;

		longs[i].name = option->name;
		longs[i].has_arg = valued ? required_argument : no_argument;
		longs[i].val = option->letter;
		if (option->letter < OPT_LONG) {
			*s++ = option->letter;
			if (option->value)
				*s++ = ':';
		}
	}
	opterr = 0;
	optind = 1;
	while ((letter = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		const char *other = NULL;

		for (i = 0; (option = args_option(i)); i++) {
			if (option->letter != letter)
				continue;
			if (args_allowed(option, command))
				break;
			other = option->name;
		}
		if (!option && other) {
			complain(NULL, "%s: takes no option --%s (see pcinspect %s --help)",
				 command->name, other, command->name);
			return EXIT_USAGE;
		}
		if (!option)
			return wrong_option(command, letter == ':', is_letter(letter, argv[optind - 1]) ?
					    "-" : argv[optind - 1]);
		if (letter == 'h') {
			help_command(command);
			return 0;
		}
		if (!option->set) {
			printf("pcinspect %s\n", PCINSPECT_VERSION);
			return 0;
		}
		status = option->set(args, option);
		if (status)
			return status;
	}
	args->out.json |= args->out.lines;
	args->what.paths = argv + optind;
	args->what.nr_paths = argc - optind;
	if (args->out.columns && !*command->tables) {
		status = view_check(args->view, args->out.columns);
		if (status >= 0)
			return status;
	}
	if (args->out.csv && args->out.json) {
		complain(NULL, "%s: --csv and --json are two (give one, and --report FILE for the other)",
			 command->name);
		return EXIT_USAGE;
	}
	if (args->out.csv && !args->out.limited)
		args->out.limit = 0;
	if (reads_list(args)) {
		status = files_from_read(args);
		if (status >= 0)
			return status;
	}
	if (command->takes & TAKES_FILES_OF && (args->pid || args->cgroup)) {
		status = files_of(args);
		if (status >= 0)
			return status;
	}
	if (args->what.nr_paths < command->min_paths && !args->machine && !args->cgroup) {
		complain(NULL, "%s: no %s given (usage: pcinspect %s [OPTION]… %s)",
			 command->name, command->takes & TAKES_CMD ? "CMD" :
			 command->takes & (TAKES_VIEW | TAKES_RESTORE) ? "FILE" : "PATH",
			 command->name, command->operands);
		return EXIT_USAGE;
	}
	return -1;
}
