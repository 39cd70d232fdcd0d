/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * events.h - the newest events, decoded, for the screen to look at.
 */
#ifndef PCINSPECT_SCREEN_EVENTS_H
#define PCINSPECT_SCREEN_EVENTS_H

#include "trace/events.h"

#define SCREEN_EVENTS	2048	/* kept to scroll back to */

/**
 * struct screen_events - what the event pane shows
 * @ring: decoded events; one without a name stands for some that were left out
 * @newest: index in @ring
 * @kept: how many
 * @total: events that were read
 * @came: of those, since then
 * @skipped: events since then that will not be in @ring
 * @paused: of those, some while the screen was paused
 */
struct screen_events {
	struct event *ring;
	size_t newest;
	size_t kept;
	uint64_t total;
	uint64_t came;
	uint64_t skipped;
	bool paused;
};

int screen_events_start(struct screen_events *shown);
bool screen_events_take(struct screen_events *shown,
			struct events *events,
			unsigned int budget_ms);
void screen_events_decode(struct screen_events *shown,
			  struct events *events, bool paused);
const struct event *
screen_events_get(const struct screen_events *shown, size_t age);

#endif /* PCINSPECT_SCREEN_EVENTS_H */
