// SPDX-License-Identifier: GPL-2.0-only
/*
 * events.c - between the event stream and the event pane.
 *
 * Thousands of events can come between two looks at the screen, and decoding
 * one costs more than reading it. So only the newest of each batch are decoded,
 * and a line says how many were left out. Touches memory and the stream.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/clock.h"
#include "screen/events.h"

/* Decoded of one batch: at most, for how long, and however long it takes. */
#define BATCH		256
#define BATCH_NS	20000000ULL
#define LEAST		32

/* Begin with no events. Returns 0, or -1 without memory. */
int screen_events_start(struct screen_events *shown)
{
	memset(shown, 0, sizeof(*shown));
	shown->ring = alloc_zero(SCREEN_EVENTS, sizeof(*shown->ring));
	return shown->ring ? 0 : -1;
}

static struct event *push(struct screen_events *shown)
{
	shown->newest = (shown->newest + 1) % SCREEN_EVENTS;
	if (shown->kept < SCREEN_EVENTS)
		shown->kept++;
	return &shown->ring[shown->newest];
}

/* A line for what is not shown. */
static void push_gap(struct screen_events *shown)
{
	struct event *gap;

	if (!shown->skipped)
		return;
	gap = push(shown);
	memset(gap, 0, sizeof(*gap));
	gap->system = gap->name = "";
	snprintf(gap->text, sizeof(gap->text), "... %" PRIu64 " events %s", shown->skipped,
		 shown->paused ? "while paused" : "too fast to show");
	shown->skipped = 0;
	shown->paused = false;
}

/**
 * screen_events_take() - read events
 * @shown: counts them
 * @events: the stream, which keeps them
 * @budget_ms: read for this long at most
 *
 * Return: true if there is more to read.
 */
bool screen_events_take(struct screen_events *shown,
			struct events *events,
			unsigned int budget_ms)
{
	uint64_t before = events_total(events);
	bool more = events_read(events, budget_ms);

	before = events_total(events) - before;
	shown->total += before;
	shown->came += before;
	return more;
}

/**
 * screen_events_decode() - decode the newest of what was read
 * @shown: where they go
 * @events: the stream; empty afterwards
 * @paused: none of them
 */
void screen_events_decode(struct screen_events *shown, struct events *events, bool paused)
{
	size_t age = events_kept(events);
	uint64_t end = clock_now_ns() + BATCH_NS;

	if (!shown->came)
		return;
	if (paused)
		age = 0;
	if (age > BATCH)
		age = BATCH;
	shown->skipped += shown->came > age ? shown->came - age : 0;
	shown->came = 0;
	shown->paused |= paused;
	if (age)
		push_gap(shown);
	while (age--) {
		*push(shown) = *events_get(events, age);
		if (age % LEAST || age <= LEAST || clock_now_ns() < end)
			continue;
		/* Slow: on with the newest. */
		shown->skipped += age - LEAST;
		push_gap(shown);
		age = LEAST;
	}
	events_clear(events);
}

/**
 * screen_events_get() - look at one
 * @shown: which
 * @age: 0: the newest
 *
 * Return: it, or NULL if there is none so old.
 */
const struct event *
screen_events_get(const struct screen_events *shown, size_t age)
{
	if (age >= shown->kept)
		return NULL;
	return &shown->ring[(shown->newest + SCREEN_EVENTS - age) %
			    SCREEN_EVENTS];
}
