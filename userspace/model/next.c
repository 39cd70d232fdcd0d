// SPDX-License-Identifier: GPL-2.0-only
/*
 * next.c - the next pages of reclaim, by file: how many, and how far ahead. Pure.
 *
 * One list is one memory cgroup on one node. Within a list the order is the kernel's.
 * Between lists it is not known; each is asked for its share by size, as the kernel
 * looks at the same part of each (size >> priority).
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "model/next.h"
#include "model/next_order.h"

/* --- lists ----------------------------------------------------------------- */

static uint64_t pages_of(const struct pcinspect_next_row *row)
{
	return (uint64_t)row->folios << row->order;
}

static void count_rows(struct next *next)
{
	size_t i, k;

	for (i = 0; i < next->nr_lists; i++) {
		struct next_list *list = &next->lists[i];

		list->pages = 0;
		for (k = 0; k < list->nr_rows; k++) {
			const struct pcinspect_next_row *row = &list->rows[k];

			list->pages += pages_of(row);
			if (row->file < next->nr_files)
				next->files[row->file].queued += pages_of(row);
		}
	}
}

/* The share of each list, by its size; the rest of the rounding too. */
static void share_out(struct next *next)
{
	uint64_t wanted = next->bytes / next->report->page_size, sum = 0, before = 0;
	size_t i;

	for (i = 0; i < next->nr_lists; i++)
		sum += next->lists[i].pages;
	for (i = 0; i < next->nr_lists && sum; i++) {
		struct next_list *list = &next->lists[i];
		uint64_t after = before + list->pages;

		list->share = (uint64_t)((unsigned __int128)wanted * after / sum) -
			      (uint64_t)((unsigned __int128)wanted * before / sum);
		before = after;
	}
}

/* --- pieces ---------------------------------------------------------------- */

/*
 * Which pages of a piece are among the next: those that go, up to the list's share;
 * what may go, all that is met before the last of these.
 */
uint64_t next_wanted(const struct next *next, const struct next_piece *piece)
{
	uint64_t share = next->lists[piece->list].share;

	if (piece->ahead >= share)
		return 0;
	if (piece->fate != NEXT_GOES || share - piece->ahead > piece->pages)
		return piece->pages;
	return share - piece->ahead;
}

/* Is one as far on the way through its list as the other, or less? */
static bool sooner(const struct next *next, const struct next_piece *x,
		   const struct next_piece *y)
{
	return (unsigned __int128)x->ahead * next->lists[y->list].pages <
	       (unsigned __int128)y->ahead * next->lists[x->list].pages;
}

static int compare_pieces(const void *a, const void *b, void *of)
{
	const struct next_piece *const *x = a, *const *y = b;
	const struct next *next = of;

	if (sooner(next, *x, *y))
		return -1;
	if (sooner(next, *y, *x))
		return 1;
	return *x < *y ? -1 : *x > *y;
}

/* Pieces of several lists, each in its order, into one order. */
static void merge(struct next *next)
{
	struct next_piece **order, *out;
	size_t i;

	if (next->nr_lists < 2 || !next->nr_pieces)
		return;
	order = alloc_zero(next->nr_pieces, sizeof(*order));
	out = alloc_zero(next->nr_pieces, sizeof(*out));
	for (i = 0; i < next->nr_pieces; i++)
		order[i] = &next->pieces[i];
	qsort_r(order, next->nr_pieces, sizeof(*order), compare_pieces, next);
	for (i = 0; i < next->nr_pieces; i++)
		out[i] = *order[i];
	free(order);
	free(next->pieces);
	next->pieces = out;
	next->room = next->nr_pieces;
}

/* --- files ----------------------------------------------------------------- */

/* How far a page of a piece is. */
static uint64_t ahead_of(const struct next_piece *piece, uint64_t page)
{
	return piece->ahead + (piece->fate == NEXT_GOES ? page : 0);
}

static void place_files(struct next *next)
{
	size_t i;

	for (i = 0; i < next->nr_pieces; i++) {
		const struct next_piece *piece = &next->pieces[i];
		struct next_file *file;
		uint64_t middle;

		if (piece->file >= next->nr_files)
			continue;
		file = &next->files[piece->file];
		if (!file->nearest_known || piece->ahead < file->nearest) {
			file->nearest = piece->ahead;
			file->nearest_list = piece->list;
			file->nearest_known = true;
		}
		/* Rows that there was no room for have pages as well. */
		middle = file->queued / 2;
		if (!next->cut && file->met <= middle && middle < file->met + piece->pages) {
			file->median = ahead_of(piece, middle - file->met);
			file->median_list = piece->list;
			file->median_known = true;
		}
		file->met += piece->pages;
		*(piece->fate == NEXT_GOES ? &file->next : &file->maybe) +=
			next_wanted(next, piece);
	}
}

static int compare_next(const void *a, const void *b, void *context)
{
	const struct next *next = context;
	const struct next_file *x = &next->files[*(const uint32_t *)a];
	const struct next_file *y = &next->files[*(const uint32_t *)b];

	if (x->nearest_known != y->nearest_known)
		return x->nearest_known ? -1 : 1;
	if (x->nearest_known && x->nearest != y->nearest)
		return x->nearest < y->nearest ? -1 : 1;
	if (x->queued != y->queued)
		return x->queued > y->queued ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Those that go first at the top; pieces say where their file is now. */
static void sort_files(struct next *next)
{
	struct next_file *sorted = alloc_zero(next->nr_files + 1, sizeof(*sorted));
	uint32_t *order = alloc_zero(next->nr_files + 1, sizeof(*order));
	uint32_t *place = alloc_zero(next->nr_files + 1, sizeof(*place));
	size_t i;

	for (i = 0; i < next->nr_files; i++)
		order[i] = i;
	qsort_r(order, next->nr_files, sizeof(*order), compare_next, next);
	for (i = 0; i < next->nr_files; i++) {
		sorted[i] = next->files[order[i]];
		place[order[i]] = i;
	}
	for (i = 0; i < next->nr_pieces; i++)
		if (next->pieces[i].file < next->nr_files)
			next->pieces[i].file = place[next->pieces[i].file];
	free(next->files);
	free(order);
	free(place);
	next->files = sorted;
}

/**
 * next_compute() - from rows to the order, and to the files
 * @next: all of what the module said is in it; the file of a row is its place
 */
void next_compute(struct next *next)
{
	size_t i;

	count_rows(next);
	share_out(next);
	for (i = 0; i < next->nr_lists; i++)
		next_order(next, i);
	merge(next);
	place_files(next);
	sort_files(next);
}

/* --- what is said of it ---------------------------------------------------- */

/* Pages of that fate among the next. */
uint64_t next_pages(const struct next *next, enum next_fate fate)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < next->nr_pieces; i++)
		if (next->pieces[i].fate == fate)
			sum += next_wanted(next, &next->pieces[i]);
	return sum;
}

/* Why there are fewer pages in the order than were asked for, if there are. */
enum next_end next_ends(const struct next *next)
{
	enum next_end end = next->nr_lists ? NEXT_ENOUGH : NEXT_LIST;
	size_t i;

	for (i = 0; i < next->nr_lists; i++)
		if (next->lists[i].goes < next->lists[i].share && next->lists[i].end > end)
			end = next->lists[i].end;
	return end != NEXT_ENOUGH && next->cut ? NEXT_ROOM : end;
}

/**
 * next_eta_ms() - when it is a page's turn, if reclaim goes on as now
 * @next: the answer
 * @list: on which it is
 * @ahead: pages that go before it
 * @ms: filled in
 *
 * The rate is that of anonymous memory as well, where that can go (memory.stat's pgsteal).
 *
 * Return: false while nothing is taken from the list, or nobody knows how much.
 */
bool next_eta_ms(const struct next *next, uint32_t list, uint64_t ahead, uint64_t *ms)
{
	const struct next_list *of = &next->lists[list];

	if (next->swaps || !of->rate_known || !(of->rate > 0))
		return false;
	*ms = ahead * 1000.0 / of->rate;
	return true;
}

/* As in JSON; NULL: it does not end. */
const char *next_end_name(enum next_end end)
{
	static const char *const names[] = {
		[NEXT_LIST] = "list", [NEXT_ACTIVE] = "active", [NEXT_AGING] = "aging",
		[NEXT_ROOM] = "room",
	};

	return names[end];
}

void next_free(struct next *next)
{
	size_t i;

	for (i = 0; i < next->nr_files; i++)
		free(next->files[i].file.path);
	free(next->files);
	free(next->lists);
	free(next->pieces);
	free(next->cgroup);
}
