/* SPDX-License-Identifier: GPL-2.0 */
/*
 * json_report.h - the report schema (docs/pcinspect-report.5).
 */
#ifndef PCINSPECT_REPORT_JSON_H
#define PCINSPECT_REPORT_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include "model/report.h"

struct json_object;

/**
 * struct json_stream - a report whose files come one by one
 * @to: where
 * @frame: what is around and between them
 * @pretty: over many lines; otherwise all of it is one line
 * @nr: how many have come
 */
struct json_stream {
	FILE *to;
	char *frame;
	bool pretty;
	size_t nr;
};

struct json_object *report_json_whole(const struct report *report, const char *lru,
				      struct json_object *lost);
char *report_json(const struct report *report, bool pretty);
int report_json_write(const struct report *report, FILE *to);
int report_json_line(const struct report *report, FILE *to);
int report_json_tick(const struct report *report, const char *events, FILE *to);
void report_json_begin(struct json_stream *stream, const struct report *report, FILE *to,
		       bool pretty);
bool report_json_file(struct json_stream *stream, const struct report *report,
		      const struct file *file);
int report_json_end(struct json_stream *stream, const struct report *report);
void report_json_drop(struct json_stream *stream);

#endif /* PCINSPECT_REPORT_JSON_H */
