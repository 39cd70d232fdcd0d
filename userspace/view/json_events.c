// SPDX-License-Identifier: GPL-2.0-only
/*
 * json_events.c - the events between two ticks as text, made as they come in:
 * the stream keeps few of them, and text is small. Touches memory and the
 * event stream it is given.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/escape.h"
#include "view/json.h"
#include "view/json_events.h"

/* Text of one tick at most; events past it are counted as missed. */
#define LOG_BYTES	(64 << 20)

/* One event as a JSON object. Returns a new string on one line. */
char *event_json_text(const struct event *event)
{
	char *text = NULL;
	struct jsonw w;
	size_t size, i;
	FILE *to = alloc_stream(&text, &size);

	jsonw_begin(&w, to, false);
	jsonw_open(&w, NULL, '{');
	jsonw_count(&w, "time_ns", event->time_ns);
	jsonw_signed(&w, "cpu", event->cpu);
	jsonw_signed(&w, "pid", event->pid);
	json_comm(&w, "comm", event->comm);
	jsonw_text(&w, "system", event->system);
	jsonw_text(&w, "event", event->name);
	if (event->dev)
		jsonw_dev(&w, "dev", event->dev >> 20, event->dev & 0xfffff);
	else
		jsonw_null(&w, "dev");
	jsonw_count(&w, "ino", event->ino);
	jsonw_count(&w, "file", event->file);
	jsonw_text(&w, "text", event->text);
	jsonw_open(&w, "fields", '{');
	for (i = 0; i < event->nr_fields; i++)
		jsonw_signed(&w, event->fields[i].name, event->fields[i].value);
	jsonw_close_to(&w, 0);
	alloc_close(to);
	return text;
}

static char *event_line(const struct event *event)
{
	char *name = escape_comm(event->comm), *line;

	line = alloc_text("%" PRIu64 ".%06" PRIu64 " %s-%d [%03d] %s: %s",
			  event->time_ns / 1000000000, event->time_ns % 1000000000 / 1000, name,
			  event->pid, event->cpu, event->name, event->text);
	free(name);
	return line;
}

static void append(struct event_log *log, const char *text, size_t len)
{
	/* The last part is small. */
	if (log->used + len + 8 > log->room) {
		log->room = (log->used + len + 8) * 2;
		log->text = alloc_array(log->text, 1, log->room);
	}
	memcpy(log->text + log->used, text, len);
	log->used += len;
	log->text[log->used] = '\0';
}

static void log_event(struct event_log *log, const struct event *event)
{
	char *text;

	if (log->used > LOG_BYTES) {
		log->dropped++;
		return;
	}
	text = log->json ? event_json_text(event) : event_line(event);
	if (log->json)
		append(log, log->nr ? "," : "[", 1);
	append(log, text, strlen(text));
	if (!log->json)
		append(log, "\n", 1);
	log->nr++;
	free(text);
}

/**
 * event_log_take() - read events, and write them down
 * @log: where
 * @events: the stream; empty afterwards
 * @budget_ms: read for this long at most
 *
 * Return: true if there is more to read.
 */
bool event_log_take(struct event_log *log, struct events *events, unsigned int budget_ms)
{
	bool more = events_read(events, budget_ms);
	size_t age = events_kept(events);

	while (age--)
		log_event(log, events_get(events, age));
	events_clear(events);
	return more;
}

/**
 * event_log_text() - all that was written down
 * @log: which; nothing is to be added until it is cleared
 *
 * Return: text that lives until then.
 */
const char *event_log_text(struct event_log *log)
{
	if (log->json)
		append(log, log->nr ? "]" : "[]", log->nr ? 1 : 2);
	else
		append(log, "", 0);
	return log->text;
}

/* Forget the text, for the next tick. */
void event_log_clear(struct event_log *log)
{
	log->used = 0;
	log->nr = 0;
}

void event_log_free(struct event_log *log)
{
	free(log->text);
	log->text = NULL;
	log->used = log->room = log->nr = 0;
}
