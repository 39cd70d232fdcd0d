/* SPDX-License-Identifier: GPL-2.0 */
/*
 * events.h - the newest events, decoded, for the screen to look at.
 */
#ifndef PCINSPECT_SCREEN_EVENTS_H
#define PCINSPECT_SCREEN_EVENTS_H

#include "trace/events.h"

#define PCINSPECT_SCREEN_EVENTS	2048	/* kept to scroll back to */

/**
 * struct pcinspect_screen_events - what the event pane shows
 * @ring: decoded events; one without a name stands for some that were left out
 * @newest: index in @ring
 * @kept: how many
 * @total: events that were read
 * @came: of those, since then
 * @skipped: events since then that will not be in @ring
 * @paused: of those, some while the screen was paused
 */
struct pcinspect_screen_events {
	struct pcinspect_event *ring;
	size_t newest;
	size_t kept;
	uint64_t total;
	uint64_t came;
	uint64_t skipped;
	bool paused;
};

int pcinspect_screen_events_start(struct pcinspect_screen_events *shown);
bool pcinspect_screen_events_take(struct pcinspect_screen_events *shown,
				  struct pcinspect_events *events,
				  unsigned int budget_ms);
void pcinspect_screen_events_decode(struct pcinspect_screen_events *shown,
				    struct pcinspect_events *events, bool paused);
const struct pcinspect_event *
pcinspect_screen_events_get(const struct pcinspect_screen_events *shown, size_t age);

#endif /* PCINSPECT_SCREEN_EVENTS_H */
