// SPDX-License-Identifier: GPL-2.0-only
/*
 * machine.c - the machine as a table for people: its memory by the kernel's own
 * numbers, the list, what the list does not have, and the total. Touches stdout.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/escape.h"
#include "lib/text.h"
#include "lib/width.h"
#include "view/file_name.h"
#include "view/machine.h"
#include "view/sheet.h"

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

/* Requests to the page cache, and pages inserted and removed. */
static char *head_demand(const struct machine *machine, const struct machine *before)
{
	uint64_t page = machine->report->page_size;
	char a[16], b[16], c[16], hit[16] = "?";
	struct pcinspect_demand between;
	double ratio;

	if (!machine_demand(machine, before, &between))
		return alloc_copy("reads   ?/s, cache hits ?; inserted ?/s, removed ?/s");
	/* Rounded down: so much at least. */
	if (machine_hits(machine, before, &ratio))
		snprintf(hit, sizeof(hit), "%.1f%%", (int)(ratio * 1000 + 1e-9) / 10.0);
	return alloc_text("reads   %s/s, cache hits at least %s; inserted %s/s, removed %s/s",
			  rate_of(&between, between.demanded_bytes, a, sizeof(a)), hit,
			  rate_of(&between, between.inserted_pages == PCINSPECT_UNKNOWN ?
				  PCINSPECT_UNKNOWN : between.inserted_pages * page, b, sizeof(b)),
			  rate_of(&between, between.removed_pages == PCINSPECT_UNKNOWN ?
				  PCINSPECT_UNKNOWN : between.removed_pages * page, c, sizeof(c)));
}

/* A text with more behind it. */
static char *head_append(char *text, char *more)
{
	char *out = alloc_text("%s%s", text, more);

	free(text);
	free(more);
	return out;
}

static char *add_cause(char *text, const char *first, char *more)
{
	return head_append(text, head_append(alloc_copy(*text ? ", " : first), more));
}

/* Of its pages so many at least; those of which the reason is not known are in no part. */
static char *add_part(char *text, const char *first, uint64_t part, uint64_t pages,
		      const char *of)
{
	return part == PCINSPECT_UNKNOWN || 100 * part < pages ? text :
	       add_cause(text, first, alloc_text(">=%.0f%% %s", (double)(100 * part / pages), of));
}

/*
 * Why the one that had most read had it read, as far as it is known: it asked for it, or the
 * kernel read ahead of its reads or around its faults; it came back after somebody had evicted
 * it; by mappings, as far as it has no others. A new string.
 */
static char *head_cause(const struct machine *machine, const struct machine *before)
{
	struct reader *list = alloc_zero(machine->readers.nr + 1, sizeof(*list)), *by;
	struct pcinspect_demand between;
	bool known = machine_demand(machine, before, &between) && machine->readers.nr &&
		     before->readers.nr;
	size_t nr = known ? readers_since(&machine->readers, &before->readers, READER_READS,
					  list) : 0;
	const struct pcinspect_reader *row = &list->row;
	char *out = alloc_copy(""), *comm;

	if (nr) {
		out = add_part(out, "cause   ", row->around_pages, row->pages,
			       "read around its faults");
		out = add_part(out, "cause   ", row->ahead_pages, row->pages, "readahead");
		out = add_part(out, "cause   ", row->asked_pages, row->pages, "requested");
		if (list->major_faults != PCINSPECT_UNKNOWN && list->major_faults)
			out = add_cause(out, "cause   ", alloc_text("%.0f major faults/s",
				list->major_faults * 1e9 / (between.time_ns - between.since_ns)));
	}
	/* They are counted a moment after the others. */
	if (nr && row->refault_pages != PCINSPECT_UNKNOWN && row->refault_pages) {
		by = readers_evictor(&machine->readers, list);
		comm = escape_comm(by && *by->comm ? by->comm : "?");
		out = add_cause(out, "cause   ", alloc_text("%.0f%% read again, evicted by ",
			row->refault_pages < row->pages ?
			100.0 * row->refault_pages / row->pages : 100));
		out = head_append(out, !by ? alloc_copy("?") : by->row.pid == row->pid ?
				  alloc_copy("itself") :
				  alloc_text("%s[%u]", comm, by->row.pid));
		free(comm);
		free(by);
	}
	free(list);
	return *out ? out : head_append(out, alloc_copy(!known || nr ? "cause   ?" : "cause"));
}

/* The processes that read or write files, sorted by pages, as many as there is room for. */
static char *head_readers(const struct machine *machine, const struct machine *before,
			  enum reader_kind kind, int width)
{
	struct reader *list = alloc_zero(machine->readers.nr + 1, sizeof(*list));
	struct pcinspect_demand between;
	bool known = machine_demand(machine, before, &between) && machine->readers.nr &&
		     before->readers.nr;
	size_t nr = known ? readers_since(&machine->readers, &before->readers, kind, list) : 0, i;
	const bool writes = kind == READER_WRITES;
	char *out = alloc_text("%s %s", writes ? "writers" : "readers", nr ? "" : !known ? "?" :
			       writes ? "none: no page of a file became dirty" :
			       "none: no file was read into the page cache");

	for (i = 0; i < nr; i++) {
		char *path = list[i].path ? escape_path(list[i].path) : NULL;
		char *comm = escape_comm(*list[i].comm ? list[i].comm : "?"), rate[16], *text;

		text = alloc_text("%s%s[%u] %s/s of %s", i ? "; " : "", comm, list[i].row.pid,
				  rate_of(&between, (writes ? list[i].row.dirtied_pages :
					  list[i].row.pages) * machine->report->page_size,
					  rate, sizeof(rate)), path ?: "?");
		free(path);
		free(comm);
		/* The first may be cut. */
		if (i && width_of(out) + width_of(text) > width) {
			free(text);
			break;
		}
		out = head_append(out, text);
	}
	free(list);
	return out;
}

/* A file of the list behind a text, as much of its path as there is room for. */
static char *head_file(char *text, const struct machine_row *row, int width)
{
	char *name = file_name_text(&row->row, row->name, row->elsewhere);
	int left = width - width_of(text);

	return head_append(text, width_shorten(name, left > 8 ? left : 8));
}

static char *head_oldest(const struct machine *machine, int width)
{
	size_t unknown;
	const struct machine_row *row = machine_oldest(machine, &unknown);
	char age[16], pages[16];

	/* One for which there was no room may be older. */
	unknown += machine->hidden_files;
	if (!row)
		return alloc_text("oldest  %s", unknown || machine->report->without_module ?
				  "?" : "no file has dirty pages");
	duration_text(age, sizeof(age), row->row.inode_age_ms * 1000000);
	size_text(pages, sizeof(pages), row->row.dirty_pages * machine->report->page_size);
	return head_file(alloc_text("oldest  dirty for about %s%s: %s of ", age,
				    unknown ? ", of others ?" : "", pages), row, width);
}

static char *head_inactive(const struct machine *machine, int width)
{
	const struct machine_row *row = machine_most_inactive(machine);
	char pages[16];

	if (!row)
		return alloc_text("next    %s", machine->report->without_module ? "?" :
				  "no page of a file is inactive");
	size_text(pages, sizeof(pages), row->row.pages[PCINSPECT_LIST_INACTIVE] *
		  machine->report->page_size);
	return head_file(alloc_text("next    most inactive pages: %s of ", pages), row, width);
}

static char *head_files(const struct machine *machine)
{
	char a[16] = "?", b[16] = "?", c[16], d[16], e[16];
	uint64_t off, all, page = machine->report->page_size;

	if (machine_file_pages(machine, &all))
		size_text(a, sizeof(a), all * page);
	if (machine_off_lru(machine, &off))
		size_text(b, sizeof(b), off * page);
	size_text(c, sizeof(c), machine->lists.counted_pages[PCINSPECT_LIST_ACTIVE] * page);
	size_text(d, sizeof(d), machine->lists.counted_pages[PCINSPECT_LIST_INACTIVE] * page);
	return alloc_text("files   %s: active %s, inactive %s, on no LRU list %s; tmpfs %s", a, c,
			  d, b, size_of(machine, MEMORY_SHMEM, e, sizeof(e)));
}

/**
 * machine_head() - the machine's memory in words
 * @walked: whose lists were walked
 * @now: counters; of @walked itself or later ones
 * @before: those of the tick before, NULL: there was none
 * @line: which line, from 0
 * @width: cells there are
 *
 * Return: a new string, which may be wider where nothing in it can be left out; NULL behind
 * the last line.
 */
char *machine_head(const struct machine *walked, const struct machine *now,
		   const struct machine *before, int line, int width)
{
	char a[16], b[16], c[16], d[16], rate_text[16] = "?";
	double rate;

	/* Which files is known of a list of all files. */
	if (line > 2 && (walked->per != PER_FILE || walked->only))
		line += 2;
	/* Looked at once nobody counts. */
	if (line > 8 || (line > 4 && !now->demand.size))
		return NULL;
	switch (line) {
	case 0:
		return alloc_text("memory  %s, of it %s free, %s available; reclaim %s",
				  size_of(now, MEMORY_TOTAL, a, sizeof(a)),
				  size_of(now, MEMORY_FREE, b, sizeof(b)),
				  size_of(now, MEMORY_AVAILABLE, c, sizeof(c)),
				  machine_policy_name(walked->policy) ?: "?");
	case 1:
		return head_files(walked);
	case 2:
		if (refaults(now, before, &rate))
			snprintf(rate_text, sizeof(rate_text), "%.0f", rate);
		return alloc_text("dirty %s, writeback %s; refaults %s/s; stalled by memory %s, io %s",
				  size_of(now, MEMORY_DIRTY, a, sizeof(a)),
				  size_of(now, MEMORY_WRITEBACK, b, sizeof(b)), rate_text,
				  stalled(now, PRESSURE_MEMORY, c, sizeof(c)),
				  stalled(now, PRESSURE_IO, d, sizeof(d)));
	case 3: return head_oldest(walked, width);
	case 4: return head_inactive(walked, width);
	case 5: return head_demand(now, before);
	case 6: return head_readers(now, before, READER_READS, width);
	case 7: return head_cause(now, before);
	default: return head_readers(now, before, READER_WRITES, width);
	}
}

/* --- all of it ------------------------------------------------------------- */

static void say_named(const struct machine *machine)
{
	char named[16], deleted[16], share[16] = "?";
	double percent;
	uint64_t all;

	if (machine->report->without_module)
		return;
	size_text(named, sizeof(named), machine->named_pages * machine->report->page_size);
	size_text(deleted, sizeof(deleted), machine->deleted_pages * machine->report->page_size);
	if (machine_named(machine, &percent))
		snprintf(share, sizeof(share), "%.1f%%", percent);
	else if (machine_file_pages(machine, &all) && !all && !machine->named_pages)
		return;
	printf("names known: %s, %s of the page cache of files; deleted files: %s\n", named, share,
	       deleted);
}

static void say_records(const struct machine *machine)
{
	printf("processes are known for %" PRIu64 " of %" PRIu64 " files with a record%s\n",
	       machine->ledgers, machine->records, machine->ledgers < machine->records ?
	       " (pcinspect track PATH)" : "");
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

/* Pages that no row has; none: no line. */
static void add_rest(struct sheet *sheet, const char *text, bool known, uint64_t pages)
{
	if (known && !pages)
		return;
	sheet_pages(sheet, known, pages);
	grid_last(&sheet->grid, text);
}

static void add_total(struct sheet *sheet, const struct machine *machine)
{
	uint64_t pages = 0;
	bool known = machine_file_pages(machine, &pages);

	sheet_pages(sheet, known, pages);
	sheet_pages(sheet, true, machine->lists.counted_pages[PCINSPECT_LIST_ACTIVE]);
	sheet_pages(sheet, true, machine->lists.counted_pages[PCINSPECT_LIST_INACTIVE]);
	grid_last(&sheet->grid, "(total)");
}

/**
 * machine_print() - the machine as a table
 * @machine: sorted
 * @before: it at the tick before, NULL: there was none
 * @out: limit, units, headings
 *
 * Return: 0, or -1 if it could not be written.
 */
int machine_print(const struct machine *machine, const struct machine *before,
		  const struct output *out)
{
	/* Growth is since the tick before. */
	struct fields fields = machine_list(machine->per, machine->key, before || out->columns);
	size_t i, nr = sheet_limit(out, machine->nr_rows), more = machine->nr_rows - nr;
	uint64_t hidden = 0, off = 0;
	char text[128], *head;
	struct sheet sheet;
	bool known;
	int k, width;

	sheet_begin(&sheet, &fields, machine, out, machine->report->page_size);
	width = sheet.grid.width ?: INT_MAX;
	for (k = 0; !out->noheadings && (head = machine_head(machine, machine, before, k, width)); k++) {
		puts(head);
		free(head);
	}
	for (i = 0; i < nr; i++)
		sheet_row(&sheet, &machine->rows[i]);
	/* Numbers of what is in no row need a word. */
	if (out->noheadings || machine->per == PER_PROCESS || !grid_shows_last(&sheet.grid)) {
		k = sheet_end(&sheet, more, "");
		if (machine->per == PER_PROCESS && !out->noheadings)
			say_records(machine);
		return k;
	}
	for (; i < machine->nr_rows; i++)
		hidden += row_pages(&machine->rows[i]);
	snprintf(text, sizeof(text), "(and %zu more; --limit 0: all)", more);
	add_rest(&sheet, text, true, hidden);
	add_rest(&sheet, "(files for which there was no room)", true, machine->hidden_pages);
	if (!machine->report->without_module)
		add_rest(&sheet, "(came during the walk)", true, machine_unwalked(machine));
	else if (machine->per != PER_CGROUP)
		add_rest(&sheet, "(unknown without the module)", true,
			 machine_listed(machine));
	known = machine_off_lru(machine, &off);
	add_rest(&sheet, "(on no LRU list: locked, or in batches of CPUs)", known, off);
	add_total(&sheet, machine);
	k = sheet_end(&sheet, 0, "");
	say_named(machine);
	if (machine_unknown(machine, text, sizeof(text)))
		puts(text);
	return k;
}
