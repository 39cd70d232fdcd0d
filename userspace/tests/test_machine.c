// SPDX-License-Identifier: GPL-2.0-only
/* test_machine.c - the machine's pages by file, directory, filesystem, cgroup, process:
 * what is left over, and what has grown. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "lib/complain.h"
#include "lib/escape.h"
#include "model/cgroups.h"
#include "model/lists_audit.h"
#include "model/machine.h"
#include "test.h"
#include "view/cgroups.h"
#include "view/machine.h"
#include "view/sheet.h"

static struct pcinspect_list_file row(unsigned int ino, uint64_t cgroup, uint64_t active,
				      uint64_t inactive)
{
	return (struct pcinspect_list_file){
		.dev_major = 8, .dev_minor = ino / 100, .ino = ino, .cgroup = cgroup,
		.nlink = 1, .dirty_pages = 1, .inode_age_ms = PCINSPECT_UNKNOWN, .pages = {
			[PCINSPECT_LIST_ACTIVE] = active,
			[PCINSPECT_LIST_INACTIVE] = inactive,
		}, .fs = "ext4",
	};
}

/* Two cgroups share /d/a; /d/e/gone is deleted; one inode has no name. */
static void fill(struct machine *machine, struct report *report, enum machine_per per)
{
	static const struct pcinspect_list_cgroup lists[] = {
		{ .id = 1, .counted_pages = { 100, 60 }, .file_pages = { 90, 60 },
		  .lazyfree_pages = 3, .leaving_pages = 2, .other_pages = 4 },
		{ .id = 2, .counted_pages = { 7, 0 }, .file_pages = { 7, 0 } },
	};
	struct pcinspect_list_file gone = row(3, 1, 0, 20), a = row(1, 1, 50, 60),
		shared = row(1, 2, 0, 7), b = row(2, 1, 0, 10), nameless = row(201, 1, 0, 6);

	memset(machine, 0, sizeof(*machine));
	memset(report, 0, sizeof(*report));
	report->page_size = 4096;
	machine->report = report;
	machine->per = per;
	gone.flags |= PCINSPECT_F_DELETED;
	machine_add_lists(machine, &lists[0]);
	machine_add_lists(machine, &lists[1]);
	machine_add_file(machine, &a, "/d/a", false);
	machine_add_file(machine, &b, "/d/b", false);
	machine_add_file(machine, &gone, "/d/e/gone", false);
	machine_add_file(machine, &nameless, NULL, false);
	machine_add_file(machine, &shared, "/d/a", false);
	machine->hidden_pages = machine_found(machine) - 153;
	machine->memory.known = 1U << MEMORY_CACHE | 1U << MEMORY_SHMEM | 1U << MEMORY_SWAP_CACHE;
	machine->memory.pages[MEMORY_CACHE] = 200;
	machine->memory.pages[MEMORY_SHMEM] = 20;
	machine->memory.pages[MEMORY_SWAP_CACHE] = 10;
	machine_group(machine);
	machine_sort(machine, per == PER_PROCESS ? KEY_DEVICE : KEY_CACHED);
}

static const struct machine_row *find(const struct machine *machine, const char *name)
{
	static const struct machine_row none;
	size_t i;

	for (i = 0; i < machine->nr_rows; i++)
		if (name ? machine->rows[i].name && !strcmp(machine->rows[i].name, name) :
			   !machine->rows[i].name)
			return &machine->rows[i];
	return &none;
}

static uint64_t sum(const struct machine *machine)
{
	uint64_t pages = 0;
	size_t i;

	for (i = 0; i < machine->nr_rows; i++)
		pages += row_pages(&machine->rows[i]);
	return pages;
}

/* Lines about files; of a part of the machine there are none. */
static void check_standing(void)
{
	struct machine_only only = { .per = PER_FILESYSTEM };
	struct machine machine;
	struct report report;
	size_t unknown, i;
	char *line;

	fill(&machine, &report, PER_FILE);
	CHECK("machine: nobody knows since when", !machine_oldest(&machine, &unknown) && unknown == 4);
	line = machine_head(&machine, &machine, NULL, 3, 80);
	CHECK("machine: oldest: ?", !strcmp(line, "oldest  ?"));
	free(line);
	for (i = 0; i < machine.nr_rows; i++)
		machine.rows[i].row.inode_age_ms = 1000 * i;
	CHECK("machine: the oldest", machine_oldest(&machine, &unknown) == &machine.rows[3] && !unknown);
	machine.rows[3].row.dirty_pages = 0;
	line = machine_head(&machine, &machine, NULL, 3, 80);
	CHECK("machine: oldest", !strcmp(line, "oldest  dirty for about 2.0s: 4K of /d/b"));
	free(line);
	machine.rows[0].row.inode_age_ms = PCINSPECT_UNKNOWN;
	line = machine_head(&machine, &machine, NULL, 3, 40);
	CHECK("machine: oldest, in little room", !strcmp(line, "oldest  dirty for about 2.0s, of others ?: 4K of /d/b"));
	free(line);
	line = machine_head(&machine, &machine, NULL, 4, 80);
	CHECK("machine: next", !strcmp(line, "next    most inactive pages: 268K of /d/a"));
	free(line);
	for (i = 0; i < machine.nr_rows; i++)
		machine.rows[i].row.dirty_pages = 0;
	line = machine_head(&machine, &machine, NULL, 3, 80);
	CHECK("machine: oldest: none", !strcmp(line, "oldest  no file has dirty pages"));
	free(line);
	machine.only = &only;
	CHECK("machine: of a part there are no such lines", !machine_head(&machine, &machine, NULL, 3, 80));
	machine_free(&machine);
}

static void check_rows(void)
{
	static const size_t rows[] = { [PER_FILE] = 4, [PER_DIRECTORY] = 3,
				       [PER_FILESYSTEM] = 2, [PER_CGROUP] = 2 };
	struct machine machine;
	struct report report;
	enum machine_per per;
	uint64_t off = 0, all = 0;
	char name[96];

	for (per = PER_FILE; per < PER_PROCESS; per++) {
		fill(&machine, &report, per);
		snprintf(name, sizeof(name), "machine: per %s: rows", machine_per_name(per));
		CHECK(name, machine.nr_rows == rows[per]);
		snprintf(name, sizeof(name), "machine: per %s: pages", machine_per_name(per));
		CHECK(name, sum(&machine) == 153);
		if (per == PER_FILE) {
			CHECK("machine: a file of two cgroups is one",
			      row_pages(find(&machine, "/d/a")) == 117 &&
			      find(&machine, "/d/a")->files == 1);
			CHECK("machine: most first", !strcmp(machine.rows[0].name, "/d/a"));
		}
		if (per == PER_DIRECTORY)
			CHECK("machine: a directory's files",
			      find(&machine, "/d")->files == 2 &&
			      row_pages(find(&machine, "/d")) == 127 &&
			      find(&machine, NULL)->files == 1);
		if (per == PER_FILESYSTEM)
			CHECK("machine: a filesystem's files", machine.rows[0].files == 3);
		if (per == PER_CGROUP)
			CHECK("machine: a cgroup's files", machine.rows[0].files == 4 &&
			      machine.rows[1].files == 1);
		machine_free(&machine);
	}
	fill(&machine, &report, PER_FILE);
	CHECK("machine: named, nameless, deleted", machine.named_pages == 147 &&
	      machine.nameless_pages == 6 && machine.deleted_pages == 20);
	CHECK("machine: listed", machine_listed(&machine) == 162);
	CHECK("machine: unwalked", machine_unwalked(&machine) == 1);
	CHECK("machine: off LRU", machine_off_lru(&machine, &off) && off == 8);
	CHECK("machine: all of it adds up", machine_file_pages(&machine, &all) && all == 170 &&
	      sum(&machine) + machine.hidden_pages + machine_unwalked(&machine) + off == all);
	machine.memory.known = 0;
	CHECK("machine: unknown is not 0", !machine_off_lru(&machine, &off) &&
	      !machine_file_pages(&machine, &all));
	machine_free(&machine);
}

/* The UNTRUSTED lines of a walk over 100 + 60 pages, with the kernel's counts as given. */
static int untrusted(uint64_t active, uint64_t inactive, uint64_t left, uint64_t lag)
{
	const uint32_t known = 1U << MEMORY_CACHE | 1U << MEMORY_SHMEM | 1U << MEMORY_SWAP_CACHE |
		1U << MEMORY_ACTIVE | 1U << MEMORY_INACTIVE | 1U << MEMORY_UNEVICTABLE |
		1U << MEMORY_ISOLATED;
	static const struct pcinspect_list_cgroup lists = {
		.counted_pages = { [PCINSPECT_LIST_ACTIVE] = 100, [PCINSPECT_LIST_INACTIVE] = 60 },
		.counted_before_pages = { [PCINSPECT_LIST_ACTIVE] = 100,
					  [PCINSPECT_LIST_INACTIVE] = 60 },
		.file_pages = { [PCINSPECT_LIST_ACTIVE] = 100, [PCINSPECT_LIST_INACTIVE] = 60 },
	};
	struct report report = {};
	struct machine machine = { .report = &report };
	bool split = true;
	size_t i;
	int bad = 0;

	machine_add_lists(&machine, &lists);
	machine.hidden_pages = 160;
	machine.memory = (struct memory){ .known = known, .lag_pages = lag };
	machine.memory.pages[MEMORY_CACHE] = active + inactive;
	machine.memory.pages[MEMORY_ACTIVE] = active;
	machine.memory.pages[MEMORY_INACTIVE] = inactive;
	lists_audit_machine(&machine, &machine.memory, left, 0);
	CHECK("machine: audits: all there are", report.nr_audits == 7);
	for (i = 0; i < report.nr_audits; i++) {
		bad += !audit_ok(&report.audits[i]);
		if (!strcmp(report.audits[i].what, "active_pages") ||
		    !strcmp(report.audits[i].what, "inactive_pages"))
			split &= audit_ok(&report.audits[i]);
	}
	CHECK("machine: audits: walked again if active and inactive do not fit, and only then",
	      lists_audit_machine_fits(&lists, &machine.memory, &machine.memory, left) == split);
	machine_free(&machine);
	report_free(&report);
	return bad;
}

static void check_audits(void)
{
	CHECK("machine: audits: all is as the kernel counts it", !untrusted(100, 60, 0, 0));
	CHECK("machine: audits: one page too few on a list, and in all, is seen",
	      untrusted(101, 60, 0, 0) == 2 && untrusted(100, 61, 0, 0) == 2);
	CHECK("machine: audits: so is one too many", untrusted(99, 60, 0, 0) == 2);
	CHECK("machine: audits: so many went and came back", !untrusted(90, 60, 10, 0) &&
	      !untrusted(110, 60, 10, 0));
	CHECK("machine: audits: or no CPU has told of them", !untrusted(90, 60, 0, 10) &&
	      !untrusted(110, 60, 0, 10));
	CHECK("machine: audits: and no more", untrusted(89, 60, 10, 0) == 2 &&
	      untrusted(111, 60, 10, 0) == 2);
}

/* 1000 pages, of which 300 came since and 500 went; the kernel has as many as given. */
static bool demand_ok(uint64_t theirs, uint64_t lag, uint64_t left, bool *known)
{
	const uint32_t all = 1U << MEMORY_CACHE | 1U << MEMORY_SHMEM | 1U << MEMORY_SWAP_CACHE;
	struct report report = { .page_size = 8 };
	struct machine then = { .report = &report, .memory = { .known = all, .lag_pages = lag },
		.demand = { .size = sizeof(then.demand), .since_ns = 1, .time_ns = 2,
			    .inserted_pages = 7000, .removed_pages = 6000 },
		.after_pages = 1200, .after_known = true };
	struct machine now = then;
	bool good;

	/* Others' pages are in the cache as well, and no concern of files. */
	then.memory.pages[MEMORY_CACHE] = 1200 + 40;
	then.memory.pages[MEMORY_SHMEM] = 30;
	then.memory.pages[MEMORY_SWAP_CACHE] = 10;
	now.memory.pages[MEMORY_CACHE] = theirs + 90;
	now.memory.pages[MEMORY_SHMEM] = 90;
	now.demand.inserted_pages += 300;
	now.demand.removed_pages += 500;
	now.demand.time_ns = 3;
	now.after_pages = theirs;
	now.left_pages = left;
	then.demand.removed_pages = PCINSPECT_UNKNOWN;
	machine_audit_demand(&then, NULL, 1);
	machine_audit_demand(&now, &then, 1);
	CHECK("demand: audit: none of what nobody counted", !report.nr_audits);
	then.demand.removed_pages = 6000;
	machine_audit_demand(&then, NULL, 1);
	CHECK("demand: audit: none at the first tick", !report.nr_audits);
	now.after_known = *known;
	machine_audit_demand(&now, &then, 1);
	*known = report.nr_audits == 1;
	good = *known && audit_ok(&report.audits[0]);
	report_free(&report);
	return good;
}

/* Of 300 pages that were inserted by reads, somebody had so many read. */
static bool readers_ok(uint64_t pages)
{
	struct report report = { .page_size = 8 };
	struct reader was = { .row = { .pid = 1, .serial = 1, .pages = 50 } }, is = was;
	struct machine then = { .report = &report, .demand = { .size = sizeof(then.demand),
		.since_ns = 1, .time_ns = 1, .missed_pages = 1000 }, .readers = { &was, 1, 1000 } };
	struct machine now = then;
	bool good;

	is.row.pages += pages;
	now.readers = (struct readers){ &is, 1, 1300 };
	machine_audit_demand(&now, &then, 1);
	good = report.nr_audits == 1 && audit_ok(&report.audits[0]);
	report_free(&report);
	return good;
}

/* The ticks until a page that is not counted in each of them is seen; 0: never. */
static int demand_seen(bool gap)
{
	struct report report = { .page_size = 8 };
	struct machine then = { .report = &report, .after_known = true, .after_pages = 100,
		.memory = { .known = 1U << MEMORY_CACHE | 1U << MEMORY_SHMEM |
			    1U << MEMORY_SWAP_CACHE },
		.demand = { .size = sizeof(then.demand), .since_ns = 1, .time_ns = 1 } }, now;
	int tick, seen = 0;

	then.memory.pages[MEMORY_CACHE] = 100;
	machine_audit_demand(&then, NULL, 1);
	for (tick = 1; tick < 10 && !seen; tick++) {
		now = then;
		now.memory.pages[MEMORY_CACHE] = ++now.after_pages;
		now.demand.time_ns++;
		/* Nobody looked meanwhile, and all began anew. */
		if (gap && tick % 2)
			now.demand.since_ns++;
		machine_audit_demand(&now, &then, 1);
		if (report.nr_audits && !audit_ok(&report.audits[report.nr_audits - 1]))
			seen = tick;
		then = now;
	}
	report_free(&report);
	return seen;
}

static void check_demand_audit(void)
{
	bool known = true, unknown = false;

	CHECK("readers: audit: no more than was inserted", readers_ok(300) && !readers_ok(302));
	CHECK("demand: audit: what each tick misses adds up", demand_seen(false) == 3);
	CHECK("demand: audit: but for ticks that begin anew", !demand_seen(true));

	CHECK("demand: audit: what came less what went is what it has grown by",
	      demand_ok(1000, 0, 0, &known));
	CHECK("demand: audit: a folio may be under way at either tick",
	      demand_ok(1002, 0, 0, &known) && demand_ok(998, 0, 0, &known));
	CHECK("demand: audit: pages that came and were not counted",
	      !demand_ok(1003, 0, 0, &known) && known);
	CHECK("demand: audit: pages that went and were not counted",
	      !demand_ok(997, 0, 0, &known) && known);
	CHECK("demand: audit: as much as CPUs keep to themselves, of three counters, twice",
	      demand_ok(1002 + 60, 10, 0, &known) && !demand_ok(1003 + 60, 10, 0, &known));
	CHECK("demand: audit: as much as went while both were read",
	      demand_ok(1002 + 5, 0, 5, &known) && !demand_ok(1003 + 5, 0, 5, &known));
	CHECK("demand: audit: none where the kernel does not say",
	      !demand_ok(1000, 0, 0, &unknown) && !unknown);
}

static void check_policy(void)
{
	struct pcinspect_list_cgroup classic = { .counted_pages = { 5, 5 } }, gens = classic,
		both = classic, none = {};
	struct machine machine = {};

	gens.generation_pages[0] = 10;
	both.generation_pages[1] = 4;
	machine_add_lists(&machine, &none);
	CHECK("machine: no pages: policy unknown", !machine_policy_name(machine.policy));
	machine_add_lists(&machine, &gens);
	CHECK_STR("machine: mglru", machine_policy_name(machine.policy), "mglru");
	machine_add_lists(&machine, &classic);
	CHECK_STR("machine: one of each", machine_policy_name(machine.policy), "mixed");
	memset(&machine, 0, sizeof(machine));
	machine_add_lists(&machine, &classic);
	CHECK_STR("machine: classic", machine_policy_name(machine.policy), "classic");
	machine_add_lists(&machine, &both);
	CHECK_STR("machine: a cgroup with both", machine_policy_name(machine.policy), "mixed");
}

static void check_growth(void)
{
	struct machine before, now;
	struct report report, then;
	struct pcinspect_list_file more = row(9, 1, 5, 0), same = row(2, 1, 0, 1);

	fill(&before, &then, PER_FILE);
	fill(&now, &report, PER_FILE);
	machine_add_file(&now, &more, "/d/new", false);
	machine_add_file(&now, &same, "/d/b", false);
	machine_group(&now);
	before.lists.other_pages = 0;
	machine_grow(&now, &before);
	CHECK("machine: grown", find(&now, "/d/b")->before && find(&now, "/d/b")->grown_pages == 1);
	CHECK("machine: new", find(&now, "/d/new")->before &&
	      find(&now, "/d/new")->grown_pages == 5);
	CHECK("machine: not grown", find(&now, "/d/a")->before &&
	      !find(&now, "/d/a")->grown_pages);
	before.hidden_files = 1;
	machine_grow(&now, &before);
	CHECK("machine: perhaps hidden before", !find(&now, "/d/new")->before);
	machine_free(&before);
	machine_free(&now);
}

static void knows(struct file *file, enum pcinspect_number number)
{
	file->snap.known[number / 64] |= 1ULL << number % 64;
}

static void check_tasks(void)
{
	struct pcinspect_who who = {
		.tasks = { { .pid = 7, .comm = "reader", .demanded_bytes = 10, .device_bytes = 4 } },
		.evictors = { { .pid = 7, .comm = "reader", .pages = 3, .ino = 4, .dev_major = 8 },
			      { .pid = 9, .comm = "itself", .pages = 5, .ino = 3, .dev_major = 8 } },
	};
	struct file file = { .who = &who, .snap = { .ino = 3, .dev_major = 8 } }, unknown = {},
		    gone = { .who = &who, .gone = true };
	struct machine machine = { .per = PER_PROCESS };
	const struct machine_row *one;

	knows(&file, PCINSPECT_DEMANDED_BYTES);
	knows(&file, PCINSPECT_DEVICE_BYTES);
	knows(&file, PCINSPECT_DIRTIED_PAGES);

	machine_add_tasks(&machine, &file);
	machine_add_tasks(&machine, &file);
	machine_add_tasks(&machine, &unknown);
	machine_add_tasks(&machine, &gone);
	machine_add_uncached(&machine);
	machine_group(&machine);
	one = find(&machine, "reader");
	CHECK("machine: what went for its own file is no other's", machine.nr_rows == 1);
	CHECK("machine: all of it is known", row_knows(one, KEY_DEMANDED) &&
	      row_knows(one, KEY_DEVICE) && row_knows(one, KEY_INSERTED) &&
	      row_knows(one, KEY_DIRTIED) && row_knows(one, KEY_EVICTED));
	CHECK("machine: one row a process", machine.nr_rows == 1);
	CHECK("machine: its sums", machine.nr_rows && machine.rows[0].task.demanded_bytes == 20 &&
	      machine.rows[0].evicted_for == 6 && machine.rows[0].files == 2);
	CHECK("machine: records", machine.records == 4 && machine.ledgers == 2);
	machine_free(&machine);
}

/* Is --output usable for the list? */
static int check_columns(const struct output *out, bool live)
{
	struct fields fields = machine_list(PER_FILE, KEY_CACHED, live);

	return sheet_check(&fields, out->columns);
}

/* The output of a function that prints. */
static void printed(const struct machine *machine, const struct machine *before,
		    const struct output *out, bool json, char *text, size_t size)
{
	int failed;

	capture();
	failed = json ? machine_json(machine, before, true, stdout) :
			machine_print(machine, before, out);
	snprintf(text, size, "%s", captured());
	if (json)
		one_line(text);
	CHECK("machine: it can be printed", !failed);
}

/* A process of two files, of which one does not know bytes of devices. */
static void check_unknown_tasks(void)
{
	struct pcinspect_who who = {
		.tasks = { { .pid = 7, .comm = "read\xff", .demanded_bytes = 10,
			     .device_bytes = 4, .inserted_pages = 3, .dirtied_pages = 2 } },
	};
	struct file file = { .who = &who }, less = { .who = &who };
	struct machine machine = { .per = PER_PROCESS };
	struct report report = { .page_size = 4096 };
	struct output out = { .noheadings = true };
	char text[16384];

	knows(&file, PCINSPECT_DEMANDED_BYTES);
	knows(&less, PCINSPECT_DEMANDED_BYTES);
	knows(&file, PCINSPECT_DEVICE_BYTES);
	machine.report = &report;
	machine_add_tasks(&machine, &file);
	machine_add_tasks(&machine, &less);
	machine_group(&machine);
	printed(&machine, NULL, &out, true, text, sizeof(text));
	CHECK("machine: JSON: unknown numbers of a process are null",
	      !!strstr(text, "\"demanded_bytes\": 20, \"device_bytes\": null, \"inserted_pages\": 6, "
			     "\"dirtied_pages\": null, \"evicted_pages\": 0, \"hit_ratio\": 0.0"));
	CHECK("machine: JSON: the keys of every report", has_common_keys(text) &&
	      strstr(text, "\"hit_ratio\": null, \"demand\": null, \"readers\": null, \"evictors\": null, \"writers\": null, \"pressure\""));
	CHECK("machine: JSON: a name of any bytes", utf8_valid(text) && !!strstr(text, "\"read"));
	printed(&machine, NULL, &out, false, text, sizeof(text));
	CHECK("machine: they are ? in a table", !!strstr(text, "20 0% ? 6 ? 0"));
	machine_free(&machine);
}

/* Of what a process demanded, what it did not insert was there. */
static void check_hits(void)
{
	struct machine_row row = { .task = { .demanded_bytes = 1 << 20, .inserted_pages = 64 } };
	double ratio = -1;

	CHECK("machine: 64 of 256 pages were missing", row_hits(&row, 4096, &ratio) &&
	      ratio == 0.75);
	row.task.inserted_pages = 300;
	CHECK("machine: no less than none were there", row_hits(&row, 4096, &ratio) && !ratio);
	row.unknown = 1U << KEY_DEMANDED;
	CHECK("machine: what it demanded is unknown", !row_hits(&row, 4096, &ratio));
	row = (struct machine_row){ .task = { .inserted_pages = 3 } };
	CHECK("machine: it demanded nothing", !row_hits(&row, 4096, &ratio));
}

/* The same of the machine, between two ticks of one counting. */
static void check_machine_hits(void)
{
	struct report report = { .page_size = 4096 };
	struct machine then = { .report = &report, .demand = {
		.size = sizeof(then.demand), .since_ns = 5, .time_ns = 1000000000,
		.demanded_bytes = 1 << 20, .missed_pages = 100, .inserted_pages = 100,
		.removed_pages = 7 } };
	struct machine now = { .report = &report, .demand = {
		.size = sizeof(now.demand), .since_ns = 5, .time_ns = 3000000000,
		.demanded_bytes = 5 << 20, .missed_pages = 356, .inserted_pages = 612,
		.removed_pages = 9 } };
	struct output out = {};
	char text[16384];
	double ratio = -1;

	CHECK("machine: hits: of 4 MiB 256 pages were missing",
	      machine_hits(&now, &then, &ratio) && ratio == 0.75);
	printed(&now, &then, &out, true, text, sizeof(text));
	CHECK("machine: JSON: hits", !!strstr(text, "\"hit_ratio\": 0.75, \"demand\": { "
	      "\"interval_ns\": 2000000000, \"demanded_bytes\": 4194304, \"missed_pages\": 256, "
	      "\"inserted_pages\": 512, \"removed_pages\": 2 }"));
	printed(&now, &then, &out, false, text, sizeof(text));
	CHECK("machine: hits in the head", !!strstr(text,
	      "reads   2M/s, cache hits at least 75.0%; inserted 1M/s, removed 4K/s\nreaders ?\n"));
	printed(&now, NULL, &out, false, text, sizeof(text));
	CHECK("machine: hits: ? at the first tick", !!strstr(text, "cache hits ?;"));
	CHECK("machine: hits: not known at the first tick", !machine_hits(&now, NULL, &ratio));
	now.demand.missed_pages = 100 + 2000;
	CHECK("machine: hits: no less than none", machine_hits(&now, &then, &ratio) && !ratio);
	now.demand.missed_pages = PCINSPECT_UNKNOWN;
	CHECK("machine: hits: nobody counted pages", !machine_hits(&now, &then, &ratio));
	now.demand.missed_pages = 356;
	now.demand.since_ns = 6;
	CHECK("machine: hits: not counted all the time", !machine_hits(&now, &then, &ratio));
	now.demand.since_ns = 5;
	now.demand.demanded_bytes = then.demand.demanded_bytes;
	CHECK("machine: hits: nothing was demanded", !machine_hits(&now, &then, &ratio));
	now.demand.size = 0;
	printed(&now, &then, &out, false, text, sizeof(text));
	CHECK("machine: hits: looked at once there is no line", !strstr(text, "cache hits"));
}

/* The keys of an object, in their order; those of objects within it are left out. */
static void keys_of(const char *at, char *out)
{
	int depth = 0;

	for (; *at; at++) {
		depth += *at == '{' || *at == '[';
		depth -= *at == '}' || *at == ']';
		if (!depth)
			break;
		if (depth == 1 && *at == '"') {
			const char *end = strchr(at + 1, '"');

			if (end[1] == ':')
				out = stpncpy(out, at, end + 1 - at);
			at = end;
		}
	}
	*out = '\0';
}

/* A cgroup by itself, in the shape that a report on cgroups has. */
static void check_cgroup_shape(void)
{
	static const struct pcinspect_list_cgroup lists[] = {
		{ .id = 2, .parent = 1, .counted_pages = { 60, 50 }, .unevictable_pages = 3,
		  .lazyfree_pages = 4, .flags = PCINSPECT_CGROUP_GENERATIONS },
		{ .id = 1, .counted_pages = { 5, 5 } },
	};
	struct report report = { .page_size = 4096 };
	struct machine machine = { .report = &report, .per = PER_CGROUP };
	struct pcinspect_list_file a = row(1, 2, 50, 50), b = row(2, 1, 4, 4);
	struct cgroup one = { .path = (char *)"/a", .lists = lists[0] };
	struct cgroups cgroups = { .report = &report, .list = &one, .nr = 1 };
	char text[16384], ours[1024], theirs[1024];
	struct output out = {};
	FILE *to = tmpfile();
	size_t i;

	for (i = 0; i < 2; i++)
		machine_add_lists(&machine, &lists[i]);
	machine_add_file(&machine, &a, "/f", false);
	machine_add_file(&machine, &b, "/g", false);
	machine_group(&machine);
	machine_join_cgroups(&machine);
	for (i = 0; i < machine.nr_rows; i++) {
		struct machine_row *at = &machine.rows[i];

		CHECK("machine: which cgroups have others below them",
		      at->cgroup && at->cgroup->parent == (at->keys[0] == 1));
		at->current_known = at->keys[0] == 2;
		at->current_bytes = 100 * 4096;
	}
	machine_sort(&machine, KEY_CACHED);
	printed(&machine, NULL, &out, true, text, sizeof(text));
	CHECK("machine: JSON: a cgroup's working set, and what has no name",
	      !!strstr(text, "\"current_bytes\": 409600, \"working_set_bytes\": 163840, "
		       "\"unnamed_pages\": 10, \"lazyfree_pages\": 4"));
	CHECK("machine: JSON: and what is unevictable", !!strstr(text, "\"unevictable\": 3"));
	CHECK("machine: JSON: unknown of one with others below it",
	      !!strstr(text, "\"current_bytes\": null, \"working_set_bytes\": null, \"unnamed_pages\": 2"));
	keys_of(strstr(text, "{ \"path\""), ours);
	CHECK("machine: cgroups: it can be written", !cgroups_json(&cgroups, to));
	rewind(to);
	text[fread(text, 1, sizeof(text) - 1, to)] = '\0';
	fclose(to);
	keys_of(strstr(one_line(text), "{ \"path\""), theirs);
	CHECK("machine: a cgroup has the same keys in all reports",
	      !strcmp(ours, theirs) && !!strstr(ours, "\"unnamed_pages\""));
	machine_free(&machine);
}

/*
 * Counts of ledgers: a file of two cgroups has them once, one of which nothing is cached
 * has a row, and a sum is of those that are tracked. Without any it is unknown.
 */
static void check_counts(void)
{
	struct file files[3] = {
		{ .path = (char *)"/d/a", .snap = { .ino = 1, .dev_major = 8, .fs = "ext4" } },
		{ .path = (char *)"/d/out", .snap = { .ino = 7, .dev_major = 8, .fs = "ext4",
						      .flags = PCINSPECT_F_MAYBE_DELETED } },
		{ .path = (char *)"/v/b", .snap = { .ino = 2, .dev_major = 8, .fs = "ext4" } },
	};
	struct pcinspect_list_file a = row(1, 1, 50, 60), shared = row(1, 2, 0, 7),
		b = row(2, 1, 0, 10), c = row(5, 1, 0, 1);
	static const enum pcinspect_number numbers[] = {
		PCINSPECT_DEVICE_BYTES, PCINSPECT_WASTED_PAGES, PCINSPECT_REFAULT_PAGES,
	};
	struct output out = { .noheadings = true, .pages = true };
	char text[16384];
	int nr, k, i;

	for (i = 0; i < 3; i++)
		for (k = 0; k < 3; k++) {
			files[i].snap.numbers[numbers[k]] = 100 * (i + 1) + k;
			/* The last does not know the last. */
			if (i < 2 || k < 2)
				knows(&files[i], numbers[k]);
		}
	for (nr = 0; nr <= 3; nr++) {
		struct report report = { .page_size = 4096, .files = files, .nr_files = nr };
		struct machine machine = { .report = &report, .per = PER_FILE, .key = KEY_REFAULT };
		struct machine dirs = { .report = &report, .per = PER_DIRECTORY, .key = KEY_READ };
		const struct machine_row *one;

		for (k = 0; k < 2; k++) {
			struct machine *m = k ? &dirs : &machine;

			machine_index_ledgers(m);
			machine_add_file(m, &a, "/d/a", false);
			machine_add_file(m, &b, "/v/b", false);
			machine_add_file(m, &c, "/d/c", false);
			machine_add_file(m, &shared, "/d/a", false);
			machine_add_uncached(m);
			machine_group(m);
			machine_sort(m, m->key);
		}
		one = find(&machine, "/d/out");
		CHECK("counts: of one that is not cached it stays unknown whether it is deleted",
		      nr < 2 || one->row.flags == PCINSPECT_F_MAYBE_DELETED);
		one = find(&machine, "/d/a");
		CHECK("counts: of a file", row_knows(one, KEY_READ) == (nr > 0) &&
		      (!nr || (one->counts[0] == 100 && one->counts[1] == 101 &&
			       one->counts[2] == 102)) && row_pages(one) == 117);
		CHECK("counts: one of which nothing is cached has a row",
		      machine.nr_rows == (nr < 2 ? 3 : 4) &&
		      (nr < 2 || (find(&machine, "/d/out")->counts[2] == 202 &&
				  !row_pages(find(&machine, "/d/out")))));
		CHECK("counts: most first, unknown last",
		      !strcmp(machine.rows[0].name, nr < 2 ? "/d/a" : "/d/out"));
		CHECK("counts: one that does not know is not 0",
		      !row_knows(find(&machine, "/v/b"), KEY_REFAULT) &&
		      row_knows(find(&machine, "/v/b"), KEY_WASTED) == (nr == 3));
		one = find(&dirs, "/d");
		CHECK("counts: a directory has the sum of those that are tracked",
		      row_knows(one, KEY_READ) == (nr > 0) && (int)one->counters == (nr > 2 ? 2 : nr) &&
		      one->counts[0] == (nr > 1 ? 300 : nr ? 100 : 0));
		printed(&dirs, NULL, &out, false, text, sizeof(text));
		CHECK("counts: a table", !!strstr(text, nr > 1 ? "118 50 68 300 302 304 3 2 /d\n" :
						 nr ? "118 50 68 100 101 102 2 1 /d\n" :
						 "118 50 68 ? ? ? 2 0 /d\n"));
		printed(&machine, NULL, &out, true, text, sizeof(text));
		CHECK("counts: JSON", !!strstr(text, nr ? "\"reads\": { \"device_bytes\": 100, "
			"\"wasted_pages\": 101, \"refault_pages\": 102 }" : "\"reads\": "
			"{ \"device_bytes\": null, \"wasted_pages\": null, \"refault_pages\": null }"));
		CHECK("counts: why they are unknown", machine_unknown(&machine, text, sizeof(text)) &&
		      !!strstr(text, !nr ? "no file is tracked" : nr == 1 ? "known of 1 of 3" :
			       "known of 2 of 4"));
		machine_free(&machine);
		machine_free(&dirs);
	}
}

/* An inode of a subvolume has the number of another: of which is the ledger? */
static void check_namesakes(void)
{
	struct file file = { .path = (char *)"/s/a", .snap = { .ino = 1, .dev_major = 8,
							       .fs = "btrfs" } };
	struct report report = { .page_size = 4096, .files = &file, .nr_files = 1 };
	struct machine machine = { .report = &report, .per = PER_FILE, .key = KEY_READ };
	struct pcinspect_list_file a = row(1, 1, 50, 60);

	knows(&file, PCINSPECT_DEVICE_BYTES);
	machine_index_ledgers(&machine);
	machine_add_file(&machine, &a, "/a", false);
	CHECK("counts: not a namesake's", !row_knows(&machine.rows[0], KEY_READ));
	machine_add_file(&machine, &a, "/s/a", false);
	CHECK("counts: its own", row_knows(&machine.rows[1], KEY_READ) &&
	      !row_knows(&machine.rows[1], KEY_WASTED));
	machine_add_uncached(&machine);
	CHECK("counts: and no further row", machine.nr_rows == 2);
	machine_free(&machine);
	CHECK("counts: a cgroup has refaults only", machine_key_fits(PER_CGROUP, KEY_REFAULT) &&
	      !machine_key_fits(PER_CGROUP, KEY_READ) && !machine_key_fits(PER_PROCESS, KEY_READ));
}

/* Evictions that are guessed, or of further processes, may be anybody's. */
static void check_unknown_evictions(void)
{
	static const struct pcinspect_culprit kswapd = { .comm = "kswapd", .pages = 2, .inferred = 1 },
		guess = { .pid = 8, .comm = "guess", .pages = 2, .inferred = 1 };
	int i;

	for (i = 0; i < 3; i++) {
		struct pcinspect_who who = {
			.tasks = { { .pid = 7, .comm = "reader", .inserted_pages = 1 } },
			.evictors = { { .pid = 7, .comm = "reader", .pages = 3 } },
		};
		struct file file = { .who = &who };
		struct machine machine = { .per = PER_PROCESS };

		if (i < 2)
			who.evictors[1] = i ? guess : kswapd;
		else
			who.evictors_other_pages = 2;
		machine_add_tasks(&machine, &file);
		machine_group(&machine);
		CHECK("machine: evictions that are anybody's", machine.nr_rows == 1 &&
		      !row_knows(&machine.rows[0], KEY_EVICTED) &&
		      row_knows(&machine.rows[0], KEY_INSERTED));
		machine_free(&machine);
	}
}

/* Two filesystems that are not mounted here have the same path as one that is. */
static void check_elsewhere(void)
{
	struct pcinspect_list_file here = row(1, 1, 1, 0), there = row(101, 1, 2, 0),
		far = row(201, 1, 4, 0);
	struct machine_only only = { .per = PER_DIRECTORY, .name = NULL };
	struct report report = { .page_size = 4096 };
	struct output out = { .limit = 0, .noheadings = true, .pages = true };
	struct machine machine = { .per = PER_DIRECTORY, .report = &report };
	char text[16384];
	size_t i, k;

	machine_add_file(&machine, &here, "/d/a", false);
	machine_add_file(&machine, &there, "/d/a", true);
	machine_add_file(&machine, &far, "/d/a", true);
	machine_group(&machine);
	machine_sort(&machine, KEY_CACHED);
	CHECK("elsewhere: directories of one name are three", machine.nr_rows == 3);
	printed(&machine, NULL, &out, false, text, sizeof(text));
	CHECK("elsewhere: is said", !!strstr(text, "/d (8:2, not mounted here)\n") &&
	      !!strstr(text, "/d (8:1, not mounted here)\n") && !!strstr(text, " /d\n"));
	printed(&machine, NULL, &out, true, text, sizeof(text));
	CHECK("elsewhere: JSON: which", !!strstr(text, "\"mounted_here\": false, \"dev\": \"8:2\""));
	for (i = 0; i < machine.nr_rows; i++) {
		struct machine part = { .report = &report, .only = &only };

		CHECK("elsewhere: a directory is a part",
		      machine_part(PER_DIRECTORY, &machine.rows[i], &only));
		machine_add_file(&part, &here, "/d/a", false);
		machine_add_file(&part, &there, "/d/a", true);
		machine_add_file(&part, &far, "/d/a", true);
		machine_group(&part);
		CHECK("elsewhere: of which only its own files are", part.nr_rows == 1 &&
		      row_pages(&part.rows[0]) == row_pages(&machine.rows[i]) &&
		      part.rows[0].elsewhere == machine.rows[i].elsewhere);
		for (k = 0; k < part.nr_rows; k++)
			part.rows[k].row.flags |= PCINSPECT_F_DELETED;
		printed(&part, NULL, &out, false, text, sizeof(text));
		CHECK("elsewhere: of files as well", !!strstr(text, "/d/a (deleted)") &&
		      !!strstr(text, "not mounted here") == part.rows[0].elsewhere);
		machine_free(&part);
		free(only.name);
	}
	machine_free(&machine);
}

/* The kernel's counters lag behind the lists: what is left over is unknown, not 0. */
static void check_lag(void)
{
	struct output out = {};
	struct machine machine;
	struct report report;
	char text[16384];
	uint64_t pages;
	double percent;

	fill(&machine, &report, PER_FILE);
	machine.memory.pages[MEMORY_CACHE] = 160 + 30;
	CHECK("lag: fewer than on lists", !machine_off_lru(&machine, &pages));
	CHECK("lag: but more than have a name", machine_named(&machine, &percent) &&
	      percent > 91 && percent < 92);
	printed(&machine, NULL, &out, false, text, sizeof(text));
	CHECK("lag: ? is in the list and above it", !!strstr(text, "files   640K: ") &&
	      !!strstr(text, ", on no LRU list ?;") && !!strstr(text, "\n     ? ") &&
	      !!strstr(text, "(on no LRU list: locked, or in batches of CPUs)"));
	printed(&machine, NULL, &out, true, text, sizeof(text));
	CHECK("lag: JSON: null", !!strstr(text, "\"off_lru_pages\": null"));
	machine.memory.pages[MEMORY_CACHE] = 140 + 30;
	printed(&machine, NULL, &out, false, text, sizeof(text));
	CHECK("lag: more have a name than there are", !machine_named(&machine, &percent) &&
	      !!strstr(text, "names known: 588K, ? of the page cache"));
	machine.memory.pages[MEMORY_CACHE] = 29;
	CHECK("lag: tmpfs is more than all", !machine_file_pages(&machine, &pages));
	machine_free(&machine);
}

/* Memory cgroups are not in use; and a cgroup whose name (of a container) is any bytes. */
static void check_cgroups(void)
{
	struct pcinspect_list_file file = row(1, 0, 1, 0), other = row(2, 5, 1, 0);
	struct machine machine = { .per = PER_CGROUP };
	struct report report = { .page_size = 4096 };
	struct output out = {};
	char text[16384];

	machine.report = &report;
	machine_add_file(&machine, &file, "/a", false);
	machine_add_file(&machine, &other, "/b", false);
	machine_group(&machine);
	machine.rows[1].note = strdup("pod\xfe");
	printed(&machine, NULL, &out, false, text, sizeof(text));
	CHECK("cgroups: not in use", !!strstr(text, "(all: no memory cgroups)"));
	CHECK("cgroups: gone", !!strstr(text, "? (its directory is gone, or not mounted here)"));
	printed(&machine, NULL, &out, true, text, sizeof(text));
	CHECK("cgroups: JSON: a name of any bytes", utf8_valid(text) && !!strstr(text, "\"pod"));
	machine_free(&machine);
}

static void check_text(void)
{
	struct output out = { .limit = 2 };
	struct machine machine;
	struct report report;
	char text[16384];

	fill(&machine, &report, PER_FILE);
	printed(&machine, NULL, &out, false, text, sizeof(text));
	CHECK("machine: the head", !!strstr(text, "files   680K: active 240K, inactive 428K, on no LRU list 32K"));
	CHECK("machine: unknown is ?", !!strstr(text, "memory  ?, of it ? free") &&
	      !!strstr(text, "refaults ?/s"));
	CHECK("machine: a file", !!strstr(text, " /d/a\n"));
	CHECK("machine: deleted", !!strstr(text, " /d/e/gone (deleted)\n"));
	CHECK("machine: what is left out", !!strstr(text, "(and 2 more; --limit 0: all)"));
	CHECK("machine: on no list", !!strstr(text, "(on no LRU list: locked, or in batches of CPUs)"));
	CHECK("machine: the total", !!strstr(text, "(total)"));
	CHECK("machine: how much is named", !!strstr(text, "names known: 588K, 86.4% of"));
	CHECK("machine: no growth without a tick before", !strstr(text, "GROWTH"));
	out.columns = "growth,PATH,cached";
	printed(&machine, NULL, &out, false, text, sizeof(text));
	CHECK("machine: columns that were asked for, first the first", !!strstr(text, "\nGROWTH PATH "));
	CHECK("machine: and what no row has", !!strstr(text, "\n       (total) "));
	out.columns = "CACHED,DIRTY";
	printed(&machine, NULL, &out, false, text, sizeof(text));
	CHECK("machine: no sum without a word", !!strstr(text, "\nCACHED DIRTY\n") &&
	      !!strstr(text, "\nand 2 more (--limit 0: all)\n"));
	CHECK("machine: that is all right", check_columns(&out, false) < 0);
	out.columns = "PID";
	CHECK("machine: no column of files", check_columns(&out, false) == EXIT_USAGE);
	out.columns = "GROWTH";
	CHECK("machine: nor without ticks", check_columns(&out, false) == EXIT_USAGE &&
	      check_columns(&out, true) < 0);
	out.columns = NULL;
	out.limit = 0;
	printed(&machine, NULL, &out, false, text, sizeof(text));
	CHECK("machine: without a name", !!strstr(text, "? (ext4 8:2, inode 201)"));
	printed(&machine, NULL, &out, true, text, sizeof(text));
	CHECK("machine: JSON: what adds up", !!strstr(text, "\"file_pages\": 170") &&
	      !!strstr(text, "\"named_pages\": 147") && !!strstr(text, "\"unnamed_pages\": 23"));
	CHECK("machine: JSON: unknown is null", !!strstr(text, "\"refaults_per_s\": null"));
	machine_free(&machine);
}

int main(void)
{
	/* As the program: elsewhere bytes that are no text are escaped by themselves. */
	setlocale(LC_CTYPE, "C.UTF-8");
	check_rows();
	check_standing();
	check_audits();
	check_demand_audit();
	check_policy();
	check_growth();
	check_tasks();
	check_unknown_tasks();
	check_hits();
	check_machine_hits();
	check_cgroup_shape();
	check_counts();
	check_namesakes();
	check_unknown_evictions();
	check_elsewhere();
	check_lag();
	check_cgroups();
	check_text();
	return !!test_failures;
}
