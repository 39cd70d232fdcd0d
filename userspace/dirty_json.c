// SPDX-License-Identifier: GPL-2.0
/*
 * dirty_json.c - dirty and fsync of a file as JSON. Null for an inode without a
 * ledger, or without writeback.
 */
#include <stdint.h>

#include "dirty_json.h"
#include "reads_json.h"

/* Upper bounds of the buckets; the last has none. */
const int pcinspect_age_bounds_ms[PCINSPECT_NR_AGES] = {
	10, 100, 500, 1000, 2000, 5000, 10000, 30000, 60000, 0,
};

static void add(struct json_object *to, const char *key, struct json_object *value)
{
	json_object_object_add(to, key, value);
}

static struct json_object *count(uint64_t value)
{
	return json_object_new_uint64(value);
}

static struct json_object *ages(const __u64 *pages)
{
	struct json_object *out = json_object_new_array(), *one;
	int i;

	for (i = 0; i < PCINSPECT_NR_AGES; i++) {
		one = json_object_new_object();
		add(one, "le_ms", pcinspect_age_bounds_ms[i] ?
			json_object_new_int(pcinspect_age_bounds_ms[i]) : NULL);
		add(one, "pages", count(pages[i]));
		json_object_array_add(out, one);
	}
	return out;
}

static struct json_object *dirtied_by(const struct pcinspect_reads *reads)
{
	struct json_object *out = json_object_new_array(), *one;
	int i;

	for (i = 0; i < PCINSPECT_NR_TASKS && reads->tasks[i].comm[0]; i++) {
		if (!reads->tasks[i].dirtied_pages)
			continue;
		one = json_object_new_object();
		add(one, "pid", count(reads->tasks[i].pid));
		add(one, "comm", pcinspect_json_comm(reads->tasks[i].comm));
		add(one, "pages", count(reads->tasks[i].dirtied_pages));
		json_object_array_add(out, one);
	}
	if (reads->others.dirtied_pages) {
		one = json_object_new_object();
		add(one, "pid", NULL);
		add(one, "comm", json_object_new_string("(others)"));
		add(one, "pages", count(reads->others.dirtied_pages));
		json_object_array_add(out, one);
	}
	return out;
}

/* Milliseconds; whole ones, rounded down. */
static struct json_object *ms(uint64_t ns)
{
	return ns ? count(ns / 1000000) : NULL;
}

static struct json_object *dirty(const struct pcinspect_file *file)
{
	const struct pcinspect_ages *now = &file->snap.ages;
	struct json_object *out = json_object_new_object();

	add(out, "pages", count(file->snap.pages.dirty));
	add(out, "oldest_ms", ms(now->oldest_ns));
	add(out, "unknown_age_pages", count(now->unknown_pages));
	add(out, "inode_age_ms", ms(now->inode_ns));
	add(out, "ages", ages(now->pages));
	add(out, "written_pages", count(file->reads->written_pages));
	add(out, "written_unknown_age_pages",
	    count(file->reads->written_unknown_pages));
	add(out, "written_ages", ages(file->reads->written_ages));
	add(out, "dirtied_by", dirtied_by(file->reads));
	return out;
}

static struct json_object *call(const struct pcinspect_fsync *from)
{
	struct json_object *out = json_object_new_object(), *list, *one;
	const char *limit = NULL;
	int i;

	add(out, "time_ns", count(from->time_ns));
	add(out, "pid", count(from->pid));
	add(out, "comm", pcinspect_json_comm(from->comm));
	add(out, "duration_ns", count(from->duration_ns));
	add(out, "dirty_at_entry_pages", from->flags & PCINSPECT_FSYNC_DIRTY ?
		count(from->dirty_at_entry_pages) : NULL);
	add(out, "written_pages", count(from->written_pages));
	add(out, "requests", count(from->requests));
	add(out, "request_bytes", count(from->request_bytes));
	list = json_object_new_array();
	for (i = 0; i < PCINSPECT_NR_SIZES && from->sizes[i].requests; i++) {
		one = json_object_new_object();
		add(one, "bytes", from->sizes[i].bytes ?
			count(from->sizes[i].bytes) : NULL);
		add(one, "requests", count(from->sizes[i].requests));
		json_object_array_add(list, one);
	}
	add(out, "request_sizes", list);
	list = NULL;
	if (from->flags & PCINSPECT_FSYNC_LOG) {
		list = json_object_new_object();
		add(list, "requests", count(from->log_requests));
		add(list, "bytes", count(from->log_bytes));
	}
	add(out, "log", list);
	add(out, "max_sectors_bytes", from->max_sectors_bytes ?
		count(from->max_sectors_bytes) : NULL);
	add(out, "splits", count(from->splits));
	if (from->splits)
		limit = from->splits_at_limit ? "max_sectors" : "unknown";
	add(out, "limited_by", limit ? json_object_new_string(limit) : NULL);
	add(out, "shared",
	    json_object_new_boolean(from->flags & PCINSPECT_FSYNC_SHARED));
	return out;
}

static struct json_object *fsyncs(const struct pcinspect_file *file)
{
	struct json_object *out = json_object_new_object(), *list;
	size_t i;

	add(out, "calls_total", count(file->reads->nr_fsyncs));
	list = json_object_new_array();
	for (i = 0; i < file->nr_fsyncs; i++)
		json_object_array_add(list, call(&file->fsyncs[i]));
	add(out, "calls", list);
	return out;
}

/**
 * pcinspect_json_dirty() - add a file's write sections
 * @to: the file's object
 * @file: which
 */
void pcinspect_json_dirty(struct json_object *to,
			  const struct pcinspect_file *file)
{
	bool known = file->reads && !file->gone;

	add(to, "dirty", known && file->snap.flags & PCINSPECT_F_AGES ?
			 dirty(file) : NULL);
	add(to, "fsync", known ? fsyncs(file) : NULL);
}
