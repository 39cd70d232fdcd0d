/* SPDX-License-Identifier: GPL-2.0 */
/*
 * draw.h - what is on the screen, and drawing it.
 */
#ifndef PCINSPECT_SCREEN_DRAW_H
#define PCINSPECT_SCREEN_DRAW_H

#include "screen/events.h"
#include "screen/model.h"
#include "screen/pen.h"
#include "screen/watch.h"

/**
 * struct pcinspect_screen - one screen
 * @watch: what it is of
 * @view: what the keys changed
 * @shown: newest events
 * @total: events when @rate was computed
 * @total_ns: and the time
 * @rate: events a second, then
 * @missed: events, then
 * @message: the last line that something wrote to stderr, or empty
 */
struct pcinspect_screen {
	struct pcinspect_watch *watch;
	struct pcinspect_screen_view view;
	struct pcinspect_screen_events shown;
	uint64_t total;
	uint64_t total_ns;
	double rate;
	uint64_t missed;
	char message[256];
};

void pcinspect_screen_draw(struct pcinspect_screen *screen);

#endif /* PCINSPECT_SCREEN_DRAW_H */
