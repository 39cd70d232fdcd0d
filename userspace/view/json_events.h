/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * json_events.h - the events of one tick as text: a JSON array, or lines.
 */
#ifndef PCINSPECT_EVENTS_JSON_H
#define PCINSPECT_EVENTS_JSON_H

#include "trace/events.h"

/**
 * struct event_log - the events since the last tick
 * @json: as a JSON array; otherwise as lines
 * @text: so far; NULL before the first event
 * @used: bytes of it
 * @room: bytes allocated
 * @nr: events in it
 * @dropped: events for which there was no room, since the beginning
 */
struct event_log {
	bool json;
	char *text;
	size_t used;
	size_t room;
	size_t nr;
	uint64_t dropped;
};

bool event_log_take(struct event_log *log, struct events *events, unsigned int budget_ms);
const char *event_log_text(struct event_log *log);
void event_log_clear(struct event_log *log);
void event_log_free(struct event_log *log);
char *event_json_text(const struct event *event);

#endif /* PCINSPECT_EVENTS_JSON_H */
