// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_events_ring.c - the newest events stay, in order, and what does not is
 * counted: however many come, whenever the list is cleared.
 */
#include "test.h"
#include "trace/events.h"
#include "trace/events_ring.h"

static void push(struct event_ring *ring, uint64_t from, uint64_t nr)
{
	uint64_t i;

	for (i = 0; i < nr; i++)
		event_ring_slot(ring, 8)->time_ns = from + i;
}

/* The newest is @newest, and each older one is one less. */
static bool in_order(const struct event_ring *ring, uint64_t newest)
{
	size_t age;

	for (age = 0; age < ring->kept; age++)
		if (event_ring_at(ring, age)->time_ns != newest - age)
			return false;
	return !event_ring_at(ring, age);
}

int main(void)
{
	struct event_ring ring = {};

	CHECK("an empty ring has nothing", !event_ring_at(&ring, 0));
	CHECK("one that is too long is lost, and counted",
	      !event_ring_slot(&ring, RAW_EVENT_MAX + 1) &&
	      ring.lost == 1 && !ring.kept);
	push(&ring, 0, 700);
	ring.kept = 0;
	push(&ring, 700, 5000);
	CHECK("in order when it grew after it was cleared",
	      ring.kept == 5000 && in_order(&ring, 5699));
	push(&ring, 5700, EVENTS_KEPT);
	CHECK("full: the newest stay", ring.kept == EVENTS_KEPT &&
	      in_order(&ring, 5699 + EVENTS_KEPT));
	CHECK("full: what made room is counted", ring.lost == 1 + 5000);
	ring.kept = 0;
	push(&ring, 0, 3);
	CHECK("cleared: nothing old is seen", in_order(&ring, 2) && ring.lost == 1 + 5000);
	event_ring_free(&ring);
	return test_failures != 0;
}
