// SPDX-License-Identifier: GPL-2.0
/*
 * json_next.c - the order in which reclaim takes pages, as JSON: the common head of a report,
 * and "next". Touches the stream it is given.
 */
#include "view/file_name.h"
#include "view/json.h"
#include "view/json_report.h"
#include "view/next.h"

static bool eta(const struct next *next, bool known, uint32_t list, uint64_t ahead,
		union field_value *value)
{
	return known && next_eta_ms(next, list, ahead, &value->count);
}

FIELD_COMPUTE(nearest_eta, next_file, count, 0,
	      eta(of, row->nearest_known, row->nearest_list, row->nearest, value))
FIELD_COMPUTE(median_eta, next_file, count, 0,
	      eta(of, row->median_known, row->median_list, row->median, value))
/* Where the module had more rows than there was room for, a file may have more pages. */
FIELD_COMPUTE(queued, next_file, count, row->queued, !((const struct next *)of)->cut)

static const struct field files[] = {
	FIELD_GET("pages", U64, queued),
	FIELD_KEY(next_file, next, "next_pages"),
	FIELD_KEY(next_file, maybe, "maybe_pages"),
	FIELD_KEY(next_file, nearest, "nearest_pages", FIELD_IF(next_file, nearest_known)),
	FIELD_KEY(next_file, median, "median_pages", FIELD_IF(next_file, median_known)),
	FIELD_GET("eta_ms", U64, nearest_eta),
	FIELD_GET("median_eta_ms", U64, median_eta),
};

static const struct fields file_fields = FIELDS(files);

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
		file_name_json(w, &file->row, file->path, file->elsewhere);
		json_fields(w, &file_fields, file, next);
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
