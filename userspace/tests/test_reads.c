// SPDX-License-Identifier: GPL-2.0
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

/* A snapshot with a path of 3 bytes and the two sections; returns the ledger. */
static struct pcinspect_reads *make_row(unsigned int windows)
{
	size_t at = (sizeof(row.snap) + 3 + 7) / 8 * 8;
	struct pcinspect_section *section;
	struct pcinspect_reads *reads;

	memset(&row, 0, sizeof(row));
	row.snap.path_len = 3;
	row.snap.flags = PCINSPECT_F_DEVICE;
	section = (void *)(row.bytes + at);
	section->type = PCINSPECT_SECTION_READS;
	section->size = sizeof(*section) + sizeof(*reads);
	reads = (void *)(section + 1);
	section = (void *)(reads + 1);
	section->type = PCINSPECT_SECTION_WINDOWS;
	section->size = sizeof(*section) + windows * sizeof(struct pcinspect_window);
	row.snap.record_size = (char *)section - row.bytes + section->size;
	return reads;
}

static void sections(void)
{
	struct file file = {};
	struct pcinspect_reads *reads = make_row(3);
	uint64_t value;
	double factor;

	reads->demanded_bytes = 4096;
	reads->device_bytes = 8192;
	file_take(&file, &row.snap);
	CHECK("ledger taken", file.reads && file.reads->demanded_bytes == 4096);
	CHECK("windows taken", file.nr_windows == 3);
	CHECK("amplification", file_amplification(&file, &factor) && factor == 2);
	CHECK("holes are unknown without the flag",
	      !file_number(&file, FIELD_HOLE, &value));

	/* A section that claims more than the record has is not believed. */
	make_row(2);
	row.snap.record_size -= 8;
	file_take(&file, &row.snap);
	CHECK("cut off: ledger", file.reads != NULL);
	CHECK("cut off: no windows", !file.windows && !file.nr_windows);
	make_row(0);
	((struct pcinspect_section *)(row.bytes + (sizeof(row.snap) + 10) / 8 * 8))->size = 0;
	file_take(&file, &row.snap);
	CHECK("size 0: nothing, and no loop", !file.reads && !file.windows);
	row.snap.record_size = sizeof(row.snap);
	file_take(&file, &row.snap);
	CHECK("no sections", !file.reads);
	CHECK("no ledger: unknown", !file_number(&file, FIELD_DEMANDED, &value));
	file_free(&file);
}

static void diskstats(void)
{
	char text[] = "   8       0 sda 10 1 200 3 4 5 600 7 2 9 10 11 12 13 14\n"
		      "broken line\n"
		      " 254      16 vdb 1 0 8 0 0 0 0 0 0 0 0\n";
	struct disk disks[4];
	FILE *from = fmemopen(text, strlen(text), "r");
	size_t n = diskstats_read(from, disks, 4);

	fclose(from);
	CHECK("two disks", n == 2);
	CHECK("sectors are 512 bytes", disks[0].read_bytes == 200 * 512);
	CHECK("requests under way", disks[0].inflight == 2);
	CHECK_STR("name", disks[1].name, "vdb");
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
static const char *verdict(const struct pcinspect_reads *reads, uint64_t size,
			   uint64_t cached)
{
	struct report report = { .page_size = 4096 };
	struct file *file = report_add(&report, "/f");
	static char name[64];

	file->snap.flags = PCINSPECT_F_DEVICE;
	file->snap.size_bytes = size;
	file->snap.pages.cached = cached;
	file->reads = malloc(sizeof(*reads));
	*file->reads = *reads;
	explain(&report);
	snprintf(name, sizeof(name), "%s", report.nr_verdicts ? report.verdicts[0].name : "");
	report_free(&report);
	return name;
}

static void verdicts(void)
{
	struct pcinspect_reads r = {};

	CHECK_STR("nothing to say", verdict(&r, 0, 0), "");
	r.demanded_bytes = r.device_bytes = 16 << 20;
	r.inserted[PCINSPECT_CAUSE_ASYNC] = 4096;
	CHECK_STR("a file read once", verdict(&r, 16 << 20, 4096), "");

	r = (struct pcinspect_reads){ .device_bytes = 8 << 20, .faults = 2000,
				      .refault_pages = 1500 };
	r.inserted[PCINSPECT_CAUSE_AROUND] = 2048;
	r.removed[PCINSPECT_REMOVAL_RECLAIM] = 2000;
	CHECK_STR("read-around", verdict(&r, 1 << 20, 10), "mmap-read-around");
	r.removed[PCINSPECT_REMOVAL_RECLAIM] = 0;
	CHECK_STR("read-around without pressure", verdict(&r, 1 << 20, 10), "");

	r = (struct pcinspect_reads){ .demanded_bytes = 256, .device_bytes = 4 << 20,
				      .expanded_pages = 1020 };
	r.inserted[PCINSPECT_CAUSE_SYNC] = 1024;
	CHECK_STR("expansion", verdict(&r, 4 << 20, 1024), "filesystem-expansion");

	r = (struct pcinspect_reads){ .demanded_bytes = 1 << 20,
				      .device_bytes = 4 << 20, .wasted_pages = 700 };
	r.inserted[PCINSPECT_CAUSE_SYNC] = 1024;
	CHECK_STR("waste", verdict(&r, 64 << 20, 0), "readahead-waste");

	r = (struct pcinspect_reads){ .demanded_bytes = 240 << 20,
				      .device_bytes = 238 << 20,
				      .refault_pages = 50000 };
	r.inserted[PCINSPECT_CAUSE_ASYNC] = 60928;
	CHECK_STR("cyclic scan", verdict(&r, 120 << 20, 24000),
		  "working-set-too-large");

	r = (struct pcinspect_reads){ .direct_read_bytes = 8 << 20 };
	CHECK_STR("mixed", verdict(&r, 64 << 20, 16384), "mixed-direct-and-buffered");
	CHECK_STR("direct alone", verdict(&r, 64 << 20, 0), "");
}

/* One file is read again and again beside another with many active pages. */
static bool blames_idle(uint64_t active, uint64_t used_bytes)
{
	struct report report = { .page_size = 4096 };
	struct file *file;
	bool blamed = false;
	size_t i;

	file = report_add(&report, "/thrashed");
	file->snap.flags = PCINSPECT_F_DEVICE;
	file->snap.size_bytes = 8 << 20;
	file->reads = calloc(1, sizeof(*file->reads));
	file->reads->demanded_bytes = file->reads->device_bytes = 8 << 20;
	file->reads->inserted[PCINSPECT_CAUSE_ASYNC] = 2048;
	file->reads->refault_pages = 2000;
	file = report_add(&report, "/idle");
	file->snap.pages.cached = file->snap.pages.active = active;
	file->reads = calloc(1, sizeof(*file->reads));
	file->reads->demanded_bytes = used_bytes;
	explain(&report);
	for (i = 0; i < report.nr_verdicts; i++)
		blamed |= !strcmp(report.verdicts[i].name, "idle-file-holds-active-list") &&
			  !report.verdicts[i].file && strstr(report.verdicts[i].text, "/idle");
	report_free(&report);
	return blamed;
}

static void idle(void)
{
	CHECK("an idle file with as many active pages", blames_idle(2000, 0));
	CHECK("one that is used", !blames_idle(2000, 4096));
	CHECK("one with few", !blames_idle(100, 0));
}

int main(void)
{
	sections();
	diskstats();
	brackets();
	verdicts();
	idle();
	return test_failures != 0;
}
