// SPDX-License-Identifier: GPL-2.0
/*
 * trial.c - a command with and without remedies: a line a run, and which remedy helps.
 * Touches stdout.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/escape.h"
#include "lib/quote.h"
#include "lib/terminal.h"
#include "lib/text.h"
#include "view/grid.h"
#include "view/report_table.h"
#include "view/trial.h"

enum { READ, WRITTEN, REQUESTS, REFAULT, FSYNC, OUTCOME, REMEDY, NR_CELLS };

struct shown {
	const struct trial *trial;
	const struct args *args;
};

/* In @room or a new string. */
static char *cell(const struct shown *shown, size_t row, int column, char room[GRID_ROOM])
{
	const struct attempt *a = &shown->trial->attempts[row];
	const struct costs *costs = &a->costs;
	bool ran = a->outcome != OUTCOME_NOT_APPLIED, exact = !table_human(shown->args);
	uint64_t value = 0;
	bool known = ran;

	switch (column) {
	case READ:
	case WRITTEN:
		known &= costs->bytes_known;
		value = column == READ ? costs->read_bytes : costs->written_bytes;
		if (known && !exact) {
			size_text(room, GRID_ROOM, value);
			return room;
		}
		break;
	case REQUESTS:
		known &= costs->requests_known;
		value = costs->requests;
		break;
	case REFAULT:
		known &= costs->refault_known;
		value = costs->refault_pages;
		break;
	case FSYNC:
		known &= costs->fsync_known;
		value = costs->fsync_ns;
		if (known && !exact) {
			duration_text(room, GRID_ROOM, value);
			return room;
		}
		break;
	case OUTCOME:
		snprintf(room, GRID_ROOM, "%s", row == 1 ? "again" : outcome_word(a->outcome));
		return room;
	case REMEDY:
		if (a->remedy)
			return escape_line(a->remedy->name);
		snprintf(room, GRID_ROOM, "-");
		return room;
	}
	if (known)
		count_text(room, GRID_ROOM, value, exact);
	else
		snprintf(room, GRID_ROOM, "?");
	return room;
}

static void print_table(const struct shown *shown)
{
	static const char *const names[] = {
		[READ] = "READ", [WRITTEN] = "WRITTEN", [REQUESTS] = "REQUESTS",
		[REFAULT] = "REFAULT", [FSYNC] = "FSYNC", [OUTCOME] = "OUTCOME",
		[REMEDY] = "REMEDY",
	};
	struct grid grid = {
		.noheadings = shown->args->noheadings,
		.width = shown->args->noheadings ? 0 : terminal_width(),
		.nr_columns = NR_CELLS,
	};
	char room[GRID_ROOM];
	size_t row;
	int k;

	for (k = 0; k < NR_CELLS; k++)
		grid.columns[k] = (struct grid_column){
			.name = names[k], .left = k >= OUTCOME, .shrinks = k == REMEDY,
			.keep = k != REFAULT && k != FSYNC && k != WRITTEN,
		};
	for (row = 0; row < shown->trial->nr; row++)
		for (k = 0; k < NR_CELLS; k++)
			grid_take(&grid, cell(shown, row, k, room), room);
	grid_print(&grid);
}

/* How to do it for good. */
static void print_how(const struct remedy *remedy)
{
	char *word = remedy->place ? shell_word(remedy->place) : NULL;

	switch (remedy->kind) {
	case REMEDY_ADVICE:
		printf("  in the program: posix_fadvise(2)%s\n",
		       !strcmp(remedy->knob, "random") ? " POSIX_FADV_RANDOM, madvise(2) MADV_RANDOM" :
		       !strcmp(remedy->knob, "sequential") ?
		       " POSIX_FADV_SEQUENTIAL, madvise(2) MADV_SEQUENTIAL" :
		       !strcmp(remedy->knob, "dontneed") ? " POSIX_FADV_DONTNEED behind what was read" :
		       " POSIX_FADV_NOREUSE");
		break;
	case REMEDY_SETTING:
		printf("    echo %s > %s\n", remedy->value, word);
		break;
	case REMEDY_CGROUP:
		printf("  a cgroup of its own, in which %s is %s\n", remedy->knob, remedy->value);
		break;
	case REMEDY_DROP:
		printf("    dd if=%s iflag=nocache count=0 status=none\n", word);
		break;
	}
	free(word);
}

static double saved(uint64_t base, uint64_t now)
{
	return base ? 100.0 * ((double)base - (double)now) / base : 0;
}

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static void print_best(const struct trial *trial)
{
	const struct costs *one = &trial->attempts[0].costs, *two = &trial->attempts[1].costs;
	const struct attempt *best = &trial->attempts[trial->best];
	char *name = escape_line(best->remedy->name);
	double bytes = saved(smaller(one->read_bytes + one->written_bytes,
				     two->read_bytes + two->written_bytes),
			     best->costs.read_bytes + best->costs.written_bytes);

	printf("best: %s: %.0f %% %s bytes", name, bytes < 0 ? -bytes : bytes,
	       bytes < 0 ? "more" : "fewer");
	if (one->requests_known && two->requests_known && best->costs.requests_known) {
		double requests = saved(smaller(one->requests, two->requests),
					best->costs.requests);

		printf(", %.0f %% %s requests", requests < 0 ? -requests : requests,
		       requests < 0 ? "more" : "fewer");
	}
	putchar('\n');
	print_how(best->remedy);
	free(name);
}

static void print_none(const struct trial *trial)
{
	size_t untried = trial->remedies.nr_untried;

	if (trial->nr > 2)
		puts("none: no remedy saves more than the two runs without any differ by, and a twentieth");
	else if (untried)
		printf("none: not tried, as %s would change what others use (--remedy tries %s)\n",
		       untried == 1 ? "the remedy" : "the remedies", untried == 1 ? "it" : "them");
	else
		puts("none: no verdict has a remedy that can be tried (--remedy tries one)");
}

/* What was emptied, and what was not. */
static void print_runs(const struct trial *trial)
{
	size_t i, stayed = 0;

	for (i = 0; i < trial->nr; i++)
		if (trial->attempts[i].costs.left_pages > stayed)
			stayed = trial->attempts[i].costs.left_pages;
	printf("\n%zu runs of CMD, its %zu files emptied from the cache before each", trial->nr,
	       trial->files);
	if (stayed)
		printf(", but for at most %zu pages that others map or lock", stayed);
	putchar('\n');
}

/**
 * trial_print() - a line for each run, and the answer
 * @trial: judged
 * @args: units, headings
 */
void trial_print(const struct trial *trial, const struct args *args)
{
	const struct shown shown = { .trial = trial, .args = args };

	if (!args->noheadings)
		print_runs(trial);
	print_table(&shown);
	putchar('\n');
	if (trial->best < trial->nr)
		print_best(trial);
	else
		print_none(trial);
}
