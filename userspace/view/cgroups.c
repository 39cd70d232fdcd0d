// SPDX-License-Identifier: GPL-2.0
/*
 * cgroups.c - what is charged to cgroups, as tables for people. Every table ends
 * with what it does not name and with the total. Touches stdout.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/escape.h"
#include "lib/output.h"
#include "lib/terminal.h"
#include "lib/text.h"
#include "view/cgroups.h"
#include "view/grid.h"
#include "view/listed.h"
#include "view/table.h"

#define NR_CELLS 7

/*
 * struct lines - the cells of a table
 * @cells: row by row; NULL: there is nothing to say
 */
struct lines {
	char *(*cells)[NR_CELLS];
	size_t nr;
	uint32_t page_size;
	const struct args *args;
};

static char **add_line(struct lines *lines)
{
	lines->cells = alloc_array(lines->cells, lines->nr + 1, sizeof(*lines->cells));
	memset(&lines->cells[lines->nr], 0, sizeof(*lines->cells));
	return lines->cells[lines->nr++];
}

/* A number of pages, as people read it, or exactly. */
static char *pages_text(const struct lines *lines, uint64_t pages)
{
	char text[32];

	if (table_human(lines->args))
		size_text(text, sizeof(text), pages * lines->page_size);
	else
		snprintf(text, sizeof(text), "%ju", (uintmax_t)(lines->args->bytes ?
			 pages * lines->page_size : pages));
	return alloc_copy(text);
}

/* What others have named: anything may be in it. */
static char *name_text(const char *name)
{
	char *safe = escape_path(name);

	return safe;
}

static char *cell(const void *context, size_t row, int column, char room[GRID_ROOM])
{
	const struct lines *lines = context;

	room[0] = '\0';
	return lines->cells[row][column] ? alloc_copy(lines->cells[row][column]) : room;
}

/* Print the lines under headings, the last one a path, and free them. */
static int print_lines(struct lines *lines, const char *const *columns)
{
	struct grid grid = {
		.rows = lines->nr, .noheadings = lines->args->noheadings,
		.width = lines->args->noheadings ? 0 : terminal_width(),
		.cell = cell, .context = lines,
	};
	size_t i;
	int k;

	for (k = 0; columns[k]; k++)
		grid.columns[k] = (struct grid_column){
			.name = columns[k], .left = !columns[k + 1],
			.shrinks = !columns[k + 1], .keep = !k || !columns[k + 1],
		};
	grid.nr_columns = k;
	grid_print(&grid);
	for (i = 0; i < lines->nr; i++)
		for (k = 0; k < NR_CELLS; k++)
			free(lines->cells[i][k]);
	free(lines->cells);
	return fflush(stdout) || output_failed() ? -1 : 0;
}

/* The total, and what has no file. */
static void add_sum(struct lines *lines, const char *what, uint64_t active,
		    uint64_t inactive)
{
	char **line = add_line(lines);

	line[0] = pages_text(lines, active + inactive);
	line[1] = pages_text(lines, active);
	line[2] = pages_text(lines, inactive);
	line[5] = alloc_copy(what);
}

static void add_rest(struct lines *lines, const char *what, uint64_t pages)
{
	char **line;

	if (!pages)
		return;
	line = add_line(lines);
	line[0] = pages_text(lines, pages);
	line[5] = alloc_copy(what);
}

static void add_file(struct lines *lines, const struct cgroup_file *file)
{
	const struct pcinspect_list_file *row = &file->row;
	uint64_t active = row->pages[PCINSPECT_LIST_ACTIVE];
	uint64_t inactive = row->pages[PCINSPECT_LIST_INACTIVE];
	char **line = add_line(lines);

	line[0] = pages_text(lines, active + inactive);
	line[1] = pages_text(lines, active);
	line[2] = pages_text(lines, inactive);
	line[3] = pages_text(lines, row->dirty_pages);
	line[4] = pages_text(lines, row->mapped_pages);
	line[5] = listed_file(row, file->path, file->elsewhere);
}

/* What the kubelet, and docker stats, call its memory, taken apart. */
static void print_head(const struct cgroup *cgroup, uint32_t page_size)
{
	char current[32], inactive[32], set[32], *path, *name;
	uint64_t bytes;

	path = cgroup->path ? escape_path(cgroup->path) : NULL;
	name = cgroup->name ? escape_path(cgroup->name) : NULL;
	printf("%s%s%s%s\n", path ?: "? (its directory is gone, or not mounted here)", name ? " (" : "",
	       name ?: "", name ? ")" : "");
	free(path);
	free(name);
	if (!cgroup_working_set(cgroup, page_size, &bytes))
		return;
	size_text(current, sizeof(current), cgroup->current_bytes);
	size_text(set, sizeof(set), bytes);
	size_text(inactive, sizeof(inactive),
		  cgroup->lists.counted_pages[PCINSPECT_LIST_INACTIVE] * page_size);
	printf("memory %s = working set %s + inactive file cache %s\n", current, set, inactive);
}

static int print_one(const struct cgroups *cgroups, const struct cgroup *cgroup,
		     const struct args *args)
{
	static const char *const columns[] = {
		"CACHED", "ACTIVE", "INACTIVE", "DIRTY", "MAPPED", "PATH", NULL
	};
	const struct pcinspect_list_cgroup *lists = &cgroup->lists;
	struct lines lines = { .page_size = cgroups->report->page_size, .args = args };
	uint64_t told = lists->lazyfree_pages + lists->leaving_pages + lists->other_pages;
	uint64_t unnamed = cgroup_unnamed(cgroup), hidden = 0;
	size_t i, more = 0;
	char text[64];

	if (!args->noheadings)
		print_head(cgroup, lines.page_size);
	for (i = 0; i < cgroup->nr_files; i++) {
		const struct pcinspect_list_file *row = &cgroup->files[i].row;

		if (!args->limit || i < args->limit) {
			add_file(&lines, &cgroup->files[i]);
			continue;
		}
		hidden += row->pages[PCINSPECT_LIST_ACTIVE] + row->pages[PCINSPECT_LIST_INACTIVE];
		more++;
	}
	if (args->noheadings)
		return print_lines(&lines, columns);
	snprintf(text, sizeof(text), "(and %zu more files; --limit 0: all)", more);
	add_rest(&lines, text, hidden);
	add_rest(&lines, "(files beyond those that can be told apart)", lists->other_pages);
	add_rest(&lines, "(anonymous memory given up by MADV_FREE)", lists->lazyfree_pages);
	add_rest(&lines, "(just leaving their files)", lists->leaving_pages);
	add_rest(&lines, "(came during the walk)", unnamed > told ? unnamed - told : 0);
	add_sum(&lines, "(total)", lists->counted_pages[PCINSPECT_LIST_ACTIVE],
		lists->counted_pages[PCINSPECT_LIST_INACTIVE]);
	add_rest(&lines, "(and unevictable, files and anonymous memory: on no list)",
		 lists->unevictable_pages);
	return print_lines(&lines, columns);
}

/**
 * cgroups_print() - a table for each cgroup, its files in it
 * @cgroups: which
 * @args: limit, units, headings
 *
 * Return: 0, or -1 if it could not be written.
 */
int cgroups_print(const struct cgroups *cgroups, const struct args *args)
{
	size_t i;

	for (i = 0; i < cgroups->nr; i++) {
		if (i && !args->noheadings)
			putchar('\n');
		if (print_one(cgroups, &cgroups->list[i], args))
			return -1;
	}
	return 0;
}

static int compare_counted(const void *a, const void *b)
{
	const struct cgroup *x = *(const struct cgroup *const *)a;
	const struct cgroup *y = *(const struct cgroup *const *)b;
	uint64_t pages = cgroup_counted(x), other = cgroup_counted(y);

	/* Parents come first in the list, and have at least what those below have. */
	return pages != other ? (pages < other) - (pages > other) : (x > y) - (x < y);
}

/**
 * cgroups_print_list() - one line for each cgroup, most pages first
 * @cgroups: all there are, each with all below it
 * @args: limit, units, headings
 *
 * Return: 0, or -1 if it could not be written.
 */
int cgroups_print_list(const struct cgroups *cgroups, const struct args *args)
{
	static const char *const columns[] = {
		"CACHED", "ACTIVE", "INACTIVE", "UNEVICTABLE", "FILES", "NAME", "PATH", NULL
	};
	const struct cgroup **order = alloc_zero(cgroups->nr + 1, sizeof(*order));
	struct lines lines = { .page_size = cgroups->report->page_size, .args = args };
	size_t i, more = 0;
	char text[64];
	int failed;

	for (i = 0; i < cgroups->nr; i++)
		order[i] = &cgroups->list[i];
	qsort(order, cgroups->nr, sizeof(*order), compare_counted);
	for (i = 0; i < cgroups->nr; i++) {
		const struct cgroup *cgroup = order[i];
		char **line;

		if (!cgroup_counted(cgroup) && !cgroup->lists.unevictable_pages)
			continue;
		if (args->limit && lines.nr == args->limit) {
			more++;
			continue;
		}
		line = add_line(&lines);
		line[0] = pages_text(&lines, cgroup_counted(cgroup));
		line[1] = pages_text(&lines, cgroup->lists.counted_pages[PCINSPECT_LIST_ACTIVE]);
		line[2] = pages_text(&lines, cgroup->lists.counted_pages[PCINSPECT_LIST_INACTIVE]);
		line[3] = pages_text(&lines, cgroup->lists.unevictable_pages);
		snprintf(text, sizeof(text), "%zu", cgroup->nr_files);
		line[4] = alloc_copy(text);
		line[5] = name_text(cgroup->name ?: "-");
		line[6] = cgroup->path ? name_text(cgroup->path) :
					 alloc_copy("? (its directory is gone, or not mounted here)");
	}
	failed = print_lines(&lines, columns);
	if (more && !args->noheadings)
		printf("and %zu more (--limit 0: all)\n", more);
	free(order);
	return failed || fflush(stdout) || output_failed() ? -1 : 0;
}
