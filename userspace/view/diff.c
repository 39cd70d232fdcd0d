// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff.c - differences between two reports: a line for each number, file by file, then
 * verdicts and settings. Touches stdout.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/escape.h"
#include "lib/terminal.h"
#include "lib/text.h"
#include "view/diff.h"
#include "view/grid.h"
#include "view/report_table.h"

/**
 * struct sheet - the table as it is filled
 * @diff: what differs
 * @grid: the rows
 * @human: with units
 * @bytes: pages as bytes
 */
struct sheet {
	const struct diff *diff;
	struct grid grid;
	bool human;
	bool bytes;
};

/* Why they may not be compared, a line each. */
void diff_notes(const struct diff *diff, FILE *to)
{
	size_t i;

	for (i = 0; i < diff->nr_notes; i++) {
		char *line = escape_line(diff->notes[i]);

		fprintf(to, "%s: %s\n", to == stdout ? "note" : "pcinspect: diff", line);
		free(line);
	}
}

/* A number without its sign. */
static void plain_text(char *out, double value, bool whole, const char *unit, bool human)
{
	if (!whole)
		snprintf(out, GRID_ROOM, "%.3f", value);
	else if (human && !strcmp(unit, "bytes"))
		size_text(out, GRID_ROOM, value);
	else if (human && !strcmp(unit, "ns"))
		duration_text(out, GRID_ROOM, value);
	else if (human && !strcmp(unit, "ms"))
		duration_text(out, GRID_ROOM, value * 1e6);
	else
		snprintf(out, GRID_ROOM, "%.0f", value);
}

/* Pages are shown as bytes to people, and to who asks for them. */
static uint32_t factor(const struct sheet *sheet, const char **unit, uint32_t page_size)
{
	if (strcmp(*unit, "pages") || !page_size || !(sheet->human || sheet->bytes))
		return 1;
	*unit = "bytes";
	return page_size;
}

/* Absent is no unknown. */
static void cell(struct sheet *sheet, const struct quantity *q, bool there, const char *unit,
		 uint32_t page_size)
{
	uint32_t times = factor(sheet, &unit, page_size);
	char room[GRID_ROOM];

	if (!there)
		strcpy(room, "-");
	else if (!q->known)
		strcpy(room, "?");
	else if (q->whole && !sheet->human)
		snprintf(room, sizeof(room), "%" PRIu64, q->count * times);
	else
		plain_text(room, q->value * times, q->whole, unit, sheet->human);
	grid_cell(&sheet->grid, room);
}

static void change_cells(struct sheet *sheet, const struct change *c, const char *unit,
			 uint32_t page_size)
{
	uint32_t times = factor(sheet, &unit, page_size);
	char room[GRID_ROOM + 1] = "?";

	if (c->change_known) {
		*room = c->change < 0 ? '-' : '+';
		plain_text(room + 1, fabs(c->change) * times, c->a.whole && c->b.whole, unit,
			   sheet->human);
	}
	grid_cell(&sheet->grid, room);
	if (c->ratio_known)
		snprintf(room, GRID_ROOM, c->ratio < 0.01 ? "%.2g" : c->ratio < 100 ? "%.2f" : "%.0f",
			 c->ratio);
	else
		strcpy(room, c->change_known ? "-" : "?");
	grid_cell(&sheet->grid, room);
}

static void add_line(struct sheet *sheet, const struct change *c, const char *name,
		     const char *unit, bool in_a, bool in_b, const char *label)
{
	cell(sheet, &c->a, in_a, unit, sheet->diff->a->page_size);
	cell(sheet, &c->b, in_b, unit, sheet->diff->b->page_size);
	if (in_a && in_b) {
		change_cells(sheet, c, unit, sheet->diff->a->page_size);
	} else {
		grid_cell(&sheet->grid, "-");
		grid_cell(&sheet->grid, "-");
	}
	grid_cell(&sheet->grid, name);
	grid_cell(&sheet->grid, label);
}

/* The numbers of a file that are columns of tables; JSON has all. Returns how many lines. */
static size_t add_numbers(struct sheet *sheet, const struct side_row *a,
			  const struct side_row *b, const char *label)
{
	struct change change;
	size_t i = 0, nr = 0;
	struct measure m;

	while (diff_number(sheet->diff, a, b, &i, &m, &change)) {
		if (!m.column)
			continue;
		add_line(sheet, &change, m.name, m.unit, a, b, label);
		nr++;
	}
	return nr;
}

/* Processes may be there without a name. */
static bool names_all(const struct side *side)
{
	return !side->unnamed && !side->uncounted;
}

/* Where it is, if it is in one of them only. */
static const char *alone_text(const struct diff *diff, const struct diff_row *row)
{
	bool process = (row->a ?: row->b)->kind == SIDE_PROCESS;

	if (row->a && row->b)
		return "";
	if (!row->b)
		return process && !names_all(diff->b) ? " (not named in B)" : " (only in A)";
	return process && !names_all(diff->a) ? " (not named in A)" : " (only in B)";
}

/* Its name, and its place. */
static char *label_of(const struct diff *diff, const struct diff_row *row)
{
	static const char *const kinds[NR_SIDE_KINDS] = {
		[SIDE_DIRECTORY] = "directory ", [SIDE_FILESYSTEM] = "filesystem ",
		[SIDE_CGROUP] = "cgroup ", [SIDE_PROCESS] = "process ",
		[SIDE_FILE] = "",
	};
	const struct side_row *of = row->b ?: row->a;
	const char *was = row->a && row->b ? row->a->file.path : NULL;
	char *path, *within = of->within ? escape_path(of->within) : NULL, *old, *out;

	path = of->file.path ? escape_path(of->file.path) :
	       of->identified ? alloc_text("? (%u:%u, inode %ju)", of->file.snap.dev_major,
					   of->file.snap.dev_minor, (uintmax_t)of->file.snap.ino) :
				alloc_copy("?");
	old = was && of->file.path && strcmp(was, of->file.path) ? escape_path(was) : NULL;
	out = alloc_text("%s%s%s%s%s%s%s", kinds[of->kind], within ?: "", within ? ": " : "",
			 path, old ? " (in A " : "", old ?: "",
			 old ? ")" : alone_text(diff, row));
	free(path);
	free(within);
	free(old);
	return out;
}

static void add_machine(struct sheet *sheet)
{
	const struct side_values *a = &sheet->diff->a->machine, *b = &sheet->diff->b->machine;
	struct change change;
	const char *name;
	size_t i = 0;

	while ((name = diff_value(sheet->diff, a, b, &i, &change))) {
		size_t len = strlen(name);
		char *safe = escape_path(name);

		add_line(sheet, &change, safe,
			 len > 6 && !strcmp(name + len - 6, "_pages") ? "pages" : "", a->nr,
			 b->nr, "(machine)");
		free(safe);
	}
}

static void print_table(const struct diff *diff, const struct output *out)
{
	static const char *const names[] = { "A", "B", "CHANGE", "RATIO", "NUMBER", "PATH" };
	struct sheet sheet = { .diff = diff, .human = table_human(out),
			       .bytes = out->bytes };
	size_t i, shown = 0, more = 0, same = 0;
	char *label;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		sheet.grid.columns[sheet.grid.nr_columns++] = (struct grid_column){
			.name = names[i], .left = i > 3, .shrinks = i == 5, .keep = true,
		};
	sheet.grid.noheadings = out->noheadings;
	sheet.grid.width = out->noheadings ? 0 : terminal_width();
	if (diff->summed)
		add_numbers(&sheet, &diff->total[0], &diff->total[1], "(total)");
	add_machine(&sheet);
	for (i = 0; i < diff->nr; i++) {
		const struct diff_row *row = &diff->rows[i];

		if (!row->differs) {
			same++;
			continue;
		}
		if (out->limit && shown == out->limit) {
			more++;
			continue;
		}
		label = label_of(diff, row);
		if (add_numbers(&sheet, row->a, row->b, label)) {
			shown++;
		} else if (!row->a || !row->b) {
			grid_last(&sheet.grid, label);
			shown++;
		} else {
			same++;
		}
		free(label);
	}
	if (sheet.grid.rows.nr)
		grid_print(&sheet.grid);
	if (out->noheadings)
		return;
	if (more)
		printf("and %zu more that differ (--limit 0 shows all)\n", more);
	printf("%zu of %zu entries do not differ in what is shown\n", same, diff->nr);
}

static void print_verdict(const struct side_verdict *a, const struct side_verdict *b)
{
	const struct side_verdict *v = b ?: a;
	char *name = escape_line(v->name), *scope = escape_line(v->scope);
	char *place = escape_path(v->place ?: "all"), cost[2][GRID_ROOM] = { "?", "?" };

	if (a && a->cost.known)
		size_text(cost[0], GRID_ROOM, a->cost.value);
	if (b && b->cost.known)
		size_text(cost[1], GRID_ROOM, b->cost.value);
	if (a && b)
		printf("verdict stayed: %s, %s %s: cost %s, now %s\n", name, scope, place, cost[0],
		       cost[1]);
	else
		printf("verdict %s: %s, %s %s: cost %s\n", a ? "went" : "came", name, scope,
		       place, cost[a == NULL]);
	free(name);
	free(scope);
	free(place);
}

static void print_verdicts(const struct diff *diff)
{
	const struct side *a = diff->a, *b = diff->b;
	size_t i;

	if (!a->explained || !b->explained)
		return;
	for (i = 0; i < a->nr_verdicts; i++)
		print_verdict(&a->verdicts[i], diff_verdict(b, &a->verdicts[i]));
	for (i = 0; i < b->nr_verdicts; i++)
		if (!diff_verdict(a, &b->verdicts[i]))
			print_verdict(NULL, &b->verdicts[i]);
}

static void quantity_text(char out[GRID_ROOM], const struct quantity *q)
{
	if (q->known)
		snprintf(out, GRID_ROOM, "%.15g", q->value);
	else
		strcpy(out, "?");
}

static void print_settings(const struct diff *diff)
{
	const struct side_values *a = &diff->a->settings, *b = &diff->b->settings;
	char was[GRID_ROOM], is[GRID_ROOM], *path;
	struct change change;
	const char *name;
	size_t i = 0;

	while ((name = diff_value(diff, a, b, &i, &change))) {
		if (!change.a.known || !change.b.known)
			continue;
		quantity_text(was, &change.a);
		quantity_text(is, &change.b);
		path = escape_path(name);
		printf("setting: %s: A %s, B %s\n", path, was, is);
		free(path);
	}
}

static void print_side(const struct side *side, const char *name)
{
	char *path = escape_path(side->path), *kernel = escape_line(side->kernel ?: "?");
	char *wall = escape_line(side->wall ?: "?");

	printf("%s: %s, kernel %s, %s", name, path, kernel, wall);
	if (side->interval.known)
		printf(", %.3f s", side->interval.value / 1e9);
	printf(", %zu entries\n", side->nr);
	free(path);
	free(kernel);
	free(wall);
}

/**
 * diff_print() - what differs, as text
 * @diff: which
 * @out: limit, units, headings
 */
void diff_print(const struct diff *diff, const struct output *out)
{
	if (!out->noheadings) {
		print_side(diff->a, "A");
		print_side(diff->b, "B");
		diff_notes(diff, stdout);
		putchar('\n');
	}
	print_table(diff, out);
	print_verdicts(diff);
	print_settings(diff);
}
