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
#include "view/file_name.h"
#include "view/grid.h"
#include "view/report_table.h"

/* Of files of a cgroup, and of cgroups. */
const char *const cgroups_file_columns[] = {
	"CACHED", "ACTIVE", "INACTIVE", "DIRTY", "MAPPED", "PATH", NULL
};

const char *const cgroups_list_columns[] = {
	"CACHED", "ACTIVE", "INACTIVE", "UNEVICTABLE", "FILES", "NAME", "PATH", NULL
};

/* Columns of either table, one after the other. Returns NULL behind the last. */
const char *cgroups_column(size_t i)
{
	const char *const *name = cgroups_list_columns, *const *other;

	for (; *name; name++)
		if (!i--)
			return *name;
	for (name = cgroups_file_columns; *name; name++) {
		for (other = cgroups_list_columns; *other && strcmp(*other, *name); other++)
			;
		if (!*other && !i--)
			return *name;
	}
	return NULL;
}

/*
 * struct lines - a table
 * @grid: its rows
 * @page_size: bytes
 * @args: limit, units, headings
 */
struct lines {
	struct grid grid;
	uint32_t page_size;
	const struct args *args;
};

/* Begin a table, the last of whose columns is a path. */
static void begin(struct lines *lines, const struct report *report, const struct args *args,
		  const char *const *columns)
{
	struct grid *grid = &lines->grid;
	int k;

	*lines = (struct lines){ .page_size = report->page_size, .args = args };
	grid->noheadings = args->noheadings;
	grid->width = args->noheadings ? 0 : terminal_width();
	for (k = 0; columns[k]; k++)
		grid->columns[k] = (struct grid_column){
			.name = columns[k], .left = !columns[k + 1],
			.shrinks = !columns[k + 1], .keep = !k || !columns[k + 1],
		};
	grid->nr_columns = k;
	grid_choose(grid, args->columns);
}

/* A number of pages, as people read it, or exactly. */
static void add_pages(struct lines *lines, uint64_t pages)
{
	char text[GRID_ROOM];

	table_pages_text(text, lines->args, lines->page_size, pages);
	grid_cell(&lines->grid, text);
}

static int print_lines(struct lines *lines)
{
	grid_print(&lines->grid);
	return fflush(stdout) || output_failed() ? -1 : 0;
}

/* The total, and what has no file. */
static void add_sum(struct lines *lines, const char *what, uint64_t active,
		    uint64_t inactive)
{
	add_pages(lines, active + inactive);
	add_pages(lines, active);
	add_pages(lines, inactive);
	grid_last(&lines->grid, what);
}

static void add_rest(struct lines *lines, const char *what, uint64_t pages)
{
	if (!pages)
		return;
	add_pages(lines, pages);
	grid_last(&lines->grid, what);
}

static void add_file(struct lines *lines, const struct cgroup_file *file)
{
	const struct pcinspect_list_file *row = &file->row;
	uint64_t active = row->pages[PCINSPECT_LIST_ACTIVE];
	uint64_t inactive = row->pages[PCINSPECT_LIST_INACTIVE];

	add_pages(lines, active + inactive);
	add_pages(lines, active);
	add_pages(lines, inactive);
	add_pages(lines, row->dirty_pages);
	add_pages(lines, row->mapped_pages);
	grid_take(&lines->grid, file_name_text(row, file->path, file->elsewhere), NULL);
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
	const struct pcinspect_list_cgroup *lists = &cgroup->lists;
	struct lines lines;
	uint64_t told = lists->lazyfree_pages + lists->leaving_pages + lists->other_pages;
	uint64_t unnamed = cgroup_unnamed(cgroup), hidden = 0;
	size_t i, more = 0;
	char text[64];

	begin(&lines, cgroups->report, args, cgroups_file_columns);
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
	/* Numbers of what is no file need a word. */
	if (args->noheadings || !grid_shows_last(&lines.grid)) {
		int failed = print_lines(&lines);

		if (more && !args->noheadings)
			printf("and %zu more files (--limit 0: all)\n", more);
		return failed;
	}
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
	return print_lines(&lines);
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
	const struct cgroup **order = alloc_zero(cgroups->nr + 1, sizeof(*order));
	struct lines lines;
	size_t i, more = 0;
	char text[64];
	int failed;

	begin(&lines, cgroups->report, args, cgroups_list_columns);
	for (i = 0; i < cgroups->nr; i++)
		order[i] = &cgroups->list[i];
	qsort(order, cgroups->nr, sizeof(*order), compare_counted);
	for (i = 0; i < cgroups->nr; i++) {
		const struct cgroup *cgroup = order[i];

		if (!cgroup_counted(cgroup) && !cgroup->lists.unevictable_pages)
			continue;
		if (args->limit && lines.grid.rows.nr == args->limit) {
			more++;
			continue;
		}
		add_pages(&lines, cgroup_counted(cgroup));
		add_pages(&lines, cgroup->lists.counted_pages[PCINSPECT_LIST_ACTIVE]);
		add_pages(&lines, cgroup->lists.counted_pages[PCINSPECT_LIST_INACTIVE]);
		add_pages(&lines, cgroup->lists.unevictable_pages);
		snprintf(text, sizeof(text), "%zu", cgroup->nr_files);
		grid_cell(&lines.grid, text);
		/* What others have named: anything may be in it. */
		grid_take(&lines.grid, escape_path(cgroup->name ?: "-"), NULL);
		grid_take(&lines.grid, cgroup->path ? escape_path(cgroup->path) :
			  alloc_copy("? (its directory is gone, or not mounted here)"), NULL);
	}
	failed = print_lines(&lines);
	if (more && !args->noheadings)
		printf("and %zu more (--limit 0: all)\n", more);
	free(order);
	return failed || fflush(stdout) || output_failed() ? -1 : 0;
}
