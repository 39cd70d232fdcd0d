// SPDX-License-Identifier: GPL-2.0
/*
 * json_save.c - a report in a file of its own, for --report: as a whole, or file by file
 * as they come. Touches that file (lib/replace.c), stderr.
 */
#include <errno.h>

#include "view/json_save.h"

/**
 * json_save_begin() - begin a report whose files come one by one
 * @save: filled in
 * @report: its kernel and page size are there
 * @path: replaced as a whole, at the end; after an error it is what it was; NULL: none
 *
 * What is wrong is said at the end.
 */
void json_save_begin(struct json_save *save, const struct report *report, const char *path)
{
	FILE *to;

	*save = (struct json_save){ .path = path };
	if (!path)
		return;
	to = replace_begin(&save->file, path);
	if (to)
		report_json_begin(&save->json, report, to, true);
	else
		save->error = errno ?: EIO;
}

/* Write one more file, if there is a file to write to. */
void json_save_file(struct json_save *save, const struct report *report,
		    const struct file *file)
{
	if (save->path && !save->error && !report_json_file(&save->json, report, file))
		save->error = errno ?: EIO;
}

/**
 * json_save_end() - end a report whose files came one by one
 * @save: of json_save_begin()
 * @report: all that is to be said; files that are still in it were not written yet
 *
 * Complains by itself.
 *
 * Return: 0 or -1.
 */
int json_save_end(struct json_save *save, const struct report *report)
{
	if (!save->path)
		return 0;
	if (!save->error && report_json_end(&save->json, report))
		save->error = errno ?: EIO;
	report_json_drop(&save->json);
	errno = save->error;
	return replace_report(&save->file, !save->error, save->path);
}

/* There will be no report: the file stays what it was. */
void json_save_drop(struct json_save *save)
{
	report_json_drop(&save->json);
	if (save->path)
		replace_end(&save->file, false);
}

/**
 * report_json_save() - write a report to a file, for --report
 * @report: which
 * @path: replaced as a whole; after an error it is what it was
 *
 * Complains by itself.
 *
 * Return: 0 or -1.
 */
int report_json_save(const struct report *report, const char *path)
{
	struct replace file;
	FILE *to = replace_begin(&file, path);

	return replace_report(&file, to && !report_json_write(report, to), path);
}
