/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * model.h - the content of the screen, before it is drawn: which files in
 * which order, a timeline's cells, numbers and names that fit.
 */
#ifndef PCINSPECT_SCREEN_MODEL_H
#define PCINSPECT_SCREEN_MODEL_H

#include <stddef.h>
#include <wchar.h>

#include "lib/options.h"
#include "model/report.h"
#include "screen/list.h"
#include "trace/events.h"

#define SCREEN_NR_ZOOMS	6
#define SCREEN_CELLS		256	/* of a timeline, at most */

/**
 * enum screen_show - which panes have the room
 */
enum screen_show {
	SCREEN_SHOW_ALL, SCREEN_SHOW_LIST, SCREEN_SHOW_EVENTS,
	SCREEN_NR_SHOWS
};

/**
 * enum screen_chart - what the chart is of
 */
enum screen_chart {
	SCREEN_CHART_AUTO,	/* readahead, or what is cached if there is none */
	SCREEN_CHART_AHEAD,	/* from here on as enum chart_number has them */
	SCREEN_CHART_CACHED, SCREEN_CHART_HITS, SCREEN_CHART_INSERTED, SCREEN_CHART_DIRTY,
	SCREEN_NR_CHARTS
};

/**
 * struct screen_view - what the keys change
 * @list: the files, by index; the order of a moment, in which the selected one is looked up
 * @selected: index of the file whose detail is shown
 * @sort: of the list
 * @first: select the first of the list when it is next made
 * @zoom: of the chart
 * @chart: what it is of
 * @show: what of the panes
 * @only: events of the selected file only
 * @back: newest events scrolled past
 * @events_filter: part of an event
 */
struct screen_view {
	struct list list;
	size_t selected;
	enum file_order sort;
	bool first;
	unsigned int zoom;
	enum screen_chart chart;
	enum screen_show show;
	bool only;
	size_t back;
	char events_filter[LIST_FILTER_LEN];
};

/**
 * struct timeline_cell - one cell of a readahead timeline
 * @windows: in it
 * @pages: they inserted
 * @expanded: of those, added by the filesystem
 * @cause: of most of the pages
 */
struct timeline_cell {
	unsigned int windows;
	uint64_t pages;
	uint64_t expanded;
	unsigned int cause;
};

void screen_order(struct screen_view *view, const struct report *report);
void screen_move(struct screen_view *view, long by);
bool screen_event_passes(const struct screen_view *view, size_t file,
			 const struct event *event);
uint64_t screen_zoom_ns(unsigned int zoom);
const char *screen_zoom_name(unsigned int zoom);
void screen_timeline(struct timeline_cell *cells, int n,
		     const struct pcinspect_window *windows, size_t nr,
		     uint64_t now_ns, uint64_t cell_ns);
const char *screen_short_event(const char *name);
const char *screen_short_text(const char *text);
bool screen_event_words(char *out, size_t size, const struct event *event, uint64_t page_size);

#endif /* PCINSPECT_SCREEN_MODEL_H */
