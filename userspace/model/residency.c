// SPDX-License-Identifier: GPL-2.0-only
/*
 * residency.c - the rows of save and restore, and the tables of their fields. Touches memory
 * only.
 */
#include <stdlib.h>

#include "lib/alloc.h"
#include "lib/escape.h"
#include "model/residency.h"

static bool lists_known(const struct residency_row *row)
{
	return !row->list_pages[RANGE_ANY_LIST];
}

static const char *state_name(enum residency_state state)
{
	static const char *const names[] = {
		[RESIDENCY_DONE] = "done", [RESIDENCY_PARTLY] = "partly",
		[RESIDENCY_CHANGED] = "changed", [RESIDENCY_FAILED] = "failed",
	};

	return names[state];
}

static char *range_path_cell(const void *row, const void *of)
{
	(void)of;
	return escape_path(((const struct residency_row *)row)->path);
}

#define LIST(name, LIST) \
	FIELD_COMPUTE(name, residency_row, count, row->list_pages[PCINSPECT_RANGE_##LIST], \
		      lists_known(row))
LIST(active, ACTIVE)
LIST(inactive, INACTIVE)
LIST(unevictable, UNEVICTABLE)
LIST(off_lru, OFF_LRU)
FIELD_COMPUTE(state, residency_row, text, state_name(row->state), true)

/* Of a file that was not opened, or is another one by now, nothing is known. */
#define TRIED(member) \
	FIELD_COMPUTE(member, residency_row, count, row->member, \
		      row->state != RESIDENCY_CHANGED && row->state != RESIDENCY_FAILED)
TRIED(cached_before_pages)
TRIED(read_pages)
TRIED(missing_pages)

#define PAGES(heading) COLUMN(heading, PAGES)

static const struct field saved[] = {
	FIELD_KEY(residency_row, path, "path"),
	FIELD(residency_row, size_bytes, COLUMN("SIZE", BYTES, .rank = 2)),
	FIELD(residency_row, saved_pages, PAGES("SAVED"), .flags = FIELD_KEEP),
	FIELD_GET("active_pages", U64, active, PAGES("ACTIVE")),
	FIELD_GET("inactive_pages", U64, inactive, PAGES("INACTIVE")),
	FIELD_GET("unevictable_pages", U64, unevictable),
	FIELD_GET("off_lru_pages", U64, off_lru),
	FIELD(residency_row, ranges, COLUMN("RANGES", EVENTS, .rank = 1)),
	{ COLUMN_PATH("PATH", range_path_cell) },
};

const struct fields saved_fields = FIELDS(saved);

static const struct field restored[] = {
	FIELD_KEY(residency_row, path, "path"),
	FIELD_GET("state", TEXT, state, .heading = "STATE", .flags = FIELD_LEFT | FIELD_KEEP),
	FIELD(residency_row, saved_pages, PAGES("SAVED"), .flags = FIELD_KEEP),
	FIELD_GET("cached_before_pages", U64, cached_before_pages, PAGES("BEFORE")),
	FIELD_GET("read_pages", U64, read_pages, PAGES("READ")),
	FIELD_GET("missing_pages", U64, missing_pages, PAGES("MISSING")),
	{ COLUMN_PATH("PATH", range_path_cell) },
};

const struct fields restored_fields = FIELDS(restored);

/**
 * residency_add() - a row for a file
 * @residency: gets it
 * @file: what is, or was, cached of it
 *
 * Return: the row, until the next is added.
 */
struct residency_row *residency_add(struct residency *residency, const struct saved_file *file)
{
	struct residency_row *row;
	uint32_t list;

	residency->rows = alloc_room(residency->rows, residency->nr, &residency->room,
				     sizeof(*residency->rows));
	row = &residency->rows[residency->nr++];
	*row = (struct residency_row){
		.path = alloc_copy(file->path), .size_bytes = file->size_bytes,
		.saved_pages = ranges_pages(&file->ranges, RANGE_ANY_LIST),
		.ranges = file->ranges.nr,
	};
	for (list = 0; list < RANGE_ANY_LIST; list++)
		row->list_pages[list] = ranges_pages(&file->ranges, list);
	row->list_pages[RANGE_ANY_LIST] = row->saved_pages;
	for (list = 0; list < RANGE_ANY_LIST; list++)
		row->list_pages[RANGE_ANY_LIST] -= row->list_pages[list];
	return row;
}

/* Sums over all files. */
void residency_sum(const struct residency *residency, struct residency_row *sum)
{
	uint32_t list;
	size_t i;

	*sum = (struct residency_row){};
	for (i = 0; i < residency->nr; i++) {
		const struct residency_row *row = &residency->rows[i];

		sum->saved_pages += row->saved_pages;
		sum->cached_before_pages += row->cached_before_pages;
		sum->read_pages += row->read_pages;
		sum->missing_pages += row->missing_pages;
		for (list = 0; list <= RANGE_ANY_LIST; list++)
			sum->list_pages[list] += row->list_pages[list];
	}
}

/* Forget them. */
void residency_free(struct residency *residency)
{
	while (residency->nr) {
		free(residency->rows[--residency->nr].path);
		ranges_free(&residency->rows[residency->nr].before);
	}
	free(residency->rows);
	*residency = (struct residency){};
}
