// SPDX-License-Identifier: GPL-2.0
/*
 * next.c - what reclaim takes next, as a table for people. Touches stdout.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/escape.h"
#include "lib/output.h"
#include "lib/terminal.h"
#include "lib/text.h"
#include "view/file_name.h"
#include "view/grid.h"
#include "view/next.h"
#include "view/report_table.h"

const char *const next_columns[] = {
	"NEXT", "MAYBE", "NEAREST", "MEDIAN", "ETA", "PATH", NULL
};

/* One of them. Returns NULL behind the last. */
const char *next_column(size_t i)
{
	return i < sizeof(next_columns) / sizeof(*next_columns) ? next_columns[i] : NULL;
}

struct lines {
	const struct next *next;
	const struct args *args;
};

static void eta_text(const struct next *next, const struct next_file *file,
		     char room[GRID_ROOM])
{
	uint64_t ms;

	if (file->nearest_known && next_eta_ms(next, file->nearest_list, file->nearest, &ms))
		duration_text(room, GRID_ROOM, ms * 1000 * 1000);
}

static void add_pages(struct grid *grid, const struct lines *lines, bool known, uint64_t pages)
{
	char text[GRID_ROOM] = "?";

	if (known)
		table_pages_text(text, lines->args, lines->next->report->page_size, pages);
	grid_cell(grid, text);
}

static void add_file(struct grid *grid, const struct lines *lines, const struct next_file *file)
{
	char eta[GRID_ROOM] = "?";

	add_pages(grid, lines, true, file->next);
	add_pages(grid, lines, true, file->maybe);
	add_pages(grid, lines, file->nearest_known, file->nearest);
	add_pages(grid, lines, file->median_known, file->median);
	eta_text(lines->next, file, eta);
	grid_cell(grid, eta);
	grid_take(grid, file_name_text(&file->row, file->path, file->elsewhere), NULL);
}

/* What the numbers below are of, and where the order ends. */
static void print_head(const struct lines *lines)
{
	static const char *const ends[] = {
		[NEXT_LIST] = "there is no more on the lists",
		[NEXT_ACTIVE] = "behind them the active list joins",
		[NEXT_AGING] = "then MGLRU has to age first",
		[NEXT_ROOM] = "there are more pages than can be told apart",
	};
	const struct next *next = lines->next;
	uint64_t goes = next_pages(next, NEXT_GOES), maybe = 0;
	enum next_end end = next_ends(next);
	char bytes[GRID_ROOM], sure[GRID_ROOM], may[GRID_ROOM], *path;
	int fate;

	for (fate = NEXT_GOES + 1; fate < NEXT_NR_FATES; fate++)
		maybe += next_pages(next, fate);
	size_text(bytes, sizeof(bytes), next->bytes);
	size_text(sure, sizeof(sure), goes * next->report->page_size);
	size_text(may, sizeof(may), maybe * next->report->page_size);
	path = next->cgroup ? escape_path(next->cgroup) : NULL;
	printf("%s: of the next %s, %s %s, %s perhaps (mapped, dirty, held, of block devices)%s%s\n",
	       path ?: "all cgroups", bytes, sure,
	       next->nr_lists > 1 ? "if each list gives its share by size" : "for certain", may,
	       ends[end] ? "; " : "", ends[end] ?: "");
	free(path);
	if (next->nr_lists > 1)
		printf("%zu lists (cgroups and nodes): the order within each is reclaim's, between them it is presumed\n",
		       next->nr_lists);
}

/**
 * next_print() - a line for each file, what goes first at the top
 * @next: the answer
 * @args: limit, units, headings
 *
 * Return: 0, or -1 if it could not be written.
 */
int next_print(const struct next *next, const struct args *args)
{
	const struct lines lines = { .next = next, .args = args };
	struct grid grid = {
		.noheadings = args->noheadings,
		.width = args->noheadings ? 0 : terminal_width(), .nr_columns = 6,
	};
	size_t i, nr = next->nr_files;
	int k;

	if (args->limit && args->limit < nr)
		nr = args->limit;
	for (k = 0; k < grid.nr_columns; k++)
		grid.columns[k] = (struct grid_column){
			.name = next_columns[k], .left = k == 5, .shrinks = k == 5,
			.keep = k != 4,
		};
	grid_choose(&grid, args->columns);
	if (!args->noheadings)
		print_head(&lines);
	for (i = 0; i < nr; i++)
		add_file(&grid, &lines, &next->files[i]);
	grid_print(&grid);
	if (nr < next->nr_files && !args->noheadings)
		printf("and %zu more files (--limit 0: all)\n", next->nr_files - nr);
	return fflush(stdout) || output_failed() ? -1 : 0;
}
