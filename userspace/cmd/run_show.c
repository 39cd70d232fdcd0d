// SPDX-License-Identifier: GPL-2.0-only
/*
 * run_show.c - the result of a run: verdicts, devices, files, and their users. With
 * verdicts, a report of many files is one screen: what comes first is shown whole, and
 * of the rest as much as there is room for. Touches stdout.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/deliver.h"
#include "cmd/run_show.h"
#include "lib/alloc.h"
#include "lib/complain.h"
#include "lib/output.h"
#include "lib/terminal.h"
#include "lib/text.h"
#include "lib/wall.h"
#include "lib/wrap.h"
#include "view/report_table.h"
#include "view/text.h"

/* With the verdicts first, fewer files do. */
#define FILES_EXPLAINED	10
#define FILES_TASKS	3
#define TASKS_EXPLAINED	1

/* A screen, where there is none; the last line is the prompt's. */
#define SCREEN_LINES	24
#define SCREEN_COLUMNS	80

/* Before anything else is left out. */
#define FILES_LEAST	3

/* Columns that leave room for a path on a terminal that is not this wide. */
#define NARROW_TABLE	"DEMANDED,DEVICE,DEVICE_WRITE,REFAULT,PATH"
#define WIDE_COLUMNS	120

static void say_when(const struct report *report, uint64_t begun)
{
	char wall[WALL_TEXT];

	wall_local(wall, sizeof(wall), report_wall(report, begun));
	printf("run of %.3f s, from %s on (%.3f s since boot)\n", report->interval_ns / 1e9,
	       wall, begun / 1e9);
}

/* struct part - text that is to be shown, and the lines it takes on the screen */
struct part {
	char *text;
	size_t len;
	size_t lines;
	FILE *memory;
	FILE *was;
};

/* From now on stdout is the part. */
static void part_begin(struct part *part)
{
	*part = (struct part){ .was = stdout };
	part->memory = alloc_stream(&part->text, &part->len);
	stdout = part->memory;
}

/* A line as the terminal will break it. */
static size_t lines_of(const char *line, int width)
{
	size_t len = 0, lines = 1, i;
	char *text = NULL;
	FILE *to = alloc_stream(&text, &len);

	wrap_line(to, line, width);
	fclose(to);
	for (i = 0; i < len; i++)
		lines += text[i] == '\n';
	/* Commands to paste stay in one piece, and the terminal breaks them. */
	if (lines == 1 && len > (size_t)width)
		lines = (len + width - 1) / width;
	free(text);
	return lines;
}

static void part_end(struct part *part)
{
	int width = terminal_width() ?: SCREEN_COLUMNS;
	char *line, *end;

	fclose(part->memory);
	stdout = part->was;
	for (line = part->text; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		part->lines += lines_of(line, width);
		*end = '\n';
	}
}

static void part_show(struct part *part)
{
	fputs(part->text, stdout);
	free(part->text);
}

/**
 * struct screen - what of a report there is room for
 * @rows: files
 * @verdicts: those that are named; the first is told
 * @priced: with what its remedy costs
 */
struct screen {
	size_t rows;
	size_t verdicts;
	bool priced;
};

static void part_table(struct part *part, const struct report *report, const struct args *args,
		       const struct screen *screen)
{
	struct output files = args->out;

	if (!terminal_width() || terminal_width() < WIDE_COLUMNS)
		files.table = NARROW_TABLE;
	files.limit = screen->rows;
	part_begin(part);
	table_print(report, &files);
	part_end(part);
}

static void part_top(struct part *part, const struct report *report, uint64_t begun,
		     const struct screen *screen)
{
	part_begin(part);
	say_when(report, begun);
	view_losses(report, stdout);
	view_verdicts_first(report, screen->verdicts, screen->priced);
	part_end(part);
}

/* Show less; returns false if there is nothing that can be left out. */
static bool less(struct screen *screen)
{
	if (screen->rows > FILES_LEAST)
		screen->rows--;
	else if (screen->priced)
		screen->priced = false;
	else if (screen->verdicts > 1)
		screen->verdicts--;
	else if (screen->rows > 1)
		screen->rows--;
	else
		return false;
	return true;
}

/*
 * Many files, with verdicts: the first verdict in full, of the next ones what they are;
 * as many files as there is room for then.
 */
static int show_screen(const struct report *report, const struct args *args, uint64_t begun)
{
	struct screen screen = {
		.rows = FILES_EXPLAINED, .verdicts = report->nr_verdicts, .priced = true,
	};
	size_t room = terminal_height();
	struct part top, devices, table, below;
	int status = deliver_saved(report, args, 0);

	room = (room < SCREEN_LINES ? SCREEN_LINES : room) - 1;
	part_begin(&devices);
	view_devices(report, &args->out);
	putchar('\n');
	part_end(&devices);
	part_begin(&below);
	view_gone(report, &args->out);
	table_audit_text(report, &args->out);
	part_end(&below);
	part_top(&top, report, begun, &screen);
	part_table(&table, report, args, &screen);
	while (top.lines + devices.lines + table.lines + below.lines > room && less(&screen)) {
		free(table.text);
		free(top.text);
		part_top(&top, report, begun, &screen);
		part_table(&table, report, args, &screen);
	}
	part_show(&top);
	part_show(&devices);
	part_show(&table);
	part_show(&below);
	if (fflush(stdout) || output_failed())
		status = EXIT_FAILED;
	table_audit_complain(report);
	return status;
}

/**
 * run_show() - print what a run has found, as the user asked
 * @report: of the run
 * @args: how
 * @begun: when it began, CLOCK_MONOTONIC
 *
 * Return: 0, or EXIT_FAILED if it could not be written.
 */
int run_show(const struct report *report, const struct args *args, uint64_t begun)
{
	struct output tasks = args->out;
	struct args files = *args;
	bool text = !args->out.json && !args->out.csv;
	int status;

	/* CMD's own output is on stdout: keep apart from it. */
	fflush(stdout);
	if (text && args->explain && !args->out.limited && !args->out.noheadings && !args->out.columns &&
	    report->nr_files > FILES_EXPLAINED) {
		status = show_screen(report, args, begun);
		view_gaps(report);
		return status;
	}
	if (text && !args->out.limited && args->explain)
		files.out.limit = FILES_EXPLAINED;
	if (!args->out.limited)
		tasks.limit = args->explain ? TASKS_EXPLAINED : FILES_TASKS;
	if (!text || args->out.noheadings) {
		view_losses(report, stderr);
	} else {
		say_when(report, begun);
		view_losses(report, stdout);
		if (!report->nr_files)
			puts("no file was touched");
	}
	if (text && args->explain) {
		view_verdicts(report, &args->out);
		view_devices(report, &args->out);
		putchar('\n');
	}
	status = deliver_report(report, &files, 0);
	if (text && !args->out.noheadings)
		view_gone(report, &args->out);
	if (text && !args->out.noheadings) {
		if (!args->explain)
			view_devices(report, &args->out);
		view_tasks(report, &tasks);
	}
	view_gaps(report);
	return status;
}
