// SPDX-License-Identifier: GPL-2.0
/*
 * args.c - parsing options; the one table they, --help and the completion test
 * are made of. Touches stdout and stderr.
 */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/args.h"
#include "lib/complain.h"
#include "view/columns.h"
#include "view/table.h"
#include "view/text.h"

/* Long options without a letter of their own. */
enum { OPT_BYTES = 256, OPT_REPORT, OPT_ONCE, OPT_INTERVAL, OPT_FOR, OPT_BY,
       OPT_LIMIT, OPT_SCAN, OPT_NO_EVENTS, OPT_BLOCK, OPT_VIEW, OPT_EXPLAIN, OPT_VERSION };

/*
 * struct arg_option - one option
 * @letter: short letter or OPT_*
 * @name: long name
 * @value: name of its argument, NULL for none
 * @key: letter in pcinspect_command.options that allows it, 0: always
 * @help: one line
 */
static const struct arg_option {
	int letter;
	const char *name;
	const char *value;
	char key;
	const char *help;
} options[] = {
	{ 'J', "json", NULL, 0, "JSON report on stdout" },
	{ OPT_REPORT, "report", "FILE", 0, "also write the JSON report to FILE" },
	{ 'o', "output", "COL,…", 't', "columns of the table (help: list them)" },
	{ 'o', "output", "FILE", 'R', "where to record (default trace.dat)" },
	{ 'n', "noheadings", NULL, 0, "no header line, no audit lines" },
	{ OPT_BYTES, "bytes", NULL, 0, "exact bytes instead of pages and units" },
	{ 'r', "recursive", NULL, 'r', "descend into directories" },
	{ OPT_ONCE, "once", NULL, '1', "show it once and end" },
	{ OPT_INTERVAL, "interval", "S", 'w', "seconds between ticks (default 1)" },
	{ OPT_FOR, "for", "S", 'w', "end after this many seconds" },
	{ OPT_BLOCK, "block", NULL, 'R', "record block requests as well" },
	{ OPT_VIEW, "view", "VIEW", 'v', "stat, reads, readahead, dirty, fsync, explain or events" },
	{ OPT_NO_EVENTS, "no-events", NULL, 'e', "state only, no event stream" },
	{ OPT_BY, "by", "KEY", 'b', "cached, active, dirty, read, wasted or refault" },
	{ OPT_LIMIT, "limit", "N", 'l', "rows of the table (default 20, 0: all)" },
	{ OPT_SCAN, "scan", "MOUNT", 'b', "first visit every cached inode of MOUNT" },
	{ 'm', "mount", "MOUNT", 'm', "count every file of MOUNT, and no others" },
	{ OPT_EXPLAIN, "explain", NULL, 'm', "also say in words what was wrong" },
	{ 'h', "help", NULL, 0, "this text" },
	{ OPT_VERSION, "version", NULL, 0, "version" },
};

#define NR_OPTIONS (sizeof(options) / sizeof(*options))

static bool allowed(const struct arg_option *option,
		    const struct pcinspect_command *command)
{
	return !option->key || strchr(command->options, option->key);
}

static void help(const struct pcinspect_command *command)
{
	size_t i;

	printf("usage: pcinspect %s [OPTION]… %s\n\n%s\n\n", command->name,
	       command->operands, command->summary);
	for (i = 0; i < NR_OPTIONS; i++) {
		char left[40];

		if (!allowed(&options[i], command))
			continue;
		snprintf(left, sizeof(left), "%s--%s%s%s", "", options[i].name,
			 options[i].value ? " " : "", options[i].value ?: "");
		if (options[i].letter < 256)
			printf("  -%c, %-22s %s\n", options[i].letter, left,
			       options[i].help);
		else
			printf("      %-22s %s\n", left, options[i].help);
	}
	/* They share the page of track. */
	printf("\nSee pcinspect-%s(1).\n", !strcmp(command->name, "untrack") ||
	       !strcmp(command->name, "reset") ? "track" : command->name);
}

/* A number of seconds or rows; negative, empty or trailing text is misuse. */
static int number(const char *text, const char *option, double low, double *to)
{
	char *end;

	*to = strtod(text, &end);
	if (end == text || *end || !isfinite(*to) || *to < low || *to > 1e9) {
		pcinspect_complain(NULL, "--%s %s: not a number I can use", option,
				   text);
		return -1;
	}
	return 0;
}

static int parse_by(const char *text, enum pcinspect_sort *by)
{
	static const char *const keys[] = {
		[SORT_CACHED] = "cached", [SORT_ACTIVE] = "active",
		[SORT_DIRTY] = "dirty", [SORT_READ] = "read",
		[SORT_WASTED] = "wasted", [SORT_REFAULT] = "refault",
	};
	size_t i;

	for (i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (!strcmp(text, keys[i])) {
			*by = i;
			return 0;
		}
	}
	pcinspect_complain(NULL, "--by %s: unknown key (cached, active, dirty, read, wasted, refault)",
			   text);
	return EXIT_USAGE;
}

static int apply(struct pcinspect_args *args, int letter, bool recording)
{
	double value;

	switch (letter) {
	case 'J': args->json = true; break;
	case 'n': args->noheadings = true; break;
	case 'r': args->recursive = true; break;
	case 'o':
		*(recording ? &args->file : &args->columns) = optarg;
		break;
	case OPT_BLOCK: args->block = true; break;
	case OPT_VIEW: args->view = optarg; break;
	case OPT_BYTES: args->bytes = true; break;
	case OPT_REPORT: args->report = optarg; break;
	case OPT_ONCE: args->once = true; break;
	case OPT_NO_EVENTS: args->no_events = true; break;
	case OPT_INTERVAL:
		return number(optarg, "interval", 0.01, &args->interval) ?
			EXIT_USAGE : 0;
	case OPT_FOR:
		return number(optarg, "for", 0, &args->duration) ? EXIT_USAGE : 0;
	case OPT_LIMIT:
		if (number(optarg, "limit", 0, &value))
			return EXIT_USAGE;
		args->limit = value;
		break;
	case OPT_BY: return parse_by(optarg, &args->by);
	case OPT_SCAN: args->scan = optarg; break;
	case OPT_EXPLAIN: args->explain = true; break;
	case 'm':
		if (args->nr_mounts == PCINSPECT_NR_MOUNTS) {
			pcinspect_complain(NULL, "--mount: %d at most",
					   PCINSPECT_NR_MOUNTS);
			return EXIT_USAGE;
		}
		args->mounts[args->nr_mounts++] = optarg;
		break;
	default: return EXIT_USAGE;
	}
	return 0;
}

/**
 * pcinspect_args_parse() - options and operands of one command
 * @args: filled in
 * @command: which
 * @argc: words, from the command's name on
 * @argv: likewise
 *
 * Return: -1 to go on, else the exit status.
 */
int pcinspect_args_parse(struct pcinspect_args *args,
			 const struct pcinspect_command *command, int argc,
			 char **argv)
{
	struct option longs[NR_OPTIONS + 1] = {};
	char shorts[2 * NR_OPTIONS + 3] = "", *s = shorts;
	int letter, status;
	size_t i;

	memset(args, 0, sizeof(*args));
	args->table = command->columns;
	if (command->run == pcinspect_cmd_view)
		args->view = command->name;
	args->interval = 1;
	/* What follows run's CMD are CMD's own options. */
	if (strchr(command->options, 'm'))
		*s++ = '+';
	args->limit = 20;
	/* record has both PATHs and a CMD. */
	for (i = 1; strchr(command->options, 'R') && i < (size_t)argc; i++) {
		if (!strcmp(argv[i], "--")) {
			args->argv = argv[i + 1] ? argv + i + 1 : NULL;
			argc = i;
		}
	}
	for (i = 0; i < NR_OPTIONS; i++) {
		longs[i].name = options[i].name;
		longs[i].has_arg = options[i].value ? required_argument : no_argument;
		longs[i].val = options[i].letter;
		if (options[i].letter < 256) {
			*s++ = options[i].letter;
			if (options[i].value)
				*s++ = ':';
		}
	}
	opterr = 0;
	optind = 1;
	while ((letter = getopt_long(argc, argv, shorts, longs, NULL)) != -1) {
		const char *other = NULL;

		for (i = 0; i < NR_OPTIONS; i++) {
			if (options[i].letter != letter)
				continue;
			if (allowed(&options[i], command))
				break;
			other = options[i].name;
		}
		if (i == NR_OPTIONS) {
			pcinspect_complain(NULL, other ?
					   "%s: takes no option --%s (see pcinspect %s --help)" :
					   "%s: unknown or incomplete option %s (see pcinspect %s --help)",
					   command->name, other ?: argv[optind - 1], command->name);
			return EXIT_USAGE;
		}
		if (letter == 'h') {
			help(command);
			return 0;
		}
		if (letter == OPT_VERSION) {
			printf("pcinspect %s\n", PCINSPECT_VERSION);
			return 0;
		}
		status = apply(args, letter, strchr(command->options, 'R'));
		if (status)
			return status;
	}
	args->paths = argv + optind;
	args->nr_paths = argc - optind;
	if (args->columns) {
		status = !strcmp(args->view ?: command->name, "readahead") ?
			 pcinspect_windows_check(args->columns) :
			 pcinspect_table_check(args->columns);
		if (status >= 0)
			return status;
	}
	if (args->nr_paths < command->min_paths) {
		pcinspect_complain(NULL, "%s: no %s given (usage: pcinspect %s [OPTION]… %s)",
				   command->name,
				   strchr(command->options, 'm') ? "CMD" : "PATH",
				   command->name, command->operands);
		return EXIT_USAGE;
	}
	return -1;
}
