// SPDX-License-Identifier: GPL-2.0-only
/*
 * model.c - sorting, filtering, scaling and cutting for the screen.
 * Pure: knows no terminal, touches memory only.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/escape.h"
#include "screen/model.h"
#include "view/order.h"

/* The arguments of compare_rows(). */
struct sorting {
	const struct report *report;
	enum file_order sort;
};

/* Ties as typed. */
static int compare_sorted(const void *left, const void *right, void *context)
{
	size_t a = *(const size_t *)left, b = *(const size_t *)right;
	const struct sorting *sorting = context;

	return order_compare(&sorting->report->files[a], &sorting->report->files[b],
			     sorting->sort) ?: a < b ? -1 : a > b;
}

/**
 * screen_order() - filter and sort the files
 * @view: whose order is renewed; a selected file that is filtered out gives way
 *	to the first that is not, as any does to the first of a new order
 * @report: the files
 */
void screen_order(struct screen_view *view, const struct report *report)
{
	struct sorting sorting = { report, view->sort };
	struct list *list = &view->list;
	size_t i;

	list->nr = 0;
	for (i = 0; i < report->nr_files; i++)
		if (!*list->filter || strstr(report->files[i].path ?: "", list->filter))
			list->order[list->nr++] = i;
	qsort_r(list->order, list->nr, sizeof(*list->order), compare_sorted, &sorting);
	for (i = 0; i < list->nr && list->order[i] != view->selected; i++)
		;
	list->row = i < list->nr && !view->first ? i : 0;
	if (list->nr)
		view->selected = list->order[list->row];
	view->first = false;
}

/**
 * screen_move() - select another file
 * @view: whose selection moves
 * @by: rows down the list, negative: up; stops at its ends
 */
void screen_move(struct screen_view *view, long by)
{
	list_move(&view->list, by);
	if (view->list.nr)
		view->selected = view->list.order[view->list.row];
}

/* Its event, in a word. Returns NULL: use the kernel's name. */
static const char *event_word(const struct event *event)
{
	static const char *const words[][2] = {
		{ "mm_filemap_add_to_page_cache", "inserted" },
		{ "mm_filemap_delete_from_page_cache", "removed" },
		{ "mm_filemap_get_pages", "looked up" },
		{ "mm_filemap_map_pages", "mapped" },
		{ "mm_filemap_fault", "fault" },
		{ "writeback_dirty_folio", "dirtied" },
		{ "pcinspect_refault", "refault" },
		{ "pcinspect_evicted", "gone" },
		{ "pcinspect_dirty_aged", "written" },
		{ "pcinspect_ra_window", "window" },
	};
	size_t i;

	for (i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (!strcmp(event->name, words[i][0]))
			return words[i][1];
	return NULL;
}

/**
 * screen_event_passes() - is an event to be shown
 * @view: its filters
 * @file: the selected file; of an inode with several names the first
 * @event: which
 *
 * Return: true if so.
 */
bool screen_event_passes(const struct screen_view *view, size_t file,
			 const struct event *event)
{
	char comm[sizeof(event->comm) + 1] = "";
	const char *word = event_word(event);

	if (view->only && event->file != file)
		return false;
	memcpy(comm, event->comm, sizeof(event->comm));
	return !*view->events_filter || strstr(event->name, view->events_filter) ||
	       strstr(event->system, view->events_filter) ||
	       strstr(event->text, view->events_filter) ||
	       strstr(comm, view->events_filter) ||
	       (word && strstr(word, view->events_filter));
}

static const struct {
	uint64_t ns;
	const char *name;
} zooms[SCREEN_NR_ZOOMS] = {
	{ 0, "1 window" }, { 1000000, "1 ms" }, { 10000000, "10 ms" },
	{ 100000000, "0.1 s" }, { 1000000000, "1 s" }, { 10000000000, "10 s" },
};

/* The length of one cell of the timeline. Returns nanoseconds, 0: one window. */
uint64_t screen_zoom_ns(unsigned int zoom)
{
	return zooms[zoom].ns;
}

/* That in words. */
const char *screen_zoom_name(unsigned int zoom)
{
	return zooms[zoom].name;
}

/**
 * screen_timeline() - put readahead windows in cells
 * @cells: filled in; the last is the newest
 * @n: how many
 * @windows: oldest first
 * @nr: how many
 * @now_ns: where the last cell ends
 * @cell_ns: time of a cell; 0: each cell is one window
 *
 * Example: windows at 1 s and 9 s, now 10 s, cells of 5 s: one each.
 */
void screen_timeline(struct timeline_cell *cells, int n,
		     const struct pcinspect_window *windows, size_t nr,
		     uint64_t now_ns, uint64_t cell_ns)
{
	uint64_t by_cause[SCREEN_CELLS][PCINSPECT_NR_CAUSES] = {};
	size_t i;

	memset(cells, 0, n * sizeof(*cells));
	for (i = 0; i < nr; i++) {
		const struct pcinspect_window *w = &windows[nr - 1 - i];
		uint64_t back = i, *causes;
		unsigned int cause = w->cause;
		struct timeline_cell *cell;

		if (cell_ns)
			back = w->time_ns < now_ns ? (now_ns - w->time_ns) / cell_ns : 0;
		if (back >= (uint64_t)n || back >= SCREEN_CELLS)
			break;
		cell = &cells[n - 1 - back];
		causes = by_cause[back];
		if (cause >= PCINSPECT_NR_CAUSES)
			cause = PCINSPECT_CAUSE_OTHER;
		causes[cause] += w->inserted_pages;
		if (!cell->windows || causes[cause] > causes[cell->cause])
			cell->cause = cause;
		cell->windows++;
		cell->pages += w->inserted_pages;
		cell->expanded += w->expanded_pages;
	}
}

/* An event's name without what all of them begin with. Returns a part of @name. */
const char *screen_short_event(const char *name)
{
	static const char *const heads[] = { "mm_filemap_", "pcinspect_", "writeback_" };
	size_t i;

	for (i = 0; i < sizeof(heads) / sizeof(*heads); i++)
		if (!strncmp(name, heads[i], strlen(heads[i])) && name[strlen(heads[i])])
			return name + strlen(heads[i]);
	return name;
}

/**
 * screen_short_text() - an event's text without saying which inode it is of
 * @text: the kernel's
 *
 * "dev 254:16 ino d pfn=0x1 ofs=0" is "pfn=0x1 ofs=0", as is
 * "dev=254:16 ino=13 pfn=0x1 ofs=0".
 *
 * Return: a part of @text.
 */
const char *screen_short_text(const char *text)
{
	static const char *const heads[] = { "dev", "bdi", "ino", "generation" };
	const char *end;
	size_t i, n;

	for (i = 0; i < sizeof(heads) / sizeof(*heads); i++) {
		n = strlen(heads[i]);
		if (strncmp(text, heads[i], n) || (text[n] != ' ' && text[n] != '='))
			continue;
		end = strchr(text + n + 1, ' ');
		if (!end)
			return text;
		text = end + 1;
	}
	return text;
}

static const int64_t *event_field(const struct event *event, const char *name)
{
	size_t i;

	for (i = 0; i < event->nr_fields; i++)
		if (!strcmp(event->fields[i].name, name))
			return &event->fields[i].value;
	return NULL;
}

/* Why, of those of the module's; "" of others. */
static const char *event_why(const struct event *event)
{
	const int64_t *cause = event_field(event, "cause"), *reason = event_field(event, "reason");

	if (reason)
		return pcinspect_reason_word(*reason);
	if (!cause)
		return "";
	return strcmp(event->name, "pcinspect_ra_window") ? pcinspect_removal_word(*cause) :
							    pcinspect_cause_word(*cause);
}

/* Of so many pages, 0: it does not say. */
static uint64_t event_pages(const struct event *event, uint64_t index)
{
	static const char *const names[] = { "pages", "inserted_pages" };
	const int64_t *order = event_field(event, "order"), *pages;
	const int64_t *last = event_field(event, "last_index");
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++) {
		pages = event_field(event, names[i]);
		if (pages && *pages >= 0)
			return *pages;
	}
	if (last && *last >= 0 && (uint64_t)*last >= index)
		return *last - index + 1;
	return order && *order >= 0 && *order < 32 ? 1ULL << *order : 0;
}

/**
 * screen_event_words() - an event as one reads it: "inserted 16K at 1536K"
 * @out: where
 * @size: of it
 * @event: one about pages of a file. Of how many, not each event of each kernel says;
 *	then neither do the words.
 * @page_size: in bytes
 *
 * Return: false if there are no words for it.
 */
bool screen_event_words(char *out, size_t size, const struct event *event, uint64_t page_size)
{
	const int64_t *index = event_field(event, "index");
	const char *word = event_word(event), *why = event_why(event);
	uint64_t kib = page_size / 1024, pages;
	char many[32] = "";

	if (!word || !index || *index < 0)
		return false;
	pages = event_pages(event, *index);
	if (pages)
		snprintf(many, sizeof(many), " %" PRIu64 "K", pages * kib);
	snprintf(out, size, "%s%s at %" PRIu64 "K%s%s", word, many, (uint64_t)*index * kib,
		 *why ? ", " : "", why);
	return true;
}
