// SPDX-License-Identifier: GPL-2.0-only
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
static const char *verdict(const struct pcinspect_snapshot *writes,
			   const struct pcinspect_fsync *call, size_t calls,
			   unsigned int oldest_ms)
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
	file->snap = *writes;
	file->snap.flags = PCINSPECT_F_PAGES | PCINSPECT_F_DEVICE |
			   PCINSPECT_F_AGES | PCINSPECT_F_WRITEBACK;
	know(&file->snap, PCINSPECT_DIRTY, oldest_ms ? 300 : 0, -1);
	if (oldest_ms)
		know(&file->snap, PCINSPECT_OLDEST_MS, oldest_ms, -1);
	file->who = calloc(1, sizeof(*file->who));
	file->who->tasks[0] = (struct pcinspect_task){
		.pid = 7, .comm = "writer", .dirtied_pages = 1000 };
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
	struct pcinspect_snapshot w = {};
	struct pcinspect_fsync call = { .pid = 7, .duration_ns = 20000000,
		.written_pages = 400, .requests = 8, .splits_at_limit = 1 };

	CHECK("nothing to say", !strcmp(verdict(&w, &call, 10, 0), ""));
	CHECK("young data", !strcmp(verdict(&w, &call, 0, 20000), ""));
	CHECK("overdue data", !strcmp(verdict(&w, &call, 0, 600000), "data-overdue"));
	call.splits_at_limit = 6;
	CHECK("splits", !strcmp(verdict(&w, &call, 10, 0), "fsync-split"));
	call.flags = PCINSPECT_FSYNC_NO_WRITTEN;
	CHECK("of a part of the requests: nothing", !strcmp(verdict(&w, &call, 10, 0), ""));
	call.flags = 0;
	call.splits_at_limit = 0;
	call.log_wait_ns = 15000000;
	CHECK("log", !strcmp(verdict(&w, &call, 10, 0), "fsync-waits-for-log"));
	call.log_wait_ns = 0;
	call.pid = 8;
	CHECK("somebody else's data",
	      !strcmp(verdict(&w, &call, 2, 0), "fsync-writes-others-data"));
	CHECK("most was dirty before: nobody's",
	      !strcmp(verdict(&w, &call, 10, 0), ""));
	know(&w, PCINSPECT_WRITE_BYTES, 200 << 10, PCINSPECT_DEVICE_WRITE_BYTES, 12 << 20,
	     PCINSPECT_DIRTIED_PAGES, 3200, PCINSPECT_DIRTIED_LARGE_PAGES, 3200, -1);
	CHECK("large folios", !strcmp(verdict(&w, &call, 0, 0),
				      "large-folio-write-amplification"));
	know(&w, PCINSPECT_MAPPED_DIRTIED_PAGES, 100, -1);
	CHECK("stores to mappings: amplification unknown",
	      !strcmp(verdict(&w, &call, 0, 0), ""));
	know(&w, PCINSPECT_MAPPED_DIRTIED_PAGES, 0, -1);
	know(&w, PCINSPECT_WRITTEN_PAGES, 3600, -1);
	CHECK("dirty before: amplification unknown",
	      !strcmp(verdict(&w, &call, 0, 0), ""));
	know(&w, PCINSPECT_WRITTEN_PAGES, 3200, -1);
	CHECK("and with no more than that: known",
	      !strcmp(verdict(&w, &call, 0, 0), "large-folio-write-amplification"));
	w.known[PCINSPECT_DEVICE_WRITE_BYTES / 64] &=
		~(1ULL << PCINSPECT_DEVICE_WRITE_BYTES % 64);
	CHECK("device bytes unknown: silent", !strcmp(verdict(&w, &call, 0, 0), ""));
}

static void test_limits(void)
{
	struct file file = {};
	struct pcinspect_snapshot *w = &file.snap;

	CHECK("nobody slept", !writes_throttle_limit(&report, &file));
	know(w, PCINSPECT_THROTTLES, 10, PCINSPECT_THROTTLED_UNKNOWN_NS, 2000000000,
	     PCINSPECT_THRESH_MIN_PAGES, 3000, PCINSPECT_THRESH_MAX_PAGES, 3000, -1);
	report_set(&report, DIRTY_THRESHOLD, 50000);
	CHECK("far below the global one", !strcmp(writes_throttle_limit(&report, &file), "cgroup"));
	CHECK("cgroup verdict", !strcmp(verdict(w, NULL, 0, 0), "cgroup-dirty-throttled"));
	know(w, PCINSPECT_THRESH_MIN_PAGES, 49000, PCINSPECT_THRESH_MAX_PAGES, 49000, -1);
	CHECK("the global one", !strcmp(writes_throttle_limit(&report, &file), "global"));
	know(w, PCINSPECT_THRESH_MIN_PAGES, 42000, PCINSPECT_THRESH_MAX_PAGES, 42000, -1);
	CHECK("in between: unknown", !writes_throttle_limit(&report, &file));
	report_set(&report, DIRTY_THRESHOLD, -1);
	CHECK("no global threshold: unknown", !writes_throttle_limit(&report, &file));
	know(w, PCINSPECT_THROTTLED_CGROUP_NS, 0, PCINSPECT_THROTTLED_GLOBAL_NS, 0,
	     PCINSPECT_THROTTLED_DEVICE_NS, 3000000000U, -1);
	CHECK("the device", !strcmp(writes_throttle_limit(&report, &file), "device"));
	CHECK("sum", writes_throttled_ns(&file) == 5000000000);
}

static void test_mean(void)
{
	struct file file = {};
	uint64_t mean = 1;

	know(&file.snap, PCINSPECT_WRITTEN_PAGES, 4, -1);

	CHECK("mean unknown", !writes_mean_ns(&file, &mean) && mean == 1);
	know(&file.snap, PCINSPECT_WRITEBACK_NS, 400, -1);
	CHECK("mean", writes_mean_ns(&file, &mean) && mean == 100);
	know(&file.snap, PCINSPECT_WRITTEN_PAGES, 0, -1);
	CHECK("mean of nothing", !writes_mean_ns(&file, &mean));
}

int main(void)
{
	test_verdicts();
	test_limits();
	test_mean();
	report_free(&report);
	return test_failures != 0;
}
