// SPDX-License-Identifier: GPL-2.0-only
/*
 * json_file.c - a file of a report as JSON: a section that its inode does not have is null.
 * Touches the stream it is given.
 */
#include <string.h>

#include "model/fields.h"
#include "model/writes.h"
#include "view/json.h"
#include "view/json_report.h"
#include "view/text.h"

static void put_pages(struct jsonw *w, const struct file *file)
{
	double percent = 0;
	bool known = file_cached_percent(file, &percent);

	jsonw_open(w, "pages", '{');
	json_section(w, file, "pages", NULL);
	jsonw_maybe_real(w, "cached_percent", known, percent);
	jsonw_close(w);
}

static void put_orders(struct jsonw *w, const struct file *file)
{
	int order;

	if (file->plain) {
		jsonw_null(w, "orders");
		return;
	}
	jsonw_open(w, "orders", '[');
	for (order = 0; order < PCINSPECT_NR_ORDERS; order++) {
		if (!file->snap.orders[order])
			continue;
		jsonw_row(w, NULL);
		jsonw_count(w, "order", order);
		jsonw_count(w, "pages", file->snap.orders[order]);
		jsonw_close(w);
	}
	jsonw_close(w);
}

static void put_memcgs(struct jsonw *w, const struct file *file)
{
	int i;

	if (!(file->snap.flags & PCINSPECT_F_MEMCG)) {
		jsonw_null(w, "memcg");
		return;
	}
	jsonw_open(w, "memcg", '[');
	for (i = 0; i < PCINSPECT_NR_MEMCGS && file->snap.memcgs[i].id; i++) {
		jsonw_row(w, NULL);
		jsonw_path(w, "path", file->memcg_paths[i]);
		jsonw_count(w, "pages", file->snap.memcgs[i].pages);
		jsonw_maybe(w, "dirty_pages", number_known(file, PCINSPECT_DIRTY),
			    file->snap.memcgs[i].dirty_pages);
		jsonw_close(w);
	}
	if (file->snap.memcg_other) {
		jsonw_row(w, NULL);
		jsonw_text(w, "path", "(others)");
		jsonw_count(w, "pages", file->snap.memcg_other);
		jsonw_close(w);
	}
	jsonw_close(w);
}

/* The counters of the record; null for an inode without one. */
static void put_record(struct jsonw *w, const struct file *file)
{
	const struct pcinspect_snapshot *snap = &file->snap;

	if (!(snap->flags & (PCINSPECT_F_AUTO | PCINSPECT_F_EXPLICIT))) {
		jsonw_null(w, "record");
		return;
	}
	jsonw_open(w, "record", '{');
	json_section(w, file, "record", NULL);
	jsonw_text(w, "kind", snap->flags & PCINSPECT_F_EXPLICIT ? "explicit" : "auto");
	jsonw_count(w, "interval_ns", snapshot_age(snap, snap->since_ns));
	jsonw_close(w);
}

static void put_state(struct jsonw *w, const struct file *file)
{
	static const char *const sections[] = {
		"pages", "lru_generations", "orders", "memcg", "record",
	};
	size_t i;

	if (file->gone) {
		for (i = 0; i < sizeof(sections) / sizeof(*sections); i++)
			jsonw_null(w, sections[i]);
		return;
	}
	put_pages(w, file);
	if (number_known(file, PCINSPECT_GEN0))
		json_list(w, "lru_generations", file, PCINSPECT_GEN0, PCINSPECT_NR_GENS, "age",
			  NULL);
	else
		jsonw_null(w, "lru_generations");
	put_orders(w, file);
	put_memcgs(w, file);
	put_record(w, file);
}

/* Those that have a slot, and the sum of all others. */
static void put_culprits(struct jsonw *w, const char *key, const struct fields *fields,
			 const struct pcinspect_culprit *list, uint64_t others,
			 const struct report *report)
{
	const struct pcinspect_culprit rest = {
		.comm = "(others)", .pages = others, .inferred = CULPRIT_OTHERS,
	};
	int i;

	jsonw_open(w, key, '[');
	for (i = 0; i < PCINSPECT_NR_CULPRITS; i++)
		if (list[i].pages)
			json_row(w, NULL, fields, &list[i], report);
	if (others)
		json_row(w, NULL, fields, &rest, report);
	jsonw_close(w);
}

static void put_reads(struct jsonw *w, const struct report *report, const struct file *file)
{
	const struct pcinspect_who *who = file->who;
	uint64_t sum;
	double factor = 0;
	bool known;

	jsonw_open(w, "reads", '{');
	json_section(w, file, "reads", NULL);
	jsonw_count(w, "interval_ns", snapshot_age(&file->snap, file->snap.ledger_since_ns));
	known = file_inserted_sum(file, &sum);
	jsonw_maybe(w, "inserted_pages", known, sum);
	known = file_removed_sum(file, &sum);
	jsonw_maybe(w, "removed_pages", known, sum);
	put_culprits(w, "removed_by", &remover_fields, who->removers, who->removers_other_pages,
		     report);
	put_culprits(w, "evicted_by", &evictor_fields, who->evictors, who->evictors_other_pages,
		     report);
	jsonw_bool(w, "bounced", file->snap.flags & PCINSPECT_F_BOUNCED);
	known = file_amplification(file, &factor);
	jsonw_maybe_real(w, "amplification", known, factor);
	jsonw_close(w);
	jsonw_open(w, "direct", '{');
	json_section(w, file, "direct", NULL);
	jsonw_close(w);
}

static void put_readahead(struct jsonw *w, const struct file *file)
{
	size_t i;

	jsonw_open(w, "readahead", '{');
	json_section(w, file, "readahead", NULL);
	jsonw_open(w, "windows", '[');
	for (i = 0; i < file->nr_windows; i++)
		json_row(w, NULL, &window_fields, &file->windows[i], file);
	jsonw_close_to(w, w->depth - 2);
}

/* All processes that did something, or those that made pages dirty. */
static void put_tasks(struct jsonw *w, const char *key, const struct fields *fields,
		      const struct file *file, bool dirtied)
{
	struct pcinspect_task others = file->who->others;
	const struct pcinspect_task *task = file->who->tasks;
	uint64_t any = others.dirtied_pages;
	int i;

	if (!dirtied)
		any |= others.demanded_bytes | others.device_bytes | others.inserted_pages |
		       others.throttled_ns;
	jsonw_open(w, key, '[');
	for (i = 0; i < PCINSPECT_NR_TASKS && task[i].comm[0]; i++)
		if (!dirtied || task[i].dirtied_pages)
			json_row(w, NULL, fields, &task[i], file);
	if (any) {
		others.pid = 0;
		strcpy(others.comm, "(others)");
		json_row(w, NULL, fields, &others, file);
	}
	jsonw_close(w);
}

static void put_dirty(struct jsonw *w, const struct file *file)
{
	jsonw_open(w, "dirty", '{');
	json_section(w, file, "dirty", NULL);
	json_list(w, "ages", file, PCINSPECT_LE_10_MS, PCINSPECT_NR_AGES, "le_ms",
		  pcinspect_age_bounds_ms);
	json_list(w, "written_ages", file, PCINSPECT_WRITTEN_LE_10_MS, PCINSPECT_NR_AGES, "le_ms",
		  pcinspect_age_bounds_ms);
	put_tasks(w, "dirtied_by", &dirtier_fields, file, true);
	jsonw_close(w);
}

static void put_writeback(struct jsonw *w, const struct report *report, const struct file *file)
{
	uint64_t mean = 0;
	double factor = 0;
	bool known;

	jsonw_open(w, "writeback", '{');
	json_section(w, file, "writeback", "throttled");
	known = file_write_amplification(file, &factor);
	jsonw_maybe_real(w, "amplification", known, factor);
	known = writes_mean_ns(file, &mean);
	jsonw_maybe(w, "mean_ns", known, mean);
	jsonw_open(w, "throttled", '{');
	json_section(w, file, "writeback.throttled", NULL);
	jsonw_maybe(w, "ms", number_known(file, PCINSPECT_THROTTLES),
		    writes_throttled_ns(file) / 1000000);
	jsonw_text(w, "limit", writes_throttle_limit(report, file));
	jsonw_close_to(w, w->depth - 2);
}

static void put_call(struct jsonw *w, const struct pcinspect_fsync *call)
{
	int i;

	jsonw_row(w, NULL);
	json_fields(w, &fsync_fields, call, NULL);
	if (call->flags & PCINSPECT_FSYNC_REQUESTS) {
		jsonw_open(w, "request_sizes", '[');
		for (i = 0; i < PCINSPECT_NR_SIZES && call->sizes[i].requests; i++) {
			jsonw_row(w, NULL);
			jsonw_maybe(w, "bytes", call->sizes[i].bytes, call->sizes[i].bytes);
			jsonw_count(w, "requests", call->sizes[i].requests);
			jsonw_close(w);
		}
		jsonw_close(w);
	} else {
		jsonw_null(w, "request_sizes");
	}
	if (call->flags & PCINSPECT_FSYNC_LOG) {
		jsonw_row(w, "log");
		jsonw_count(w, "requests", call->log_requests);
		jsonw_count(w, "bytes", call->log_bytes);
		jsonw_close(w);
	} else {
		jsonw_null(w, "log");
	}
	jsonw_close(w);
}

static void put_fsyncs(struct jsonw *w, const struct file *file)
{
	size_t i;

	jsonw_open(w, "fsync", '{');
	json_section(w, file, "fsync", NULL);
	jsonw_open(w, "calls", '[');
	for (i = 0; i < file->nr_fsyncs; i++)
		put_call(w, &file->fsyncs[i]);
	jsonw_close_to(w, w->depth - 2);
}

/**
 * json_file() - one file of a report
 * @w: where
 * @report: names those who took its pages, has the global dirty threshold
 * @file: which
 *
 * Events feed the sections from "reads" on: they are null for an inode without counters.
 */
void json_file(struct jsonw *w, const struct report *report, const struct file *file)
{
	static const char *const of_reads[] = { "reads", "direct", "readahead", "tasks" };
	bool known = file->who && !file->gone;
	size_t i;

	jsonw_open(w, NULL, '{');
	json_fields(w, &file_fields, file, report);
	put_state(w, file);
	if (known) {
		put_reads(w, report, file);
		put_readahead(w, file);
		put_tasks(w, "tasks", &task_fields, file, false);
	} else {
		for (i = 0; i < sizeof(of_reads) / sizeof(*of_reads); i++)
			jsonw_null(w, of_reads[i]);
	}
	if (known && file->snap.flags & PCINSPECT_F_AGES) {
		put_dirty(w, file);
		put_writeback(w, report, file);
	} else {
		jsonw_null(w, "dirty");
		jsonw_null(w, "writeback");
	}
	if (known && number_known(file, PCINSPECT_FSYNCS_TOTAL))
		put_fsyncs(w, file);
	else
		jsonw_null(w, "fsync");
	jsonw_close(w);
}
