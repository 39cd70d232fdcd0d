// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_reads.c - sections as the module sends them, also broken ones; diskstats;
 * and the verdicts: what numbers lead to which, and which to none.
 */
#include <stdlib.h>

#include "collect/disks.h"
#include "explain/explain.h"
#include "test.h"

static union {
	struct pcinspect_snapshot snap;
	char bytes[32768];
} row;

/* A snapshot with a path of 3 bytes and two sections; returns where they begin. */
static char *make_row(unsigned int windows)
{
	struct pcinspect_section *section;
	char *sections;

	memset(&row, 0, sizeof(row));
	row.snap.head_size = offsetof(struct pcinspect_snapshot, known);
	row.snap.nr_numbers = PCINSPECT_NR_NUMBERS;
	row.snap.path_len = 3;
	sections = row.bytes + pcinspect_sections_at(&row.snap);
	section = (void *)sections;
	section->type = PCINSPECT_SECTION_WHO;
	section->item_size = sizeof(struct pcinspect_who);
	section->size = sizeof(*section) + section->item_size;
	section = (void *)(sections + section->size);
	section->type = PCINSPECT_SECTION_WINDOWS;
	section->item_size = sizeof(struct pcinspect_window);
	section->size = sizeof(*section) + windows * section->item_size;
	row.snap.record_size = (char *)section - row.bytes + section->size;
	return sections;
}

static void sections(void)
{
	struct file file = {};
	uint64_t value;
	double factor;

	make_row(3);
	know(&row.snap, PCINSPECT_DEMANDED_BYTES, 4096, PCINSPECT_DEVICE_BYTES, 8192,
	     PCINSPECT_FAULTS, 0, -1);
	file_take(&file, &row.snap);
	CHECK("ledger taken", file.who && number_of(&file, PCINSPECT_DEMANDED_BYTES) == 4096);
	CHECK("windows taken", file.nr_windows == 3);
	CHECK("amplification", file_amplification(&file, &factor) &&
	      factor == 2);
	/* The head of a file is read, the rest mapped: 304 MB for 8 KB are not 38,394. */
	know(&file.snap, PCINSPECT_FAULTS, 1, -1);
	CHECK("amplification: nobody counts what a mapping asked for",
	      !file_amplification(&file, &factor));
	know(&file.snap, PCINSPECT_DEMANDED_BYTES, 10 * 65536, PCINSPECT_DEVICE_BYTES, 10 * 65536,
	     -1);
	CHECK("amplification: at most a tenth of what was asked for",
	      file_amplification(&file, &factor) && factor == 1);
	know(&file.snap, PCINSPECT_FAULTS, 2, -1);
	CHECK("amplification: more than that", !file_amplification(&file, &factor));
	file.snap.known[PCINSPECT_FAULTS / 64] &= ~(1ULL << PCINSPECT_FAULTS % 64);
	CHECK("amplification: faults that are not seen", !file_amplification(&file, &factor));
	CHECK("what the module does not know is unknown",
	      !file_number(&file, PCINSPECT_HOLE_PAGES, &value));

	/* A section that claims more than the record has is not believed. */
	make_row(2);
	row.snap.record_size -= 8;
	file_take(&file, &row.snap);
	CHECK("cut off: ledger", file.who != NULL);
	CHECK("cut off: no windows", !file.windows && !file.nr_windows);
	((struct pcinspect_section *)make_row(0))->size = 0;
	file_take(&file, &row.snap);
	CHECK("size 0: nothing, and no loop", !file.who && !file.windows);
	row.snap.record_size = pcinspect_sections_at(&row.snap);
	file_take(&file, &row.snap);
	CHECK("no sections", !file.who);
	CHECK("no ledger: unknown",
	      !file_number(&file, PCINSPECT_DEMANDED_BYTES, &value));
	file_free(&file);
}

/* A module with fewer numbers, one with more, and one with a longer head. */
static void versions(void)
{
	struct pcinspect_section *section;
	struct file file = {};
	char *at;
	uint64_t value;

	make_row(0);
	know(&row.snap, PCINSPECT_CACHED, 7, PCINSPECT_FAULTS, 8, -1);
	row.snap.nr_numbers = PCINSPECT_FAULTS;
	row.snap.record_size = pcinspect_path_at(&row.snap);
	file_take(&file, &row.snap);
	CHECK("fewer: what is there", number_of(&file, PCINSPECT_CACHED) == 7);
	CHECK("fewer: what is not is unknown",
	      !file_number(&file, PCINSPECT_FAULTS, &value));
	make_row(0);
	memmove(row.bytes + row.snap.head_size + 16, row.bytes + row.snap.head_size,
		sizeof(row.snap.known) + sizeof(row.snap.numbers));
	row.snap.head_size += 16;
	row.snap.nr_numbers += 5;
	*(__u64 *)(row.bytes + row.snap.head_size) |= 1 << PCINSPECT_CACHED;
	*(__u64 *)(row.bytes + row.snap.head_size + sizeof(row.snap.known)) = 9;
	row.snap.record_size = pcinspect_path_at(&row.snap);
	file_take(&file, &row.snap);
	CHECK("more: ours are found", file_number(&file, PCINSPECT_CACHED, &value) &&
	      value == 9);
	/* Windows that are 8 bytes longer than ours, and shorter ones. */
	make_row(4);
	at = row.bytes + pcinspect_sections_at(&row.snap);
	section = (void *)(at + ((struct pcinspect_section *)at)->size);
	section->item_size += 8;
	section->size = sizeof(*section) + 3 * section->item_size;
	row.snap.record_size = (char *)section - row.bytes + section->size;
	((struct pcinspect_window *)((char *)(section + 1) + 2 * section->item_size))->index = 5;
	file_take(&file, &row.snap);
	CHECK("longer windows", file.nr_windows == 3 && file.windows[2].index == 5);
	section->item_size = 16;
	section->size = sizeof(*section) + 3 * section->item_size;
	row.snap.record_size = (char *)section - row.bytes + section->size;
	((struct pcinspect_window *)((char *)(section + 1) + 2 * section->item_size))->index = 6;
	file_take(&file, &row.snap);
	CHECK("shorter windows", file.nr_windows == 3 && file.windows[2].index == 6 &&
	      !file.windows[2].pid);
	file_free(&file);
}

static void diskstats(void)
{
	char text[] = "   8       0 sda 10 1 200 3 4 5 600 7 2 9 10 11 12 13 14\n"
		      "broken line\n"
		      " 254      16 vdb 1 0 8 0 0 0 0 0 0 0 0\n";
	struct disk disks[4], one[1];
	struct keyfile from = { .from = fmemopen(text, strlen(text), "r") };
	bool more;
	size_t n = diskstats_read(&from, disks, 4, &more);

	CHECK("two disks", n == 2 && !more);
	rewind(from.from);
	CHECK("what there is no room for is known to be there",
	      diskstats_read(&from, one, 1, &more) == 1 && more);
	keyfile_close(&from);
	CHECK("sectors are 512 bytes", disks[0].read_bytes == 200 * 512);
	CHECK("requests under way", disks[0].inflight == 2);
	CHECK("requests that have ended", disks[0].reads == 10 && disks[0].writes == 4);
	CHECK_STR("name", disks[1].name, "vdb");
}

/* /proc/swaps with one area: is what is read from it read by bios? */
static bool swaps(const char *area)
{
	char text[200];
	struct keyfile from = {};
	bool known;

	snprintf(text, sizeof(text), "Filename\tType\tSize\tUsed\tPriority\n%s", area);
	from.from = fmemopen(text, strlen(text), "r");
	known = swaps_on_disks(&from);
	keyfile_close(&from);
	return known;
}

static void swap_areas(void)
{
	CHECK("swap on a disk", swaps("/dev/vdc partition 65532 0 -2"));
	CHECK("compressed memory", !swaps("/dev/zram0 partition 65532 0 -2"));
	CHECK("a file without a disk", !swaps("/proc/self/stat file 65532 0 -2"));
	CHECK("a file that is not to be found", !swaps("/nowhere/at/all file 65532 0 -2"));
	CHECK("no area", swaps(""));
}

/* One disk: what it had read around two moments, and the module at them. */
static void brackets(void)
{
	static struct disks before, after;
	struct report report = {};
	const struct device_counter *read = &report.devices[0].read;

	after.last.nr = after.first.nr = before.last.nr = before.first.nr = 1;
	after.ours.nr_rows = 1;
	before.first.disks[0].read_bytes = 1000;
	before.last.disks[0].read_bytes = 1200;
	after.first.disks[0].read_bytes = 5000;
	after.last.disks[0].read_bytes = 5600;
	after.ours.rows[0].file_bytes = 70;
	disks_report(&report, &before, &after);
	CHECK("a device", report.nr_devices == 1);
	CHECK("between the two moments", read->bytes == 4400);
	CHECK("at least", read->min_bytes == 3800);
	CHECK("at most", read->max_bytes == 4600);
	CHECK("file bytes", disks_file_bytes(&after.ours) == 70);

	/* What was submitted before ends meanwhile. */
	before.last.disks[0].late = true;
	disks_report(&report, &before, &after);
	CHECK("late", report.devices[0].late && !read->min_bytes && read->max_bytes == 4600);
	before.last.disks[0].late = false;

	/* Another came by its number, and counts anew. */
	after.first.disks[0].read_bytes = 900;
	after.last.disks[0].read_bytes = 950;
	after.last.disks[0].reads = 5;
	disks_report(&report, &before, &after);
	CHECK("another disk of the same number", read->bytes == 950 && read->min_bytes == 900 &&
	      read->max_bytes == 950 && report.devices[0].read_requests == 5);
	after.first.disks[0].read_bytes = 5000;
	after.last.disks[0].read_bytes = 5600;

	/* It came meanwhile. */
	before.last.nr = before.first.nr = 0;
	disks_report(&report, &before, &after);
	CHECK("a new disk has read it all", read->bytes == 5600 &&
	      read->min_bytes == 5000 && read->max_bytes == 5600);
	/* It went. */
	after.last.nr = 0;
	disks_report(&report, &before, &after);
	CHECK("a disk that went is no device", report.nr_devices == 0);
}

/* The first verdict on one file with these numbers, or "". */
static const char *verdict(const struct pcinspect_snapshot *snap, uint64_t size,
			   uint64_t cached)
{
	struct report report = { .page_size = 4096 };
	struct file *file = report_add(&report, "/f");
	static char name[64];

	file->snap = *snap;
	file->snap.flags = PCINSPECT_F_DEVICE;
	file->snap.size_bytes = size;
	know(&file->snap, PCINSPECT_CACHED, (unsigned int)cached, -1);
	file->who = calloc(1, sizeof(*file->who));
	explain(&report);
	snprintf(name, sizeof(name), "%s", report.nr_verdicts ? report.verdicts[0].name : "");
	report_free(&report);
	return name;
}

static void verdicts(void)
{
	static const struct pcinspect_snapshot nothing;
	struct pcinspect_snapshot r = {};

	CHECK_STR("nothing to say", verdict(&r, 0, 0), "");
	know(&r, PCINSPECT_DEMANDED_BYTES, 16 << 20, PCINSPECT_DEVICE_BYTES, 16 << 20,
	     PCINSPECT_INSERTED_ASYNC, 4096, -1);
	CHECK_STR("a file read once", verdict(&r, 16 << 20, 4096), "");

	r = nothing;
	know(&r, PCINSPECT_DEVICE_BYTES, 8 << 20, PCINSPECT_FAULTS, 2000,
	     PCINSPECT_REFAULT_PAGES, 1500, PCINSPECT_INSERTED_AROUND, 2048,
	     PCINSPECT_REMOVED_RECLAIM, 2000, -1);
	CHECK_STR("read-around", verdict(&r, 1 << 20, 10), "mmap-read-around");
	know(&r, PCINSPECT_REMOVED_RECLAIM, 0, -1);
	CHECK_STR("read-around without pressure", verdict(&r, 1 << 20, 10), "");

	r = nothing;
	know(&r, PCINSPECT_DEMANDED_BYTES, 256, PCINSPECT_DEVICE_BYTES, 4 << 20,
	     PCINSPECT_EXPANDED_PAGES, 1020, PCINSPECT_INSERTED_SYNC, 1024, -1);
	CHECK_STR("expansion, perhaps of what is mapped and used", verdict(&r, 4 << 20, 1024), "");
	know(&r, PCINSPECT_FAULTS, 0, -1);
	CHECK_STR("expansion", verdict(&r, 4 << 20, 1024), "filesystem-expansion");

	r = nothing;
	know(&r, PCINSPECT_DEMANDED_BYTES, 1 << 20, PCINSPECT_DEVICE_BYTES, 4 << 20,
	     PCINSPECT_WASTED_PAGES, 700, PCINSPECT_INSERTED_SYNC, 1024, -1);
	CHECK_STR("waste", verdict(&r, 64 << 20, 0), "readahead-waste");

	r = nothing;
	know(&r, PCINSPECT_DEMANDED_BYTES, 240 << 20, PCINSPECT_DEVICE_BYTES, 238 << 20,
	     PCINSPECT_REFAULT_PAGES, 50000, PCINSPECT_INSERTED_ASYNC, 60928, -1);
	CHECK_STR("cyclic scan", verdict(&r, 120 << 20, 24000),
		  "working-set-too-large");

	r = nothing;
	know(&r, PCINSPECT_DIRECT_READ_BYTES, 8 << 20, -1);
	CHECK_STR("cached, and no harm", verdict(&r, 64 << 20, 16384), "");
	CHECK_STR("direct alone", verdict(&r, 64 << 20, 0), "");
	know(&r, PCINSPECT_DIRECT_INVALIDATED_PAGES, 41, -1);
	CHECK_STR("mixed: a fiftieth of it is removed", verdict(&r, 64 << 20, 1000),
		  "mixed-direct-and-buffered");
	know(&r, PCINSPECT_DIRECT_INVALIDATED_PAGES, 40, -1);
	CHECK_STR("less than that", verdict(&r, 64 << 20, 1000), "");
	know(&r, PCINSPECT_DIRECT_FLUSHED_PAGES, 2048, PCINSPECT_DEVICE_WRITE_BYTES, 8 << 20, -1);
	CHECK_STR("one page, which each call finds dirty", verdict(&r, 64 << 20, 1),
		  "mixed-direct-and-buffered");
}

/* One file is read again and again beside another with many active pages. */
static bool blames_idle(unsigned int active, unsigned int used_bytes)
{
	struct report report = { .page_size = 4096 };
	struct file *file;
	bool blamed = false;
	size_t i;

	file = report_add(&report, "/thrashed");
	file->snap.flags = PCINSPECT_F_DEVICE;
	file->snap.size_bytes = 8 << 20;
	file->who = calloc(1, sizeof(*file->who));
	know(&file->snap, PCINSPECT_DEMANDED_BYTES, 8 << 20, PCINSPECT_DEVICE_BYTES, 8 << 20,
	     PCINSPECT_INSERTED_ASYNC, 2048, PCINSPECT_REFAULT_PAGES, 2000, -1);
	file = report_add(&report, "/idle");
	know(&file->snap, PCINSPECT_CACHED, active, PCINSPECT_ACTIVE, active,
	     PCINSPECT_DEMANDED_BYTES, used_bytes, PCINSPECT_FAULTS, 0, -1);
	file->who = calloc(1, sizeof(*file->who));
	explain(&report);
	for (i = 0; i < report.nr_verdicts; i++)
		blamed |= !strcmp(report.verdicts[i].name, "idle-file-holds-active-list") &&
			  !report.verdicts[i].file && strstr(report.verdicts[i].text, "/idle");
	report_free(&report);
	return blamed;
}

/* As many files as there may be: nothing is looked for once a file. */
static void many(void)
{
	const size_t nr = 100000;
	struct report report = { .page_size = 4096 };
	struct pcinspect_who who = {};
	struct file *file;
	size_t i, blamed = 0;

	for (i = 0; i < nr; i++) {
		file = report_add(&report, NULL);
		file->who = &who;
		file->snap.flags = PCINSPECT_F_DEVICE;
		know(&file->snap, PCINSPECT_DEMANDED_BYTES, 8 << 20, PCINSPECT_DEVICE_BYTES,
		     8 << 20, PCINSPECT_INSERTED_ASYNC, 2048, PCINSPECT_REFAULT_PAGES, 2000, -1);
	}
	/* Two that nobody used, the larger one refaulting itself. */
	for (i = 0; i < 2; i++) {
		know(&report.files[i].snap, PCINSPECT_DEMANDED_BYTES, 0, PCINSPECT_FAULTS, 0,
		     PCINSPECT_ACTIVE,
		     2000 + (unsigned int)i, PCINSPECT_CACHED, 2000 + (unsigned int)i, -1);
		report.files[i].snap.ino = 7 + i;
		report.files[i].path = strdup(i ? "/more" : "/less");
	}
	explain(&report);
	for (i = 0; i < report.nr_verdicts; i++) {
		const struct verdict *v = &report.verdicts[i];
		bool itself = v->file == 1;

		blamed += !strcmp(v->name, "idle-file-holds-active-list") &&
			  strstr(v->text, itself ? "while /less holds" : "while /more holds") ?
			  v->nr_files : 0;
	}
	CHECK("100,000 files, two causes", report.nr_verdicts == 2);
	CHECK("each blames the idle one that it is not", blamed == nr);
	for (i = 0; i < nr; i++)
		report.files[i].who = NULL;
	report_free(&report);
}

static void idle(void)
{
	CHECK("an idle file with as many active pages", blames_idle(2000, 0));
	CHECK("one that is used", !blames_idle(2000, 4096));
	CHECK("one with few", !blames_idle(100, 0));
}

/* One that is read twice in a cgroup. Returns its only verdict, to be freed with @report. */
static const struct verdict *cyclic(struct report *report, const char *path, int64_t peak)
{
	struct file *file;

	*report = (struct report){ .page_size = 4096 };
	report_set(report, "/sys/fs/cgroup/it's/memory.max", 20 << 20);
	report_set(report, "/sys/fs/cgroup/it's/memory.peak", peak);
	file = report_add(report, path);
	file->memcg_paths[0] = strdup("/it's/here");
	file->snap.flags = PCINSPECT_F_DEVICE;
	file->snap.size_bytes = 120 << 20;
	know(&file->snap, PCINSPECT_CACHED, 5120, PCINSPECT_DEMANDED_BYTES, 240 << 20,
	     PCINSPECT_DEVICE_BYTES, 238 << 20, PCINSPECT_REFAULT_PAGES, 50000,
	     PCINSPECT_INSERTED_ASYNC, 60928, -1);
	file->who = calloc(1, sizeof(*file->who));
	explain(report);
	CHECK("one verdict", report->nr_verdicts == 1);
	return report->verdicts;
}

/* Of two files in one cgroup nothing is left of the costlier one. */
static void limit_of_none_left(void)
{
	struct report report = { .page_size = 4096 };
	struct file *file;
	int i;

	report_set(&report, "/sys/fs/cgroup/q/memory.max", 16 << 20);
	report_set(&report, "/sys/fs/cgroup/q/memory.peak", 16 << 20);
	for (i = 0; i < 2; i++) {
		file = report_add(&report, i ? "/left" : "/gone");
		file->who = calloc(1, sizeof(*file->who));
		file->snap.flags = PCINSPECT_F_DEVICE;
		know(&file->snap, PCINSPECT_DEVICE_BYTES, i ? 8 << 20 : 9 << 20,
		     PCINSPECT_FAULTS, 2000, PCINSPECT_REFAULT_PAGES, 1500,
		     PCINSPECT_INSERTED_AROUND, 2048, PCINSPECT_REMOVED_RECLAIM, 2000, -1);
	}
	file->memcg_paths[0] = strdup("/q");
	file->snap.memcgs[0].pages = 48;
	explain(&report);
	CHECK("the limit is named, though the costliest file has no page left",
	      strstr(report.verdicts[0].text, "cgroup /q (memory.max, 16M)") &&
	      strstr(report.verdicts[0].text, "larger limit of that cgroup"));
	report_free(&report);
}

/* The parts of a verdict: which cgroup, the command to paste, how sure. */
static void parts(void)
{
	struct report report;
	const struct verdict *v = cyclic(&report, "/f", 19 << 20);

	CHECK("names the cgroup that has the limit", strstr(v->text, "cgroup /it's (memory.max, 20M)") != NULL);
	CHECK_STR("a command", v->command, "echo 125829120 > '/sys/fs/cgroup/it'\\''s/memory.max'");
	CHECK("inferred", !v->certain);
	CHECK("evidence", v->nr_evidence == 6 && !strcmp(v->evidence[4].name, "refault_pages") &&
	      v->evidence[4].value == 50000);
	CHECK("the text is what and remedy", strstr(v->text, v->what) == v->text &&
	      strstr(v->text, " Remedy: a larger memory.high"));
	report_free(&report);
	v = cyclic(&report, "/f", 10 << 20);
	CHECK("a limit that is far away is not why", strstr(v->text, "evicted by memory pressure") &&
	      strstr(v->text, "more memory") && !v->command);
	report_free(&report);
	v = cyclic(&report, "/f", -1);
	CHECK("one that nobody looked at may be", v->command != NULL);
	report_free(&report);
}

int main(void)
{
	parts();
	limit_of_none_left();
	sections();
	versions();
	diskstats();
	swap_areas();
	brackets();
	verdicts();
	idle();
	many();
	return test_failures != 0;
}
