// SPDX-License-Identifier: GPL-2.0-only
/*
 * events_ring.c - the newest events of a stream, as they came; what makes room
 * is counted. Touches nothing but memory.
 */
#include <stdlib.h>

#include "trace/events_ring.h"

static void grow_ring(struct event_ring *ring)
{
	size_t room = ring->room ? ring->room * 4 : 1024;
	struct raw_event *list = malloc(room * sizeof(*list));
	size_t i;

	if (!list)
		return;
	for (i = 0; i < ring->kept; i++)
		list[i] = ring->list[(ring->newest + ring->room - ring->kept + 1 + i) %
				     ring->room];
	free(ring->list);
	ring->list = list;
	ring->room = room;
	ring->newest = ring->kept ? ring->kept - 1 : room - 1;
}

/**
 * event_ring_slot() - the place for one more event
 * @ring: EVENTS_KEPT are kept; then the oldest makes room
 * @size: bytes of the event
 *
 * Return: where it goes; NULL: it is too long, or there is no memory, and it is
 * counted as lost.
 */
struct raw_event *event_ring_slot(struct event_ring *ring, size_t size)
{
	if (ring->kept == ring->room && ring->room < EVENTS_KEPT)
		grow_ring(ring);
	if (!ring->room || size > RAW_EVENT_MAX) {
		ring->lost++;
		return NULL;
	}
	if (ring->kept == ring->room)
		ring->lost++;
	else
		ring->kept++;
	ring->newest = (ring->newest + 1) % ring->room;
	return &ring->list[ring->newest];
}

/**
 * event_ring_at() - look at one event
 * @ring: where
 * @age: 0: the newest
 *
 * Return: the event; NULL if there is none so old.
 */
const struct raw_event *
event_ring_at(const struct event_ring *ring, size_t age)
{
	if (age >= ring->kept)
		return NULL;
	return &ring->list[(ring->newest + ring->room - age) % ring->room];
}

/* Forget all events; the ring may be used again. */
void event_ring_free(struct event_ring *ring)
{
	free(ring->list);
	*ring = (struct event_ring){};
}
