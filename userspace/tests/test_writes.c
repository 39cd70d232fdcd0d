// SPDX-License-Identifier: GPL-2.0
/*
 * test_writes.c - what explain says about writing, whose limit it was, and
 * numbers that must stay unknown.
 */
#include <stdlib.h>
#include <string.h>

#include "explain/explain.h"
#include "test.h"
#include "model/writes.h"

static struct report report;

/* The first verdict about a file, or "". */
static const char *verdict(const struct pcinspect_writes *writes,
			   const struct pcinspect_fsync *call, size_t calls,
			   uint64_t oldest_ms)
{
	static char name[64];
	struct file *file;
	size_t i;

	report_free(&report);
	report.page_size = 4096;
	report_set(&report, DIRTY_THRESHOLD, 50000);
	report_set(&report, "/proc/sys/vm/dirty_expire_centisecs", 3000);
	report_set(&report, "/proc/sys/vm/dirty_writeback_centisecs", 500);
	file = report_add(&report, "f");
	file->snap.flags = PCINSPECT_F_PAGES | PCINSPECT_F_DEVICE |
			   PCINSPECT_F_AGES | PCINSPECT_F_WRITEBACK;
	file->snap.pages.dirty = oldest_ms ? 300 : 0;
	file->snap.ages.oldest_ns = oldest_ms * 1000000;
	file->reads = calloc(1, sizeof(*file->reads));
	file->reads->tasks[0] = (struct pcinspect_task){
		.pid = 7, .comm = "writer", .dirtied_pages = 1000 };
	file->writes = malloc(sizeof(*writes));
	*file->writes = *writes;
	file->fsyncs = calloc(calls ?: 1, sizeof(*call));
	for (i = 0; i < calls; i++)
		file->fsyncs[i] = *call;
	file->nr_fsyncs = calls;
	explain(&report);
	snprintf(name, sizeof(name), "%s", report.nr_verdicts ? report.verdicts[0].name : "");
	return name;
}

static void test_verdicts(void)
{
	struct pcinspect_writes w = { .flags = PCINSPECT_WRITES_DEVICE };
	struct pcinspect_fsync call = { .pid = 7, .duration_ns = 20000000,
		.written_pages = 400, .requests = 8, .splits_at_limit = 1 };

	CHECK("nothing to say", !strcmp(verdict(&w, &call, 10, 0), ""));
	CHECK("young data", !strcmp(verdict(&w, &call, 0, 20000), ""));
	CHECK("overdue data", !strcmp(verdict(&w, &call, 0, 600000), "data-overdue"));
	call.splits_at_limit = 6;
	CHECK("splits", !strcmp(verdict(&w, &call, 10, 0), "fsync-split"));
	call.splits_at_limit = 0;
	call.log_wait_ns = 15000000;
	CHECK("log", !strcmp(verdict(&w, &call, 10, 0), "fsync-waits-for-log"));
	call.log_wait_ns = 0;
	call.pid = 8;
	CHECK("somebody else's data",
	      !strcmp(verdict(&w, &call, 2, 0), "fsync-writes-others-data"));
	CHECK("most was dirty before: nobody's",
	      !strcmp(verdict(&w, &call, 10, 0), ""));
	w.write_bytes = 200 << 10;
	w.device_write_bytes = 12 << 20;
	w.dirtied_pages = w.dirtied_large_pages = 3200;
	CHECK("large folios", !strcmp(verdict(&w, &call, 0, 0),
				      "large-folio-write-amplification"));
	w.mapped_dirtied_pages = 100;
	CHECK("stores to mappings: amplification unknown",
	      !strcmp(verdict(&w, &call, 0, 0), ""));
	w.mapped_dirtied_pages = 0;
	w.written_pages = 3600;
	CHECK("dirty before: amplification unknown",
	      !strcmp(verdict(&w, &call, 0, 0), ""));
	w.written_pages = 3200;
	CHECK("and with no more than that: known",
	      !strcmp(verdict(&w, &call, 0, 0), "large-folio-write-amplification"));
	w.flags = 0;
	CHECK("device bytes unknown: silent", !strcmp(verdict(&w, &call, 0, 0), ""));
}

static void test_limits(void)
{
	struct pcinspect_writes w = {};

	CHECK("nobody slept", !writes_throttle_limit(&report, &w));
	w.throttles = 10;
	w.throttled_ns[PCINSPECT_LIMIT_UNKNOWN] = 2000000000;
	w.thresh_min_pages = w.thresh_max_pages = 3000;
	report_set(&report, DIRTY_THRESHOLD, 50000);
	CHECK("far below the global one", !strcmp(writes_throttle_limit(&report, &w), "cgroup"));
	CHECK("cgroup verdict", !strcmp(verdict(&w, NULL, 0, 0), "cgroup-dirty-throttled"));
	w.thresh_min_pages = w.thresh_max_pages = 49000;
	CHECK("the global one", !strcmp(writes_throttle_limit(&report, &w), "global"));
	w.thresh_min_pages = w.thresh_max_pages = 42000;
	CHECK("in between: unknown", !writes_throttle_limit(&report, &w));
	report_set(&report, DIRTY_THRESHOLD, -1);
	CHECK("no global threshold: unknown", !writes_throttle_limit(&report, &w));
	w.throttled_ns[PCINSPECT_LIMIT_DEVICE] = 3000000000;
	CHECK("the device", !strcmp(writes_throttle_limit(&report, &w), "device"));
	CHECK("sum", writes_throttled_ns(&w) == 5000000000);
}

static void test_mean(void)
{
	struct pcinspect_writes w = { .written_pages = 4, .writeback_ns = 400 };
	uint64_t mean = 1;

	CHECK("mean unknown", !writes_mean_ns(&w, &mean) && mean == 1);
	w.flags = PCINSPECT_WRITES_TIME;
	CHECK("mean", writes_mean_ns(&w, &mean) && mean == 100);
	w.written_pages = 0;
	CHECK("mean of nothing", !writes_mean_ns(&w, &mean));
}

int main(void)
{
	test_verdicts();
	test_limits();
	test_mean();
	report_free(&report);
	return test_failures != 0;
}
