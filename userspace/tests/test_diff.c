// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_diff.c - a report is read again as it was written, every number of it; what it may
 * be instead is said; and two reports differ in what they differ.
 */
#include <stdlib.h>
#include <unistd.h>

#include "lib/complain.h"
#include "model/diff.h"
#include "test.h"
#include "trace/saved.h"
#include "view/diff.h"
#include "view/json_report.h"

static struct output out = { .limit = 20, .noheadings = false };

static struct file *add_file(struct report *report, const char *path, uint64_t ino,
			     uint32_t generation)
{
	struct file *file = report_add(report, path);

	file->page_size = 4096;
	file->snap.flags = PCINSPECT_F_PAGES | PCINSPECT_F_DEVICE | PCINSPECT_F_LEDGER |
			   PCINSPECT_F_EXPLICIT | PCINSPECT_F_AGES;
	file->snap.dev_major = 254;
	file->snap.dev_minor = 16;
	file->snap.ino = ino;
	file->snap.i_generation = generation;
	file->snap.size_bytes = 1 << 20;
	strcpy(file->snap.fs, "ext4");
	file->who = calloc(1, sizeof(*file->who));
	return file;
}

static struct report new_report(void)
{
	return (struct report){ .page_size = 4096, .kernel = "6.12", .interval_ns = 1000000000,
				.losses.known = true };
}

static int read_text(const char *text, size_t len, struct side *side)
{
	FILE *from = fmemopen((void *)text, len, "r");
	int failed = saved_read("FILE", from, side);

	fclose(from);
	return failed;
}

static int again(struct report *report, struct side *side, bool pretty)
{
	char *text = report_json(report, pretty);
	int failed = read_text(text, strlen(text), side);

	free(text);
	return failed;
}

/* Output is read back: each number, at each place, and nothing besides. */
static void round_trip(void)
{
	struct report report = new_report();
	struct file *file = add_file(&report, "/mnt/\xff", 12, 3), *back;
	size_t wrong = 0, unknown = 0, i, in_json = 0;
	struct side side;

	for (i = 0; i < PCINSPECT_NR_NUMBERS; i++) {
		file->snap.known[i / 64] |= 1ULL << i % 64;
		file->snap.numbers[i] = 1000 + i;
	}
	file->snap.numbers[PCINSPECT_CACHED] = UINT64_MAX;
	add_file(&report, NULL, 13, 4);
	report_add_audit(&report, "one", 1, 1, 1, "x");
	report_add_audit(&report, "two", 1, 2, 2, "x");
	report.losses.windows = 5;
	report_set(&report, "/sys/class/bdi/254:16/read_ahead_kb", 128);
	report_set(&report, "/sys/fs/cgroup/a/memory.peak", 7);
	report_set(&report, DIRTY_THRESHOLD, 9);
	CHECK("read again", !again(&report, &side, true));
	CHECK("both files", side.nr == 2);
	back = &side.rows[0].file;
	CHECK_STR("a path that is not UTF-8", back->path, "/mnt/\xff");
	CHECK("none", !side.rows[1].file.path);
	CHECK("which inode", side.rows[0].identified && back->snap.dev_major == 254 &&
	      back->snap.dev_minor == 16 && back->snap.ino == 12 &&
	      back->snap.i_generation == 3 && !strcmp(back->snap.fs, "ext4"));
	for (i = 0; i < PCINSPECT_NR_NUMBERS; i++) {
		in_json += number_rows[i].json != NULL;
		wrong += number_known(back, i) != !!number_rows[i].json ||
			 (number_known(back, i) &&
			  back->snap.numbers[i] != file->snap.numbers[i]);
		unknown += number_known(&side.rows[1].file, i);
	}
	CHECK("every number", !wrong && in_json > 80);
	CHECK("null is unknown", !unknown);
	CHECK_STR("kernel", side.kernel, "6.12");
	CHECK("page size", side.page_size == 4096 && back->page_size == 4096);
	CHECK("interval", side.interval.known && side.interval.count == 1000000000);
	CHECK("audits", side.audits == 2 && side.untrusted == 1);
	CHECK_STR("the one that is wrong", side.untrusted_what, "two");
	CHECK("lost", side_lost(&side));
	CHECK("a setting, and nothing that is counted", side.settings.nr == 1 &&
	      side.settings.list[0].value.count == 128);
	CHECK("nobody looked for verdicts", !side.explained);
	side_free(&side);
	report_free(&report);
}

static void says(const char *name, const char *text, const char *words)
{
	struct side side;
	int failed = read_text(text, strlen(text), &side);

	CHECK(name, failed && strstr(complain_last(), words));
	if (!failed || !strstr(complain_last(), words))
		printf("# %d: %s\n", failed, complain_last());
	side_free(&side);
}

/* Each beginning of a report is cut short, and nothing else. */
static void bad_files(void)
{
	struct report report = new_report();
	char *text, *twice = NULL;
	size_t i, len, read = 0;
	struct side side;

	add_file(&report, "/a", 1, 1);
	report.nr_rules = 1;
	text = report_json(&report, false);
	len = strlen(text);
	freopen("/dev/null", "w", stderr);
	for (i = 1; i < len; i++) {
		read += !read_text(text, i, &side) || !strstr(complain_last(), "is cut short");
		side_free(&side);
	}
	CHECK("cut short at each byte", !read);
	asprintf(&twice, "%s\n%s\n", text, text);
	says("two reports", twice, "more than one report");
	says("no JSON", "root:x:0:0\n", "is neither a JSON report nor a recording");
	says("an array", "[1]", "is neither");
	says("JSON of others", "{\"a\": 1}", "is JSON, but no report of pcinspect");
	says("of others, with a version", "{\"format\": \"x\", \"version\": 1}", "but no report");
	says("a newer one", "{\"format\": \"pcinspect-report\", \"version\": 2}",
	     "is a report of version 2, and this pcinspect knows 1");
	says("no comma", "{\"format\": \"pcinspect-report\" \"version\": 1}", "is no JSON at byte 30");
	says("no key", "{1: 2}", "is no JSON at byte 1");
	says("a word", "{\"a\": what}", "is no JSON at byte");
	says("a list that does not end well", "{\"files\": [1 2]}", "is no JSON at byte");
	free(text);
	free(twice);
	report_free(&report);
	/* Whatever stands where a number belongs is none. */
	text = "{\"format\":\"pcinspect-report\",\"version\":1,\"files\":[1,null,{\"path\":5,"
	       "\"pages\":{\"cached\":\"7\",\"active\":-1,\"inactive\":1.5,\"mapped\":9},"
	       "\"dev\":\"x\",\"ino\":1,\"lru_generations\":{}}],\"audit\":{},\"lost\":7}";
	CHECK("odd, but a report", !read_text(text, strlen(text), &side));
	CHECK("one file", side.nr == 1 && !side.rows[0].identified && !side.rows[0].file.path);
	CHECK("one number", number_of(&side.rows[0].file, PCINSPECT_MAPPED) == 9 &&
	      !number_known(&side.rows[0].file, PCINSPECT_CACHED) &&
	      !number_known(&side.rows[0].file, PCINSPECT_ACTIVE) &&
	      !number_known(&side.rows[0].file, PCINSPECT_INACTIVE));
	side_free(&side);
}

/* Columns are as wide as it takes. */
static char *squeeze(char *text)
{
	char *from, *to = text;

	for (from = text; *from; from++)
		if (*from != ' ' || (to > text && to[-1] != ' ' && to[-1] != '\n'))
			*to++ = *from;
	*to = '\0';
	return text;
}

/* The output of diff_print() for two reports. */
static char *printed(struct report *x, struct report *y, bool json)
{
	static char text[16384];
	FILE *was = stdout, *to = fmemopen(text, sizeof(text), "w");
	struct side a, b;
	struct diff diff;

	again(x, &a, false);
	again(y, &b, true);
	a.path = "x.json";
	b.path = "y.json";
	diff_make(&diff, &a, &b);
	if (json) {
		diff_json(&diff, to);
	} else {
		stdout = to;
		diff_print(&diff, &out);
		stdout = was;
	}
	fclose(to);
	diff_free(&diff);
	side_free(&a);
	side_free(&b);
	squeeze(text);
	return text;
}

static void has(const char *name, const char *text, const char *line)
{
	CHECK(name, strstr(text, line) != NULL);
	if (!strstr(text, line))
		printf("# no %s in\n%s\n", line, text);
}

static void add_verdict(struct report *report, const char *name, uint64_t cost)
{
	struct verdict *v;

	report->verdicts = reallocarray(report->verdicts, report->nr_verdicts + 1, sizeof(*v));
	v = &report->verdicts[report->nr_verdicts++];
	*v = (struct verdict){ .name = name, .nr_files = 1, .text = strdup("x"),
			       .cost_bytes = cost, .share = -1 };
	report->nr_rules = 1;
}

static void differences(void)
{
	struct report x = new_report(), y = new_report();
	struct file *a, *b;
	char *text;

	/* The same inode under another name; by path; and two that only look alike. */
	a = add_file(&x, "/log", 5, 77);
	know(&a->snap, PCINSPECT_CACHED, 100, PCINSPECT_DEVICE_BYTES, 0, PCINSPECT_DIRTY, 4, -1);
	b = add_file(&y, "/log.1", 5, 77);
	know(&b->snap, PCINSPECT_CACHED, 50, PCINSPECT_DEVICE_BYTES, 4096, -1);
	a = add_file(&x, "/db", 6, 1);
	know(&a->snap, PCINSPECT_CACHED, 8, PCINSPECT_DEVICE_BYTES, 1000, -1);
	b = add_file(&y, "/db", 9, 2);
	know(&b->snap, PCINSPECT_CACHED, 8, PCINSPECT_DEVICE_BYTES, 4000, -1);
	a = add_file(&x, "/old", 20, 0);
	know(&a->snap, PCINSPECT_CACHED, 3, PCINSPECT_DEVICE_BYTES, 0, -1);
	b = add_file(&y, "/new", 20, 0);
	know(&b->snap, PCINSPECT_CACHED, 5, -1);
	add_verdict(&x, "cyclic", 4096);
	add_verdict(&x, "thrash", 8192);
	add_verdict(&y, "thrash", 16384);
	add_verdict(&y, "tiny", 1);
	report_set(&x, "/proc/sys/vm/dirty_ratio", 20);
	report_set(&y, "/proc/sys/vm/dirty_ratio", 40);
	strcpy(y.kernel, "7.2");
	y.interval_ns = 3000000000;
	text = printed(&x, &y, false);
	has("the same inode, renamed", text, "100 50 -50 0.50 cached /log.1 (in A /log)\n");
	has("from 0 there is no ratio", text, "0 4096 +4096 - device_bytes /log.1 (in A /log)\n");
	has("unknown in one: unknown", text, "4 ? ? ? dirty /log.1 (in A /log)\n");
	has("by path", text, "1000 4000 +3000 4.00 device_bytes /db\n");
	CHECK("what is the same is not told", !strstr(text, "cached       /db"));
	has("only in A", text, "3 - - - cached /old (only in A)\n");
	has("only in B: 0 in no other", text, "- 5 - - cached /new (only in B)\n");
	has("totals", text, "111 63 -48 0.57 cached (total)\n");
	has("unknown of one, unknown of all", text, "1000 ? ? ? device_bytes (total)\n");
	has("kernel", text, "note: other kernel: A 6.12, B 7.2\n");
	has("interval", text, "note: other interval: counters of A ran 1.000 s, those of B 3.000 s\n");
	has("a verdict went", text, "verdict went: cyclic, file /log: cost 4K\n");
	has("one came", text, "verdict came: tiny, file /log.1: cost 1\n");
	has("one stayed with its file", text, "verdict stayed: thrash, file /log.1: cost 8K, now 16K\n");
	has("a setting", text, "setting: /proc/sys/vm/dirty_ratio: A 20, B 40\n");
	text = printed(&x, &y, true);
	has("JSON: change", text, "{ \"number\": \"device_bytes\", \"unit\": \"bytes\", \"a\": 1000, \"b\": 4000, \"change\": 3000, \"ratio\": 4.0 }");
	has("JSON: unknown is null", text, "\"number\": \"dirty\", \"unit\": \"pages\", \"a\": 4, \"b\": null, \"change\": null, \"ratio\": null");
	has("JSON: where", text, "\"path\": \"/old\", \"dev\": \"254:16\", \"ino\": 20, \"in\": \"a\"");
	has("JSON: name before", text, "\"path\": \"/log.1\", \"a_path\": \"/log\"");
	has("JSON: less", text, "\"a\": 100, \"b\": 50, \"change\": -50, \"ratio\": 0.5");
	y.page_size = 16384;
	text = printed(&x, &y, false);
	has("other page size", text, "note: other page size: A 4096, B 16384");
	has("pages are not compared", text, "100 50 ? ? cached /log.1");
	has("bytes are", text, "1000 4000 +3000 4.00 device_bytes /db\n");
	report_free(&y);
	/* The verdicts' texts are enough. */
	text = printed(&x, &x, false);
	has("the same", text, "3 of 3 entries do not differ");
	has("verdicts stay", text, "verdict stayed: thrash, file /log: cost 8K, now 8K\n");
	CHECK("no note", !strstr(text, "note: "));
	report_free(&x);
}

/* Of the machine: rows that are no files, and numbers without any. */
static void whole(void)
{
	static const char head[] = "{\"format\":\"pcinspect-report\",\"version\":1,\"page_size\":4096,"
		"\"interval_ns\":null,\"files\":[],\"machine\":{\"file_pages\":%s,\"policy\":\"mglru\","
		"\"pressure\":{\"io\":{\"some_us\":7}}},\"cgroups\":[{\"path\":\"/a\",\"pages\":"
		"{\"cached\":%d},\"files\":[{\"path\":\"/f\",\"dev\":\"1:2\",\"ino\":3,"
		"\"i_generation\":4,\"pages\":{\"cached\":%d}}]}],\"processes\":[{\"pid\":%d,\"comm\":\"x\"}]}";
	char *text[2], *shown = NULL;
	FILE *was = stdout, *to;
	struct side a, b;
	struct diff diff;
	size_t size;

	asprintf(&text[0], head, "100", 10, 9, 1);
	asprintf(&text[1], head, "null", 20, 9, 2);
	CHECK("of the machine", !read_text(text[0], strlen(text[0]), &a) &&
	      !read_text(text[1], strlen(text[1]), &b));
	diff_make(&diff, &a, &b);
	to = open_memstream(&shown, &size);
	stdout = to;
	diff_print(&diff, &out);
	stdout = was;
	fclose(to);
	squeeze(shown);
	has("a cgroup", shown, "10 20 +10 2.00 cached cgroup /a\n");
	has("the machine's number", shown, "100 ? ? ? file_pages (machine)\n");
	has("its file is the same", shown, "2 of 3 entries");
	diff_free(&diff);
	side_free(&a);
	side_free(&b);
	free(text[0]);
	free(text[1]);
	free(shown);
}

static void add_task(struct file *file, uint32_t pid, const char *comm, uint64_t demanded,
		     uint64_t inserted)
{
	struct pcinspect_task *to = pid ? file->who->tasks : &file->who->others;

	while (pid && to->pid)
		to++;
	to->pid = pid;
	strncpy(to->comm, comm, sizeof(to->comm));
	to->demanded_bytes = demanded;
	to->inserted_pages = inserted;
	know(&file->snap, PCINSPECT_DEMANDED_BYTES, 7000, -1);
}

/* Of all files and processes of a name together; of runs, whose time is the command's. */
static void processes(void)
{
	struct report x = new_report(), y = new_report();
	char *text;

	x.devices_known = y.devices_known = true;
	y.interval_ns *= 5;
	add_file(&x, "/a", 1, 1);
	add_file(&y, "/a", 1, 1);
	text = printed(&x, &y, false);
	CHECK("of processes nobody speaks", !strstr(text, "processes"));
	while (x.nr_files)
		file_free(&x.files[--x.nr_files]);
	while (y.nr_files)
		file_free(&y.files[--y.nr_files]);
	add_task(add_file(&x, "/a", 1, 1), 10, "cat", 1000, 3);
	add_task(&x.files[0], 11, "cat", 500, 0);
	add_task(add_file(&x, "/b", 2, 1), 10, "cat", 500, 4);
	add_task(&x.files[1], 12, "cp", 100, 1);
	add_task(add_file(&y, "/a", 1, 1), 90, "cat", 3000, 7);
	add_task(add_file(&y, "/b", 2, 1), 91, "tar", 9, 0);
	text = printed(&x, &y, false);
	has("added up by name", text, "2000 3000 +1000 1.50 demanded_bytes process cat\n");
	CHECK("what is the same is not told", !strstr(text, "inserted_pages process cat"));
	CHECK("nor what no file knows", !strstr(text, "device_bytes process"));
	has("in one only", text, "100 - - - demanded_bytes process cp (only in A)\n");
	has("all of it", text, "1 - - - inserted_pages process cp (only in A)\n");
	has("in the other", text, "- 9 - - demanded_bytes process tar (only in B)\n");
	CHECK("runs have no other interval", !strstr(text, "note: "));
	text = printed(&x, &y, true);
	has("JSON: by name", text, "\"kind\": \"process\", \"comm\": \"cat\", \"path\": null, \"dev\": null, \"ino\": null, \"in\": \"both\", \"numbers\": [ { \"number\": \"demanded_bytes\", \"unit\": \"bytes\", \"a\": 2000, \"b\": 3000, \"change\": 1000, \"ratio\": 1.5 } ]");
	/* Those that found no room may have been any: cat, and cp as well. */
	add_task(&y.files[0], 0, "", 70, 0);
	text = printed(&x, &y, false);
	has("unknown", text, "2000 ? ? ? demanded_bytes process cat\n");
	CHECK("of pages they inserted none", !strstr(text, "inserted_pages process cat"));
	has("who did it is unknown", text, "100 - - - demanded_bytes process cp (not named in B)\n");
	has("and why", text, "note: B has processes without a name");
	y.devices_known = false;
	text = printed(&x, &y, false);
	has("one is no run", text, "note: other interval: ");
	/* Under two names it is one file. */
	add_task(add_file(&x, "/link to b", 2, 1), 10, "cat", 500, 4);
	add_task(&x.files[2], 12, "cp", 100, 1);
	text = printed(&x, &y, false);
	has("a second name adds nothing", text, "100 - - - demanded_bytes process cp (not");
	/* Unless the number may have come again. */
	x.files[1].snap.i_generation = x.files[2].snap.i_generation = 0;
	text = printed(&x, &y, false);
	has("another file of its number, perhaps", text, "note: A does not have the processes of every file");
	CHECK("then who did how much is unknown", !strstr(text, "100 - - - demanded_bytes process cp"));
	x.files[1].snap.i_generation = x.files[2].snap.i_generation = 1;
	x.files[0].gone = true;
	free(x.files[0].who);
	x.files[0].who = NULL;
	text = printed(&x, &y, false);
	has("a file that went away", text, "note: A does not have the processes of every file");
	report_free(&x);
	report_free(&y);
}

/* Bytes of it changed, each time others: there is an end, and nothing for a terminal to obey. */
static void tampered(void)
{
	struct report report = new_report();
	uint64_t dice = 1;
	size_t i, k, len, read = 0, obeyed = 0;
	struct side a, b;
	struct diff diff;
	char *text, *copy, *p;

	add_file(&report, "/a", 1, 1);
	know(&report.files[0].snap, PCINSPECT_CACHED, 3, PCINSPECT_DEVICE_BYTES, 1, -1);
	add_verdict(&report, "x", 1);
	report_set(&report, "/proc/sys/vm/dirty_ratio", 20);
	report_add_audit(&report, "two", 1, 2, 2, "x");
	text = report_json(&report, false);
	len = strlen(text);
	read_text(text, len, &a);
	for (i = 0; i < 3000; i++) {
		static const char of[] = "{}[]\",:0-9.eu\\n1\x1b\xff ";
		char *shown = NULL;
		FILE *was = stdout;
		size_t size;

		copy = strdup(text);
		for (k = 0; k < 1 + i % 4; k++) {
			dice = dice * 6364136223846793005ULL + 1442695040888963407ULL;
			copy[(dice >> 33) % len] = of[(dice >> 20) % (sizeof(of) - 1)];
		}
		if (!read_text(copy, len, &b)) {
			read++;
			stdout = open_memstream(&shown, &size);
			b.path = a.path = "x";
			diff_make(&diff, &b, &a);
			diff_print(&diff, &out);
			diff_json(&diff, stdout);
			diff_free(&diff);
			fclose(stdout);
			stdout = was;
			for (p = shown; *p; p++)
				obeyed += *p == '\x1b';
			free(shown);
		}
		side_free(&b);
		free(copy);
	}
	CHECK("some are reports still, others are none", read > 100 && read < 2900);
	CHECK("nothing for a terminal", !obeyed);
	side_free(&a);
	free(text);
	report_free(&report);
}

int main(void)
{
	round_trip();
	bad_files();
	differences();
	whole();
	processes();
	tampered();
	return test_failures != 0;
}
