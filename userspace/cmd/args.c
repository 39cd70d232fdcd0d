// SPDX-License-Identifier: GPL-2.0
/*
 * args.c - parsing options; the one table that they, --help and completion
 * (complete.c) are made of. Touches stdout and stderr.
 */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/args.h"
#include "cmd/files_from.h"
#include "cmd/help.h"
#include "cmd/views.h"
#include "collect/collect.h"
#include "lib/alloc.h"
#include "lib/complain.h"
#include "lib/text.h"
#include "lib/wall.h"
#include "view/machine.h"
#include "view/order.h"

/* Long options without a letter of their own. */
enum { OPT_BYTES = 256, OPT_PAGES, OPT_REPORT, OPT_ONCE, OPT_INTERVAL, OPT_FOR, OPT_BY,
       OPT_LIMIT, OPT_SCAN, OPT_NO_EVENTS, OPT_BLOCK, OPT_CSV, OPT_LINES,
       OPT_INCLUDE, OPT_EXCLUDE, OPT_VIEW, OPT_EXPLAIN, OPT_VERSION,
       OPT_ALL_FS, OPT_SINCE, OPT_UNTIL, OPT_POD, OPT_CONTAINER, OPT_PID,
       OPT_PER, OPT_ORDER, OPT_MACHINE, OPT_CGROUP, OPT_SHARED,
       OPT_REMEDY, OPT_RESTORE, OPT_OPENMETRICS, OPT_MAX, OPT_MIN };

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

static const struct arg_option options[] = {
	{ 'J', "json", NULL, 0, .help = "JSON report on stdout" },
	{ OPT_LINES, "json-lines", NULL, TAKES_ONCE, .help = "JSON reports, one a line" },
	{ OPT_CSV, "csv", NULL, TAKES_COLUMNS, .help = "the table as CSV, all rows, exact numbers" },
	{ OPT_REPORT, "report", "FILE", 0, .help = "also write the JSON report to FILE" },
	{ 'o', "output", "LIST", TAKES_COLUMNS | TAKES_CHOICE, .help = "columns of the table (help: list them)" },
	{ 'o', "output", "FILE", TAKES_FILE, .help = "where to record (default trace.dat)" },
	{ 'o', "output", "FILE", TAKES_EXPORT, .help = "not to stdout, but to FILE, replaced as a whole" },
	{ OPT_OPENMETRICS, "openmetrics", NULL, TAKES_EXPORT, .help = "as OpenMetrics text" },
	{ 'n', "noheadings", NULL, 0, .help = "no header line, no audit lines: rows only" },
	{ 'v', "hooks", NULL, TAKES_HOOKS, .help = "every hook, and all that the module says of itself" },
	{ 'v', "audit", NULL, 0, .help = "every line of the audit, not only how many agree" },
	{ OPT_BYTES, "bytes", "N", TAKES_NEXT, .help = "how much reclaim is to take (such as 8M; default 64M)" },
	{ OPT_ORDER, "order", NULL, TAKES_NEXT, .help = "in JSON also every page, in order" },
	{ OPT_INTERVAL, "interval", "S", TAKES_NEXT, .help = "seconds in which to see how fast reclaim is (default 1)" },
	{ OPT_MACHINE, "machine", NULL, TAKES_DOMAINS,
	  .help = "of the whole machine: nothing has to be tracked" },
	{ OPT_CGROUP, "cgroup", "CGROUP", TAKES_DOMAINS, .help = "of a cgroup and all below it" },
	{ OPT_INTERVAL, "interval", "S", TAKES_DOMAINS,
	  .help = "of these: seconds in which to look (default 1)" },
	{ OPT_BYTES, "bytes", NULL, 0, .help = "exact bytes instead of pages and units" },
	{ OPT_PAGES, "pages", NULL, 0, .help = "exact numbers, counts in pages, on a terminal too" },
	{ 'r', "recursive", NULL, TAKES_TREE, .help = "descend into directories" },
	{ 'x', "one-file-system", NULL, TAKES_TREE, .help = "with -r: stay on the filesystem" },
	{ OPT_ALL_FS, "all-file-systems", NULL, TAKES_TREE,
	  .help = "with -r: also /proc, /sys and the network" },
	{ 'b', "files-from", "FILE", TAKES_LIST, .help = "more paths, a line each (-: from stdin)" },
	{ '0', "null", NULL, TAKES_LIST, .help = "null bytes end those; without -b they are from stdin" },
	{ OPT_INCLUDE, "include", "GLOB", TAKES_LIST, .help = "of lists and directories these files only" },
	{ OPT_EXCLUDE, "exclude", "GLOB", TAKES_LIST, .help = "and none of these" },
	{ OPT_ONCE, "once", NULL, TAKES_ONCE, .help = "show it once and end" },
	{ OPT_INTERVAL, "interval", "S", TAKES_INTERVAL, .help = "seconds between ticks (default 1)" },
	{ OPT_FOR, "for", "S", TAKES_INTERVAL, .help = "end after this many seconds" },
	{ OPT_BLOCK, "block", NULL, TAKES_FILE, .help = "record block requests as well" },
	{ OPT_VIEW, "view", "VIEW", TAKES_VIEW, .help = "which view", .words = view },
	{ OPT_SINCE, "since", "TIME", TAKES_VIEW, .help = "leave out what happened before (15:04, 2026-11-22T15:04:05Z, or seconds)" },
	{ OPT_UNTIL, "until", "TIME", TAKES_VIEW, .help = "and what happened after it" },
	{ OPT_NO_EVENTS, "no-events", NULL, TAKES_EVENTS, .help = "state only, no event stream" },
	{ OPT_BY, "by", "KEY", TAKES_ORDER, .help = "order", .words = key },
	{ OPT_PER, "per", "WHAT", TAKES_MACHINE, .help = "what the list is of", .words = machine_per_name },
	{ OPT_BY, "by", "KEY", TAKES_MACHINE, .help = "order; the last five are of processes",
	  .words = machine_key_name },
	{ OPT_LIMIT, "limit", "N", TAKES_LIMIT, .help = "files shown, 0: all" },
	{ OPT_SCAN, "scan", "MOUNT", TAKES_ORDER, .help = "every cached inode of MOUNT, no others" },
	{ OPT_MAX, "max", "NUMBER=VALUE", TAKES_BOUNDS, .help = "as 'NUMBER<=VALUE', without quotes (help: list NUMBERs)" },
	{ OPT_MIN, "min", "NUMBER=VALUE", TAKES_BOUNDS, .help = "as 'NUMBER>=VALUE'" },
	{ 'm', "mount", "MOUNT", TAKES_CMD | TAKES_BOUNDS, .help = "count every file of MOUNT, and no others" },
	{ OPT_REMEDY, "remedy", "R", TAKES_TRY, .help = "try this, not what verdicts advise (man page)" },
	{ OPT_RESTORE, "restore", NULL, TAKES_TRY, .help = "put back what a killed try had changed" },
	{ OPT_EXPLAIN, "explain", NULL, TAKES_EXPLAIN, .help = "begin with what was wrong, in words" },
	{ OPT_POD, "pod", "NAME", TAKES_CGROUP, .help = "the cgroup of a pod, by name or UID" },
	{ OPT_CONTAINER, "container", "ID", TAKES_CGROUP, .help = "the cgroup of a container" },
	{ OPT_PID, "pid", "N", TAKES_CGROUP, .help = "the cgroup of a process" },
	{ OPT_SHARED, "shared", NULL, TAKES_CGROUP, .help = "files that several cgroups have to do with" },
	{ 'h', "help", NULL, 0, .help = "this text" },
	{ OPT_VERSION, "version", NULL, 0, .help = "version" },
};

#define NR_OPTIONS (sizeof(options) / sizeof(*options))

/**
 * args_option() - the options, one after the other
 * @i: 0, 1…
 *
 * Return: NULL behind the last.
 */
const struct arg_option *args_option(size_t i)
{
	return i < NR_OPTIONS ? &options[i] : NULL;
}

/* Does a command take an option? */
bool args_allowed(const struct arg_option *option, const struct command *command)
{
	size_t i;

	/* One of the command's own with the same letter goes before a common one. */
	for (i = 0; !option->takes && i < NR_OPTIONS; i++)
		if (options[i].letter == option->letter && options[i].takes & command->takes)
			return false;
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

/* Seconds; 0, negative, empty or trailing text is misuse. */
static int seconds(const char *text, const char *option, double *to)
{
	char *end;

	*to = strtod(text, &end);
	if (end != text && !*end && isfinite(*to) && *to >= 0.01 && *to <= 1e9)
		return 0;
	complain(NULL, "--%s %s: not a number of seconds (0.01 or more, such as --%s 2)",
		 option, text, option);
	return EXIT_USAGE;
}

/* Rows. */
static int rows(const char *text, unsigned long *to)
{
	char *end;

	errno = 0;
	*to = strtoul(text, &end, 10);
	if (*text >= '0' && *text <= '9' && !*end && !errno)
		return 0;
	complain(NULL, "--limit %s: not a whole number (such as --limit 20; 0 shows all)", text);
	return EXIT_USAGE;
}

/* A process' number; the text as it is. */
static int process(const char *text, const char **to)
{
	*to = text;
	if (*text && strspn(text, "0123456789") == strlen(text) && strtoul(text, NULL, 10))
		return 0;
	complain(NULL, "--pid %s: not a process number", text);
	return EXIT_USAGE;
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
	to = alloc_stream(&words, &size);
	print_words(to, option);
	fclose(to);
	complain(NULL, "--%s %s: unknown%s", option->name, text, words);
	free(words);
	return -1;
}

/* Bytes, with a unit or none. */
static int amount(const char *text, uint64_t *to)
{
	static const char units[] = "KMGT";
	const char *unit;
	char *end;

	errno = 0;
	*to = strtoull(text, &end, 10);
	unit = *end ? strchr(units, *end) : NULL;
	if (unit && end[1] == '\0') {
		unsigned int shift = 10 * (unit - units + 1);

		if (*to << shift >> shift == *to) {
			*to <<= shift;
			end++;
		}
	}
	if (*text >= '0' && *text <= '9' && !*end && !errno && *to)
		return 0;
	complain(NULL, "--bytes %s: no number of bytes (such as 1048576, 8M, 1G)", text);
	return EXIT_USAGE;
}

static int apply(struct args *args, const struct arg_option *option)
{
	int word = option->words ? find_word(option, optarg) : 0;
	struct moment moment;

	if (word < 0)
		return EXIT_USAGE;
	switch (option->letter) {
	case 'J': args->json = true; break;
	case 'n': args->noheadings = true; break;
	case 'r': args->recursive = true; break;
	case 'x': args->reach = TREE_ONE_FILESYSTEM; break;
	case OPT_ALL_FS: args->reach = TREE_ALL; break;
	case 'o':
		*(option->takes & (TAKES_FILE | TAKES_EXPORT) ? &args->file : &args->columns) = optarg;
		break;
	case OPT_CSV: args->csv = true; break;
	case OPT_LINES: args->json = args->lines = true; break;
	case 'b': args->from = optarg; break;
	case '0': args->null = true; break;
	case OPT_INCLUDE:
	case OPT_EXCLUDE:
		if (args->nr_globs == MAX_GLOBS) {
			complain(NULL, "--%s: %d globs at most", option->name, MAX_GLOBS);
			return EXIT_USAGE;
		}
		args->globs[args->nr_globs++] = (struct glob_option){
			.pattern = optarg, .exclude = option->letter == OPT_EXCLUDE,
		};
		break;
	case OPT_BLOCK: args->block = true; break;
	case 'v': *(option->takes & TAKES_HOOKS ? &args->hooks : &args->audits) = true; break;
	case OPT_SINCE:
	case OPT_UNTIL:
		if (!moment_parse(optarg, &moment)) {
			complain(NULL, "--%s %s: no time I know (2026-11-22T15:04:05Z, 15:04:05, or seconds of the recording)",
				 option->name, optarg);
			return EXIT_USAGE;
		}
		*(option->letter == OPT_SINCE ? &args->since : &args->until) = optarg;
		break;
	case OPT_VIEW: args->view = optarg; break;
	case OPT_BYTES:
		if (option->takes & TAKES_NEXT)
			return amount(optarg, &args->amount);
		args->bytes = true;
		args->pages = false;
		break;
	case OPT_OPENMETRICS: args->openmetrics = true; break;
	case OPT_ORDER: args->order = true; break;
	case OPT_SHARED: args->shared = true; break;
	case OPT_MACHINE: args->machine = true; break;
	case OPT_CGROUP: args->cgroup = optarg; break;
	case OPT_PAGES: args->pages = true; args->bytes = false; break;
	case OPT_REPORT: args->report = optarg; break;
	case OPT_ONCE: args->once = true; break;
	case OPT_NO_EVENTS: args->no_events = true; break;
	case OPT_INTERVAL:
		return seconds(optarg, "interval", &args->interval);
	case OPT_FOR:
		return seconds(optarg, "for", &args->duration);
	case OPT_LIMIT:
		args->limited = true;
		return rows(optarg, &args->limit);
	case OPT_BY:
		if (option->takes & TAKES_MACHINE)
			args->key = word;
		else
			args->by = SORT_CACHED + word;
		args->ordered = true;
		break;
	case OPT_PER: args->per = word; break;
	case OPT_SCAN: args->scan = optarg; break;
	case OPT_POD: args->pod = optarg; break;
	case OPT_CONTAINER: args->container = optarg; break;
	case OPT_PID:
		return process(optarg, &args->pid);
	case OPT_REMEDY:
		if (args->nr_remedies == MAX_REMEDIES) {
			complain(NULL, "--remedy: %d at most", MAX_REMEDIES);
			return EXIT_USAGE;
		}
		args->remedies[args->nr_remedies++] = optarg;
		break;
	case OPT_MAX:
	case OPT_MIN:
		if (args->nr_bounds == MAX_BOUNDS) {
			complain(NULL, "--%s: %d at most", option->name, MAX_BOUNDS);
			return EXIT_USAGE;
		}
		args->bounds[args->nr_bounds++] = (struct bound_option){
			.text = optarg, .most = option->letter == OPT_MAX,
		};
		break;
	case OPT_RESTORE: args->restore = true; break;
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

/* The option of a letter, or of a word like --limit=3. */
static const struct arg_option *option_of(const struct command *command, const char *word)
{
	size_t len = strcspn(word, "="), i;

	for (i = 0; i < NR_OPTIONS; i++)
		if (args_allowed(&options[i], command) &&
		    (optopt ? options[i].letter == optopt :
			      !strncmp(options[i].name, word, len)))
			return &options[i];
	return NULL;
}

/* Is it a letter that getopt did not know? Within a word of several optind is not behind it. */
static bool is_letter(int letter, const char *word)
{
	return letter == '?' && optopt && optopt < OPT_BYTES &&
	       (strncmp(word, "--", 2) || !strchr(word, '='));
}

/* What is wrong with an option that getopt_long(3) does not take. */
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
		for (i = 0; i < NR_OPTIONS; i++) {
			if (!args_allowed(&options[i], command))
				continue;
			if (!strncmp(options[i].name, word + 2, len)) {
				many |= like != NULL;
				like = options[i].name;
				best = 0;
			} else if (words_differ(options[i].name, word + 2) < best) {
				best = words_differ(options[i].name, word + 2);
				like = options[i].name;
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
	size_t i;

	for (i = 0; i < NR_OPTIONS; i++)
		if (!strcmp(options[i].name, option->name) && args_allowed(&options[i], command))
			return &options[i];
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
	struct option longs[NR_OPTIONS + 1] = {};
	char shorts[2 * NR_OPTIONS + 3] = "", *s = shorts;
	int letter, status;
	size_t i;

	*args = (struct args){
		.table = command->columns, .view = command->view,
		.interval = 1, .by = SORT_CACHED, .key = NR_MACHINE_KEYS,
		.limit = command->limit,
	};
	/* What follows run's CMD are CMD's own options. */
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
	for (i = 0; i < NR_OPTIONS; i++) {
		/* Of two with one name the one that the command takes. */
		const struct arg_option *option = same_name(&options[i], command);

		longs[i].name = options[i].name;
		longs[i].has_arg = option->value ? required_argument : no_argument;
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
			if (args_allowed(&options[i], command))
				break;
			other = options[i].name;
		}
		if (i == NR_OPTIONS && other) {
			complain(NULL, "%s: takes no option --%s (see pcinspect %s --help)",
				 command->name, other, command->name);
			return EXIT_USAGE;
		}
		if (i == NR_OPTIONS)
			return wrong_option(command, letter == ':', is_letter(letter, argv[optind - 1]) ?
					    "-" : argv[optind - 1]);
		if (letter == 'h') {
			help_command(command);
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
	if (args->columns && !command->column) {
		status = view_check(args->view, args->columns);
		if (status >= 0)
			return status;
	}
	if (args->csv && args->json) {
		complain(NULL, "%s: --csv and --json are two (give one, and --report FILE for the other)",
			 command->name);
		return EXIT_USAGE;
	}
	if (args->csv && !args->limited)
		args->limit = 0;
	if (reads_list(args)) {
		status = files_from_read(args);
		if (status >= 0)
			return status;
	}
	if (args->nr_paths < command->min_paths && !args->machine && !args->cgroup) {
		complain(NULL, "%s: no %s given (usage: pcinspect %s [OPTION]… %s)",
			 command->name, command->takes & TAKES_CMD ? "CMD" :
			 command->takes & TAKES_VIEW ? "FILE" : "PATH",
			 command->name, command->operands);
		return EXIT_USAGE;
	}
	return -1;
}
