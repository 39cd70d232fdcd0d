// SPDX-License-Identifier: GPL-2.0
/*
 * json_report.c - a report as JSON, by json-c. One schema for every command; unknown
 * is null; counts are exact integers. A section whose feature does not exist
 * yet is absent.
 *
 * What there may be very many of, files above all, is made, written and forgotten one
 * by one: a file takes 16 KB as objects. The rest of the report is made first, with
 * two marks in each of these lists; what json-c writes around and between the marks
 * is how the list is written.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/escape.h"
#include "lib/wall.h"
#include "view/json.h"
#include "view/json_reads.h"
#include "view/json_report.h"
#include "view/json_writes.h"
#include "view/limits.h"
#include "view/trial.h"

static struct json_object *dev(const struct pcinspect_snapshot *snap)
{
	char text[32];

	snprintf(text, sizeof(text), "%u:%u", snap->dev_major, snap->dev_minor);
	return json_object_new_string(text);
}

/**
 * key_add_path() - a path, and its bytes in hex where JSON cannot hold them
 * @to: object to add to
 * @key: for the path
 * @hex_key: for the bytes
 * @path: raw, or NULL
 */
void key_add_path(struct json_object *to, const char *key, const char *hex_key,
		  const char *path)
{
	char *text;

	if (!path) {
		key_add(to, key, NULL);
		return;
	}
	text = utf8_replace(path);
	key_add(to, key, json_object_new_string(text));
	free(text);
	if (!utf8_valid(path)) {
		text = hex_text(path);
		key_add(to, hex_key, json_object_new_string(text));
		free(text);
	}
}

static struct json_object *orders(const struct file *file)
{
	struct json_object *out = json_object_new_array();
	int order;

	for (order = 0; order < PCINSPECT_NR_ORDERS; order++) {
		struct json_object *one;

		if (!file->snap.orders[order])
			continue;
		one = json_object_new_object();
		key_add(one, "order", json_object_new_int(order));
		key_add(one, "pages", count_value(file->snap.orders[order]));
		json_object_array_add(out, one);
	}
	return out;
}

static struct json_object *memcg(const struct file *file)
{
	struct json_object *out, *one;
	int i;

	if (!(file->snap.flags & PCINSPECT_F_MEMCG))
		return NULL;
	out = json_object_new_array();
	for (i = 0; i < PCINSPECT_NR_MEMCGS && file->snap.memcgs[i].id; i++) {
		one = json_object_new_object();
		key_add_path(one, "path", "path_hex", file->memcg_paths[i]);
		key_add(one, "pages", count_value(file->snap.memcgs[i].pages));
		key_add(one, "dirty_pages",
			maybe_value(number_known(file, PCINSPECT_DIRTY),
				    file->snap.memcgs[i].dirty_pages));
		json_object_array_add(out, one);
	}
	if (file->snap.memcg_other) {
		one = json_object_new_object();
		key_add(one, "path", json_object_new_string("(others)"));
		key_add(one, "pages", count_value(file->snap.memcg_other));
		json_object_array_add(out, one);
	}
	return out;
}

/* What the record counted since it began; null for an inode without one. */
static struct json_object *record_object(const struct file *file)
{
	const struct pcinspect_snapshot *snap = &file->snap;
	struct json_object *out;

	if (file->gone || !(snap->flags & (PCINSPECT_F_AUTO | PCINSPECT_F_EXPLICIT)))
		return NULL;
	out = section_value(file, "record");
	key_add(out, "kind", json_object_new_string(snap->flags & PCINSPECT_F_EXPLICIT ?
						"explicit" : "auto"));
	key_add(out, "interval_ns", count_value(snapshot_age(snap, snap->since_ns)));
	return out;
}

static struct json_object *file_object(const struct report *report,
				       const struct file *file)
{
	const struct pcinspect_snapshot *snap = &file->snap;
	struct json_object *out = json_object_new_object(), *pages;
	double percent;

	key_add_path(out, "path", "path_hex", file->path);
	if (file->real_path)
		key_add_path(out, "real_path", "real_path_hex", file->real_path);
	if (file->gone)
		key_add(out, "gone", json_object_new_boolean(true));
	if (file->renamed)
		key_add_path(out, "renamed_to", "renamed_to_hex", file->renamed);
	if (file->replaced) {
		key_add(out, "replaced", count_value(file->replaced));
		key_add(out, "replaced_ino", count_value(file->replaced_ino));
	}
	key_add(out, "dev", dev(snap));
	key_add(out, "ino", count_value(snap->ino));
	key_add(out, "i_generation", count_value(snap->i_generation));
	key_add(out, "fs", json_object_new_string(snap->fs));
	if (file->gone) {
		key_add(out, "size_bytes", NULL);
		key_add(out, "deleted", NULL);
		key_add(out, "aged_during_walk", NULL);
		key_add(out, "pages", NULL);
		key_add(out, "lru_generations", NULL);
		key_add(out, "orders", NULL);
		key_add(out, "memcg", NULL);
		key_add(out, "record", NULL);
		report_json_reads(out, report, file);
		report_json_writes(out, report, file);
		return out;
	}
	key_add(out, "size_bytes", count_value(snap->size_bytes));
	key_add(out, "deleted", deleted_value(snap->flags));
	key_add(out, "aged_during_walk",
		json_object_new_boolean(snap->flags & PCINSPECT_F_AGED));
	pages = section_value(file, "pages");
	key_add(pages, "cached_percent", file_cached_percent(file, &percent) ?
		json_object_new_double(percent) : NULL);
	key_add(out, "pages", pages);
	key_add(out, "lru_generations", number_known(file, PCINSPECT_GEN0) ?
		 list_value(file, PCINSPECT_GEN0, PCINSPECT_NR_GENS, "age", NULL) : NULL);
	key_add(out, "orders", orders(file));
	key_add(out, "memcg", memcg(file));
	key_add(out, "record", record_object(file));
	report_json_reads(out, report, file);
	report_json_writes(out, report, file);
	return out;
}

/* One audit, as every report has them. */
static struct json_object *audit_object(const struct audit *audit)
{
	struct json_object *out = json_object_new_object();

	key_add(out, "what", json_object_new_string(audit->what));
	if (audit->major || audit->minor) {
		char text[32];

		snprintf(text, sizeof(text), "%u:%u", audit->major, audit->minor);
		key_add(out, "dev", json_object_new_string(text));
	} else {
		key_add(out, "dev", NULL);
	}
	key_add(out, "ours", count_value(audit->ours));
	key_add(out, "theirs", count_value(audit->theirs));
	key_add(out, "diff", json_object_new_int64((int64_t)(audit->ours - audit->theirs)));
	key_add(out, "slack", count_value(audit->slack));
	key_add(out, "source", json_object_new_string(audit->source));
	key_add(out, "ok", json_object_new_boolean(audit_ok(audit)));
	return out;
}

static struct json_object *lost(const struct report *report,
				uint64_t value)
{
	return report->losses.known ? count_value(value) : NULL;
}

/**
 * name_value() - a name that others have given
 * @name: any bytes, or NULL
 *
 * Return: a string, or null.
 */
struct json_object *name_value(const char *name)
{
	char *text = name ? utf8_replace(name) : NULL;
	struct json_object *out = text ? json_object_new_string(text) : NULL;

	free(text);
	return out;
}

/**
 * json_flush() - all was written
 * @to: by parts, each of which may have failed
 *
 * Return: 0, or -1 with errno set.
 */
int json_flush(FILE *to)
{
	if (fflush(to))
		return -1;
	if (!ferror(to))
		return 0;
	/* What failed was earlier. */
	errno = errno ?: EIO;
	return -1;
}

/* What a verdict is made of. */
static void add_cause(struct json_object *to, const struct report *report,
		      const struct verdict *v)
{
	struct json_object *part = json_object_new_array();
	size_t i, nr = v->nr_files < VERDICT_NAMED ? v->nr_files : VERDICT_NAMED;

	key_add(to, "scope", json_object_new_string(scope_word(v->scope)));
	key_add(to, "place", name_value(v->place));
	for (i = 0; i < nr; i++)
		json_object_array_add(part, name_value(report->files[v->worst[i]].path));
	if (!v->nr_files && v->scope == SCOPE_FILE)
		json_object_array_add(part, name_value(v->place));
	key_add(to, "paths", part);
	key_add(to, "files", count_value(v->nr_files ?: v->scope == SCOPE_FILE));
	key_add(to, "cost_bytes", count_value(v->cost_bytes));
	key_add(to, "share", v->share < 0 ? NULL : json_object_new_double(v->share));
	key_add(to, "certain", json_object_new_boolean(v->certain));
	key_add(to, "sure", json_object_new_string(v->certain ? "exact" : "inferred"));
	key_add(to, "what_happened", v->what ? json_object_new_string(v->what) : NULL);
	key_add(to, "why", v->why ? json_object_new_string(v->why) : NULL);
	part = json_object_new_object();
	for (i = 0; i < v->nr_evidence; i++)
		key_add(part, v->evidence[i].name, count_value(v->evidence[i].value));
	key_add(to, "evidence", part);
	part = json_object_new_object();
	key_add(part, "text", v->remedy ? json_object_new_string(v->remedy) : NULL);
	key_add(part, "command", v->command ? json_object_new_string(v->command) : NULL);
	key_add(part, "costs", v->costs ? json_object_new_string(v->costs) : NULL);
	key_add(to, "remedy", part);
}

static struct json_object *verdict_object(const struct report *report, size_t i)
{
	struct json_object *out = json_object_new_object();
	const struct verdict *v = &report->verdicts[i];

	key_add(out, "verdict", json_object_new_string(v->name));
	key_add_path(out, "path", "path_hex", v->nr_files ? report->files[v->file].path :
		     v->scope == SCOPE_FILE ? v->place : NULL);
	key_add(out, "text", json_object_new_string(v->text));
	add_cause(out, report, v);
	return out;
}

/* Of a recording: events of one kind on one file. */
static struct json_object *count_object(const struct report *report, size_t i)
{
	struct json_object *out = json_object_new_object();
	const struct event_count *count = &report->counts->list[i];

	key_add(out, "system", json_object_new_string(count->system));
	key_add(out, "event", json_object_new_string(count->name));
	key_add_path(out, "path", "path_hex", report->files[count->file].path);
	key_add(out, "events", count_value(count->events));
	return out;
}

/* Settings and limits that its numbers depend on, as far as they are known. */
static struct json_object *settings(const struct report *report)
{
	struct json_object *out = json_object_new_array(), *one;
	size_t i;

	for (i = 0; i < report->nr_settings; i++) {
		if (report->settings[i].value < 0)
			continue;
		one = json_object_new_object();
		key_add_path(one, "path", "path_hex", report->settings[i].path);
		key_add(one, "value", count_value(report->settings[i].value));
		json_object_array_add(out, one);
	}
	return out;
}

/* When it was. @ns: since 1970, 0: unknown. */
static void key_add_wall(struct json_object *to, uint64_t ns)
{
	char text[WALL_TEXT];

	wall_utc(text, sizeof(text), ns);
	key_add(to, "wall_time", ns ? json_object_new_string(text) : NULL);
}

static struct json_object *gone_object(const struct report *report, size_t i)
{
	struct json_object *out = json_object_new_object();
	const struct file *gone = &report->gone[i];

	key_add(out, "dev", dev(&gone->snap));
	key_add(out, "fs", json_object_new_string(gone->snap.fs));
	key_add(out, "inodes", count_value(gone->snap.gone_inodes));
	key_add(out, "inserted_pages", number_value(gone, PCINSPECT_INSERTED));
	key_add(out, "removed_pages", number_value(gone, PCINSPECT_REMOVED));
	key_add(out, "demanded_bytes", number_value(gone, PCINSPECT_DEMANDED_BYTES));
	key_add(out, "device_bytes", number_value(gone, PCINSPECT_DEVICE_BYTES));
	key_add(out, "write_bytes", number_value(gone, PCINSPECT_WRITE_BYTES));
	key_add(out, "device_write_bytes", number_value(gone, PCINSPECT_DEVICE_WRITE_BYTES));
	key_add(out, "dirtied_pages", number_value(gone, PCINSPECT_DIRTIED_PAGES));
	key_add(out, "written_pages", number_value(gone, PCINSPECT_WRITTEN_PAGES));
	key_add(out, "fsync_calls", number_value(gone, PCINSPECT_FSYNCS_TOTAL));
	return out;
}

/**
 * struct long_list - a list that is written one by one
 * @nr: how many are in it; 0: it is @text
 * @make: makes one
 * @text: JSON already
 */
struct long_list {
	size_t nr;
	struct json_object *(*make)(const struct report *report, size_t i);
	const char *text;
};

/**
 * struct long_lists - those of a report, in order
 * @list: each
 * @nr: how many
 */
struct long_lists {
	struct long_list list[8];
	size_t nr;
};

/* json-c writes no such byte of itself: in strings it is \u0001. */
static char mark[] = "\1";

static struct json_object *mark_object(void)
{
	struct json_object *out = json_object_new_object();

	json_object_set_serializer(out, json_object_userdata_to_json_string, mark, NULL);
	return out;
}

/* Put a list's two marks where it will be. */
static void add_long(struct json_object *to, struct long_lists *lists, const char *key,
		     size_t nr, struct json_object *(*make)(const struct report *, size_t))
{
	struct json_object *list = json_object_new_array();

	if (nr) {
		json_object_array_add(list, mark_object());
		json_object_array_add(list, mark_object());
		lists->list[lists->nr++] = (struct long_list){ .nr = nr, .make = make };
	}
	key_add(to, key, list);
}

static struct json_object *file_at(const struct report *report, size_t i)
{
	return file_object(report, &report->files[i]);
}

/* What is known of a report before anything of it is collected. */
static struct json_object *report_head(const struct report *report)
{
	struct json_object *out = json_object_new_object();

	key_add(out, "format", json_object_new_string("pcinspect-report"));
	key_add(out, "version", json_object_new_int(1));
	key_add(out, "kernel", json_object_new_string(report->kernel));
	key_add(out, "page_size", count_value(report->page_size));
	return out;
}

/* When it was, and whether its numbers hold. */
static void add_moment(struct json_object *out, const struct report *report)
{
	struct json_object *list = json_object_new_array();
	size_t i;

	key_add(out, "time_ns", count_value(report->time_ns));
	key_add_wall(out, report->wall_ns);
	for (i = 0; i < report->nr_audits; i++)
		json_object_array_add(list, audit_object(&report->audits[i]));
	key_add(out, "audit", list);
}

/**
 * report_json_whole() - the head of a report of the machine, or of cgroups
 * @report: which
 * @lru: which lists are in use; NULL: unknown
 * @lost: what its walk lost
 *
 * It has the keys that every report has: what only records and runs can tell is null.
 *
 * Return: a new object, @lost in it.
 */
struct json_object *report_json_whole(const struct report *report, const char *lru,
				      struct json_object *lost)
{
	static const char *const of_records[] = {
		"inodes", "events", "windows", "dirty_times", "probes_missed",
	};
	struct json_object *out = report_head(report);
	size_t i;

	key_add(out, "lru", lru ? json_object_new_string(lru) : NULL);
	add_moment(out, report);
	key_add(out, "interval_ns", NULL);
	for (i = 0; i < sizeof(of_records) / sizeof(*of_records); i++)
		key_add(lost, of_records[i], NULL);
	key_add(out, "lost", lost);
	key_add(out, "devices", NULL);
	return out;
}

/* The rest, but the files. */
static void add_rest(struct json_object *out, const struct report *report,
		     struct long_lists *lists)
{
	uint64_t interval = report_interval(report);
	struct json_object *one;

	key_add(out, "lru", json_object_new_string(report_lru(report)));
	add_moment(out, report);
	key_add(out, "interval_ns", interval ? count_value(interval) : NULL);
	one = json_object_new_object();
	key_add(one, "inodes", count_value(report->about.lost_inodes + report->skipped));
	if (report->counts)
		key_add(one, "events", maybe_value(!report->counts->missed_unknown,
						   report->counts->missed));
	else
		key_add(one, "events", maybe_value(report->events_open,
						   report->events_missed));
	key_add(one, "windows", lost(report, report->losses.windows));
	key_add(one, "ledgers", lost(report, report->losses.ledgers));
	key_add(one, "dirty_times", lost(report, report->losses.dirty_times));
	key_add(one, "frames", lost(report, report->losses.frames));
	key_add(one, "probes_missed", lost(report, report->losses.probes_missed));
	key_add(one, "device_bytes", lost(report, report->losses.device_bytes));
	key_add(one, "hooks_missing", lost(report, report->losses.hooks_missing));
	key_add(out, "lost", one);
	if (report->grows)
		key_add(out, "left_out_files", count_value(report->left_out));
	/* Bytes of devices are told apart during a run only. */
	key_add(out, "devices", report->devices_known ? report_json_devices(report) : NULL);
	if (report->written_known) {
		one = json_object_new_object();
		key_add(one, "file_pages", count_value(report->written_file_pages));
		key_add(one, "other_pages", count_value(report->written_other_pages));
		key_add(out, "written", one);
	}
	if (report->nr_settings)
		key_add(out, "settings", settings(report));
	if (report->nr_rules)
		add_long(out, lists, "verdicts", report->nr_verdicts, verdict_object);
	if (report->trial)
		key_add(out, "try", trial_object(report->trial));
	if (report->limits)
		key_add(out, "assert", limits_object(report->limits));
	if (report->nr_gone)
		add_long(out, lists, "gone", report->nr_gone, gone_object);
	if (report->counts)
		add_long(out, lists, "event_counts", report->counts->nr, count_object);
}

static char *text_with(struct json_object *object, int flags)
{
	const char *text = json_object_to_json_string_ext(object, flags |
							  JSON_C_TO_STRING_NOSLASHESCAPE);
	char *copy = alloc_copy(text);

	return escape_json(copy);
}

/* A new string, fit for any terminal. */
static char *text_of(struct json_object *object, bool pretty)
{
	return text_with(object, pretty ? JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED : 0);
}

/**
 * json_line() - one value as text, without a line break
 * @value: it is gone then
 *
 * Return: a new string, fit for any terminal.
 */
char *json_line(struct json_object *value)
{
	char *text = text_with(value, JSON_C_TO_STRING_SPACED);

	json_object_put(value);
	return text;
}

/* Each line but the first @indent further in; no string of JSON has a raw newline. */
static void put_indented(FILE *to, const char *text, const char *indent, size_t len)
{
	const char *end;

	while ((end = strchr(text, '\n'))) {
		fwrite(text, 1, end + 1 - text, to);
		fwrite(indent, 1, len, to);
		text = end + 1;
	}
	fputs(text, to);
}

/* One of a list, @indent from the left. */
static void put_one(FILE *to, struct json_object *one, const char *indent, size_t len, bool pretty)
{
	char *text = text_of(one, pretty);

	put_indented(to, text, indent, len);
	free(text);
	json_object_put(one);
}

/* One list, where its marks are. Returns what follows them. */
static const char *put_list(const struct report *report, const struct long_list *list,
			    const char *before, const char *first, bool pretty, FILE *to)
{
	const char *separator = first + 1, *second, *line;
	size_t i;

	if (!list->nr) {
		fputs(list->text, to);
		return first + 1;
	}
	second = strchr(separator, *mark);
	line = memrchr(before, '\n', first - before);
	line = line ? line + 1 : first;
	for (i = 0; i < list->nr && !ferror(to); i++) {
		if (i)
			fwrite(separator, 1, second - separator, to);
		put_one(to, list->make(report, i), line, first - line, pretty);
	}
	return second + 1;
}

/* Write an object with its lists, from its byte @skip on; it is freed. */
static void put_lists(const struct report *report, struct json_object *out,
		      const struct long_lists *lists, size_t skip, bool pretty, FILE *to)
{
	char *all = text_of(out, pretty);
	const char *text = all + skip, *next;
	size_t i;

	for (i = 0; i < lists->nr && !ferror(to); i++) {
		next = strchr(text, *mark);
		fwrite(text, 1, next - text, to);
		text = put_list(report, &lists->list[i], text, next, pretty, to);
	}
	fputs(text, to);
	free(all);
	json_object_put(out);
}

/* Write a report but its final newline. @events: of a tick, a JSON array, or NULL. */
static void put_report(const struct report *report, const char *events, bool tick,
		       bool pretty, FILE *to)
{
	struct json_object *out = report_head(report);
	struct long_lists lists = {};

	add_rest(out, report, &lists);
	add_long(out, &lists, "files", report->nr_files, file_at);
	if (tick) {
		key_add(out, "events", events ? mark_object() : NULL);
		if (events)
			lists.list[lists.nr++].text = events;
	}
	put_lists(report, out, &lists, 0, pretty, to);
}

/**
 * report_json() - a report as text
 * @report: which
 * @pretty: over many lines; otherwise one line
 *
 * Return: a new string without final newline.
 */
char *report_json(const struct report *report, bool pretty)
{
	char *text = NULL;
	size_t size;
	FILE *to = alloc_stream(&text, &size);

	put_report(report, NULL, false, pretty, to);
	alloc_close(to);
	return text;
}

static int end(FILE *to)
{
	fputc('\n', to);
	return json_flush(to);
}

/* Print a report. Returns 0, or -1 with errno set if it could not be written. */
int report_json_write(const struct report *report, FILE *to)
{
	put_report(report, NULL, false, true, to);
	return end(to);
}

/* The same in one line. */
int report_json_line(const struct report *report, FILE *to)
{
	put_report(report, NULL, false, false, to);
	return end(to);
}

/**
 * report_json_begin() - begin a report whose files come one by one
 * @stream: filled in
 * @report: its kernel and page size are there
 * @to: where
 * @pretty: over many lines; otherwise one line
 *
 * Its keys are those of any report, the files before what is only known behind them.
 */
void report_json_begin(struct json_stream *stream, const struct report *report, FILE *to,
		       bool pretty)
{
	struct json_object *out = report_head(report);
	struct long_lists lists = {};

	add_long(out, &lists, "files", 1, file_at);
	*stream = (struct json_stream){ .to = to, .frame = text_of(out, pretty),
					.pretty = pretty };
	json_object_put(out);
}

/* Write one more file. Returns false if it cannot be written. */
bool report_json_file(struct json_stream *stream, const struct report *report,
		      const struct file *file)
{
	const char *first = strchr(stream->frame, *mark), *second = strchr(first + 1, *mark);
	const char *line = memrchr(stream->frame, '\n', first - stream->frame);

	line = line ? line + 1 : first;
	if (stream->nr++)
		fwrite(first + 1, 1, second - first - 1, stream->to);
	else
		fwrite(stream->frame, 1, first - stream->frame, stream->to);
	put_one(stream->to, file_object(report, file), line, first - line, stream->pretty);
	return !ferror(stream->to);
}

/**
 * report_json_end() - end a report whose files came one by one
 * @stream: of report_json_begin()
 * @report: all that is to be said; files that are still in it were not written yet
 *
 * Return: 0, or -1 with errno set if it could not be written.
 */
int report_json_end(struct json_stream *stream, const struct report *report)
{
	struct json_object *out = json_object_new_object();
	struct long_lists lists = {};
	const char *behind, *close;
	size_t i;

	for (i = 0; i < report->nr_files && !ferror(stream->to); i++)
		report_json_file(stream, report, &report->files[i]);
	if (stream->nr) {
		/* What follows the list, up to the end of the object. */
		behind = strrchr(stream->frame, *mark) + 1;
		close = strrchr(behind, stream->pretty ? '\n' : '}');
		fwrite(behind, 1, close - behind, stream->to);
		add_rest(out, report, &lists);
		putc(',', stream->to);
		put_lists(report, out, &lists, 1, stream->pretty, stream->to);
	} else {
		json_object_put(out);
		put_report(report, NULL, false, stream->pretty, stream->to);
	}
	report_json_drop(stream);
	return end(stream->to);
}

/* Forget a stream; it may have been ended, or never begun. */
void report_json_drop(struct json_stream *stream)
{
	free(stream->frame);
	stream->frame = NULL;
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
	put_report(report, events, true, false, to);
	return end(to);
}
