// SPDX-License-Identifier: GPL-2.0-only
/*
 * pcinspect.c - the commands. Each is a file in cmd/ of its name, but for untrack and
 * reset, which are in cmd/track.c, restore, in cmd/save.c, and the views (stat, reads, readahead, dirty, fsync,
 * explain), each a row in cmd/views.c. Options are rows of cmd/option.c, parsed in
 * cmd/args.c. The first row is what no command means.
 */
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cmd/args.h"
#include "cmd/complete.h"
#include "cmd/files_from.h"
#include "cmd/help.h"
#include "cmd/views.h"
#include "lib/complain.h"
#include "lib/output.h"
#include "lib/text.h"
#include "lib/wrap.h"
#include "view/cgroups.h"
#include "view/machine.h"
#include "view/next.h"

static const struct command commands[] = {
	{ "machine", "", "Show the machine's memory, and who fills its page cache.",
	  TAKES_MACHINE | TAKES_INTERVAL | TAKES_ONCE | TAKES_LIMIT | TAKES_CHOICE, .limit = 20,
	  .tables = { &machine_row_fields }, .run = cmd_machine },
	{ "watch", "PATH…", "Show files live: page cache, readahead, dirty data, events.",
	  TAKES_INTERVAL | TAKES_ONCE | TAKES_EVENTS | TAKES_TREE | TAKES_LIST | TAKES_FILES_OF,
	  1, .run = cmd_watch },
	{ "top", "", "Show the machine; with options tracked inodes, largest first.",
	  TAKES_COLUMNS | TAKES_INTERVAL | TAKES_ONCE | TAKES_ORDER | TAKES_LIMIT | TAKES_LIST,
	  .limit = 20, .run = cmd_top },
	{ "run", "-- CMD…", "Run CMD; show what it did to the page cache.",
	  TAKES_COLUMNS | TAKES_CMD | TAKES_EXPLAIN | TAKES_LIMIT, 1, VIEW_RUN_COLUMNS,
	  .limit = 20, .run = cmd_run },
	{ "why", "[DISK|PATH|CGROUP|PID]", "Look for a few seconds; say why the disks are read and written.",
	  TAKES_WHY | TAKES_LIMIT, .limit = 20, .columns = VIEW_RUN_COLUMNS, .run = cmd_why },
	{ "try", "-- CMD…", "Run CMD, or watch a service, with and without each remedy.",
	  TAKES_CMD | TAKES_TRY, .run = cmd_try },
	{ "assert", "LIMIT… -- CMD…", "Run CMD; fail if it does more to the page cache than LIMITs say.",
	  TAKES_BOUNDS, .run = cmd_assert },
	{ "cgroup", "[CGROUP…]", "Show the files whose pages are charged to a cgroup.",
	  TAKES_CGROUP | TAKES_LIMIT | TAKES_CHOICE, .limit = 20, 
	  .tables = { &cgroup_fields, &cgroup_file_fields },
	  .run = cmd_cgroup },
	{ "next", "[CGROUP]", "Show what reclaim takes next, in order.",
	  TAKES_NEXT | TAKES_LIMIT | TAKES_CHOICE, .limit = 20, .tables = { &next_file_fields },
	  .run = cmd_next },
	{ "record", "[PATH…] [-- CMD…]", "Record events and states into a trace.dat.",
	  TAKES_INTERVAL | TAKES_FILE | TAKES_LIST, .run = cmd_record },
	{ "report", "FILE", "Show what was recorded, also without the module.",
	  TAKES_COLUMNS | TAKES_VIEW | TAKES_LIMIT, 1, .limit = 20, .run = cmd_report },
	{ "diff", "A B", "Show what differs between two reports, or recordings.",
	  TAKES_LIMIT, .limit = 20, .run = cmd_diff },
	{ "export", "", "Print the machine, cgroups and tracked files as metrics, once.",
	  TAKES_EXPORT | TAKES_LIMIT, .limit = 20, .run = cmd_export },
	{ "save", "PATH… -o FILE", "Save which pages of files are cached, and on which list.",
	  TAKES_SAVE | TAKES_TREE | TAKES_LIST | TAKES_LIMIT, 1, .limit = 20, .run = cmd_save },
	{ "restore", "FILE", "Read the pages again that were saved, and no others.",
	  TAKES_RESTORE | TAKES_LIMIT, 1, .limit = 20, .run = cmd_restore },
	{ "track", "PATH…", "Keep an explicit record of files.",
	  TAKES_COLUMNS | TAKES_LIST | TAKES_TREE, 1, .run = cmd_track },
	{ "untrack", "[PATH…]", "Drop explicit records, all without PATH.", TAKES_LIST | TAKES_TREE,
	  .run = cmd_untrack },
	{ "reset", "[PATH…]", "Zero the counters of explicit records, all without PATH.",
	  TAKES_LIST | TAKES_TREE, .run = cmd_reset },
	{ "selftest", "[DIR]", "Do known work on a file in DIR; compare each number with it.",
	  .run = cmd_selftest },
	{ "status", "", "Show what works here and what is missing.", TAKES_HOOKS,
	  .run = cmd_status },
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

/* The command that was perhaps meant; NULL: nobody knows. */
static const char *like_command(const char *name)
{
	struct like like = { .typed = name, .len = strlen(name) };
	struct command command;
	size_t i;

	for (i = 0; get_command(i, &command); i++)
		like_word(&like, command.name);
	return like.word;
}

static bool find_command(const char *name, struct command *command)
{
	size_t i;

	for (i = 0; get_command(i, command); i++)
		if (!strcmp(name, command->name))
			return true;
	return false;
}

/* Parse what follows the command's name, words[0], and do it. */
static int run_command(struct command *command, int nr, char **words, bool named)
{
	struct args args;
	int status = args_parse(&args, command, nr, words);

	if (status < 0 && !named && args.what.nr_paths) {
		complain(NULL, "options follow the command: %s (see pcinspect --help)", words[1]);
		status = EXIT_USAGE;
	}
	/* run, record, watch */
	if (command->takes & (TAKES_CMD | TAKES_FILE | TAKES_EVENTS | TAKES_BOUNDS))
		output_survives();
	/* Output that draws, and output for programs. */
	if (command->run == cmd_watch || args.out.json || args.out.csv)
		wrap_end();
	if (status < 0)
		status = command->run(&args);
	files_from_free(&args);
	return status;
}

/* Is a word that is no command a file? A typing error may be one, but is not meant then. */
static bool is_file(const char *word)
{
	struct stat st;

	return (strchr(word, '/') || !like_command(word)) && !stat(word, &st) &&
	       S_ISREG(st.st_mode);
}

static int run(int argc, char **argv)
{
	struct command command = commands[0];
	const char *word = argc > 1 ? argv[1] : "-", *like;

	if (!strcmp(word, "help") && argc == 3 && find_command(argv[2], &command)) {
		help_command(&command);
	} else if (!strcmp(word, "help") && argc > 2) {
		complain(NULL, "help %s: no such command (see pcinspect --help)",
			 argv[argc == 3 ? 2 : 3]);
		return EXIT_USAGE;
	} else if (!strcmp(word, "--help") || !strcmp(word, "-h") || !strcmp(word, "help")) {
		help_print();
	} else if (!strcmp(word, "--version")) {
		printf("pcinspect %s\n", PCINSPECT_VERSION);
	} else if (!strcmp(word, "--complete") && argc > 2) {
		complete(get_command, argc - 2, argv + 2);
	} else if (*word == '-') {
		/* Without a command: the machine. */
		return run_command(&command, argc, argv, false);
	} else if (find_command(word, &command)) {
		return run_command(&command, argc - 1, argv + 1, true);
	} else if (is_file(word) && find_command("stat", &command)) {
		/* Files without a command: their state. */
		return run_command(&command, argc, argv, true);
	} else if (strchr(word, '/')) {
		complain(word, "is no regular file (for a directory: stat -r DIR; see pcinspect --help)");
		return EXIT_USAGE;
	} else {
		like = like_command(word);
		complain(NULL, "unknown command %s (%s%s%ssee pcinspect --help)", word,
			 like ? "perhaps " : "", like ? like : "", like ? "; " : "");
		return EXIT_USAGE;
	}
	return 0;
}

int main(int argc, char **argv)
{
	int status;

	/* File names are UTF-8 whatever LANG says; see escape_path(). */
	setlocale(LC_CTYPE, "C.UTF-8");
	/* Of children that nobody waits for there is no status. */
	signal(SIGCHLD, SIG_DFL);
	output_begin();
	wrap_begin();
	status = run(argc, argv);
	fflush(stdout);
	output_failed();
	wrap_end();
	return output_end(status);
}
