// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_said.c - what a report says around its table: how many audits agree, what was
 * lost and what to do, verdicts with a command, whose tasks are left out; which files of
 * a run come first; and that many of them are one screen.
 */
#include <pty.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "capture.h"
#include "cmd/run_files.h"
#include "cmd/run_show.h"
#include "cmd/views.h"
#include "explain/explain.h"
#include "lib/wrap.h"
#include "test.h"
#include "view/report_table.h"
#include "view/text.h"

static void audits(void)
{
	struct report report = {};
	struct output out = {};
	struct audit *audit;

	report_add_audit(&report, "cached_pages", 5, 5, 5, "nrpages");
	audit = report_add_audit(&report, "device_read_bytes", 7, 7, 7, "diskstats");
	audit->major = 254;
	audit->minor = 16;
	capture();
	table_audit_print(&report, &out);
	CHECK_STR("all agree: a line", captured(), "\naudit: 2 of 2 ok\n");
	out.audits = true;
	capture();
	table_audit_print(&report, &out);
	CHECK_STR("each on demand", captured(), "\naudit: 2 of 2 ok\n"
		  "audit: cached_pages 5, nrpages says 5: ok\n"
		  "audit: device_read_bytes of 254:16 7, diskstats says 7: ok\n");
	out.audits = false;
	report.audits[1].ours = 8;
	if (!freopen("/dev/null", "w", stderr))
		return;
	capture();
	table_audit_print(&report, &out);
	CHECK_STR("each when one does not", captured(), "\naudit: 1 of 2 ok, 1 UNTRUSTED\n"
		  "audit: cached_pages 5, nrpages says 5: ok\n"
		  "audit: device_read_bytes of 254:16 8, diskstats says 7: UNTRUSTED, it differs by 1\n");
	out.noheadings = true;
	capture();
	table_audit_print(&report, &out);
	CHECK_STR("-n: nothing on stdout", captured(), "");
	report_free(&report);
}

static void losses(void)
{
	struct report report = { .interval_ns = 1 };
	const char *text;

	report.losses.known = true;
	capture();
	view_losses(&report, stdout);
	CHECK_STR("nothing was lost", captured(), "");
	CHECK("nor is it said to be", !report_lost(&report));
	report.losses.hooks_missing = 3;
	CHECK("what is ? is not lost", !report_lost(&report));
	report.about.lost_inodes = 100;
	report_set(&report, "/sys/module/pcinspect/parameters/max_inodes", 16);
	CHECK("a full table", report_lost(&report));
	capture();
	view_losses(&report, stdout);
	CHECK_STR("with the remedy", captured(),
		  "lost during the run: 100 times a file found the table full, so files are missing here (max_inodes is 16: modprobe -r pcinspect; modprobe pcinspect max_inodes=128)\n");
	report.about.lost_inodes = UINT64_MAX - 2;
	capture();
	view_losses(&report, stdout);
	CHECK("more than there is room for", strstr(captured(), "max_inodes=9223372036854775808") != NULL);
	report.about.lost_inodes = 0;
	report.losses = (struct losses){ true, 1, 2, 3, 4, 5, 6, 0 };
	capture();
	view_losses(&report, stdout);
	text = captured();
	CHECK("all others", strstr(text, " 1 readahead windows") && strstr(text, " 2 files") &&
	      strstr(text, " 3 calls could not") && strstr(text, " 4 dirty folios") &&
	      strstr(text, " 5 calls were missed") && strstr(text, " 6 bytes"));
	report_free(&report);
}

static void verdicts(void)
{
	struct report report = { .page_size = 4096 };
	struct output out = {};
	struct file *one = report_add(&report, "/a b");
	const char *text;

	one->snap.flags = PCINSPECT_F_DEVICE;
	know(&one->snap, PCINSPECT_DIRECT_READ_BYTES, 8 << 20, PCINSPECT_CACHED, 100,
	     PCINSPECT_DIRECT_INVALIDATED_PAGES, 100, -1);
	one->who = calloc(1, sizeof(*one->who));
	explain(&report);
	capture();
	view_verdicts(&report, &out);
	text = captured();
	CHECK("name and how sure", strstr(text, "/a\\040b: mixed-direct-and-buffered (exact)\n  direct I/O") != NULL);
	CHECK("a line to paste", strstr(text, "\n    dd if='/a b' iflag=nocache count=0 status=none\n") != NULL);
	memset(one->snap.numbers, 0, sizeof(one->snap.numbers));
	explain(&report);
	capture();
	view_verdicts(&report, &out);
	CHECK_STR("nothing found", captured(), "15 rules looked at 1 file, nothing found\n");
	report_free(&report);
}

/* Causes of many files: said once each, where they are, and not all of them. */
static void causes(void)
{
	struct report report = { .page_size = 4096, .devices_known = true, .nr_devices = 1 };
	struct output out = {};
	const char *text;
	char path[32];
	size_t i;

	report.devices[0].read.bytes = 40 << 20;
	for (i = 0; i < 8; i++) {
		struct file *one;

		snprintf(path, sizeof(path), "/srv/d%zu/f", i / 2);
		one = report_add(&report, path);
		one->snap.dev_minor = i / 4;
		one->who = calloc(1, sizeof(*one->who));
		know(&one->snap, PCINSPECT_DEVICE_BYTES, 0, PCINSPECT_DIRECT_READ_BYTES,
		     (unsigned int)(i + 1) << 20, PCINSPECT_CACHED, 100,
		     PCINSPECT_DIRECT_FLUSHED_PAGES, 100, -1);
	}
	explain(&report);
	capture();
	view_verdicts(&report, &out);
	text = captured();
	CHECK("two devices, two causes", report.nr_verdicts == 2);
	CHECK("the costlier first, with its part of the run",
	      strstr(text, "\n/srv: mixed-direct-and-buffered (exact, 65 % of what devices moved)\n  in 4 files below /srv (worst: d3/f, d3/f, d2/f): direct I/O (26M read") == text);
	CHECK("and all of them", strstr(text, "(exact, 25 % of") && !strstr(text, "more verdict"));
	out.limit = 1;
	out.limited = true;
	capture();
	view_verdicts(&report, &out);
	text = captured();
	CHECK("as many as asked for", !strstr(text, "25 %") &&
	      strstr(text, "\nand 1 more verdict (--limit 0 shows all)\n"));
	report_free(&report);
}

static void tasks(void)
{
	struct report report = {};
	struct output out = { .limit = 1 };
	const char *text;
	int i;

	for (i = 0; i < 3; i++) {
		struct file *one = report_add(&report, "/f");

		one->who = calloc(1, sizeof(*one->who));
		strcpy(one->who->tasks[0].comm, "cat");
		one->who->others.demanded_bytes = 5;
	}
	capture();
	view_tasks(&report, &out);
	text = captured();
	CHECK("those of the first", strstr(text, "\n/f:\n  cat[0]: ") != NULL);
	CHECK("tasks that were not told apart", strstr(text, "  all further tasks: ") != NULL);
	CHECK("the end of the list", strstr(text, "\nand the tasks of 2 more files (--limit 0 shows all)\n") != NULL);
	report_free(&report);
}

/* A file of a run. */
static void touched(struct report *report, const char *path, enum pcinspect_number number,
		    unsigned int value)
{
	struct file *one = report_add(report, path);

	one->snap.flags = PCINSPECT_F_TOUCHED;
	one->who = calloc(1, sizeof(*one->who));
	know(&one->snap, number, value, -1);
}

static void order(void)
{
	struct pcinspect_run run = {};
	struct report report = {};

	touched(&report, "/read", PCINSPECT_DEVICE_BYTES, 4096);
	touched(&report, "/b", PCINSPECT_DEMANDED_BYTES, 2048);
	touched(&report, "/a", PCINSPECT_DEMANDED_BYTES, 2048);
	touched(&report, "/written", PCINSPECT_WRITE_BYTES, 1 << 20);
	touched(&report, "/untouched", PCINSPECT_DEVICE_BYTES, 1 << 30);
	report.files[4].snap.flags = 0;
	run_keep_files(&report, &run);
	CHECK("files of the run", report.nr_files == 4);
	CHECK_STR("the writer's first", report.files[0].path, "/written");
	CHECK_STR("then the reader's", report.files[1].path, "/read");
	CHECK_STR("equal ones by name", report.files[2].path, "/a");
	report_free(&report);
}

static void one_more_audit(struct report *report)
{
	report_add_audit(report, "device_read_bytes", 7, 7, 7, "diskstats");
}

/* A thousand files of three causes, on two disks, many of them deleted. */
static void many(struct report *report, size_t nr)
{
	char path[80];
	size_t i;

	*report = (struct report){ .page_size = 4096, .devices_known = true, .nr_devices = 2,
				   .interval_ns = 90000000000ULL };
	for (i = 0; i < 2; i++) {
		snprintf(report->devices[i].name, sizeof(report->devices[i].name), "vd%c",
			 (char)('b' + i));
		report->devices[i].read.bytes = 900 << 20;
		report->devices[i].written.bytes = 90 << 20;
		report->devices[i].row.file_bytes = 800 << 20;
		report->devices[i].row.metadata_bytes = 100 << 20;
		report->devices[i].row.write_log_bytes = 1 << 20;
	}
	for (i = 0; i < nr; i++) {
		struct file *one;

		snprintf(path, sizeof(path), "/srv/data/db/2026-11-%02zu/metrics/column%zu.d",
			 i % 28 + 1, i);
		one = report_add(report, path);
		one->snap.size_bytes = 8 << 20;
		one->snap.dev_minor = i % 2;
		one->snap.flags = PCINSPECT_F_TOUCHED | PCINSPECT_F_LEDGER | PCINSPECT_F_DEVICE;
		one->who = calloc(1, sizeof(*one->who));
		strcpy(one->who->tasks[0].comm, "database");
		one->who->tasks[0].inserted_pages = 240;
		know(&one->snap, PCINSPECT_CACHED, 20, PCINSPECT_ACTIVE, 3, PCINSPECT_INACTIVE, 17,
		     PCINSPECT_DEMANDED_BYTES, 0, PCINSPECT_FAULTS, 40, PCINSPECT_DEVICE_BYTES,
		     2450 << 10, PCINSPECT_INSERTED_AROUND, 620, PCINSPECT_REFAULT_PAGES, 500,
		     PCINSPECT_REMOVED_RECLAIM, 600, PCINSPECT_WASTED_PAGES, 100,
		     PCINSPECT_UNUSED_UNKNOWN_PAGES, 7, PCINSPECT_WRITE_BYTES, 4096,
		     PCINSPECT_DEVICE_WRITE_BYTES, 8192, PCINSPECT_DIRTIED_PAGES, 2,
		     PCINSPECT_DIRECT_READ_BYTES, i % 3 ? 0 : 1 << 20, -1);
	}
	one_more_audit(report);
	explain(report);
}

/* All that a terminal of 80x24 gets. */
static size_t lines_on_terminal(size_t nr, const struct args *args, char *text, size_t size)
{
	struct winsize window = { .ws_row = 24, .ws_col = 80 };
	size_t at = 0, lines = 0;
	struct report report;
	int ours, theirs;
	ssize_t n;
	pid_t pid;

	CHECK("a terminal", !openpty(&ours, &theirs, NULL, NULL, &window));
	fflush(stdout);
	pid = fork();
	if (!pid) {
		dup2(theirs, STDOUT_FILENO);
		close(ours);
		close(theirs);
		many(&report, nr);
		wrap_begin();
		run_show(&report, args, 1);
		wrap_end();
		fflush(stdout);
		_exit(0);
	}
	close(theirs);
	while (at < size - 1 && (n = read(ours, text + at, size - 1 - at)) > 0)
		at += n;
	text[at] = '\0';
	close(ours);
	waitpid(pid, NULL, 0);
	for (n = 0; n < (ssize_t)at; n++)
		lines += text[n] == '\n';
	return lines;
}

/* The report of a thousand files is one screen; of a few, or if asked for, all of it. */
static void screens(void)
{
	static char text[1 << 20];
	struct args args = { .explain = true, .out.table = VIEW_RUN_COLUMNS };
	const char *line, *end;
	size_t lines, widest = 0;

	lines = lines_on_terminal(1000, &args, text, sizeof(text));
	CHECK("a thousand files: one screen", lines > 15 && lines < 24);
	for (line = text; (end = strchr(line, '\n')); line = end + 1)
		if (strncmp(line, "    ", 4) && (size_t)(end - line) > widest)
			widest = end - line;
	CHECK("no line is wider", widest <= 81);
	CHECK("the costliest cause with its remedy, and that there is another",
	      strstr(text, " Remedy: ") && strstr(text, "\nand 1 more verdict"));
	CHECK("devices, files, the audit", strstr(text, "\nvdb: read 900M") &&
	      strstr(text, "\nvdc: written 90M") && strstr(text, "/column") &&
	      strstr(text, " more (--limit 0 shows all)") && strstr(text, "\naudit: 1 of 1 ok"));
	if (test_failures)
		printf("# %zu lines\n%s\n", lines, text);
	args.out.limited = true;
	lines = lines_on_terminal(1000, &args, text, sizeof(text));
	CHECK("--limit 0: all of it", lines > 1000);
	args.out.limited = false;
	lines_on_terminal(9, &args, text, sizeof(text));
	CHECK("a few: and whose they are", strstr(text, "database[0]: ") != NULL);
}

int main(void)
{
	audits();
	losses();
	verdicts();
	causes();
	tasks();
	order();
	screens();
	return test_failures != 0;
}
