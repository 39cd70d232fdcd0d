// SPDX-License-Identifier: GPL-2.0-only
/*
 * timeline.c - the events of a recording, by time: what the charts of report --html show.
 * Touches memory only.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "trace/inode_events.h"
#include "trace/timeline.h"

/* A number of an event; @otherwise if it has none of this name. */
static uint64_t number(struct tep_event *event, struct tep_record *record, const char *name,
		       uint64_t otherwise)
{
	struct tep_format_field *field = tep_find_field(event, name);
	unsigned long long value;

	if (!field || !event_field_within(field, record->size) ||
	    tep_read_number_field(field, record->data, &value))
		return otherwise;
	return value;
}

/**
 * timeline_begin() - begin
 * @timeline: filled in
 * @begin_ns: CLOCK_MONOTONIC
 * @end_ns: likewise
 * @nr_files: of the report
 */
void timeline_begin(struct timeline *timeline, uint64_t begin_ns, uint64_t end_ns,
		    size_t nr_files)
{
	*timeline = (struct timeline){
		.begin_ns = begin_ns, .end_ns = end_ns > begin_ns ? end_ns : begin_ns + 1,
		.cached = alloc_zero(nr_files + 1, sizeof(*timeline->cached)),
		.now = alloc_zero(nr_files + 1, sizeof(*timeline->now)),
		.nr_files = nr_files,
	};
}

/* Which part a moment is in. Events a little before or after are in the first or last. */
static size_t bin_of(const struct timeline *timeline, uint64_t ns)
{
	uint64_t at;

	if (ns <= timeline->begin_ns)
		return 0;
	at = (double)(ns - timeline->begin_ns) * TIMELINE_BINS /
	     (timeline->end_ns - timeline->begin_ns);
	return at < TIMELINE_BINS ? at : TIMELINE_BINS - 1;
}

static void add_mark(struct timeline *timeline, const struct timeline_mark *mark)
{
	if (timeline->nr_marks == TIMELINE_MARKS) {
		timeline->marks_left_out++;
		return;
	}
	timeline->marks = alloc_room(timeline->marks, timeline->nr_marks, &timeline->room,
				     sizeof(*timeline->marks));
	timeline->marks[timeline->nr_marks++] = *mark;
}

/* Pages came or went. Nobody has counted a file, or events disagree: wait for the next count. */
static void change(struct timeline *timeline, size_t file, size_t bin, int64_t pages)
{
	uint64_t *now = &timeline->now[file];

	if (!*now)
		return;
	*now = pages < 0 && *now <= (uint64_t)-pages ? 0 : *now + pages;
	timeline->cached[file][bin] = *now;
}

static size_t age_of(int64_t ms)
{
	size_t age = 0;

	if (ms < 0)
		return TIMELINE_AGES - 1;
	while (age < TIMELINE_AGES - 2 && ms >= 100LL << age)
		age++;
	return age;
}

/**
 * timeline_event() - take an event
 * @timeline: begun
 * @event: its format; events that say nothing of use are left out
 * @record: it
 * @file: index of the file it is about
 */
void timeline_event(struct timeline *timeline, struct tep_event *event,
		    struct tep_record *record, size_t file)
{
	uint64_t pages = number(event, record, "pages", 0);
	uint64_t order = number(event, record, "order", 0);
	uint64_t kind = number(event, record, "cause", UINT64_MAX);
	size_t bin = bin_of(timeline, record->ts);
	struct timeline_mark mark = {
		.file = file, .time_ns = record->ts, .index = number(event, record, "index", 0),
	};

	if (file >= timeline->nr_files)
		return;
	if (!strcmp(event->name, "mm_filemap_add_to_page_cache") && order < 32) {
		timeline->inserted[bin] += 1ULL << order;
		change(timeline, file, bin, 1LL << order);
	} else if (!strcmp(event->name, "mm_filemap_delete_from_page_cache") && order < 32) {
		timeline->removed[bin] += 1ULL << order;
		change(timeline, file, bin, -(1LL << order));
	} else if (!strcmp(event->name, "pcinspect_ra_window")) {
		mark.pages = number(event, record, "inserted_pages", 0);
		if (kind < PCINSPECT_NR_CAUSES)
			timeline->causes[kind][bin] += mark.pages;
		if (mark.pages)
			add_mark(timeline, &mark);
	} else if (!strcmp(event->name, "pcinspect_evicted")) {
		if (kind < PCINSPECT_NR_REMOVALS)
			timeline->removals[kind][bin] += pages;
		mark.pages = pages;
		mark.unused = number(event, record, "unused_pages", 0);
		if ((int32_t)mark.unused > 0)
			add_mark(timeline, &mark);
	} else if (!strcmp(event->name, "pcinspect_dirty_aged")) {
		timeline->ages[age_of(number(event, record, "age_ms", -1))][bin] += pages;
	} else if (!strcmp(event->name, "pcinspect_sample")) {
		if (!timeline->cached[file])
			timeline->cached[file] = alloc_zero(TIMELINE_BINS,
							    sizeof(**timeline->cached));
		timeline->now[file] = number(event, record, "cached", 0) + 1;
		timeline->cached[file][bin] = timeline->now[file];
	}
}

void timeline_free(struct timeline *timeline)
{
	size_t i;

	for (i = 0; i < timeline->nr_files; i++)
		free(timeline->cached[i]);
	free(timeline->cached);
	free(timeline->now);
	free(timeline->marks);
	*timeline = (struct timeline){};
}
