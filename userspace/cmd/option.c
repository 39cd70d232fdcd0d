// SPDX-License-Identifier: GPL-2.0-only
/*
 * option.c - the one table of options, for parsing (args.c), --help (help.c) and
 * completion (complete.c). Touches stderr.
 */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/option.h"
#include "cmd/views.h"
#include "collect/collect.h"
#include "lib/alloc.h"
#include "lib/complain.h"
#include "lib/text.h"
#include "lib/wall.h"
#include "view/machine.h"
#include "view/order.h"

/* Long options without a letter of their own. */
enum { OPT_BYTES = OPT_LONG, OPT_PAGES, OPT_REPORT, OPT_ONCE, OPT_INTERVAL, OPT_FOR, OPT_BY,
       OPT_LIMIT, OPT_SCAN, OPT_NO_EVENTS, OPT_BLOCK, OPT_CSV, OPT_LINES,
       OPT_INCLUDE, OPT_EXCLUDE, OPT_VIEW, OPT_EXPLAIN, OPT_VERSION,
       OPT_ALL_FS, OPT_SINCE, OPT_UNTIL, OPT_POD, OPT_CONTAINER, OPT_PID,
       OPT_PER, OPT_ORDER, OPT_MACHINE, OPT_CGROUP, OPT_SHARED,
       OPT_REMEDY, OPT_RESTORE, OPT_OPENMETRICS, OPT_MAX, OPT_MIN, OPT_HTML, OPT_JUNIT,
       OPT_BUDGET, OPT_SPARE };

/* " (one, two, three)" */
static void print_words(FILE *to, const struct arg_option *option)
{
	size_t i;

	for (i = 0; option->words(i); i++)
		fprintf(to, "%s%s", i ? ", " : " (", option->words(i));
	fputc(')', to);
}

/* The number of an option's word; -1 after a message if it is none of them. */
static int find_word(const struct arg_option *option, const char *text)
{
	struct like like = { .typed = text, .len = strlen(text) };
	size_t i, size;
	char *words;
	FILE *to;

	for (i = 0; option->words(i); i++)
		if (!strcmp(text, option->words(i)))
			return i;
	to = alloc_stream(&words, &size);
	print_words(to, option);
	fclose(to);
	for (i = 0; option->words(i); i++)
		like_word(&like, option->words(i));
	complain(NULL, "--%s %s: unknown%s%s%s%s", option->name, text,
		 like.word ? ", perhaps " : "", like.word ?: "", like.word ? "?" : "", words);
	free(words);
	return -1;
}

/* The member that a row names. */
static void *member(struct args *args, const struct arg_option *option)
{
	return (char *)args + option->at;
}

static int set_flag(struct args *args, const struct arg_option *option)
{
	*(bool *)member(args, option) = true;
	return 0;
}

static int set_text(struct args *args, const struct arg_option *option)
{
	if (option->words && find_word(option, optarg) < 0)
		return EXIT_USAGE;
	*(const char **)member(args, option) = optarg;
	return 0;
}

static int set_number(struct args *args, const struct arg_option *option)
{
	int word = option->words ? find_word(option, optarg) : 0;

	*(int *)member(args, option) = option->first + word;
	return word < 0 ? EXIT_USAGE : 0;
}

static int set_order(struct args *args, const struct arg_option *option)
{
	args->ordered = true;
	return set_number(args, option);
}

/* The last of --bytes and --pages counts. */
static int set_unit(struct args *args, const struct arg_option *option)
{
	args->out.bytes = args->out.pages = false;
	return set_flag(args, option);
}

/* Seconds; 0, negative, empty or trailing text is misuse. */
static int set_seconds(struct args *args, const struct arg_option *option)
{
	double *to = member(args, option);
	char *end;

	*to = strtod(optarg, &end);
	if (end != optarg && !*end && isfinite(*to) && *to >= 0.01 && *to <= 1e9)
		return 0;
	complain(NULL, "--%s %s: not a number of seconds (0.01 or more, such as --%s 2)",
		 option->name, optarg, option->name);
	return EXIT_USAGE;
}

/* How often a view looks. */
static int set_often(struct args *args, const struct arg_option *option)
{
	args->pace.often = true;
	return set_seconds(args, option);
}

/* Rows. */
static int set_rows(struct args *args, const struct arg_option *option)
{
	char *end;

	errno = 0;
	args->out.limited = true;
	args->out.limit = strtoul(optarg, &end, 10);
	if (*optarg >= '0' && *optarg <= '9' && !*end && !errno)
		return 0;
	complain(NULL, "--%s %s: not a whole number (such as --limit 20; 0 shows all)",
		 option->name, optarg);
	return EXIT_USAGE;
}

/* A process' number; the text as it is. */
static int set_process(struct args *args, const struct arg_option *option)
{
	if (strspn(optarg, "0123456789") == strlen(optarg) && strtoul(optarg, NULL, 10))
		return set_text(args, option);
	complain(NULL, "--pid %s: not a process number", optarg);
	return EXIT_USAGE;
}

/* Bytes, with a unit or none. */
static int set_amount(struct args *args, const struct arg_option *option)
{
	static const char units[] = "KMGT";
	uint64_t *to = member(args, option);
	const char *unit;
	char *end;

	errno = 0;
	*to = strtoull(optarg, &end, 10);
	unit = *end ? strchr(units, *end) : NULL;
	if (unit && end[1] == '\0') {
		unsigned int shift = 10 * (unit - units + 1);

		if (*to << shift >> shift == *to) {
			*to <<= shift;
			end++;
		}
	}
	if (*optarg >= '0' && *optarg <= '9' && !*end && !errno && *to)
		return 0;
	complain(NULL, "--%s %s: no number of bytes (such as 1048576, 8M, 1G)", option->name,
		 optarg);
	return EXIT_USAGE;
}

static int set_moment(struct args *args, const struct arg_option *option)
{
	struct moment moment;

	if (moment_parse(optarg, &moment))
		return set_text(args, option);
	complain(NULL, "--%s %s: not a time (such as 2026-11-22T15:04:05Z, 15:04:05, or seconds of the recording)",
		 option->name, optarg);
	return EXIT_USAGE;
}

/* Is there room for one more of an option that may be repeated? */
static bool has_room(const struct arg_option *option, size_t nr, size_t max)
{
	if (nr < max)
		return true;
	complain(NULL, "--%s: %zu at most", option->name, max);
	return false;
}

static int set_glob(struct args *args, const struct arg_option *option)
{
	if (!has_room(option, args->what.nr_globs, MAX_GLOBS))
		return EXIT_USAGE;
	args->what.globs[args->what.nr_globs++] = (struct glob_option){
		.pattern = optarg, .exclude = option->letter == OPT_EXCLUDE,
	};
	return 0;
}

static int set_bound(struct args *args, const struct arg_option *option)
{
	if (!has_room(option, args->nr_bounds, MAX_BOUNDS))
		return EXIT_USAGE;
	args->bounds[args->nr_bounds++] = (struct bound_option){
		.text = optarg, .most = option->letter == OPT_MAX,
	};
	return 0;
}

static int set_remedy(struct args *args, const struct arg_option *option)
{
	if (!has_room(option, args->nr_remedies, MAX_REMEDIES))
		return EXIT_USAGE;
	args->remedies[args->nr_remedies++] = optarg;
	return 0;
}

static int set_mount(struct args *args, const struct arg_option *option)
{
	if (!has_room(option, args->nr_mounts, PCINSPECT_NR_MOUNTS))
		return EXIT_USAGE;
	args->mounts[args->nr_mounts++] = optarg;
	return 0;
}

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

/* A row's way to keep its argument, and the member of struct args that it goes to. */
#define SET(how, member) set_##how, offsetof(struct args, member)
#define FLAG(member) SET(flag, member)
#define TEXT(member) SET(text, member)
/* The number of the word that is given, or, without words, @first itself. */
#define NUMBER(member, first) SET(number, member), first

static const struct arg_option options[] = {
	{ 'J', "json", NULL, 0, FLAG(out.json), .help = "JSON report on stdout" },
	{ OPT_LINES, "json-lines", NULL, TAKES_ONCE, FLAG(out.lines),
	  .help = "JSON reports, one a line" },
	{ OPT_CSV, "csv", NULL, TAKES_COLUMNS, FLAG(out.csv),
	  .help = "the table as CSV, all rows, exact numbers" },
	{ OPT_REPORT, "report", "FILE", 0, TEXT(out.report),
	  .help = "also write the JSON report to FILE" },
	{ 'o', "output", "LIST", TAKES_COLUMNS | TAKES_CHOICE, TEXT(out.columns),
	  .help = "columns of the table (help: list them)" },
	{ 'o', "output", "FILE", TAKES_FILE, TEXT(file),
	  .help = "where to record (default trace.dat)" },
	{ 'o', "output", "FILE", TAKES_EXPORT, TEXT(file),
	  .help = "not to stdout, but to FILE, replaced as a whole" },
	{ 'o', "output", "FILE", TAKES_SAVE, TEXT(file), .help = "where to save it" },
	{ OPT_BUDGET, "budget", "N", TAKES_RESTORE, SET(amount, amount),
	  .help = "bytes to be read at most (such as 8G)" },
	{ OPT_SPARE, "spare", NULL, TAKES_RESTORE, FLAG(spare),
	  .help = "stop before anything is reclaimed for it" },
	{ OPT_OPENMETRICS, "openmetrics", NULL, TAKES_EXPORT, FLAG(openmetrics),
	  .help = "as OpenMetrics text" },
	{ 'n', "noheadings", NULL, 0, FLAG(out.noheadings),
	  .help = "no header line, no audit lines: rows only" },
	{ 'v', "hooks", NULL, TAKES_HOOKS, FLAG(hooks),
	  .help = "every hook, and all that the module says of itself" },
	{ 'v', "audit", NULL, 0, FLAG(out.audits),
	  .help = "every line of the audit, not only how many agree" },
	{ OPT_BYTES, "bytes", "N", TAKES_NEXT, SET(amount, amount),
	  .help = "how much reclaim is to take (such as 8M; default 64M)" },
	{ OPT_ORDER, "order", NULL, TAKES_NEXT, FLAG(order),
	  .help = "in JSON also every page, in order" },
	{ OPT_INTERVAL, "interval", "S", TAKES_NEXT, SET(seconds, pace.interval),
	  .help = "seconds in which to see how fast reclaim is (default 1)" },
	{ OPT_MACHINE, "machine", NULL, TAKES_DOMAINS, FLAG(machine),
	  .help = "of the whole machine, as without PATH: nothing has to be tracked" },
	{ OPT_CGROUP, "cgroup", "CGROUP", TAKES_DOMAINS, TEXT(cgroup),
	  .help = "of a cgroup and all below it" },
	{ OPT_INTERVAL, "interval", "S", TAKES_DOMAINS, SET(seconds, pace.interval),
	  .help = "of these: seconds in which to look (default 1)" },
	{ OPT_BYTES, "bytes", NULL, 0, SET(unit, out.bytes),
	  .help = "exact bytes instead of pages and units" },
	{ OPT_PAGES, "pages", NULL, 0, SET(unit, out.pages),
	  .help = "exact numbers, counts in pages, on a terminal too" },
	{ 'r', "recursive", NULL, TAKES_TREE, FLAG(what.recursive), .help = "descend into directories" },
	{ 'x', "one-file-system", NULL, TAKES_TREE, NUMBER(what.reach, TREE_ONE_FILESYSTEM),
	  .help = "with -r: stay on the filesystem" },
	{ OPT_ALL_FS, "all-file-systems", NULL, TAKES_TREE, NUMBER(what.reach, TREE_ALL),
	  .help = "with -r: also /proc, /sys and the network" },
	{ 'b', "files-from", "FILE", TAKES_LIST, TEXT(from),
	  .help = "more paths, a line each (-: from stdin)" },
	{ '0', "null", NULL, TAKES_LIST, FLAG(null),
	  .help = "null bytes end those; without -b they are from stdin" },
	{ OPT_INCLUDE, "include", "GLOB", TAKES_LIST, SET(glob, what.globs),
	  .help = "of lists and directories these files only" },
	{ OPT_EXCLUDE, "exclude", "GLOB", TAKES_LIST, SET(glob, what.globs),
	  .help = "and none of these" },
	{ OPT_ONCE, "once", NULL, TAKES_ONCE, FLAG(pace.once), .help = "show it once and end" },
	{ OPT_INTERVAL, "interval", "S", TAKES_INTERVAL, SET(often, pace.interval),
	  .help = "seconds between ticks (default 1)" },
	{ OPT_FOR, "for", "S", TAKES_INTERVAL, SET(seconds, pace.duration),
	  .help = "end after this many seconds" },
	{ OPT_FOR, "for", "S", TAKES_FOR, SET(seconds, pace.duration),
	  .help = "track the files for this many seconds, then show them" },
	{ OPT_FOR, "for", "S", TAKES_WHY, SET(seconds, pace.duration),
	  .help = "seconds in which to look (default 5)" },
	{ OPT_BLOCK, "block", NULL, TAKES_FILE, FLAG(block),
	  .help = "record block requests as well" },
	{ OPT_VIEW, "view", "VIEW", TAKES_VIEW, TEXT(view), .help = "which view", .words = view },
	{ OPT_HTML, "html", "FILE", TAKES_VIEW, TEXT(out.html),
	  .help = "also write a page for a browser to FILE, with charts" },
	{ OPT_SINCE, "since", "TIME", TAKES_VIEW, SET(moment, since),
	  .help = "leave out what happened before (15:04, 2026-11-22T15:04:05Z, or seconds)" },
	{ OPT_UNTIL, "until", "TIME", TAKES_VIEW, SET(moment, until),
	  .help = "and what happened after it" },
	{ OPT_NO_EVENTS, "no-events", NULL, TAKES_EVENTS, FLAG(pace.no_events),
	  .help = "state only, no event stream" },
	{ OPT_BY, "by", "KEY", TAKES_ORDER, SET(order, by), SORT_CACHED,
	  .help = "order", .words = key },
	{ OPT_PER, "per", "WHAT", TAKES_MACHINE, NUMBER(per, 0),
	  .help = "what the list is of", .words = machine_per_name },
	{ OPT_BY, "by", "KEY", TAKES_MACHINE, SET(order, key), 0,
	  .help = "order; the last five are of processes", .words = machine_key_name },
	{ OPT_LIMIT, "limit", "N", TAKES_LIMIT, SET(rows, out.limit), .help = "files shown, 0: all" },
	{ OPT_SCAN, "scan", "MOUNT", TAKES_ORDER, TEXT(scan),
	  .help = "every cached inode of MOUNT, no others" },
	{ OPT_MAX, "max", "NUMBER=VALUE", TAKES_BOUNDS, SET(bound, bounds),
	  .help = "as 'NUMBER<=VALUE', without quotes (help: list NUMBERs)" },
	{ OPT_MIN, "min", "NUMBER=VALUE", TAKES_BOUNDS, SET(bound, bounds),
	  .help = "as 'NUMBER>=VALUE'" },
	{ OPT_JUNIT, "junit", "FILE", TAKES_BOUNDS, TEXT(out.junit),
	  .help = "also write the results to FILE, as JUnit XML" },
	{ 'm', "mount", "MOUNT", TAKES_CMD | TAKES_BOUNDS, SET(mount, mounts),
	  .help = "count every file of MOUNT, and no others" },
	{ OPT_REMEDY, "remedy", "R", TAKES_TRY, SET(remedy, remedies),
	  .help = "try this, not what verdicts advise (man page)" },
	{ OPT_PID, "pid", "N", TAKES_TRY, SET(process, pid),
	  .help = "instead of CMD: a process that is running" },
	{ OPT_CGROUP, "cgroup", "CGROUP", TAKES_TRY, TEXT(cgroup),
	  .help = "instead of CMD: all that runs in a cgroup" },
	{ OPT_FOR, "for", "S", TAKES_TRY, SET(seconds, pace.duration),
	  .help = "of these: seconds of each look (default 10)" },
	{ OPT_RESTORE, "restore", NULL, TAKES_TRY, FLAG(restore),
	  .help = "put back what a killed try had changed" },
	{ OPT_EXPLAIN, "explain", NULL, TAKES_EXPLAIN, FLAG(explain),
	  .help = "begin with what was wrong, in words" },
	{ OPT_POD, "pod", "NAME", TAKES_CGROUP, TEXT(pod),
	  .help = "the cgroup of a pod, by name or UID" },
	{ OPT_CONTAINER, "container", "ID", TAKES_CGROUP, TEXT(container),
	  .help = "the cgroup of a container" },
	{ OPT_PID, "pid", "N", TAKES_CGROUP, SET(process, pid), .help = "the cgroup of a process" },
	{ OPT_PID, "pid", "N", TAKES_FILES_OF, SET(process, pid),
	  .help = "the files that a process has open or mapped" },
	{ OPT_CGROUP, "cgroup", "CGROUP", TAKES_FILES_OF, TEXT(cgroup),
	  .help = "the files of a cgroup that have most pages" },
	{ OPT_SHARED, "shared", NULL, TAKES_CGROUP, FLAG(shared),
	  .help = "files that several cgroups have to do with" },
	{ 'h', "help", NULL, 0, .help = "this text" },
	{ OPT_VERSION, "version", NULL, 0, .help = "version" },
};

#define NR_OPTIONS (sizeof(options) / sizeof(*options))
_Static_assert(NR_OPTIONS <= MAX_OPTIONS, "MAX_OPTIONS");

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
