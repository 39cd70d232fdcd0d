// SPDX-License-Identifier: GPL-2.0-only
/*
 * next.c - the pages that reclaim takes next: by file as a table, and as JSON. Touches stdout,
 * and the stream it is given.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/alloc.h"
#include "lib/escape.h"
#include "lib/text.h"
#include "view/file_name.h"
#include "view/json.h"
#include "view/json_report.h"
#include "view/next.h"
#include "view/sheet.h"

static bool eta_of(const struct next *next, bool known, uint32_t list, uint64_t ahead,
		   union field_value *value)
{
	return known && next_eta_ms(next, list, ahead, &value->count);
}

FIELD_ASK(nearest_eta, next_file,
	  eta_of(of, row->nearest_known, row->nearest_list, row->nearest, value))
FIELD_ASK(median_eta, next_file,
	  eta_of(of, row->median_known, row->median_list, row->median, value))
/* Where the module had more rows than there was room for, a file may have more pages. */
FIELD_COMPUTE(queued, next_file, count, row->queued, !((const struct next *)of)->cut)

/* The time until its first page is reclaimed, with a unit in any case. */
static char *eta_text(const void *row, const void *of)
{
	union field_value ms;
	char room[GRID_ROOM] = "?";

	if (nearest_eta(row, of, &ms))
		duration_text(room, sizeof(room), ms.count * 1000 * 1000);
	return alloc_copy(room);
}

static char *next_path_cell(const void *row, const void *of)
{
	const struct next_file *file = row;

	(void)of;
	return file_name_text(&file->file.row, file->file.path, file->file.elsewhere);
}

#define PAGES(heading) COLUMN(heading, PAGES, .flags = FIELD_KEEP)

static const struct field files[] = {
	FIELD_GET("pages", U64, queued),
	FIELD_KEY(next_file, next, "next_pages", PAGES("NEXT")),
	FIELD_KEY(next_file, maybe, "maybe_pages", PAGES("MAYBE")),
	FIELD_KEY(next_file, nearest, "nearest_pages", FIELD_IF(next_file, nearest_known),
		  PAGES("NEAREST")),
	FIELD_KEY(next_file, median, "median_pages", FIELD_IF(next_file, median_known),
		  PAGES("MEDIAN")),
	FIELD_GET("eta_ms", U64, nearest_eta, COLUMN("ETA", MS, .cell = eta_text)),
	FIELD_GET("median_eta_ms", U64, median_eta),
	{ COLUMN_PATH("PATH", next_path_cell) },
};

const struct fields next_file_fields = FIELDS(files);


/* --- the table --------------------------------------------------------------------- */

/* The subject of the numbers below, and the end of the order. */
static void print_order(const struct next *next)
{
	static const char *const ends[] = {
		[NEXT_LIST] = "there is no more on the lists",
		[NEXT_ACTIVE] = "behind them the active list joins",
		[NEXT_AGING] = "then MGLRU has to age first",
		[NEXT_ROOM] = "there are more pages than the order can hold",
	};
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
 * next_print() - a line for each file, the one that is reclaimed first at the top
 * @next: the answer
 * @out: limit, units, headings
 *
 * Return: 0, or -1 if it could not be written.
 */
int next_print(const struct next *next, const struct output *out)
{
	size_t i, nr = sheet_limit(out, next->nr_files);
	struct sheet sheet;

	sheet_begin(&sheet, &next_file_fields, next, out, next->report->page_size);
	if (!out->noheadings)
		print_order(next);
	for (i = 0; i < nr; i++)
		sheet_row(&sheet, &next->files[i]);
	return sheet_end(&sheet, next->nr_files - nr, " files");
}

/* --- JSON -------------------------------------------------------------------------- */

/* [file, index, pages]; folios that go from the end are one entry each. */
static void put_piece(struct jsonw *w, const struct next *next, const struct next_piece *piece)
{
	uint64_t pages = next_wanted(next, piece), index = piece->index, part = pages, done;
	char text[72];

	if (piece->backwards)
		part = 1ULL << piece->order;
	for (done = 0; done < pages; done += part) {
		if (part > pages - done)
			part = pages - done;
		if (piece->file < next->nr_files)
			snprintf(text, sizeof(text), "[%u, %ju, %ju]", piece->file,
				 (uintmax_t)index, (uintmax_t)part);
		else
			snprintf(text, sizeof(text), "[null, %ju, %ju]", (uintmax_t)index,
				 (uintmax_t)part);
		jsonw_raw(w, NULL, text);
		index -= part;
	}
}

static void put_order(struct jsonw *w, const struct next *next, const char *key, bool goes)
{
	size_t i;

	jsonw_open(w, key, '[');
	for (i = 0; i < next->nr_pieces; i++)
		if ((next->pieces[i].fate == NEXT_GOES) == goes)
			put_piece(w, next, &next->pieces[i]);
	jsonw_close(w);
}

static void put_next(struct jsonw *w, const struct next *next)
{
	static const char *const fates[NEXT_NR_FATES] = {
		[NEXT_GOES] = "next_pages",
		[NEXT_MAPPED] = "maybe_mapped_pages",
		[NEXT_DIRTY] = "maybe_dirty_pages",
		[NEXT_PROTECTED] = "maybe_protected_pages",
		[NEXT_HELD] = "maybe_held_pages",
		[NEXT_DEVICE] = "maybe_device_pages",
	};
	size_t i;

	jsonw_path(w, "cgroup", next->cgroup);
	jsonw_count(w, "bytes", next->bytes);
	jsonw_text(w, "ends", next_end_name(next_ends(next)));
	jsonw_count(w, "lists", next->nr_lists);
	jsonw_count(w, "moved", next->moved);
	for (i = 0; i < NEXT_NR_FATES; i++)
		jsonw_count(w, fates[i], next_pages(next, i));
	jsonw_open(w, "files", '[');
	for (i = 0; i < next->nr_files; i++) {
		const struct next_file *file = &next->files[i];

		jsonw_row(w, NULL);
		file_name_json(w, &file->file.row, file->file.path, file->file.elsewhere);
		json_fields(w, &next_file_fields, file, next);
		jsonw_close(w);
	}
	jsonw_close(w);
}

/**
 * next_json() - write it
 * @next: what
 * @order: also page by page
 * @to: where
 *
 * Return: 0, or -1 with errno set if it could not be written.
 */
int next_json(const struct next *next, bool order, FILE *to)
{
	struct jsonw w = { .to = to, .pretty = true };

	json_whole_head(&w, next->report, report_lru(next->report));
	jsonw_count(&w, "filesystems", next->busy);
	jsonw_bool(&w, "rows", next->cut);
	json_whole_lost(&w);
	jsonw_open(&w, "files", '[');
	jsonw_close(&w);
	jsonw_open(&w, "next", '{');
	put_next(&w, next);
	if (order) {
		put_order(&w, next, "order", true);
		put_order(&w, next, "maybe", false);
	}
	return jsonw_end(&w);
}
