/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * state.h - the state of the screen of files.
 */
#ifndef PCINSPECT_SCREEN_STATE_H
#define PCINSPECT_SCREEN_STATE_H

#include "screen/chart.h"
#include "screen/events.h"
#include "screen/model.h"
#include "screen/pen.h"
#include "screen/watch.h"

/**
 * struct screen - one screen
 * @watch: what it is of
 * @view: what the keys changed
 * @room: allocated of @view.list.order
 * @history: numbers over time
 * @shown: newest events
 * @total: events when @rate was computed
 * @total_ns: and the time
 * @rate: events a second, then
 * @missed: events, then
 * @message: the last line that something wrote to stderr, or empty
 */
struct screen {
	struct watch *watch;
	struct screen_view view;
	size_t room;
	struct chart_history history;
	struct screen_events shown;
	uint64_t total;
	uint64_t total_ns;
	double rate;
	uint64_t missed;
	char message[256];
};

#endif /* PCINSPECT_SCREEN_STATE_H */
