/* SPDX-License-Identifier: GPL-2.0 */
/*
 * json_save.h - a report in a file of its own, for --report.
 */
#ifndef PCINSPECT_JSON_SAVE_H
#define PCINSPECT_JSON_SAVE_H

#include "lib/replace.h"
#include "view/json_report.h"

/**
 * struct json_save - a report that goes to a file while its files come
 * @path: of the file; NULL: nobody asked for one
 * @file: it
 * @json: what goes there
 * @error: what the first error was, 0: none
 */
struct json_save {
	const char *path;
	struct replace file;
	struct json_stream json;
	int error;
};

void json_save_begin(struct json_save *save, const struct report *report, const char *path);
void json_save_file(struct json_save *save, const struct report *report,
		    const struct file *file);
int json_save_end(struct json_save *save, const struct report *report);
void json_save_drop(struct json_save *save);
int report_json_save(const struct report *report, const char *path);

#endif /* PCINSPECT_JSON_SAVE_H */
