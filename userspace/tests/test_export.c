// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_export.c - metrics: what is unknown is not there, units are base units, and any name
 * is a label. With an argument it only prints them, for tests/lib/openmetrics.py.
 */
#include <locale.h>
#include <stdlib.h>

#include "test.h"
#include "view/openmetrics.h"

static struct report machine_report, files;
static struct machine machine;

static void has(const char *name, const char *text, const char *line)
{
	CHECK(name, strstr(text, line) != NULL);
	if (!strstr(text, line))
		printf("# no %s\n", line);
}

static void add_cgroup(const char *name, uint64_t id, unsigned int pages)
{
	struct machine_row *row;

	machine.rows = reallocarray(machine.rows, machine.nr_rows + 1, sizeof(*machine.rows));
	row = &machine.rows[machine.nr_rows++];
	*row = (struct machine_row){ .name = name ? strdup(name) : NULL };
	row->keys[0] = id;
	row->row.pages[PCINSPECT_LIST_ACTIVE] = pages;
	row->row.pages[PCINSPECT_LIST_INACTIVE] = 1;
}

static struct file *add_file(const char *path, uint64_t ino)
{
	struct file *file = report_add(&files, path);

	file->snap.dev_major = 254;
	file->snap.dev_minor = 16;
	file->snap.ino = ino;
	strcpy(file->snap.fs, "ext4");
	return file;
}

static void add_verdict(const char *name, uint64_t cost)
{
	struct verdict *v;

	files.verdicts = reallocarray(files.verdicts, files.nr_verdicts + 1, sizeof(*v));
	v = &files.verdicts[files.nr_verdicts++];
	*v = (struct verdict){ .name = name, .nr_files = 1, .cost_bytes = cost };
	files.nr_rules = 1;
}

static char *written(size_t limit)
{
	struct metrics metrics = { .machine = &machine, .files = &files, .limit = limit };
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	CHECK("written", !openmetrics_write(&metrics, to));
	fclose(to);
	return text;
}

static void make(void)
{
	struct file *file;

	machine_report = (struct report){ .page_size = 4096, .kernel = "6.12 \"x\"\\" };
	files = (struct report){ .page_size = 4096, .losses = { .known = true, .windows = 3 } };
	files.about.lost_inodes = 2;
	machine = (struct machine){ .report = &machine_report, .policy = POLICY_MGLRU,
				    .named_pages = 10 };
	machine.memory.known = 1 << MEMORY_TOTAL | 1 << MEMORY_REFAULTS;
	machine.memory.pages[MEMORY_TOTAL] = 1000;
	machine.memory.pages[MEMORY_REFAULTS] = 7;
	report_add_audit(&machine_report, "active_pages", 5, 5, 5, "/proc/vmstat");
	report_add_audit(&machine_report, "file_pages", 5, 9, 9, "/proc/vmstat");
	/* The same sum twice is one sample. */
	report_add_audit(&machine_report, "active_pages", 5, 6, 6, "/proc/vmstat");
	add_cgroup("/a", 1, 100);
	add_cgroup("/b \"c\"\\\n\x1b[31m", 2, 50);
	add_cgroup("/\xff", 3, 40);
	add_cgroup("/\xfe", 4, 30);
	/* Their directories are gone. */
	add_cgroup(NULL, 5, 20);
	add_cgroup(NULL, 6, 10);
	machine.rows[0].counters = 1;
	machine.rows[0].counts[KEY_REFAULT - KEY_READ] = 2;
	file = add_file("/srv/\xc3\xa4", 12);
	know(&file->snap, PCINSPECT_CACHED, 3, PCINSPECT_DEVICE_BYTES, 8192,
	     PCINSPECT_OLDEST_MS, 1500, PCINSPECT_WRITEBACK_NS, 2000000, PCINSPECT_FAULTS, 9,
	     PCINSPECT_FSYNCS_TOTAL, 4, PCINSPECT_WASTED_PAGES, 1, PCINSPECT_GEN0, 2, -1);
	file = add_file("/srv/no-ledger", 13);
	know(&file->snap, PCINSPECT_CACHED, 5, -1);
	file = add_file("/srv/no-ledger", 13);
	know(&file->snap, PCINSPECT_CACHED, 5, -1);
	add_verdict("thrash", 4096);
	add_verdict("thrash", 1);
}

int main(int argc, char **argv)
{
	char *text;

	(void)argv;
	setlocale(LC_CTYPE, "C.UTF-8");
	make();
	if (argc > 1) {
		struct metrics metrics = { .machine = &machine, .files = &files };

		return openmetrics_write(&metrics, stdout) != 0;
	}
	text = written(0);
	has("a gauge", text, "# TYPE pcinspect_machine_memory_bytes gauge\n"
	    "# UNIT pcinspect_machine_memory_bytes bytes\n"
	    "# HELP pcinspect_machine_memory_bytes Memory\n"
	    "pcinspect_machine_memory_bytes 4096000\n");
	has("a counter", text, "# TYPE pcinspect_machine_refault_bytes counter\n");
	has("its sample", text, "\npcinspect_machine_refault_bytes_total 28672\n");
	CHECK("unknown is not there", !strstr(text, "machine_dirty_bytes") &&
	      !strstr(text, "machine_file_bytes") && !strstr(text, "NaN"));
	has("quote and backslash", text, "release=\"6.12 \\\"x\\\"\\\\\",lru=\"mglru\"");
	has("an audit", text, "pcinspect_audit_ok{what=\"file_pages\",source=\"/proc/vmstat\"} 0\n");
	has("two of one sum, one is wrong", text,
	    "pcinspect_audit_ok{what=\"active_pages\",source=\"/proc/vmstat\"} 0\n");
	has("lost", text, "pcinspect_lost_total{what=\"windows\"} 3\n");
	has("a cgroup", text, "pcinspect_cgroup_cached_bytes{cgroup=\"/a\",id=\"1\"} 413696\n");
	has("its refaults", text, "pcinspect_cgroup_refault_bytes_total{cgroup=\"/a\",id=\"1\"} 8192\n");
	CHECK("those of others are unknown", !strstr(text, "refault_bytes_total{cgroup=\"/b"));
	CHECK("no control character", !strchr(text, '\x1b'));
	has("not UTF-8: its bytes tell it apart", text,
	    "{cgroup=\"/\xef\xbf\xbd\",cgroup_hex=\"2fff\",id=\"3\"}");
	has("a file", text, "pcinspect_file_cached_bytes{path=\"/srv/\xc3\xa4\",dev=\"254:16\",ino=\"12\","
	    "generation=\"0\",fs=\"ext4\"} 12288\n");
	has("bytes since", text, "pcinspect_file_device_bytes_total{path=\"/srv/\xc3\xa4\"");
	CHECK("none of whom nobody counted", !strstr(text, "device_bytes_total{path=\"/srv/no-ledger"));
	has("ms are seconds", text, "# TYPE pcinspect_file_oldest_seconds gauge\n");
	has("1.5 of them", text, "fs=\"ext4\"} 1.5\n");
	has("ns are seconds", text, "# TYPE pcinspect_file_writeback_seconds counter\n");
	has("two ms", text, "fs=\"ext4\"} 0.002\n");
	has("events have no unit", text, "# TYPE pcinspect_file_faults counter\n# HELP");
	has("total once", text, "\npcinspect_file_fsyncs_total{");
	has("a state of pages", text, "# TYPE pcinspect_file_gen0_bytes gauge\n");
	has("a count of pages", text, "\npcinspect_file_wasted_bytes_total{");
	has("a verdict, the costliest", text, "pcinspect_verdict_cost_bytes{verdict=\"thrash\","
	    "scope=\"file\",place=\"/srv/\xc3\xa4\"} 4096\n");
	has("all are there", text, "pcinspect_left_out{what=\"cgroups\"} 0\n");
	has("the end", text, "\n# EOF\n");
	free(text);
	text = written(2);
	CHECK("bounded", !strstr(text, "cgroup_hex=\"2fff\""));
	has("how many are not there", text, "pcinspect_left_out{what=\"cgroups\"} 4\n");
	has("of files", text, "pcinspect_left_out{what=\"files\"} 1\n");
	free(text);
	return test_failures != 0;
}
