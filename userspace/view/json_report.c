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
 * pcinspect_json_path() - a path, and its bytes in hex where JSON cannot hold them
 * @to: object to add to
 * @key: for the path
 * @hex_key: for the bytes
 * @path: raw, or NULL
 */
void pcinspect_json_path(struct json_object *to, const char *key, const char *hex_key,
		     const char *path)
{
	char *text;

	if (!path) {
		json_add(to, key, NULL);
		return;
	}
	text = pcinspect_to_utf8(path);
	json_add(to, key, json_object_new_string(text));
	free(text);
	if (!pcinspect_is_utf8(path)) {
		text = pcinspect_to_hex(path);
		json_add(to, hex_key, json_object_new_string(text));
		free(text);
	}
}

static const struct {
	const char *key;
	enum pcinspect_field field;
} page_keys[] = {
	{ "cached", FIELD_CACHED }, { "active", FIELD_ACTIVE },
	{ "inactive", FIELD_INACTIVE }, { "unevictable", FIELD_UNEVICTABLE },
	{ "off_lru", FIELD_OFF_LRU }, { "dirty", FIELD_DIRTY },
	{ "writeback", FIELD_WRITEBACK }, { "mapped", FIELD_MAPPED },
	{ "referenced", FIELD_REFERENCED }, { "workingset", FIELD_WORKINGSET },
	{ "evicted", FIELD_EVICTED },
};

static struct json_object *pages(const struct pcinspect_file *file)
{
	struct json_object *out = json_object_new_object();
	size_t i;

	for (i = 0; i < sizeof(page_keys) / sizeof(*page_keys); i++)
		json_add(out, page_keys[i].key, json_number(file, page_keys[i].field));
	return out;
}

static struct json_object *generations(const struct pcinspect_file *file)
{
	struct json_object *out;
	uint64_t value;
	int age;

	if (!pcinspect_file_number(file, FIELD_GEN0, &value))
		return NULL;
	out = json_object_new_array();
	for (age = 0; age < PCINSPECT_NR_GENS; age++) {
		struct json_object *one = json_object_new_object();

		json_add(one, "age", json_object_new_int(age));
		json_add(one, "pages", json_number(file, FIELD_GEN0 + age));
		json_object_array_add(out, one);
	}
	return out;
}

static struct json_object *orders(const struct pcinspect_file *file)
{
	struct json_object *out = json_object_new_array();
	int order;

	for (order = 0; order < PCINSPECT_NR_ORDERS; order++) {
		struct json_object *one;

		if (!file->snap.pages.orders[order])
			continue;
		one = json_object_new_object();
		json_add(one, "order", json_object_new_int(order));
		json_add(one, "pages", json_count(file->snap.pages.orders[order]));
		json_object_array_add(out, one);
	}
	return out;
}

static struct json_object *memcg(const struct pcinspect_file *file)
{
	struct json_object *out, *one;
	int i;

	if (!(file->snap.flags & PCINSPECT_F_MEMCG))
		return NULL;
	out = json_object_new_array();
	for (i = 0; i < PCINSPECT_NR_MEMCGS && file->snap.memcgs[i].id; i++) {
		one = json_object_new_object();
		pcinspect_json_path(one, "path", "path_hex", file->memcg_paths[i]);
		json_add(one, "pages", json_count(file->snap.memcgs[i].pages));
		json_add(one, "dirty_pages",
			 json_maybe(file->snap.flags & PCINSPECT_F_WRITEBACK,
				    file->snap.memcgs[i].dirty_pages));
		json_object_array_add(out, one);
	}
	if (file->snap.memcg_other) {
		one = json_object_new_object();
		json_add(one, "path", json_object_new_string("(others)"));
		json_add(one, "pages", json_count(file->snap.memcg_other));
		json_object_array_add(out, one);
	}
	return out;
}

/* What the record counted since it began; null for an inode without one. */
static struct json_object *record(const struct pcinspect_file *file)
{
	const struct pcinspect_snapshot *snap = &file->snap;
	struct json_object *out;

	if (file->gone || !(snap->flags & (PCINSPECT_F_AUTO | PCINSPECT_F_EXPLICIT)))
		return NULL;
	out = json_object_new_object();
	json_add(out, "kind", json_object_new_string(snap->flags & PCINSPECT_F_EXPLICIT ?
						"explicit" : "auto"));
	json_add(out, "interval_ns",
		 json_count(pcinspect_snapshot_age(snap, snap->since_ns)));
	json_add(out, "inserted_pages", json_number(file, FIELD_INSERTED));
	json_add(out, "removed_pages", json_number(file, FIELD_REMOVED));
	return out;
}

static struct json_object *file_object(const struct pcinspect_report *report,
				       const struct pcinspect_file *file)
{
	const struct pcinspect_snapshot *snap = &file->snap;
	struct json_object *out = json_object_new_object();

	pcinspect_json_path(out, "path", "path_hex", file->path);
	if (file->real_path)
		pcinspect_json_path(out, "real_path", "real_path_hex", file->real_path);
	if (file->gone)
		json_add(out, "gone", json_object_new_boolean(true));
	json_add(out, "dev", dev(snap));
	json_add(out, "ino", json_count(snap->ino));
	json_add(out, "i_generation", json_count(snap->i_generation));
	json_add(out, "fs", json_object_new_string(snap->fs));
	if (file->gone) {
		json_add(out, "size_bytes", NULL);
		json_add(out, "deleted", NULL);
		json_add(out, "aged_during_walk", NULL);
		json_add(out, "pages", NULL);
		json_add(out, "lru_generations", NULL);
		json_add(out, "orders", NULL);
		json_add(out, "memcg", NULL);
		json_add(out, "record", NULL);
		pcinspect_json_reads(out, report, file);
		pcinspect_json_writes(out, report, file);
		return out;
	}
	json_add(out, "size_bytes", json_count(snap->size_bytes));
	json_add(out, "deleted",
	    json_object_new_boolean(snap->flags & PCINSPECT_F_DELETED));
	json_add(out, "aged_during_walk",
	    json_object_new_boolean(snap->flags & PCINSPECT_F_AGED));
	json_add(out, "pages", pages(file));
	json_add(out, "lru_generations", generations(file));
	json_add(out, "orders", orders(file));
	json_add(out, "memcg", memcg(file));
	json_add(out, "record", record(file));
	pcinspect_json_reads(out, report, file);
	pcinspect_json_writes(out, report, file);
	return out;
}

static struct json_object *audit_object(const struct pcinspect_audit *audit)
{
	struct json_object *out = json_object_new_object();

	json_add(out, "what", json_object_new_string(audit->what));
	if (audit->major || audit->minor) {
		char text[32];

		snprintf(text, sizeof(text), "%u:%u", audit->major, audit->minor);
		json_add(out, "dev", json_object_new_string(text));
	} else {
		json_add(out, "dev", NULL);
	}
	json_add(out, "ours", json_count(audit->ours));
	json_add(out, "theirs", json_count(audit->theirs));
	json_add(out, "diff", json_object_new_int64((int64_t)(audit->ours - audit->theirs)));
	json_add(out, "slack", json_count(audit->slack));
	json_add(out, "source", json_object_new_string(audit->source));
	json_add(out, "ok", json_object_new_boolean(pcinspect_audit_ok(audit)));
	return out;
}

static struct json_object *lost(const struct pcinspect_report *report,
				uint64_t value)
{
	return report->losses.known ? json_count(value) : NULL;
}

static struct json_object *verdicts(const struct pcinspect_report *report)
{
	struct json_object *out = json_object_new_array(), *one;
	size_t i;

	for (i = 0; i < report->nr_verdicts; i++) {
		const struct verdict *v = &report->verdicts[i];

		one = json_object_new_object();
		json_add(one, "verdict", json_object_new_string(v->name));
		pcinspect_json_path(one, "path", "path_hex", report->files[v->file].path);
		json_add(one, "text", json_object_new_string(v->text));
		json_object_array_add(out, one);
	}
	return out;
}

/* Of a recording: events by kind and file. */
static struct json_object *event_counts(const struct pcinspect_report *report)
{
	struct json_object *out = json_object_new_array(), *one;
	size_t i;

	for (i = 0; i < report->counts->nr; i++) {
		const struct pcinspect_count *count = &report->counts->list[i];

		one = json_object_new_object();
		json_add(one, "system", json_object_new_string(count->system));
		json_add(one, "event", json_object_new_string(count->name));
		pcinspect_json_path(one, "path", "path_hex", report->files[count->file].path);
		json_add(one, "events", json_count(count->events));
		json_object_array_add(out, one);
	}
	return out;
}

static struct json_object *report_object(const struct pcinspect_report *report)
{
	struct json_object *out = json_object_new_object(), *list, *one;
	uint64_t interval = pcinspect_report_interval(report);
	size_t i;

	json_add(out, "format", json_object_new_string("pcinspect-report"));
	json_add(out, "version", json_object_new_int(1));
	json_add(out, "kernel", json_object_new_string(report->kernel));
	json_add(out, "lru", json_object_new_string(pcinspect_report_lru(report)));
	json_add(out, "page_size", json_count(report->page_size));
	json_add(out, "time_ns", json_count(report->time_ns));
	json_add(out, "interval_ns", interval ? json_count(interval) : NULL);
	one = json_object_new_object();
	json_add(one, "inodes", json_count(report->about.lost_inodes + report->skipped));
	if (report->counts)
		json_add(one, "events", json_maybe(!report->counts->missed_unknown,
						   report->counts->missed));
	else
		json_add(one, "events", json_maybe(report->events_open,
						   report->events_missed));
	json_add(one, "windows", lost(report, report->losses.windows));
	json_add(one, "ledgers", lost(report, report->losses.ledgers));
	json_add(one, "dirty_times", lost(report, report->losses.dirty_times));
	json_add(one, "frames", lost(report, report->losses.frames));
	json_add(one, "probes_missed", lost(report, report->losses.probes_missed));
	json_add(one, "hooks_missing", lost(report, report->losses.hooks_missing));
	json_add(out, "lost", one);
	list = json_object_new_array();
	for (i = 0; i < report->nr_audits; i++)
		json_object_array_add(list, audit_object(&report->audits[i]));
	json_add(out, "audit", list);
	/* Bytes of devices are told apart during a run only. */
	json_add(out, "devices", report->devices_known ? pcinspect_json_devices(report) : NULL);
	if (report->written_known) {
		one = json_object_new_object();
		json_add(one, "file_pages", json_count(report->written_file_pages));
		json_add(one, "other_pages", json_count(report->written_other_pages));
		json_add(out, "written", one);
	}
	if (report->nr_rules)
		json_add(out, "verdicts", verdicts(report));
	if (report->nr_gone) {
		list = json_object_new_array();
		for (i = 0; i < report->nr_gone; i++) {
			const struct pcinspect_snapshot *snap = &report->gone[i].snap;

			one = json_object_new_object();
			json_add(one, "dev", dev(snap));
			json_add(one, "fs", json_object_new_string(snap->fs));
			json_add(one, "inodes", json_count(snap->gone_inodes));
			json_add(one, "inserted_pages", json_count(snap->inserted_pages));
			json_add(one, "removed_pages", json_count(snap->removed_pages));
			json_add(one, "written_pages", json_count(snap->gone_written_pages));
			json_object_array_add(list, one);
		}
		json_add(out, "gone", list);
	}
	if (report->counts)
		json_add(out, "event_counts", event_counts(report));
	list = json_object_new_array();
	for (i = 0; i < report->nr_files; i++)
		json_object_array_add(list, file_object(report, &report->files[i]));
	json_add(out, "files", list);
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
 * pcinspect_json() - a report as text
 * @report: which
 * @pretty: over many lines; otherwise one line
 *
 * Return: a new string without final newline.
 */
char *pcinspect_json(const struct pcinspect_report *report, bool pretty)
{
	return text_of(report_object(report), pretty);
}

/**
 * pcinspect_json_write() - print a report
 * @report: which
 * @to: where
 *
 * Return: 0, or -1 with errno set if it could not be written.
 */
int pcinspect_json_write(const struct pcinspect_report *report, FILE *to)
{
	return write_text(pcinspect_json(report, true), to);
}

/**
 * pcinspect_json_tick() - print the report of a tick, in one line
 * @report: which
 * @events: of the tick, a JSON array; NULL: none can be had
 * @to: where
 *
 * Return: 0, or -1 with errno set if it could not be written.
 */
int pcinspect_json_tick(const struct pcinspect_report *report, const char *events,
			FILE *to)
{
	struct json_object *out = report_object(report), *list = NULL;
	char *text = events ? strdup(events) : NULL;

	/* It is JSON already. */
	if (text) {
		list = json_object_new_array();
		json_object_set_serializer(list, json_object_userdata_to_json_string,
					   text, json_object_free_userdata);
	}
	json_add(out, "events", list);
	return write_text(text_of(out, false), to);
}

/**
 * pcinspect_json_save() - write a report to a file, for --report
 * @report: which
 * @path: replaced
 *
 * Complains by itself.
 *
 * Return: 0 or -1.
 */
int pcinspect_json_save(const struct pcinspect_report *report, const char *path)
{
	FILE *to = fopen(path, "we");

	if (!to || pcinspect_json_write(report, to) || fclose(to)) {
		pcinspect_complain(path, "cannot write the report: %s",
				   strerror(errno));
		return -1;
	}
	return 0;
}
