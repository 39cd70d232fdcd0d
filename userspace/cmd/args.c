// SPDX-License-Identifier: GPL-2.0
/*
 * args.c - parsing options; the one table that they, --help and completion are
 * made of. Touches stdout and stderr.
 */
#include <err.h>
#include <getopt.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/args.h"
#include "cmd/view_table.h"
#include "collect/mounts.h"
#include "lib/complain.h"
#include "view/order.h"

/* Long options without a letter of their own. */
enum { OPT_BYTES = 256, OPT_REPORT, OPT_ONCE, OPT_INTERVAL, OPT_FOR, OPT_BY,
       OPT_LIMIT, OPT_SCAN, OPT_NO_EVENTS, OPT_BLOCK, OPT_VIEW, OPT_EXPLAIN, OPT_VERSION };

/* The keys of --by. */
static const char *key(size_t i)
{
	return order_name(SORT_CACHED + i);
}

/* What --view shows. */
static const char *view(size_t i)
{
	return view_name(i) ?: view_name(i - 1) ? "events" : NULL;
}

/*
 * struct arg_option - one option
 * @letter: short letter or OPT_*
 * @name: long name
 * @value: name of its argument, NULL for none
 * @takes: a command takes it if it has this bit, 0: always
 * @help: one line
 * @words: what its argument may be, one after the other, NULL: anything
 */
static const struct arg_option {
	int letter;
	const char *name;
	const char *value;
	unsigned int takes;
	const char *help;
	const char *(*words)(size_t i);
} options[] = {
	{ 'J', "json", NULL, 0, .help = "JSON report on stdout" },
	{ OPT_REPORT, "report", "FILE", 0, .help = "also write the JSON report to FILE" },
	{ 'o', "output", "LIST", TAKES_COLUMNS, .help = "columns of the table (help: list them)" },
	{ 'o', "output", "FILE", TAKES_FILE, .help = "where to record (default trace.dat)" },
	{ 'n', "noheadings", NULL, 0, .help = "no header line, no audit lines" },
	{ OPT_BYTES, "bytes", NULL, 0, .help = "exact bytes instead of pages and units" },
	{ 'r', "recursive", NULL, TAKES_TREE, .help = "descend into directories" },
	{ 'x', "one-file-system", NULL, TAKES_TREE, .help = "with -r: stay on the filesystem" },
	{ OPT_ONCE, "once", NULL, TAKES_ONCE, .help = "show it once and end" },
	{ OPT_INTERVAL, "interval", "S", TAKES_INTERVAL, .help = "seconds between ticks (default 1)" },
	{ OPT_FOR, "for", "S", TAKES_INTERVAL, .help = "end after this many seconds" },
	{ OPT_BLOCK, "block", NULL, TAKES_FILE, .help = "record block requests as well" },
	{ OPT_VIEW, "view", "VIEW", TAKES_VIEW, .help = "which view", .words = view },
	{ OPT_NO_EVENTS, "no-events", NULL, TAKES_EVENTS, .help = "state only, no event stream" },
	{ OPT_BY, "by", "KEY", TAKES_ORDER, .help = "order", .words = key },
	{ OPT_LIMIT, "limit", "N", TAKES_LIMIT, .help = "files shown (default 20, 0: all)" },
	{ OPT_SCAN, "scan", "MOUNT", TAKES_ORDER, .help = "first visit every cached inode of MOUNT" },
	{ 'm', "mount", "MOUNT", TAKES_CMD, .help = "count every file of MOUNT, and no others" },
	{ OPT_EXPLAIN, "explain", NULL, TAKES_CMD, .help = "also say in words what was wrong" },
	{ 'h', "help", NULL, 0, .help = "this text" },
	{ OPT_VERSION, "version", NULL, 0, .help = "version" },
};

#define NR_OPTIONS (sizeof(options) / sizeof(*options))

static bool allowed(const struct arg_option *option, const struct command *command)
{
	return !option->takes || command->takes & option->takes;
}

/* " (one, two, three)" */
static void print_words(FILE *to, const struct arg_option *option)
{
	size_t i;

	for (i = 0; option->words(i); i++)
		fprintf(to, "%s%s", i ? ", " : " (", option->words(i));
	fputc(')', to);
}

static void print_help(const struct command *command)
{
	size_t i;

	printf("usage: pcinspect %s [OPTION]… %s\n\n%s\n\n", command->name,
	       command->operands, command->summary);
	for (i = 0; i < NR_OPTIONS; i++) {
		const struct arg_option *o = &options[i];
		int n;

		if (!allowed(o, command))
			continue;
		n = o->letter < 256 ? printf("  -%c, --%s", o->letter, o->name) :
				      printf("      --%s", o->name);
		printf(" %-*s %s", 25 - n, o->value ?: "", o->help);
		if (o->words)
			print_words(stdout, o);
		putchar('\n');
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
		complain(NULL, "--%s %s: not a number I can use", option, text);
		return -1;
	}
	return 0;
}

/* Which of an option's words; complains if it is none. */
static int find_word(const struct arg_option *option, const char *text)
{
	size_t i, size;
	char *words;
	FILE *to;

	for (i = 0; option->words(i); i++)
		if (!strcmp(text, option->words(i)))
			return i;
	to = open_memstream(&words, &size);
	if (!to)
		err(1, "out of memory");
	print_words(to, option);
	fclose(to);
	complain(NULL, "--%s %s: unknown%s", option->name, text, words);
	free(words);
	return -1;
}

static int apply(struct args *args, const struct arg_option *option)
{
	int word = option->words ? find_word(option, optarg) : 0;
	double value;

	if (word < 0)
		return EXIT_USAGE;
	switch (option->letter) {
	case 'J': args->json = true; break;
	case 'n': args->noheadings = true; break;
	case 'r': args->recursive = true; break;
	case 'x': args->one_filesystem = true; break;
	case 'o':
		*(option->takes & TAKES_FILE ? &args->file : &args->columns) = optarg;
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
		if (value != (unsigned long)value) {
			complain(NULL, "--limit %s: not a whole number", optarg);
			return EXIT_USAGE;
		}
		args->limit = value;
		break;
	case OPT_BY: args->by = SORT_CACHED + word; break;
	case OPT_SCAN: args->scan = optarg; break;
	case OPT_EXPLAIN: args->explain = true; break;
	case 'm':
		if (args->nr_mounts == PCINSPECT_NR_MOUNTS) {
			complain(NULL, "--mount: %d at most", PCINSPECT_NR_MOUNTS);
			return EXIT_USAGE;
		}
		args->mounts[args->nr_mounts++] = optarg;
		break;
	default: return EXIT_USAGE;
	}
	return 0;
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
	struct option longs[NR_OPTIONS + 1] = {};
	char shorts[2 * NR_OPTIONS + 3] = "", *s = shorts;
	int letter, status;
	size_t i;

	*args = (struct args){
		.table = command->columns, .view = command->view,
		.interval = 1, .by = SORT_CACHED,
		.limit = command->takes & TAKES_LIMIT ? 20 : 0,
	};
	/* What follows run's CMD are CMD's own options. */
	if (command->takes & TAKES_CMD)
		*s++ = '+';
	*s++ = ':';
	/* record has both PATHs and a CMD. */
	for (i = 1; command->takes & TAKES_FILE && i < (size_t)argc; i++) {
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
		if (i == NR_OPTIONS && other) {
			complain(NULL, "%s: takes no option --%s (see pcinspect %s --help)",
				 command->name, other, command->name);
			return EXIT_USAGE;
		}
		if (i == NR_OPTIONS) {
			/* A word, or a letter that is perhaps one of several in it. */
			bool word = !optopt || optopt > 255 ||
				    (strchr(shorts, optopt) && !strncmp(argv[optind - 1], "--", 2));

			complain(NULL, "%s: %s option %s%.*s (see pcinspect %s --help)",
				 command->name, letter == ':' ? "incomplete" : "unknown",
				 word ? "" : "-", word ? INT_MAX : 1,
				 word ? argv[optind - 1] : (char[]){ optopt },
				 command->name);
			return EXIT_USAGE;
		}
		if (letter == 'h') {
			print_help(command);
			return 0;
		}
		if (letter == OPT_VERSION) {
			printf("pcinspect %s\n", PCINSPECT_VERSION);
			return 0;
		}
		status = apply(args, &options[i]);
		if (status)
			return status;
	}
	args->paths = argv + optind;
	args->nr_paths = argc - optind;
	if (args->columns) {
		status = view_check(args->view, args->columns);
		if (status >= 0)
			return status;
	}
	if (args->nr_paths < command->min_paths) {
		complain(NULL, "%s: no %s given (usage: pcinspect %s [OPTION]… %s)",
			 command->name, command->takes & TAKES_CMD ? "CMD" :
			 command->takes & TAKES_VIEW ? "FILE" : "PATH",
			 command->name, command->operands);
		return EXIT_USAGE;
	}
	return -1;
}

/**
 * args_complete() - what may come next, a word a line
 * @command: which
 * @last: the word before
 *
 * Says nothing where a path is to come.
 */
void args_complete(const struct command *command, const char *last)
{
	struct libmnt_table *mounts;
	struct libmnt_fs *mount;
	struct libmnt_iter *each;
	size_t i, k;

	for (i = 0; i < NR_OPTIONS; i++) {
		const struct arg_option *o = &options[i];

		if (!allowed(o, command) || !o->value || strncmp(last, "-", 1) ||
		    (strncmp(last, "--", 2) ? !strchr(last, o->letter) || o->letter > 255 :
					      strcmp(last + 2, o->name)))
			continue;
		if (o->takes == TAKES_COLUMNS)
			view_check(command->view, "help");
		for (k = 0; o->words && o->words(k); k++)
			puts(o->words(k));
		if (strcmp(o->value, "MOUNT"))
			return;
		mounts = mounts_load();
		each = mnt_new_iter(MNT_ITER_FORWARD);
		while (each && !mnt_table_next_fs(mounts, each, &mount))
			puts(mnt_fs_get_target(mount));
		mnt_free_iter(each);
		mnt_unref_table(mounts);
		return;
	}
	for (i = 0; i < NR_OPTIONS; i++)
		if (allowed(&options[i], command))
			printf("--%s\n", options[i].name);
}
