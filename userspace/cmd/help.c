// SPDX-License-Identifier: GPL-2.0-only
/*
 * help.c - one screen that says which command answers which question, and one for
 * each command. Touches stdout.
 */
#include <stdio.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/help.h"
#include "cmd/option.h"
#include "lib/text.h"

#define WIDTH 79
#define OPTION_WIDTH 26		/* where the words about an option begin */

/*
 * struct answer - which command answers a question, as users ask it
 * @question: NULL for a line between two groups
 * @command: what to type behind pcinspect
 */
static const struct answer {
	const char *question;
	const char *command;
} answers[] = {
	{ "Who fills memory? Which cgroups, processes?", "machine, machine --per cgroup" },
	{ "Which tracked files have the most pages?", "top, top --scan MOUNT" },
	{ "Which files is a container's memory?", "cgroup, cgroup --container ID" },
	{ "What will reclaim take next?", "next --bytes 64M [CGROUP]" },
	{ "What of these files is cached, on which list?", "stat PATH…, stat -r DIR" },
	{ "What happens to them right now?", "watch PATH…, watch -r DIR" },
	{ "Why does CMD read the disk? Is it too much?", "run, assert LIMIT… -- CMD…" },
	{ "Why are the disks read and written now?", "why, why DISK|FILE|PID" },
	{ "What is wrong, and what helps?", "explain, run --explain, try" },
	{ NULL, "Of files that are tracked:" },
	{ "Count from now on; stop; begin at 0 again", "track, untrack, reset PATH…" },
	{ "Why were they read, and who evicted them?", "reads PATH…" },
	{ "What did readahead fetch?", "readahead PATH…" },
	{ "How old is dirty data? What did fsync write?", "dirty PATH…, fsync PATH…" },
	{ NULL, "For later, or another machine:" },
	{ "Keep every event and state of these files", "record PATH… -- CMD…" },
	{ "What was in that recording? What has changed?", "report trace.dat, diff A B" },
	{ "Cache the same pages again, after a reboot", "save DIR… -o FILE, restore" },
	{ NULL, "" },
	{ "Does it work here? Is it right? As metrics?", "status, selftest DIR, export" },
};

/**
 * help_print() - pcinspect --help: a screen of 80 columns and 24 lines
 */
void help_print(void)
{
	size_t i;

	puts("usage: pcinspect [COMMAND] [OPTION]… [PATH…]      (without COMMAND: machine)\n");
	for (i = 0; i < sizeof(answers) / sizeof(*answers); i++) {
		const struct answer *a = &answers[i];

		if (a->question)
			printf("  %-46s %s\n", a->question, a->command);
		else if (*a->command)
			puts(a->command);
	}
	puts("\n  pcinspect COMMAND --help: its options.  man pcinspect: examples, exit status.\n"
	     "  Numbers that cannot be known are ?, never 0.  Needs root; modprobe pcinspect.");
}

static void print_option(const struct arg_option *o)
{
	char text[512];
	size_t k, len;
	int n;

	n = o->letter < OPT_LONG ? printf("  -%c, --%s", o->letter, o->name) :
			      printf("      --%s", o->name);
	n += printf(" %s", o->value ?: "");
	printf("%*s", n < OPTION_WIDTH ? OPTION_WIDTH - n : 1, "");
	len = snprintf(text, sizeof(text), "%s", o->help);
	for (k = 0; o->words && o->words(k) && len < sizeof(text); k++)
		len += snprintf(text + len, sizeof(text) - len, "%s%s", k ? ", " : ": ",
				o->words(k));
	text_wrap(stdout, text, OPTION_WIDTH, OPTION_WIDTH, WIDTH);
}

/**
 * help_command() - pcinspect COMMAND --help: its own options before those of all
 * @command: which
 */
void help_command(const struct command *command)
{
	const struct arg_option *o;
	size_t i;
	int all;

	printf("usage: pcinspect %s [OPTION]…%s%s\n%s\n\n", command->name,
	       *command->operands ? " " : "", command->operands, command->summary);
	for (all = 0; all < 2; all++)
		for (i = 0; (o = args_option(i)); i++)
			if (args_allowed(o, command) && (o->takes == 0) == all &&
			    strcmp(o->name, "help") && strcmp(o->name, "version"))
				print_option(o);
	printf("  -h, --help; --version   this text (man pcinspect-%s); version\n",
	       command->name);
}
