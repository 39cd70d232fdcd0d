// SPDX-License-Identifier: GPL-2.0
/*
 * json_events.c - the events between two ticks as text, made as they come in:
 * the stream keeps few of them, and text is small. Touches memory and the
 * event stream it is given.
 */
#include <err.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/escape.h"
#include "view/json.h"
#include "view/json_events.h"

/* Text of one tick at most; events past it are counted as missed. */
#define LOG_BYTES	(64 << 20)

static struct json_object *text_object(const char *raw)
{
	char *text = pcinspect_to_utf8(raw);
	struct json_object *out = json_object_new_string(text);

	free(text);
	return out;
}

/**
 * pcinspect_event_json() - one event as a JSON object
 * @event: which
 *
 * Return: a new string on one line.
 */
char *pcinspect_event_json(const struct pcinspect_event *event)
{
	struct json_object *out = json_object_new_object();
	struct json_object *fields = json_object_new_object();
	char dev[32], *text;
	size_t i;

	json_add(out, "time_ns", json_count(event->time_ns));
	json_add(out, "cpu", json_object_new_int(event->cpu));
	json_add(out, "pid", json_object_new_int(event->pid));
	json_add(out, "comm", pcinspect_json_comm(event->comm));
	json_add(out, "system", text_object(event->system));
	json_add(out, "event", text_object(event->name));
	snprintf(dev, sizeof(dev), "%u:%u", event->dev >> 20, event->dev & 0xfffff);
	json_add(out, "dev", event->dev ? json_object_new_string(dev) : NULL);
	json_add(out, "ino", json_count(event->ino));
	json_add(out, "file", json_count(event->file));
	json_add(out, "text", text_object(event->text));
	for (i = 0; i < event->nr_fields; i++)
		json_add(fields, event->fields[i].name,
			 json_object_new_int64(event->fields[i].value));
	json_add(out, "fields", fields);
	text = strdup(json_object_to_json_string_ext(out, JSON_C_TO_STRING_NOSLASHESCAPE));
	json_object_put(out);
	if (!text)
		err(1, "out of memory");
	return text;
}

static char *event_line(const struct pcinspect_event *event)
{
	char *name = pcinspect_comm(event->comm), *line;

	if (asprintf(&line, "%" PRIu64 ".%06" PRIu64 " %s-%d [%03d] %s: %s",
		     event->time_ns / 1000000000, event->time_ns % 1000000000 / 1000,
		     name, event->pid, event->cpu, event->name, event->text) < 0)
		err(1, "out of memory");
	free(name);
	return line;
}

static void append(struct pcinspect_event_log *log, const char *text, size_t len)
{
	/* What is written at the end is small. */
	if (log->used + len + 8 > log->room) {
		log->room = (log->used + len + 8) * 2;
		log->text = realloc(log->text, log->room);
		if (!log->text)
			err(1, "out of memory");
	}
	memcpy(log->text + log->used, text, len);
	log->used += len;
	log->text[log->used] = '\0';
}

static void add(struct pcinspect_event_log *log, const struct pcinspect_event *event)
{
	char *text;

	if (log->used > LOG_BYTES) {
		log->dropped++;
		return;
	}
	text = log->json ? pcinspect_event_json(event) : event_line(event);
	if (log->json)
		append(log, log->nr ? "," : "[", 1);
	append(log, text, strlen(text));
	if (!log->json)
		append(log, "\n", 1);
	log->nr++;
	free(text);
}

/**
 * pcinspect_event_log_take() - read events, and write them down
 * @log: where
 * @events: the stream; empty afterwards
 * @budget_ms: read for this long at most
 *
 * Return: true if there is more to read.
 */
bool pcinspect_event_log_take(struct pcinspect_event_log *log,
			      struct pcinspect_events *events,
			      unsigned int budget_ms)
{
	bool more = pcinspect_events_read(events, budget_ms);
	size_t age = pcinspect_events_kept(events);

	while (age--)
		add(log, pcinspect_events_get(events, age));
	pcinspect_events_clear(events);
	return more;
}

/**
 * pcinspect_event_log_text() - all that was written down
 * @log: which; nothing is to be added until it is cleared
 *
 * Return: text that lives until then.
 */
const char *pcinspect_event_log_text(struct pcinspect_event_log *log)
{
	if (log->json)
		append(log, log->nr ? "]" : "[]", log->nr ? 1 : 2);
	else
		append(log, "", 0);
	return log->text;
}

/**
 * pcinspect_event_log_clear() - begin the next tick
 * @log: which
 */
void pcinspect_event_log_clear(struct pcinspect_event_log *log)
{
	log->used = 0;
	log->nr = 0;
}

/**
 * pcinspect_event_log_free() - let the memory go
 * @log: which
 */
void pcinspect_event_log_free(struct pcinspect_event_log *log)
{
	free(log->text);
	log->text = NULL;
	log->used = log->room = log->nr = 0;
}
