// SPDX-License-Identifier: GPL-2.0
/*
 * json_report.c - a report as JSON, by json-c. One schema for every command; unknown
 * is null; counts are exact integers. A section whose feature does not exist
 * yet is absent.
 */
#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "lib/complain.h"
#include "lib/escape.h"
#include "view/json.h"
#include "view/json_reads.h"
#include "view/json_report.h"
#include "view/json_writes.h"

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
	struct json_object *out = json_object_new_object();

	key_add_path(out, "path", "path_hex", file->path);
	if (file->real_path)
		key_add_path(out, "real_path", "real_path_hex", file->real_path);
	if (file->gone)
		key_add(out, "gone", json_object_new_boolean(true));
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
	key_add(out, "deleted",
		json_object_new_boolean(snap->flags & PCINSPECT_F_DELETED));
	key_add(out, "aged_during_walk",
		json_object_new_boolean(snap->flags & PCINSPECT_F_AGED));
	key_add(out, "pages", section_value(file, "pages"));
	key_add(out, "lru_generations", number_known(file, PCINSPECT_GEN0) ?
		 list_value(file, PCINSPECT_GEN0, PCINSPECT_NR_GENS, "age", NULL) : NULL);
	key_add(out, "orders", orders(file));
	key_add(out, "memcg", memcg(file));
	key_add(out, "record", record_object(file));
	report_json_reads(out, report, file);
	report_json_writes(out, report, file);
	return out;
}

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

static struct json_object *verdicts(const struct report *report)
{
	struct json_object *out = json_object_new_array(), *one;
	size_t i;

	for (i = 0; i < report->nr_verdicts; i++) {
		const struct verdict *v = &report->verdicts[i];

		one = json_object_new_object();
		key_add(one, "verdict", json_object_new_string(v->name));
		key_add_path(one, "path", "path_hex", report->files[v->file].path);
		key_add(one, "text", json_object_new_string(v->text));
		json_object_array_add(out, one);
	}
	return out;
}

/* Of a recording: events by kind and file. */
static struct json_object *event_counts(const struct report *report)
{
	struct json_object *out = json_object_new_array(), *one;
	size_t i;

	for (i = 0; i < report->counts->nr; i++) {
		const struct event_count *count = &report->counts->list[i];

		one = json_object_new_object();
		key_add(one, "system", json_object_new_string(count->system));
		key_add(one, "event", json_object_new_string(count->name));
		key_add_path(one, "path", "path_hex", report->files[count->file].path);
		key_add(one, "events", count_value(count->events));
		json_object_array_add(out, one);
	}
	return out;
}

static struct json_object *report_object(const struct report *report)
{
	struct json_object *out = json_object_new_object(), *list, *one;
	uint64_t interval = report_interval(report);
	size_t i;

	key_add(out, "format", json_object_new_string("pcinspect-report"));
	key_add(out, "version", json_object_new_int(1));
	key_add(out, "kernel", json_object_new_string(report->kernel));
	key_add(out, "lru", json_object_new_string(report_lru(report)));
	key_add(out, "page_size", count_value(report->page_size));
	key_add(out, "time_ns", count_value(report->time_ns));
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
	key_add(one, "hooks_missing", lost(report, report->losses.hooks_missing));
	key_add(out, "lost", one);
	list = json_object_new_array();
	for (i = 0; i < report->nr_audits; i++)
		json_object_array_add(list, audit_object(&report->audits[i]));
	key_add(out, "audit", list);
	/* Bytes of devices are told apart during a run only. */
	key_add(out, "devices", report->devices_known ? report_json_devices(report) : NULL);
	if (report->written_known) {
		one = json_object_new_object();
		key_add(one, "file_pages", count_value(report->written_file_pages));
		key_add(one, "other_pages", count_value(report->written_other_pages));
		key_add(out, "written", one);
	}
	if (report->nr_rules)
		key_add(out, "verdicts", verdicts(report));
	if (report->nr_gone) {
		list = json_object_new_array();
		for (i = 0; i < report->nr_gone; i++) {
			const struct file *gone = &report->gone[i];

			one = json_object_new_object();
			key_add(one, "dev", dev(&gone->snap));
			key_add(one, "fs", json_object_new_string(gone->snap.fs));
			key_add(one, "inodes", count_value(gone->snap.gone_inodes));
			key_add(one, "inserted_pages", number_value(gone, PCINSPECT_INSERTED));
			key_add(one, "removed_pages", number_value(gone, PCINSPECT_REMOVED));
			key_add(one, "written_pages", number_value(gone, PCINSPECT_WRITTEN_PAGES));
			json_object_array_add(list, one);
		}
		key_add(out, "gone", list);
	}
	if (report->counts)
		key_add(out, "event_counts", event_counts(report));
	list = json_object_new_array();
	for (i = 0; i < report->nr_files; i++)
		json_object_array_add(list, file_object(report, &report->files[i]));
	key_add(out, "files", list);
	return out;
}

/* An object as text, without final newline; it is gone then. */
static char *text_of(struct json_object *object, bool pretty)
{
	int flags = JSON_C_TO_STRING_NOSLASHESCAPE;
	char *text;

	if (pretty)
		flags |= JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED;
	text = strdup(json_object_to_json_string_ext(object, flags));
	json_object_put(object);
	return text;
}

static int write_text(char *text, FILE *to)
{
	int result = !text || fputs(text, to) == EOF || fputc('\n', to) == EOF ||
		     fflush(to) ? -1 : 0;

	free(text);
	return result;
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
	return text_of(report_object(report), pretty);
}

/* Print a report. Returns 0, or -1 with errno set if it could not be written. */
int report_json_write(const struct report *report, FILE *to)
{
	return write_text(report_json(report, true), to);
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
	struct json_object *out = report_object(report), *list = NULL;
	char *text = events ? strdup(events) : NULL;

	/* It is JSON already. */
	if (text) {
		list = json_object_new_array();
		json_object_set_serializer(list, json_object_userdata_to_json_string,
					   text, json_object_free_userdata);
	}
	key_add(out, "events", list);
	return write_text(text_of(out, false), to);
}

/**
 * report_json_save() - write a report to a file, for --report
 * @report: which
 * @path: replaced
 *
 * Complains by itself.
 *
 * Return: 0 or -1.
 */
int report_json_save(const struct report *report, const char *path)
{
	FILE *to = fopen(path, "we");

	if (!to || report_json_write(report, to) || fclose(to)) {
		complain(path, "cannot write the report: %s", strerror(errno));
		return -1;
	}
	return 0;
}
