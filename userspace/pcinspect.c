// SPDX-License-Identifier: GPL-2.0
/*
 * pcinspect.c - the commands. Each is a file in cmd/, or a view, of which there
 * is a row in cmd/view_table.c; what it takes is parsed in cmd/args.c.
 */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cmd/args.h"
#include "cmd/view_table.h"
#include "lib/complain.h"

static const struct command commands[] = {
	{ "watch", "PATH…", "Show files live: page cache, readahead, dirty data, events.",
	  TAKES_INTERVAL | TAKES_ONCE | TAKES_EVENTS, 1, .run = cmd_watch },
	{ "top", "", "Show the tracked inodes with the most pages.",
	  TAKES_COLUMNS | TAKES_INTERVAL | TAKES_ONCE | TAKES_ORDER | TAKES_LIMIT,
	  .run = cmd_top },
	{ "run", "-- CMD…", "Run CMD; show what it did to the page cache.",
	  TAKES_COLUMNS | TAKES_CMD | TAKES_LIMIT, 1, VIEW_READS_COLUMNS,
	  .run = cmd_run },
	{ "record", "[PATH…] [-- CMD…]", "Record events and states into a trace.dat.",
	  TAKES_INTERVAL | TAKES_FILE, .run = cmd_record },
	{ "report", "FILE", "Show what was recorded, also without the module.",
	  TAKES_COLUMNS | TAKES_VIEW | TAKES_LIMIT, 1, .run = cmd_report },
	{ "track", "PATH…", "Keep an explicit record of files.",
	  TAKES_COLUMNS, 1, .run = cmd_track },
	{ "untrack", "[PATH…]", "Drop explicit records, all without PATH.",
	  .run = cmd_untrack },
	{ "reset", "[PATH…]", "Zero the counters of explicit records, all without PATH.",
	  .run = cmd_reset },
	{ "status", "", "Show what works here and what is missing.", .run = cmd_status },
};

#define NR_COMMANDS (sizeof(commands) / sizeof(*commands))

/* The commands one after the other, the views last; false behind them. */
static bool get_command(size_t i, struct command *command)
{
	if (i >= NR_COMMANDS)
		return view_command(i - NR_COMMANDS, command);
	*command = commands[i];
	return true;
}

static bool find_command(const char *name, struct command *command)
{
	size_t i;

	for (i = 0; get_command(i, command); i++)
		if (!strcmp(name, command->name))
			return true;
	return false;
}

static void help(void)
{
	struct command command;
	size_t i;

	printf("usage: pcinspect COMMAND [OPTION]… [PATH…]\n\n"
	       "What is in the page cache, on which LRU list, and why.\n\n");
	for (i = 0; get_command(i, &command); i++)
		printf("  %-9s %s\n", command.name, command.summary);
	printf("\n  pcinspect COMMAND --help     its options\n"
	       "  pcinspect --version\n\n"
	       "Needs root and the pcinspect module. See pcinspect(1).\n");
}

/* For completion: what may come behind @last, the word before, of command @name. */
static void complete(const char *last, const char *name)
{
	struct command command;
	size_t i;

	if (name && find_command(name, &command))
		args_complete(&command, last);
	for (i = 0; !name && get_command(i, &command); i++)
		puts(command.name);
	if (!name)
		puts("--help\n--version");
}

static int run(int argc, char **argv)
{
	struct command command;
	struct args args;
	int status;

	if (argc < 2) {
		complain(NULL, "no command given (usage: pcinspect COMMAND [OPTION]… [PATH…]; see pcinspect --help)");
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
	    !strcmp(argv[1], "help")) {
		help();
	} else if (!strcmp(argv[1], "--version")) {
		printf("pcinspect %s\n", PCINSPECT_VERSION);
	} else if (!strcmp(argv[1], "--complete") && argc > 2) {
		complete(argv[2], argv[3]);
	} else if (find_command(argv[1], &command)) {
		status = args_parse(&args, &command, argc - 1, argv + 1);
		return status >= 0 ? status : command.run(&args);
	} else {
		complain(NULL, "%s %s (see pcinspect --help)", *argv[1] == '-' ?
			 "options follow the command:" : "unknown command",
			 argv[1]);
		return EXIT_USAGE;
	}
	return 0;
}

int main(int argc, char **argv)
{
	int status;

	/* File names are UTF-8 whatever LANG says; see escape_path(). */
	setlocale(LC_CTYPE, "C.UTF-8");
	/* A reader that goes away is an error to report, not to die of. */
	signal(SIGPIPE, SIG_IGN);
	status = run(argc, argv);
	return fflush(stdout) && !status ? EXIT_FAILED : status;
}
