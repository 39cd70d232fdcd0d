// SPDX-License-Identifier: GPL-2.0-only
/*
 * json_report.c - a report as JSON. One schema for every command; unknown is null; counts
 * are exact integers. A section whose feature does not exist yet is absent. Files may come
 * one by one: then they stand before all that is known only behind them.
 * Touches the stream it is given, or the file of --report (lib/replace.c); stderr.
 */
#include <errno.h>
#include <stdlib.h>

#include "lib/alloc.h"
#include "lib/wall.h"
#include "model/fields.h"
#include "view/json.h"
#include "view/json_report.h"
#include "view/limits.h"
#include "view/trial.h"

/* --- verdicts --------------------------------------------------------------------- */

static void put_paths(struct jsonw *w, const struct report *report, const struct verdict *v)
{
	size_t i;

	jsonw_open(w, "paths", '[');
	for (i = 0; i < v->nr_files && i < VERDICT_NAMED; i++)
		jsonw_text(w, NULL, report->files[v->worst[i]].path);
	if (!v->nr_files && v->scope == SCOPE_FILE)
		jsonw_text(w, NULL, v->place);
	jsonw_close(w);
}

static void put_verdict(struct jsonw *w, const struct report *report, const struct verdict *v)
{
	size_t i;

	jsonw_open(w, NULL, '{');
	jsonw_text(w, "verdict", v->name);
	jsonw_path(w, "path", v->nr_files ? report->files[v->file].path :
		   v->scope == SCOPE_FILE ? v->place : NULL);
	jsonw_text(w, "text", v->text);
	jsonw_text(w, "scope", scope_word(v->scope));
	jsonw_text(w, "place", v->place);
	put_paths(w, report, v);
	jsonw_count(w, "files", v->nr_files ?: v->scope == SCOPE_FILE);
	jsonw_count(w, "cost_bytes", v->cost_bytes);
	jsonw_maybe_real(w, "share", v->share >= 0, v->share);
	jsonw_bool(w, "certain", v->certain);
	jsonw_text(w, "sure", v->certain ? "exact" : "inferred");
	jsonw_text(w, "what_happened", v->what);
	jsonw_text(w, "why", v->why);
	jsonw_row(w, "evidence");
	for (i = 0; i < v->nr_evidence; i++)
		jsonw_count(w, v->evidence[i].name, v->evidence[i].value);
	jsonw_close(w);
	jsonw_open(w, "remedy", '{');
	jsonw_text(w, "text", v->remedy);
	jsonw_text(w, "command", v->command);
	jsonw_text(w, "costs", v->costs);
	jsonw_close_to(w, w->depth - 2);
}

static void put_verdicts(struct jsonw *w, const struct report *report)
{
	size_t i;

	jsonw_open(w, "verdicts", '[');
	for (i = 0; i < report->nr_verdicts; i++)
		put_verdict(w, report, &report->verdicts[i]);
	jsonw_close(w);
}

/* --- the report ------------------------------------------------------------------- */

/* A list of rows of so many bytes each. */
static void put_rows(struct jsonw *w, const char *key, const struct fields *fields,
		     const void *rows, size_t nr, size_t size, const struct report *report)
{
	size_t i;

	jsonw_open(w, key, '[');
	for (i = 0; i < nr; i++)
		json_row(w, NULL, fields, (const char *)rows + i * size, report);
	jsonw_close(w);
}

#define PUT_ROWS(w, key, fields, rows, nr, report) \
	put_rows(w, key, fields, rows, nr, sizeof(*(rows)), report)

/* Settings and limits that its numbers depend on, as far as they are known. */
static void put_settings(struct jsonw *w, const struct report *report)
{
	size_t i;

	jsonw_open(w, "settings", '[');
	for (i = 0; i < report->nr_settings; i++)
		if (report->settings[i].value >= 0)
			json_row(w, NULL, &setting_fields, &report->settings[i], report);
	jsonw_close(w);
}

/* The parts of a report that are known before it is collected. */
static void open_report(struct jsonw *w, const struct report *report, FILE *to, bool pretty)
{
	jsonw_begin(w, to, pretty);
	jsonw_open(w, NULL, '{');
	jsonw_text(w, "format", "pcinspect-report");
	jsonw_count(w, "version", 1);
	jsonw_text(w, "kernel", report->kernel);
	jsonw_count(w, "page_size", report->page_size);
}

/* When it was, and whether its numbers hold. */
static void put_moment(struct jsonw *w, const struct report *report)
{
	char text[WALL_TEXT];

	jsonw_count(w, "time_ns", report->time_ns);
	wall_utc(text, sizeof(text), report->wall_ns);
	jsonw_text(w, "wall_time", report->wall_ns ? text : NULL);
	PUT_ROWS(w, "audit", &audit_fields, report->audits, report->nr_audits, report);
}

/**
 * json_whole_head() - begin a report of the machine, or of cgroups
 * @w: begun here, on its stream
 * @report: which
 * @lru: which lists are in use; NULL: unknown
 *
 * It has the keys that every report has: those that need records or a run are null. The
 * object "lost" is left open, for what its walk lost; json_whole_lost() closes it.
 */
void json_whole_head(struct jsonw *w, const struct report *report, const char *lru)
{
	open_report(w, report, w->to, w->pretty);
	jsonw_text(w, "lru", lru);
	put_moment(w, report);
	jsonw_null(w, "interval_ns");
	jsonw_null(w, "devices");
	jsonw_open(w, "lost", '{');
}

/* Close "lost": what only records lose is null. */
void json_whole_lost(struct jsonw *w)
{
	static const char *const of_records[] = {
		"inodes", "events", "windows", "dirty_times", "probes_missed",
	};
	size_t i;

	for (i = 0; i < sizeof(of_records) / sizeof(*of_records); i++)
		jsonw_null(w, of_records[i]);
	jsonw_close(w);
}

/* The rest, but the files. */
static void put_rest(struct jsonw *w, const struct report *report)
{
	uint64_t interval = report_interval(report);

	jsonw_text(w, "lru", report_lru(report));
	put_moment(w, report);
	jsonw_maybe(w, "interval_ns", interval, interval);
	json_row(w, "lost", &loss_fields, report, report);
	if (report->grows)
		jsonw_count(w, "left_out_files", report->left_out);
	/* Bytes of devices are told apart during a run only. */
	if (report->devices_known)
		PUT_ROWS(w, "devices", &device_fields, report->devices, report->nr_devices, report);
	else
		jsonw_null(w, "devices");
	if (report->written_known)
		json_row(w, "written", &written_fields, report, report);
	if (report->nr_settings)
		put_settings(w, report);
	if (report->nr_rules)
		put_verdicts(w, report);
	if (report->trial)
		json_trial(w, report->trial);
	if (report->limits)
		json_limits(w, report->limits);
	if (report->nr_gone)
		PUT_ROWS(w, "gone", &gone_fields, report->gone, report->nr_gone, report);
	if (report->counts)
		PUT_ROWS(w, "event_counts", &event_count_fields, report->counts->list,
			 report->counts->nr, report);
}

static void put_files(struct jsonw *w, const struct report *report)
{
	size_t i;

	jsonw_open(w, "files", '[');
	for (i = 0; i < report->nr_files && !ferror(w->to); i++)
		json_file(w, report, &report->files[i]);
	jsonw_close(w);
}

/* A report and its newline. Returns 0, or -1 with errno set if it could not be written. */
static int put_report(const struct report *report, FILE *to, bool pretty)
{
	struct jsonw w;

	open_report(&w, report, to, pretty);
	put_rest(&w, report);
	put_files(&w, report);
	return jsonw_end(&w);
}

/**
 * report_json() - a report as text
 * @report: which
 * @pretty: over many lines; otherwise one line
 *
 * Return: a new string, without a newline at its end.
 */
char *report_json(const struct report *report, bool pretty)
{
	char *text = NULL;
	size_t size;
	FILE *to = alloc_stream(&text, &size);

	put_report(report, to, pretty);
	alloc_close(to);
	text[size - 1] = '\0';
	return text;
}

/* Print a report. Returns 0, or -1 with errno set if it could not be written. */
int report_json_write(const struct report *report, FILE *to)
{
	return put_report(report, to, true);
}

/* The same in one line. */
int report_json_line(const struct report *report, FILE *to)
{
	return put_report(report, to, false);
}

/**
 * report_json_tick() - print the report of a tick, in one line
 * @report: which
 * @events: of the tick, a JSON array; NULL: none can be had
 * @to: where
 *
 * Return: 0, or -1 with errno set if it could not be written.
 */
int report_json_tick(const struct report *report, const char *events, FILE *to)
{
	struct jsonw w;

	open_report(&w, report, to, false);
	put_rest(&w, report);
	put_files(&w, report);
	jsonw_raw(&w, "events", events ?: "null");
	return jsonw_end(&w);
}

/* --- files one by one ------------------------------------------------------------- */

/**
 * report_json_begin() - begin a report whose files come one by one
 * @stream: filled in
 * @report: its kernel and page size are there
 * @to: where
 * @pretty: over many lines; otherwise one line
 */
void report_json_begin(struct json_stream *stream, const struct report *report, FILE *to,
		       bool pretty)
{
	stream->w = (struct jsonw){ .to = to, .pretty = pretty };
	(void)report;
}

static void begin_files(struct json_stream *stream, const struct report *report)
{
	if (stream->w.depth)
		return;
	open_report(&stream->w, report, stream->w.to, stream->w.pretty);
	jsonw_open(&stream->w, "files", '[');
}

/* Write one more file. Returns false if it cannot be written. */
bool report_json_file(struct json_stream *stream, const struct report *report,
		      const struct file *file)
{
	begin_files(stream, report);
	json_file(&stream->w, report, file);
	return !ferror(stream->w.to);
}

/**
 * report_json_end() - end a report whose files came one by one
 * @stream: of report_json_begin()
 * @report: complete; files that are still in it were not written yet
 *
 * Return: 0, or -1 with errno set if it could not be written.
 */
int report_json_end(struct json_stream *stream, const struct report *report)
{
	size_t i;

	begin_files(stream, report);
	for (i = 0; i < report->nr_files && !ferror(stream->w.to); i++)
		report_json_file(stream, report, &report->files[i]);
	jsonw_close(&stream->w);
	put_rest(&stream->w, report);
	return jsonw_end(&stream->w);
}

/* Forget a report that failed: a document that has begun is closed. */
void report_json_drop(struct json_stream *stream)
{
	if (stream->w.depth)
		jsonw_end(&stream->w);
}

/* --- in a file of its own --------------------------------------------------------- */

/**
 * json_save_begin() - begin a report whose files come one by one
 * @save: filled in
 * @report: its kernel and page size are there
 * @path: replaced as a whole, at the end; after an error it is what it was; NULL: none
 *
 * Errors are reported at the end.
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
 * @report: complete; files that are still in it were not written yet
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
	errno = save->error;
	return replace_report(&save->file, !save->error, save->path);
}

/* There will be no report: the file stays what it was. */
void json_save_drop(struct json_save *save)
{
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
