// SPDX-License-Identifier: GPL-2.0
/*
 * machine.c - the machine as a table for people: its memory by the kernel's own
 * numbers, the list, what the list does not have, and the total. Touches stdout.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/escape.h"
#include "lib/output.h"
#include "lib/terminal.h"
#include "lib/text.h"
#include "view/file_name.h"
#include "view/grid.h"
#include "view/machine.h"
#include "view/report_table.h"

static const char *const pers[] = {
	[PER_FILE] = "file", [PER_DIRECTORY] = "directory", [PER_FILESYSTEM] = "filesystem",
	[PER_CGROUP] = "cgroup", [PER_PROCESS] = "process",
};

static const char *const keys[NR_MACHINE_KEYS] = {
	[KEY_CACHED] = "cached", [KEY_ACTIVE] = "active", [KEY_INACTIVE] = "inactive",
	[KEY_DIRTY] = "dirty", [KEY_MAPPED] = "mapped", [KEY_GROWTH] = "growth",
	[KEY_FILES] = "files", [KEY_READ] = "read", [KEY_WASTED] = "wasted",
	[KEY_REFAULT] = "refault", [KEY_DEMANDED] = "demanded", [KEY_DEVICE] = "device",
	[KEY_INSERTED] = "inserted", [KEY_DIRTIED] = "dirtied", [KEY_EVICTED] = "evicted",
};

/* A word of --per. Returns NULL behind the last. */
const char *machine_per_name(size_t per)
{
	return per < sizeof(pers) / sizeof(*pers) ? pers[per] : NULL;
}

/* A word of --by. Returns NULL behind the last. */
const char *machine_key_name(size_t key)
{
	return key < NR_MACHINE_KEYS ? keys[key] : NULL;
}

/* --- cells ----------------------------------------------------------------- */

/**
 * machine_columns() - the columns of a list
 * @per: what it is of
 * @key: its order
 * @columns: filled in; the last is a name
 *
 * Return: how many.
 */
int machine_columns(enum machine_per per, enum machine_key key,
		    struct machine_column columns[MACHINE_CELLS])
{
	static const struct machine_column pages[] = {
		{ "CACHED", KEY_CACHED }, { "ACTIVE", KEY_ACTIVE }, { "INACTIVE", KEY_INACTIVE },
		{ "DIRTY", KEY_DIRTY }, { "MAPPED", KEY_MAPPED }, { "GROWTH", KEY_GROWTH },
	};
	/* Those that are of other orders go, for the ones that this is about. */
	static const struct machine_column counts[] = {
		{ "CACHED", KEY_CACHED }, { "ACTIVE", KEY_ACTIVE }, { "INACTIVE", KEY_INACTIVE },
		{ "GROWTH", KEY_GROWTH }, { "READ", KEY_READ }, { "WASTED", KEY_WASTED },
		{ "REFAULT", KEY_REFAULT },
	};
	static const struct machine_column tasks[] = {
		{ "DEMANDED", KEY_DEMANDED }, { "HIT%", NR_MACHINE_KEYS }, { "DEVICE", KEY_DEVICE },
		{ "INSERTED", KEY_INSERTED }, { "DIRTIED", KEY_DIRTIED },
		{ "EVICTED", KEY_EVICTED }, { "FILES", KEY_FILES }, { "PID", NR_MACHINE_KEYS },
		{ "COMMAND", NR_MACHINE_KEYS },
	};
	static const struct machine_column files = { "FILES", KEY_FILES },
		type = { "TYPE", NR_MACHINE_KEYS }, name = { "NAME", NR_MACHINE_KEYS },
		path = { "PATH", NR_MACHINE_KEYS }, tracked = { "TRACKED", NR_MACHINE_KEYS };
	bool counted = machine_key_counted(key);
	const struct machine_column *all = counted ? counts : pages;
	size_t nr = counted ? sizeof(counts) / sizeof(*counts) : sizeof(pages) / sizeof(*pages);
	int n = 0;

	if (per == PER_PROCESS) {
		memcpy(columns, tasks, sizeof(tasks));
		return sizeof(tasks) / sizeof(*tasks);
	}
	for (; nr--; all++)
		if (machine_key_fits(per, all->key))
			columns[n++] = *all;
	if (per != PER_FILE)
		columns[n++] = files;
	if (counted && (per == PER_DIRECTORY || per == PER_FILESYSTEM))
		columns[n++] = tracked;
	if (per == PER_FILESYSTEM)
		columns[n++] = type;
	if (per == PER_CGROUP)
		columns[n++] = name;
	columns[n++] = path;
	return n;
}

/* Columns of all lists, one after the other. Returns NULL behind the last. */
const char *machine_column(size_t i)
{
	static const enum machine_key orders[] = { KEY_CACHED, KEY_READ };
	const char *met[4 * MACHINE_CELLS] = {};
	struct machine_column columns[MACHINE_CELLS];
	size_t list, nr = 0, k;
	int n, c;

	for (list = 0; machine_per_name(list / 2); list++) {
		n = machine_columns(list / 2, orders[list % 2], columns);
		for (c = 0; c < n; c++) {
			for (k = 0; k < nr && strcmp(met[k], columns[c].name); k++)
				;
			if (k == nr)
				met[nr++] = columns[c].name;
		}
	}
	return i < nr ? met[i] : NULL;
}

/**
 * machine_check() - is --output usable
 * @args: with it; which list it is, and its order
 * @live: there is a tick before
 *
 * Return: -1 to go on, else the exit status.
 */
int machine_check(const struct args *args, bool live)
{
	struct machine_column columns[MACHINE_CELLS];
	const char *names[MACHINE_CELLS + 1] = {};
	int n = machine_columns(args->per, args->key, columns), k, nr = 0;

	for (k = 0; k < n; k++)
		if (live || columns[k].key != KEY_GROWTH)
			names[nr++] = columns[k].name;
	return args->columns ? grid_check(args->columns, names) : -1;
}

static char *bytes_text(const struct args *args, uint64_t bytes)
{
	char text[32];

	if (table_human(args))
		size_text(text, sizeof(text), bytes);
	else
		snprintf(text, sizeof(text), "%" PRIu64, bytes);
	return alloc_copy(text);
}

static char *pages_text(const struct machine *machine, const struct args *args, uint64_t pages)
{
	char text[32];

	if (table_human(args) || args->bytes)
		return bytes_text(args, pages * machine->report->page_size);
	snprintf(text, sizeof(text), "%" PRIu64, pages);
	return alloc_copy(text);
}

static char *growth_text(const struct machine *machine, const struct machine_row *row,
			 const struct args *args)
{
	int64_t pages = row->grown_pages;
	char *size, *out;

	size = pages_text(machine, args, pages < 0 ? -pages : pages);
	out = alloc_text("%s%s", pages > 0 ? "+" : pages < 0 ? "-" : "", size);
	free(size);
	return out;
}

/* Rounded down: less than all is not 100 %. */
static char *hits_text(const struct machine *machine, const struct machine_row *row)
{
	char text[16] = "?";
	double ratio;

	if (row_hits(row, machine->report->page_size, &ratio))
		snprintf(text, sizeof(text), "%d%%", (int)(100 * ratio + 1e-9));
	return alloc_copy(text);
}

/* What others have named: anything may be in it. */
static char *name_text(const struct machine *machine, const struct machine_row *row)
{
	const struct pcinspect_list_file *file = &row->row;

	if (machine->per == PER_PROCESS)
		return row->name ? escape_comm(row->name) : alloc_copy("(further processes)");
	if (machine->per == PER_FILE)
		return file_name_text(file, row->name, row->elsewhere);
	if (row->name)
		return file_name_place(file, row->name, row->elsewhere, "");
	if (machine->per == PER_FILESYSTEM && !strcmp(file->fs, "bdev"))
		return alloc_copy("(block devices)");
	if (machine->per == PER_FILESYSTEM)
		return alloc_text("? (%u:%u, not mounted here)", file->dev_major, file->dev_minor);
	if (machine->per == PER_CGROUP)
		return alloc_copy(row->keys[0] ? "? (its directory is gone, or not mounted here)" :
						 "(all: no memory cgroups)");
	return alloc_copy("? (files without a name)");
}

/**
 * machine_cell() - one cell of the list
 * @machine: whose
 * @row: of it
 * @column: of machine_columns()
 * @args: units
 *
 * Return: a new string, fit for a terminal.
 */
char *machine_cell(const struct machine *machine, const struct machine_row *row,
		   const struct machine_column *column, const struct args *args)
{
	char text[32];

	if (column->key != NR_MACHINE_KEYS && !row_knows(row, column->key))
		return alloc_copy("?");
	switch (column->key) {
	case KEY_CACHED: return pages_text(machine, args, row_pages(row));
	case KEY_ACTIVE:
		return pages_text(machine, args, row->row.pages[PCINSPECT_LIST_ACTIVE]);
	case KEY_INACTIVE:
		return pages_text(machine, args, row->row.pages[PCINSPECT_LIST_INACTIVE]);
	case KEY_DIRTY: return pages_text(machine, args, row->row.dirty_pages);
	case KEY_MAPPED: return pages_text(machine, args, row->row.mapped_pages);
	case KEY_GROWTH: return growth_text(machine, row, args);
	case KEY_FILES:
		snprintf(text, sizeof(text), "%" PRIu64, row->files);
		return alloc_copy(text);
	case KEY_READ: return bytes_text(args, row->counts[0]);
	case KEY_WASTED:
	case KEY_REFAULT:
		return pages_text(machine, args, row->counts[column->key - KEY_READ]);
	case KEY_DEMANDED: return bytes_text(args, row->task.demanded_bytes);
	case KEY_DEVICE: return bytes_text(args, row->task.device_bytes);
	case KEY_INSERTED: return pages_text(machine, args, row->task.inserted_pages);
	case KEY_DIRTIED: return pages_text(machine, args, row->task.dirtied_pages);
	case KEY_EVICTED: return pages_text(machine, args, row->evicted_for);
	case NR_MACHINE_KEYS: break;
	}
	if (!strcmp(column->name, "PID")) {
		snprintf(text, sizeof(text), "%u", row->pid);
		return alloc_copy(row->pid ? text : "-");
	}
	if (!strcmp(column->name, "TRACKED")) {
		snprintf(text, sizeof(text), "%" PRIu64, row->counters);
		return alloc_copy(text);
	}
	if (!strcmp(column->name, "HIT%"))
		return hits_text(machine, row);
	if (!strcmp(column->name, "TYPE"))
		return alloc_copy(row->row.fs);
	if (!strcmp(column->name, "NAME"))
		return row->note ? escape_path(row->note) : alloc_copy("-");
	return name_text(machine, row);
}

/* --- the table ------------------------------------------------------------- */

struct lines {
	const struct machine *machine;
	const struct args *args;
	struct machine_column columns[MACHINE_CELLS];
	struct grid grid;
};

static void begin(struct lines *lines)
{
	struct grid *grid = &lines->grid;
	int k;

	grid->noheadings = lines->args->noheadings;
	grid->width = grid->noheadings ? 0 : terminal_width();
	for (k = 0; k < grid->nr_columns; k++)
		grid->columns[k] = (struct grid_column){
			.name = lines->columns[k].name, .left = k == grid->nr_columns - 1,
			.shrinks = k == grid->nr_columns - 1,
			.keep = !k || k == grid->nr_columns - 1,
		};
	grid_choose(grid, lines->args->columns);
}

static void add_row(struct lines *lines, const struct machine_row *row)
{
	int k;

	for (k = 0; k < lines->grid.nr_columns; k++)
		grid_take(&lines->grid, machine_cell(lines->machine, row, &lines->columns[k],
						     lines->args), NULL);
}

static void add_pages(struct lines *lines, bool known, uint64_t pages)
{
	grid_take(&lines->grid, known ? pages_text(lines->machine, lines->args, pages) :
					alloc_copy("?"), NULL);
}

/* Pages that no row has; none: no line. */
static void add_rest(struct lines *lines, const char *what, bool known, uint64_t pages)
{
	if (known && !pages)
		return;
	add_pages(lines, known, pages);
	grid_last(&lines->grid, what);
}

static int print_lines(struct lines *lines)
{
	grid_print(&lines->grid);
	return fflush(stdout) || output_failed() ? -1 : 0;
}

static void add_total(struct lines *lines)
{
	const struct machine *machine = lines->machine;
	uint64_t pages = 0;
	bool known = machine_file_pages(machine, &pages);

	add_pages(lines, known, pages);
	add_pages(lines, true, machine->lists.counted_pages[PCINSPECT_LIST_ACTIVE]);
	add_pages(lines, true, machine->lists.counted_pages[PCINSPECT_LIST_INACTIVE]);
	grid_last(&lines->grid, "(total)");
}

/* --- the head -------------------------------------------------------------- */

/* A number of the kernel's as a size, or "?". */
static const char *size_of(const struct machine *machine, enum memory_number number, char *out,
			   size_t size)
{
	uint64_t pages;

	if (!memory_number(&machine->memory, number, &pages))
		return "?";
	size_text(out, size, pages * machine->report->page_size);
	return out;
}

static const char *stalled(const struct machine *machine, enum pressure what, char *out,
			   size_t size)
{
	if (!machine->memory.pressure_known[what])
		return "?";
	snprintf(out, size, "%.1f%%", machine->memory.some_percent[what]);
	return out;
}

/* Pages that had been evicted and were read again, a second, since the tick before. */
static bool refaults(const struct machine *machine, const struct machine *before, double *rate)
{
	uint64_t now, then, ns;

	if (!before || !memory_number(&machine->memory, MEMORY_REFAULTS, &now) ||
	    !memory_number(&before->memory, MEMORY_REFAULTS, &then))
		return false;
	ns = machine->memory.time_ns - before->memory.time_ns;
	if (!ns || now < then)
		return false;
	*rate = (now - then) * 1e9 / ns;
	return true;
}

/* So much a second, or "?". */
static const char *rate_of(const struct pcinspect_demand *between, uint64_t bytes, char *out,
			   size_t size)
{
	if (bytes == PCINSPECT_UNKNOWN)
		return "?";
	size_text(out, size, bytes * 1e9 / (between->time_ns - between->since_ns));
	return out;
}

/* What is asked of the page cache, and what comes and goes. */
static void head_demand(const struct machine *machine, const struct machine *before, char *out,
			size_t size)
{
	uint64_t page = machine->report->page_size;
	char a[16], b[16], c[16], hit[16] = "?";
	struct pcinspect_demand between;
	double ratio;

	if (!machine_demand(machine, before, &between)) {
		snprintf(out, size, "reads   ?/s, cached before ? or more; inserted ?/s, removed ?/s");
		return;
	}
	/* Rounded down: so much at least. */
	if (machine_hits(machine, before, &ratio))
		snprintf(hit, sizeof(hit), "%.1f%%", (int)(ratio * 1000 + 1e-9) / 10.0);
	snprintf(out, size, "reads   %s/s, cached before %s or more; inserted %s/s, removed %s/s",
		 rate_of(&between, between.demanded_bytes, a, sizeof(a)), hit,
		 rate_of(&between, between.inserted_pages == PCINSPECT_UNKNOWN ?
			 PCINSPECT_UNKNOWN : between.inserted_pages * page, b, sizeof(b)),
		 rate_of(&between, between.removed_pages == PCINSPECT_UNKNOWN ?
			 PCINSPECT_UNKNOWN : between.removed_pages * page, c, sizeof(c)));
}

/**
 * machine_head() - the machine's memory in words
 * @machine: which
 * @before: it at the tick before, NULL: there was none
 * @line: which line, from 0
 * @out: text; empty behind the last line
 * @size: of it
 */
void machine_head(const struct machine *machine, const struct machine *before, int line,
		  char *out, size_t size)
{
	char a[16], b[16], c[16], d[16], e[16], rate_text[16] = "?";
	uint64_t off, all;
	double rate;

	*out = '\0';
	switch (line) {
	case 0:
		snprintf(out, size, "memory  %s, of it %s free, %s available; reclaim %s",
			 size_of(machine, MEMORY_TOTAL, a, sizeof(a)),
			 size_of(machine, MEMORY_FREE, b, sizeof(b)),
			 size_of(machine, MEMORY_AVAILABLE, c, sizeof(c)),
			 machine_policy_name(machine->policy) ?: "?");
		break;
	case 1:
		strcpy(a, "?");
		strcpy(b, "?");
		if (machine_file_pages(machine, &all))
			size_text(a, sizeof(a), all * machine->report->page_size);
		if (machine_off_lru(machine, &off))
			size_text(b, sizeof(b), off * machine->report->page_size);
		size_text(c, sizeof(c), machine->lists.counted_pages[PCINSPECT_LIST_ACTIVE] *
			  (uint64_t)machine->report->page_size);
		size_text(d, sizeof(d), machine->lists.counted_pages[PCINSPECT_LIST_INACTIVE] *
			  (uint64_t)machine->report->page_size);
		snprintf(out, size, "files   %s: active %s, inactive %s, on no list %s; tmpfs %s",
			 a, c, d, b, size_of(machine, MEMORY_SHMEM, e, sizeof(e)));
		break;
	case 2:
		if (refaults(machine, before, &rate))
			snprintf(rate_text, sizeof(rate_text), "%.0f", rate);
		snprintf(out, size, "dirty %s, writeback %s; refaults %s/s; stalled by memory %s, io %s",
			 size_of(machine, MEMORY_DIRTY, a, sizeof(a)),
			 size_of(machine, MEMORY_WRITEBACK, b, sizeof(b)), rate_text,
			 stalled(machine, PRESSURE_MEMORY, c, sizeof(c)),
			 stalled(machine, PRESSURE_IO, d, sizeof(d)));
		break;
	case 3:
		/* Looked at once nobody counts. */
		if (machine->demand.size)
			head_demand(machine, before, out, size);
		break;
	}
}

/* --- all of it ------------------------------------------------------------- */

static void say_named(const struct machine *machine)
{
	char named[16], deleted[16], share[16] = "?";
	double percent;
	uint64_t all;

	size_text(named, sizeof(named), machine->named_pages * machine->report->page_size);
	size_text(deleted, sizeof(deleted), machine->deleted_pages * machine->report->page_size);
	if (machine_named(machine, &percent))
		snprintf(share, sizeof(share), "%.1f%%", percent);
	else if (machine_file_pages(machine, &all) && !all && !machine->named_pages)
		return;
	printf("named: %s, %s of the page cache of files; deleted: %s\n", named, share,
	       deleted);
}

static void say_records(const struct machine *machine)
{
	printf("Of %" PRIu64 " files with a record %" PRIu64 " know their processes%s\n",
	       machine->records, machine->ledgers, machine->ledgers < machine->records ?
	       " (pcinspect track PATH)." : ".");
}

/**
 * machine_unknown() - of how much of a list its order is not known
 * @machine: sorted
 * @out: why, in words
 * @size: of @out
 *
 * Return: false if it is known of all, or always is.
 */
bool machine_unknown(const struct machine *machine, char *out, size_t size)
{
	size_t known = 0;

	if (!machine_key_counted(machine->key))
		return false;
	if (machine_counts(machine) && !machine->ledgers) {
		snprintf(out, size, "%s: no file is tracked (pcinspect track PATH)",
			 keys[machine->key]);
		return true;
	}
	while (known < machine->nr_rows && row_knows(&machine->rows[known], machine->key))
		known++;
	if (known == machine->nr_rows)
		return false;
	snprintf(out, size, "%s: known of %zu of %zu rows (%s)", keys[machine->key], known,
		 machine->nr_rows, machine->per == PER_CGROUP ? "memory.stat of cgroup v2" :
		 "pcinspect track PATH");
	return true;
}

/**
 * machine_print() - the machine as a table
 * @machine: sorted
 * @before: it at the tick before, NULL: there was none
 * @args: limit, units, headings
 *
 * Return: 0, or -1 if it could not be written.
 */
int machine_print(const struct machine *machine, const struct machine *before,
		  const struct args *args)
{
	struct lines lines = { .machine = machine, .args = args };
	size_t i, more = 0;
	uint64_t hidden = 0, off = 0;
	char text[128];
	bool known;
	int k, n;

	n = machine_columns(machine->per, machine->key, lines.columns);
	/* Growth is since the tick before. */
	for (k = 0; k < n; k++)
		if (before || args->columns || lines.columns[k].key != KEY_GROWTH)
			lines.columns[lines.grid.nr_columns++] = lines.columns[k];
	begin(&lines);
	for (k = 0; !args->noheadings; k++) {
		machine_head(machine, before, k, text, sizeof(text));
		if (!*text)
			break;
		puts(text);
	}
	for (i = 0; i < machine->nr_rows; i++) {
		if (!args->limit || i < args->limit) {
			add_row(&lines, &machine->rows[i]);
			continue;
		}
		hidden += row_pages(&machine->rows[i]);
		more++;
	}
	if (args->noheadings)
		return print_lines(&lines);
	/* Numbers of what is in no row need a word. */
	if (machine->per == PER_PROCESS || !grid_shows_last(&lines.grid)) {
		k = print_lines(&lines);
		if (more)
			printf("and %zu more (--limit 0: all)\n", more);
		if (machine->per == PER_PROCESS)
			say_records(machine);
		return k;
	}
	snprintf(text, sizeof(text), "(and %zu more; --limit 0: all)", more);
	add_rest(&lines, text, true, hidden);
	add_rest(&lines, "(files for which there was no room)", true, machine->hidden_pages);
	add_rest(&lines, "(came during the walk)", true, machine_unwalked(machine));
	known = machine_off_lru(machine, &off);
	add_rest(&lines, "(on no list: locked, or in batches of CPUs)", known, off);
	add_total(&lines);
	k = print_lines(&lines);
	say_named(machine);
	if (machine_unknown(machine, text, sizeof(text)))
		puts(text);
	return k;
}
