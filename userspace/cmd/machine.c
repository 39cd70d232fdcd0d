// SPDX-License-Identifier: GPL-2.0
/*
 * machine.c - pcinspect machine, and pcinspect alone: the machine's memory, and who
 * fills its page cache; nothing has to be tracked before.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/args.h"
#include "collect/machine.h"
#include "lib/complain.h"
#include "lib/output.h"
#include "lib/replace.h"
#include "lib/ticks.h"
#include "view/machine.h"
#include "view/table.h"

/*
 * struct look - the machine at one tick
 * @collect: of it, with its report
 */
struct look {
	struct collect collect;
	struct report report;
	struct machine machine;
};

static int save(const struct machine *machine, const struct machine *before, const char *path)
{
	struct replace file;
	FILE *to = replace_begin(&file, path);

	if (replace_end(&file, to && !machine_json(machine, before, true, to))) {
		complain(path, "cannot write the report: %s", strerror(errno));
		return -1;
	}
	return 0;
}

static void look_free(struct look *look)
{
	if (!look)
		return;
	machine_free(&look->machine);
	collect_free(&look->collect);
	free(look);
}

/* Look at the machine. Returns NULL if that fails; complains by itself. */
static struct look *look_now(const struct args *args, struct look *before, bool live)
{
	struct look *look = calloc(1, sizeof(*look));

	if (!look) {
		complain(NULL, "out of memory");
		return NULL;
	}
	if (!collect_start(&look->collect, &look->report)) {
		free(look);
		return NULL;
	}
	look->machine.report = &look->report;
	look->machine.per = args->per;
	if (machine_collect(&look->collect, &look->machine, !live)) {
		look_free(look);
		return NULL;
	}
	if (before)
		machine_grow(&look->machine, &before->machine);
	machine_sort(&look->machine, args->key);
	return look;
}

static int show(const struct look *look, const struct look *before, const struct args *args)
{
	const struct machine *then = before ? &before->machine : NULL;
	int status = 0;

	/* Before anything is printed, whose reader may go away. */
	if (args->report && save(&look->machine, then, args->report))
		status = EXIT_FAILED;
	if (args->json ? machine_json(&look->machine, then, !args->lines, stdout) :
			 machine_print(&look->machine, then, args)) {
		output_failed();
		return EXIT_FAILED;
	}
	table_audit_print(&look->report, args);
	if (look->machine.busy)
		complain(NULL, "%u filesystems were busy: their files have no path (try again)",
			 look->machine.busy);
	return status;
}

/* What does not go together. */
static int check(struct args *args, bool live)
{
	if (args->nr_paths) {
		complain(NULL, "machine takes no PATH (use cgroup PATH, stat PATH, or --per)");
		return EXIT_USAGE;
	}
	if (args->key == NR_MACHINE_KEYS)
		args->key = args->per == PER_PROCESS ? KEY_DEVICE : KEY_CACHED;
	if (!machine_key_fits(args->per, args->key)) {
		complain(NULL, "--by %s: not of a %s (see pcinspect machine --help)",
			 machine_key_name(args->key), machine_per_name(args->per));
		return EXIT_USAGE;
	}
	if (args->key == KEY_GROWTH && !live) {
		complain(NULL, "--by growth: is known between ticks only (without --once, or with --for S)");
		return EXIT_USAGE;
	}
	return 0;
}

/**
 * cmd_machine() - pcinspect machine
 * @given: options
 *
 * On a terminal, and with --json-lines, it goes on until Ctrl-C; elsewhere, or with
 * --once, one report.
 *
 * Return: the exit status.
 */
int cmd_machine(const struct args *given)
{
	bool live = !given->once &&
		    (isatty(STDOUT_FILENO) || given->duration > 0 || given->lines);
	struct look *look, *before = NULL;
	struct args args = *given;
	struct ticks ticks;
	int status = check(&args, live);

	if (status)
		return status;
	ticks_start(&ticks, args.interval, args.duration);
	do {
		look = look_now(&args, before, live);
		status = look ? show(look, before, &args) : EXIT_FAILED;
		look_free(before);
		before = look;
	} while (!status && live && ticks_wait(&ticks));
	look_free(before);
	return status;
}
