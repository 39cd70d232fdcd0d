// SPDX-License-Identifier: GPL-2.0-only
/* test_file_since.c - what was counted of a file since an earlier moment. */
#include <string.h>

#include "model/file_since.h"
#include "test.h"

static struct pcinspect_who was_who, now_who;
static struct pcinspect_window windows[4];
static struct pcinspect_fsync fsyncs[2];

static void task(struct pcinspect_task *to, unsigned int pid, const char *comm,
		 unsigned long long bytes)
{
	to->pid = pid;
	strcpy(to->comm, comm);
	to->demanded_bytes = bytes;
}

/* Then: 30 pages cached, of 10 it began with. Since: 5 inserted, 3 removed. */
static void fill(struct file *was, struct file *now)
{
	__u64 *then = was->snap.numbers, *numbers = now->snap.numbers;

	memset(&was_who, 0, sizeof(was_who));
	was->who = &was_who;
	memset(was->snap.known, 0xff, sizeof(was->snap.known));
	was->snap.time_ns = 1000;
	was->snap.ledger_since_ns = 7;
	then[PCINSPECT_DEMANDED_BYTES] = 100;
	then[PCINSPECT_INSERTED_SYNC] = 40;
	then[PCINSPECT_REMOVED_RECLAIM] = 20;
	then[PCINSPECT_LEDGER_BASE_PAGES] = 10;
	then[PCINSPECT_LEDGER_COUNTED_PAGES] = 40;
	then[PCINSPECT_WINDOWS_TOTAL] = 6;
	then[PCINSPECT_CACHED] = 30;
	task(&was_who.tasks[0], 1, "first", 60);
	task(&was_who.tasks[1], 2, "second", 40);
	was_who.counted.demanded_bytes = 100;
	was_who.evictors[0] = (struct pcinspect_culprit){ .pid = 9, .pages = 20 };

	*now = *was;
	now->who = &now_who;
	now_who = was_who;
	now->snap.time_ns = 2000;
	numbers[PCINSPECT_DEMANDED_BYTES] = 150;
	numbers[PCINSPECT_INSERTED_ASYNC] = 5;
	numbers[PCINSPECT_REMOVED_RECLAIM] = 23;
	numbers[PCINSPECT_LEDGER_COUNTED_PAGES] = 45;
	numbers[PCINSPECT_LEDGER_CACHED_PAGES] = 32;
	numbers[PCINSPECT_WINDOWS_TOTAL] = 9;
	numbers[PCINSPECT_CACHED] = 32;
	now_who.tasks[1].demanded_bytes = 45;
	task(&now_who.tasks[2], 3, "third", 45);
	now_who.counted.demanded_bytes = 150;
	now_who.evictors[0].pages = 22;
	now_who.evictors[1] = (struct pcinspect_culprit){ .pid = 8, .pages = 1 };
	now->windows = windows;
	now->nr_windows = 4;
	fsyncs[0] = (struct pcinspect_fsync){ .time_ns = 900, .duration_ns = 50 };
	fsyncs[1] = (struct pcinspect_fsync){ .time_ns = 950, .duration_ns = 60 };
	now->fsyncs = fsyncs;
	now->nr_fsyncs = 2;
	memset(now->snap.known, 0xff, sizeof(now->snap.known));
}

int main(void)
{
	struct file was = {}, now;
	const __u64 *numbers = now.snap.numbers;

	fill(&was, &now);
	windows[1].index = 11;
	windows[3].index = 13;
	CHECK("a moment before", file_since(&now, &was));
	CHECK("what is counted", numbers[PCINSPECT_DEMANDED_BYTES] == 50 &&
	      numbers[PCINSPECT_INSERTED_SYNC] == 0 && numbers[PCINSPECT_INSERTED_ASYNC] == 5 &&
	      numbers[PCINSPECT_REMOVED_RECLAIM] == 3);
	CHECK("what is there stays", numbers[PCINSPECT_CACHED] == 32);
	CHECK("it adds up from what was cached then",
	      numbers[PCINSPECT_LEDGER_BASE_PAGES] == 30 &&
	      numbers[PCINSPECT_LEDGER_BASE_PAGES] + 5 - 3 ==
	      numbers[PCINSPECT_LEDGER_CACHED_PAGES] &&
	      numbers[PCINSPECT_LEDGER_COUNTED_PAGES] == 5);
	CHECK("tasks: those that did something", now_who.tasks[0].pid == 2 &&
	      now_who.tasks[0].demanded_bytes == 5 && now_who.tasks[1].pid == 3 &&
	      now_who.tasks[1].demanded_bytes == 45 && !now_who.tasks[2].comm[0]);
	CHECK("and their sum", now_who.counted.demanded_bytes == 50);
	CHECK("evictors", now_who.evictors[0].pages == 2 && now_who.evictors[1].pages == 1);
	CHECK("windows: the last ones", now.nr_windows == 3 && windows[0].index == 11 &&
	      windows[2].index == 13 && numbers[PCINSPECT_WINDOWS_DROPPED] == 0);
	CHECK("fsync: those that have ended since", now.nr_fsyncs == 1 &&
	      fsyncs[0].time_ns == 950);
	CHECK("thresholds: there were none before",
	      number_known(&now, PCINSPECT_THRESH_MAX_PAGES));

	fill(&was, &now);
	was.snap.numbers[PCINSPECT_THRESH_MAX_PAGES] = 5;
	now.snap.numbers[PCINSPECT_THRESH_MAX_PAGES] = 6;
	CHECK("thresholds of both times: unknown", file_since(&now, &was) &&
	      !number_known(&now, PCINSPECT_THRESH_MAX_PAGES) &&
	      !number_known(&now, PCINSPECT_THRESH_MIN_PAGES));

	fill(&was, &now);
	was.snap.known[PCINSPECT_WRITEBACK_NS / 64] &= ~(1ULL << PCINSPECT_WRITEBACK_NS % 64);
	CHECK("unknown then: unknown since", file_since(&now, &was) &&
	      !number_known(&now, PCINSPECT_WRITEBACK_NS) &&
	      number_known(&now, PCINSPECT_DEMANDED_BYTES));

	fill(&was, &now);
	now.snap.ledger_since_ns = 8;
	CHECK("it has begun anew: nothing is taken off", !file_since(&now, &was) &&
	      numbers[PCINSPECT_DEMANDED_BYTES] == 150 && now.nr_windows == 4);
	return test_failures != 0;
}
