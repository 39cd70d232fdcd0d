// SPDX-License-Identifier: GPL-2.0
/*
 * json_writes.c - dirty, writeback and fsync of a file as JSON. Null for an
 * inode without a ledger, or without writeback.
 */
#include "model/writes.h"
#include "view/json.h"
#include "view/json_writes.h"

static struct json_object *dirtied_by(const struct pcinspect_who *who)
{
	struct json_object *out = json_object_new_array(), *one;
	int i;

	for (i = 0; i < PCINSPECT_NR_TASKS && who->tasks[i].comm[0]; i++) {
		if (!who->tasks[i].dirtied_pages)
			continue;
		one = json_object_new_object();
		key_add(one, "pid", count_value(who->tasks[i].pid));
		key_add(one, "comm", comm_value(who->tasks[i].comm));
		key_add(one, "pages", count_value(who->tasks[i].dirtied_pages));
		json_object_array_add(out, one);
	}
	if (who->others.dirtied_pages) {
		one = json_object_new_object();
		key_add(one, "pid", NULL);
		key_add(one, "comm", json_object_new_string("(others)"));
		key_add(one, "pages", count_value(who->others.dirtied_pages));
		json_object_array_add(out, one);
	}
	return out;
}

static struct json_object *dirty(const struct file *file)
{
	struct json_object *out = section_value(file, "dirty");

	key_add(out, "ages", list_value(file, PCINSPECT_LE_10_MS, PCINSPECT_NR_AGES,
					"le_ms", pcinspect_age_bounds_ms));
	key_add(out, "written_ages",
		list_value(file, PCINSPECT_WRITTEN_LE_10_MS, PCINSPECT_NR_AGES, "le_ms",
			   pcinspect_age_bounds_ms));
	key_add(out, "dirtied_by", dirtied_by(file->who));
	return out;
}

static struct json_object *writeback(const struct report *report,
				     const struct file *file)
{
	const char *limit = writes_throttle_limit(report, file);
	struct json_object *out = section_value(file, "writeback"), *throttled;
	uint64_t mean;
	double factor;

	key_add(out, "amplification",
		 file_write_amplification(file, &factor) ?
		 json_object_new_double(factor) : NULL);
	key_add(out, "mean_ns", writes_mean_ns(file, &mean) ?
		 count_value(mean) : NULL);
	json_object_object_get_ex(out, "throttled", &throttled);
	key_add(throttled, "ms", maybe_value(number_known(file, PCINSPECT_THROTTLES),
					     writes_throttled_ns(file) / 1000000));
	key_add(throttled, "limit", limit ? json_object_new_string(limit) : NULL);
	return out;
}

static struct json_object *call(const struct pcinspect_fsync *from)
{
	struct json_object *out = json_object_new_object(), *list, *one;
	bool requests = from->flags & PCINSPECT_FSYNC_REQUESTS;
	bool splits = requests && !(from->flags & PCINSPECT_FSYNC_NO_SPLITS);
	const char *limit = NULL;
	int i;

	key_add(out, "time_ns", count_value(from->time_ns));
	key_add(out, "pid", count_value(from->pid));
	key_add(out, "comm", comm_value(from->comm));
	key_add(out, "duration_ns", count_value(from->duration_ns));
	key_add(out, "dirty_at_entry_pages", from->flags & PCINSPECT_FSYNC_DIRTY ?
		count_value(from->dirty_at_entry_pages) : NULL);
	key_add(out, "written_pages",
		maybe_value(!(from->flags & PCINSPECT_FSYNC_NO_WRITTEN), from->written_pages));
	key_add(out, "requests", maybe_value(requests, from->requests));
	key_add(out, "request_bytes", maybe_value(requests, from->request_bytes));
	list = json_object_new_array();
	for (i = 0; i < PCINSPECT_NR_SIZES && from->sizes[i].requests; i++) {
		one = json_object_new_object();
		key_add(one, "bytes", from->sizes[i].bytes ?
			count_value(from->sizes[i].bytes) : NULL);
		key_add(one, "requests", count_value(from->sizes[i].requests));
		json_object_array_add(list, one);
	}
	if (!requests) {
		json_object_put(list);
		list = NULL;
	}
	key_add(out, "request_sizes", list);
	list = NULL;
	if (from->flags & PCINSPECT_FSYNC_LOG) {
		list = json_object_new_object();
		key_add(list, "requests", count_value(from->log_requests));
		key_add(list, "bytes", count_value(from->log_bytes));
	}
	key_add(out, "log", list);
	key_add(out, "max_sectors_bytes", from->max_sectors_bytes ?
		count_value(from->max_sectors_bytes) : NULL);
	key_add(out, "splits", maybe_value(splits, from->splits));
	key_add(out, "splits_at_limit", maybe_value(splits, from->splits_at_limit));
	if (splits && from->splits)
		limit = from->splits_at_limit ? "max_sectors" : "unknown";
	key_add(out, "limited_by", limit ? json_object_new_string(limit) : NULL);
	key_add(out, "kind", json_object_new_string(pcinspect_fsync_kind_word(pcinspect_fsync_kind(from))));
	key_add(out, "writeback_at_entry_pages",
		maybe_value(from->flags & PCINSPECT_FSYNC_WRITEBACK,
			    from->writeback_at_entry_pages));
	key_add(out, "rewritten_tail_pages",
		maybe_value(from->flags & PCINSPECT_FSYNC_TAIL,
			    from->rewritten_tail_pages));
	key_add(out, "data_wait_ns",
		maybe_value(!(from->flags & PCINSPECT_FSYNC_NO_DATA_WAIT), from->data_wait_ns));
	key_add(out, "log_wait_ns",
		maybe_value(!(from->flags & PCINSPECT_FSYNC_NO_LOG_WAIT), from->log_wait_ns));
	key_add(out, "shared",
		json_object_new_boolean(from->flags & PCINSPECT_FSYNC_SHARED));
	return out;
}

static struct json_object *fsyncs(const struct file *file)
{
	struct json_object *out = section_value(file, "fsync"), *list;
	size_t i;

	list = json_object_new_array();
	for (i = 0; i < file->nr_fsyncs; i++)
		json_object_array_add(list, call(&file->fsyncs[i]));
	key_add(out, "calls", list);
	return out;
}

/**
 * report_json_writes() - add a file's write sections
 * @to: the file's object
 * @report: with the global threshold
 * @file: which
 */
void report_json_writes(struct json_object *to, const struct report *report,
			const struct file *file)
{
	bool known = file->who && !file->gone;
	bool aged = known && file->snap.flags & PCINSPECT_F_AGES;

	key_add(to, "dirty", aged ? dirty(file) : NULL);
	key_add(to, "writeback", aged ? writeback(report, file) : NULL);
	key_add(to, "fsync", known && number_known(file, PCINSPECT_FSYNCS_TOTAL) ?
			      fsyncs(file) : NULL);
}
