/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * json_report.h - the report schema (docs/pcinspect-report.5).
 */
#ifndef PCINSPECT_REPORT_JSON_H
#define PCINSPECT_REPORT_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/jsonw.h"
#include "lib/replace.h"
#include "model/report.h"

/**
 * struct json_stream - a report whose files come one by one
 * @w: the document; its stream is NULL before it has begun
 */
struct json_stream {
	struct jsonw w;
};

/**
 * struct json_save - a report that goes to a file while its files come
 * @path: of the file; NULL: nobody asked for one
 * @file: it
 * @json: the document in it
 * @error: the first error, 0: none
 */
struct json_save {
	const char *path;
	struct replace file;
	struct json_stream json;
	int error;
};

void json_file(struct jsonw *w, const struct report *report, const struct file *file);
void json_whole_head(struct jsonw *w, const struct report *report, const char *lru);
void json_whole_lost(struct jsonw *w);
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
void json_save_begin(struct json_save *save, const struct report *report, const char *path);
void json_save_file(struct json_save *save, const struct report *report,
		    const struct file *file);
int json_save_end(struct json_save *save, const struct report *report);
void json_save_drop(struct json_save *save);
int report_json_save(const struct report *report, const char *path);

#endif /* PCINSPECT_REPORT_JSON_H */
