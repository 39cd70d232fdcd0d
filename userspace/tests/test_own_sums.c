// SPDX-License-Identifier: GPL-2.0-only
/* test_own_sums.c - what the numbers and lists of a file have to add up to. */
#include <stdlib.h>

#include "collect/audit.h"
#include "model/own_sums.h"
#include "model/report.h"
#include "test.h"

/* A file of which all adds up, so that each check changes one thing. */
static void fill(struct file *file, struct pcinspect_who *who, struct pcinspect_fsync *call)
{
	*file = (struct file){ .who = who, .fsyncs = call, .nr_fsyncs = 1 };
	know(&file->snap, PCINSPECT_CACHED, 30, PCINSPECT_WRITTEN_PAGES, 40,
	     PCINSPECT_ENDED_PAGES, 45, PCINSPECT_LEDGER_BASE_PAGES, 5, -1);
	file->snap.memcgs[0] = (struct pcinspect_memcg){ .id = 1, .pages = 20 };
	file->snap.memcg_other = 10;
	*who = (struct pcinspect_who){
		.tasks = { { .pid = 1, .demanded_bytes = 7, .dirtied_pages = 2 },
			   { .pid = 2, .demanded_bytes = 1 } },
		.others = { .demanded_bytes = 2, .dirtied_pages = 1 },
		.evictors = { { .pid = 1, .pages = 3 }, { .pid = 2, .pages = 4 } },
		.evictors_other_pages = 1,
		.removers = { { .pid = 1, .pages = 5 } },
		.removers_other_pages = 1,
		.counted = { .demanded_bytes = 10, .dirtied_pages = 3, .reclaimed_pages = 8,
			     .removed_pages = 6, .known = 1 },
	};
	*call = (struct pcinspect_fsync){
		.requests = 3, .request_bytes = 20,
		.sizes = { { .bytes = 4, .requests = 1 }, { .bytes = 8, .requests = 2 } },
	};
}

/* The name of the one line there is; "" if there is none; and then forgets it. */
static const char *line(const struct file *file)
{
	static char name[64];
	struct own_sums sums = {};
	struct report report = {};

	own_sums_add(&sums, file);
	audit_own_sums(&report, &sums);
	snprintf(name, sizeof(name), "%s", !report.nr_audits ? "" :
		 report.nr_audits > 1 || audit_ok(&report.audits[0]) ? "?" :
		 report.audits[0].what);
	report_free(&report);
	return name;
}

int main(void)
{
	struct pcinspect_fsync call;
	struct pcinspect_who who;
	struct file file;

	fill(&file, &who, &call);
	CHECK_STR("all adds up: no line", line(&file), "");
	who.tasks[1].demanded_bytes++;
	CHECK_STR("a byte of a task is in no sum", line(&file), "demanded_bytes by task");
	fill(&file, &who, &call);
	who.others.dirtied_pages--;
	CHECK_STR("a page is no task's", line(&file), "dirtied_pages by task");
	fill(&file, &who, &call);
	who.evictors_other_pages++;
	CHECK_STR("evicted, and not reclaimed", line(&file), "pages by evictor");
	fill(&file, &who, &call);
	who.counted.removed_pages++;
	CHECK_STR("removed by nobody", line(&file), "pages by remover");
	who.counted.known = 0;
	CHECK_STR("of an older module", line(&file), "");
	fill(&file, &who, &call);
	file.snap.memcg_other--;
	CHECK_STR("a page is no cgroup's", line(&file), "pages by cgroup");
	file.snap.memcg_other = file.snap.memcgs[0].pages = 0;
	CHECK_STR("there are no cgroups", line(&file), "");
	fill(&file, &who, &call);
	call.request_bytes++;
	CHECK_STR("a byte is in no request", line(&file), "fsync bytes by size of request");
	call.sizes[1].bytes = 0;
	CHECK_STR("several sizes in the last row", line(&file), "");
	fill(&file, &who, &call);
	know(&file.snap, PCINSPECT_ENDED_PAGES, 46, -1);
	CHECK_STR("more ended than had begun", line(&file), "ended_pages");
	file.snap.known[PCINSPECT_LEDGER_BASE_PAGES / 64] &=
		~(1ULL << PCINSPECT_LEDGER_BASE_PAGES % 64);
	CHECK_STR("nobody knows what there was before", line(&file), "");
	file.who = NULL;
	CHECK_STR("a file without lists", line(&file), "");
	return test_failures != 0;
}
