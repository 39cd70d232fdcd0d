// SPDX-License-Identifier: GPL-2.0-only
/*
 * machine.c - pcinspect machine, and pcinspect alone: the machine's memory, and who
 * fills its page cache; nothing has to be tracked before.
 */
#include <stdio.h>
#include <unistd.h>

#include "cmd/command.h"
#include "collect/demand.h"
#include "collect/machine_sample.h"
#include "lib/complain.h"
#include "lib/output.h"
#include "lib/ticks.h"
#include "lib/wrap.h"
#include "screen/machine.h"
#include "screen/terminal.h"
#include "view/machine.h"
#include "view/report_table.h"
#include "view/sheet.h"

static int machine_show(const struct machine_sample *sample, const struct machine_sample *before,
			const struct args *args)
{
	const struct machine *then = before ? &before->machine : NULL;
	int status = 0;

	/* Before anything is printed, whose reader may go away. */
	if (args->out.report && machine_json_save(&sample->machine, then, args->out.report))
		status = EXIT_FAILED;
	if (args->out.json ? machine_json(&sample->machine, then, !args->out.lines, stdout) :
			 machine_print(&sample->machine, then, &args->out)) {
		output_failed();
		return EXIT_FAILED;
	}
	table_audit_print(&sample->report, &args->out);
	if (sample->machine.busy)
		complain(NULL, "%u filesystems were busy: their files have no path (try again)",
			 sample->machine.busy);
	return status;
}

/* Options that do not go together. Returns -1 to go on, else the exit status. */
static int machine_check(struct args *args, bool live)
{
	struct fields fields;

	if (args->what.nr_paths) {
		complain(NULL, "machine takes no PATH (use cgroup PATH, stat PATH, or --per)");
		return EXIT_USAGE;
	}
	if (args->key == NR_MACHINE_KEYS)
		args->key = args->per == PER_PROCESS ? KEY_DEVICE : KEY_CACHED;
	/* Earlier reads of a process from devices have a word of their own. */
	if (args->per == PER_PROCESS && args->key == KEY_READ)
		args->key = KEY_DEVICE;
	if (args->per == PER_CGROUP && (args->key == KEY_READ || args->key == KEY_WASTED)) {
		complain(NULL, "--by %s: is counted by file, and a cgroup has pages of files (--by refault; --per file)",
			 machine_key_name(args->key));
		return EXIT_USAGE;
	}
	if (!machine_key_fits(args->per, args->key)) {
		complain(NULL, "--by %s: not of a %s (see pcinspect machine --help)",
			 machine_key_name(args->key), machine_per_name(args->per));
		return EXIT_USAGE;
	}
	if (args->key == KEY_GROWTH && !live) {
		complain(NULL, "--by growth: is known between ticks only (without --once, or with --for S)");
		return EXIT_USAGE;
	}
	fields = machine_list(args->per, args->key, live);
	return sheet_check(&fields, args->out.columns);
}

/**
 * cmd_machine() - pcinspect machine
 * @given: options
 *
 * On a terminal, and with --json-lines, it goes on until Ctrl-C; elsewhere, with --once, or
 * with --output, which is for the table, one report.
 *
 * Return: the exit status.
 */
int cmd_machine(const struct args *given)
{
	bool live = !given->pace.once &&
		    ((isatty(STDOUT_FILENO) && !given->out.columns) || given->pace.duration > 0 ||
		     given->out.lines);
	struct machine_sample *sample, *before = NULL;
	struct args args = *given;
	struct ticks ticks;
	int status = machine_check(&args, live), counter;

	if (status >= 0)
		return status;
	if (live && !args.out.json && !args.out.columns && terminal_possible()) {
		/* It draws. */
		wrap_end();
		status = machine_screen(args.per, args.key, &args.pace, &args.out);
		if (status >= 0)
			return status;
	}
	counter = live ? demand_open() : -1;
	ticks_start(&ticks, args.pace.interval, args.pace.duration);
	do {
		sample = machine_sample_take(args.per, args.key, NULL, before, counter);
		status = sample ? machine_show(sample, before, &args) : EXIT_FAILED;
		machine_sample_free(before);
		before = sample;
	} while (!status && live && ticks_wait(&ticks));
	machine_sample_free(before);
	if (counter >= 0)
		close(counter);
	return status;
}
