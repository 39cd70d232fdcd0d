// SPDX-License-Identifier: GPL-2.0
/*
 * pcinspect.c - the dispatch table. Every command has a file of its own,
 * cmd_*.c; what it takes is declared here and parsed in args.c.
 */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "cmd/args.h"
#include "cmd/view_table.h"
#include "lib/complain.h"

static const struct pcinspect_command commands[] = {
	{ "watch", "PATH…", "Show files live: page cache, readahead, dirty data, events.", "w1e", 1, NULL,
	  pcinspect_cmd_watch },
	{ "stat", "PATH…", "Show the LRU state of files, now.", "tr", 1, NULL,
	  pcinspect_cmd_stat },
	{ "top", "", "Show the tracked inodes with the most pages.", "tw1bl", 0,
	  NULL, pcinspect_cmd_top },
	{ "run", "-- CMD…", "Run CMD; show what it did to the page cache.", "tml",
	  1, PCINSPECT_READS_COLUMNS, pcinspect_cmd_run },
	{ "reads", "PATH…", "Show why the pages of tracked files were read.", "tr",
	  1, PCINSPECT_READS_COLUMNS, pcinspect_cmd_view },
	{ "readahead", "PATH…", "Show the readahead windows of tracked files.", "t",
	  1, PCINSPECT_READS_COLUMNS, pcinspect_cmd_view },
	{ "dirty", "PATH…", "Show how old the dirty pages of tracked files are.",
	  "tr", 1, PCINSPECT_DIRTY_COLUMNS, pcinspect_cmd_view },
	{ "fsync", "PATH…", "Show the fsync calls on tracked files.", "", 1, PCINSPECT_DIRTY_COLUMNS,
	  pcinspect_cmd_view },
	{ "explain", "PATH…", "Say in words what is wrong with tracked files.", "r",
	  1, PCINSPECT_READS_COLUMNS, pcinspect_cmd_view },
	{ "record", "[PATH…] [-- CMD…]", "Record events and states into a trace.dat.", "wR", 0,
	  NULL, pcinspect_cmd_record },
	{ "report", "FILE", "Show what was recorded, also without the module.", "tvl", 1,
	  NULL, pcinspect_cmd_report },
	{ "track", "PATH…", "Keep an explicit record of files.", "t", 1, NULL,
	  pcinspect_cmd_track },
	{ "untrack", "[PATH…]", "Drop explicit records, all without PATH.", "", 0,
	  NULL, pcinspect_cmd_untrack },
	{ "reset", "[PATH…]", "Zero the counters of explicit records, all without PATH.",
	  "", 0, NULL, pcinspect_cmd_reset },
	{ "status", "", "Show what works here and what is missing.", "", 0, NULL,
	  pcinspect_cmd_status },
};

#define NR_COMMANDS (sizeof(commands) / sizeof(*commands))

static void help(void)
{
	size_t i;

	printf("usage: pcinspect COMMAND [OPTION]… [PATH…]\n\n"
	       "What is in the page cache, on which LRU list, and why.\n\n");
	for (i = 0; i < NR_COMMANDS; i++)
		printf("  %-8s %s\n", commands[i].name, commands[i].summary);
	printf("\n  pcinspect COMMAND --help     its options\n"
	       "  pcinspect --version\n\n"
	       "Needs root and the pcinspect module. See pcinspect(1).\n");
}

int main(int argc, char **argv)
{
	struct pcinspect_args args;
	int status;
	size_t i;

	/* File names are UTF-8 whatever LANG says; see pcinspect_escape(). */
	setlocale(LC_CTYPE, "C.UTF-8");
	/* A reader that goes away is an error to report, not to die of. */
	signal(SIGPIPE, SIG_IGN);
	if (argc < 2) {
		pcinspect_complain(NULL, "no command given (usage: pcinspect COMMAND [OPTION]… [PATH…]; see pcinspect --help)");
		return EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") ||
	    !strcmp(argv[1], "help")) {
		help();
		return 0;
	}
	if (!strcmp(argv[1], "--version")) {
		printf("pcinspect %s\n", PCINSPECT_VERSION);
		return 0;
	}
	for (i = 0; i < NR_COMMANDS; i++) {
		if (strcmp(argv[1], commands[i].name))
			continue;
		status = pcinspect_args_parse(&args, &commands[i], argc - 1,
					      argv + 1);
		if (status >= 0)
			return status;
		status = commands[i].run(&args);
		if (fflush(stdout) && !status)
			status = EXIT_FAILED;
		return status;
	}
	pcinspect_complain(NULL, "unknown command %s (see pcinspect --help)", argv[1]);
	return EXIT_USAGE;
}
