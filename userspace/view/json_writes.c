// SPDX-License-Identifier: GPL-2.0
/*
 * json_writes.c - dirty, writeback and fsync of a file as JSON. Null for an
 * inode without a ledger, or without writeback.
 */
#include "model/writes.h"
#include "view/json.h"
#include "view/json_writes.h"

static struct json_object *ages(const __u64 *pages)
{
	struct json_object *out = json_object_new_array(), *one;
	int i;

	for (i = 0; i < PCINSPECT_NR_AGES; i++) {
		one = json_object_new_object();
		json_add(one, "le_ms", pcinspect_age_bounds_ms[i] ?
			json_object_new_int(pcinspect_age_bounds_ms[i]) : NULL);
		json_add(one, "pages", json_count(pages[i]));
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
		json_add(one, "pid", json_count(reads->tasks[i].pid));
		json_add(one, "comm", pcinspect_json_comm(reads->tasks[i].comm));
		json_add(one, "pages", json_count(reads->tasks[i].dirtied_pages));
		json_object_array_add(out, one);
	}
	if (reads->others.dirtied_pages) {
		one = json_object_new_object();
		json_add(one, "pid", NULL);
		json_add(one, "comm", json_object_new_string("(others)"));
		json_add(one, "pages", json_count(reads->others.dirtied_pages));
		json_object_array_add(out, one);
	}
	return out;
}

/* Milliseconds; whole ones, rounded down. */
static struct json_object *ms(uint64_t ns)
{
	return ns ? json_count(ns / 1000000) : NULL;
}

static struct json_object *dirty(const struct pcinspect_file *file)
{
	const struct pcinspect_ages *now = &file->snap.ages;
	struct json_object *out = json_object_new_object();

	json_add(out, "pages", json_count(file->snap.pages.dirty));
	json_add(out, "oldest_ms", ms(now->oldest_ns));
	json_add(out, "unknown_age_pages", json_count(now->unknown_pages));
	json_add(out, "inode_age_ms", ms(now->inode_ns));
	json_add(out, "ages", ages(now->pages));
	json_add(out, "written_pages", json_count(file->writes->written_pages));
	json_add(out, "written_unknown_age_pages",
		 json_count(file->writes->written_unknown_pages));
	json_add(out, "written_ages", ages(file->writes->written_ages));
	json_add(out, "dirtied_by", dirtied_by(file->reads));
	return out;
}

static struct json_object *throttled(const struct pcinspect_report *report,
				     const struct pcinspect_writes *writes)
{
	struct json_object *out = json_object_new_object();
	const char *limit = writes_throttle_limit(report, writes);

	json_add(out, "ms", json_count(writes_throttled_ns(writes) / 1000000));
	json_add(out, "pauses", json_count(writes->throttles));
	json_add(out, "limit", limit ? json_object_new_string(limit) : NULL);
	return out;
}

static struct json_object *writeback(const struct pcinspect_report *report,
				     const struct pcinspect_file *file)
{
	struct json_object *out = json_object_new_object(), *list;
	const struct pcinspect_writes *w = file->writes;
	uint64_t mean;
	double factor;
	int i;

	json_add(out, "write_bytes", json_number(file, FIELD_WRITE_BYTES));
	json_add(out, "device_write_bytes", json_number(file, FIELD_DEVICE_WRITE));
	json_add(out, "amplification",
		 pcinspect_file_write_amplification(file, &factor) ?
		 json_object_new_double(factor) : NULL);
	json_add(out, "dirtied_pages", json_count(w->dirtied_pages));
	json_add(out, "dirtied_large_pages", json_count(w->dirtied_large_pages));
	json_add(out, "mapped_dirtied_pages", json_count(w->mapped_dirtied_pages));
	json_add(out, "redirtied_pages", json_count(w->redirtied_pages));
	json_add(out, "written_pages", json_count(w->written_pages));
	json_add(out, "ended_pages", json_maybe(w->flags & PCINSPECT_WRITES_TIME,
						w->ended_pages));
	json_add(out, "mean_ns", writes_mean_ns(w, &mean) ?
		 json_count(mean) : NULL);
	list = json_object_new_object();
	for (i = 0; i < PCINSPECT_NR_REASONS; i++)
		json_add(list, pcinspect_reason_word(i), json_count(w->reasons[i]));
	json_add(out, "reasons", list);
	json_add(out, "throttled", throttled(report, w));
	return out;
}

static struct json_object *call(const struct pcinspect_fsync *from)
{
	struct json_object *out = json_object_new_object(), *list, *one;
	bool requests = from->flags & PCINSPECT_FSYNC_REQUESTS;
	const char *limit = NULL;
	int i;

	json_add(out, "time_ns", json_count(from->time_ns));
	json_add(out, "pid", json_count(from->pid));
	json_add(out, "comm", pcinspect_json_comm(from->comm));
	json_add(out, "duration_ns", json_count(from->duration_ns));
	json_add(out, "dirty_at_entry_pages", from->flags & PCINSPECT_FSYNC_DIRTY ?
		json_count(from->dirty_at_entry_pages) : NULL);
	json_add(out, "written_pages", json_count(from->written_pages));
	json_add(out, "requests", json_maybe(requests, from->requests));
	json_add(out, "request_bytes", json_maybe(requests, from->request_bytes));
	list = json_object_new_array();
	for (i = 0; i < PCINSPECT_NR_SIZES && from->sizes[i].requests; i++) {
		one = json_object_new_object();
		json_add(one, "bytes", from->sizes[i].bytes ?
			json_count(from->sizes[i].bytes) : NULL);
		json_add(one, "requests", json_count(from->sizes[i].requests));
		json_object_array_add(list, one);
	}
	if (!requests) {
		json_object_put(list);
		list = NULL;
	}
	json_add(out, "request_sizes", list);
	list = NULL;
	if (from->flags & PCINSPECT_FSYNC_LOG) {
		list = json_object_new_object();
		json_add(list, "requests", json_count(from->log_requests));
		json_add(list, "bytes", json_count(from->log_bytes));
	}
	json_add(out, "log", list);
	json_add(out, "max_sectors_bytes", from->max_sectors_bytes ?
		json_count(from->max_sectors_bytes) : NULL);
	json_add(out, "splits", json_maybe(requests, from->splits));
	json_add(out, "splits_at_limit", json_maybe(requests, from->splits_at_limit));
	if (requests && from->splits)
		limit = from->splits_at_limit ? "max_sectors" : "unknown";
	json_add(out, "limited_by", limit ? json_object_new_string(limit) : NULL);
	json_add(out, "kind", json_object_new_string(pcinspect_fsync_kind_word(pcinspect_fsync_kind(from))));
	json_add(out, "writeback_at_entry_pages",
		 json_maybe(from->flags & PCINSPECT_FSYNC_WRITEBACK,
			    from->writeback_at_entry_pages));
	json_add(out, "rewritten_tail_pages",
		 json_maybe(from->flags & PCINSPECT_FSYNC_TAIL,
			    from->rewritten_tail_pages));
	json_add(out, "data_wait_ns", json_count(from->data_wait_ns));
	json_add(out, "log_wait_ns", json_count(from->log_wait_ns));
	json_add(out, "shared",
	    json_object_new_boolean(from->flags & PCINSPECT_FSYNC_SHARED));
	return out;
}

static struct json_object *fsyncs(const struct pcinspect_file *file)
{
	struct json_object *out = json_object_new_object(), *list;
	size_t i;

	json_add(out, "calls_total", json_count(file->writes->nr_fsyncs));
	list = json_object_new_array();
	for (i = 0; i < file->nr_fsyncs; i++)
		json_object_array_add(list, call(&file->fsyncs[i]));
	json_add(out, "calls", list);
	return out;
}

/**
 * pcinspect_json_writes() - add a file's write sections
 * @to: the file's object
 * @report: with the global threshold
 * @file: which
 */
void pcinspect_json_writes(struct json_object *to,
			   const struct pcinspect_report *report,
			   const struct pcinspect_file *file)
{
	bool known = file->reads && file->writes && !file->gone;
	bool aged = known && file->snap.flags & PCINSPECT_F_AGES;

	json_add(to, "dirty", aged ? dirty(file) : NULL);
	json_add(to, "writeback", aged ? writeback(report, file) : NULL);
	json_add(to, "fsync", known && file->writes->flags & PCINSPECT_WRITES_FSYNC ?
			      fsyncs(file) : NULL);
}
