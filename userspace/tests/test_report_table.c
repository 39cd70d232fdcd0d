// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_report_table.c - tables on terminals of several sizes, by what is on them; and on a
 * pipe, where nothing is shortened.
 */
#include <locale.h>
#include <pty.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/width.h"
#include "lib/wrap.h"
#include "test.h"
#include "view/report_table.h"

#define LONG "/var/lib/postgresql/15/main/base/16384/a-file-with-quite-a-long-name/2619_fsm"
#define WIDE "/srv/\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57" \
	"\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57\u6f22\u5b57/e\u0301nd"

static char text[1 << 16];

/* The output on a terminal of so many columns; 0: a pipe. */
static void printed(const struct report *report, const struct output *out, int columns)
{
	struct winsize window = { .ws_row = 24, .ws_col = columns };
	int terminal, ends[2];
	size_t used = 0;
	ssize_t n;
	pid_t pid;

	fflush(stdout);
	if (columns) {
		pid = forkpty(&terminal, NULL, NULL, &window);
	} else {
		if (pipe(ends))
			_exit(1);
		pid = fork();
		terminal = ends[0];
		if (!pid)
			dup2(ends[1], STDOUT_FILENO);
		close(ends[1]);
	}
	if (!pid) {
		if (out->csv)
			table_csv(report, out);
		else
			table_print(report, out);
		_exit(0);
	}
	while (used < sizeof(text) - 1 &&
	       (n = read(terminal, text + used, sizeof(text) - 1 - used)) > 0)
		used += n;
	text[used] = '\0';
	close(terminal);
	wait(NULL);
}

/* The widest line there was, in cells. */
static int widest(void)
{
	char copy[sizeof(text)], *line, *rest = copy;
	int most = 0, width;

	strcpy(copy, text);
	while ((line = strsep(&rest, "\r\n"))) {
		width = width_of(line);
		if (width > most)
			most = width;
	}
	return most;
}

static bool has(const char *word)
{
	return strstr(text, word) != NULL;
}

/* Some of what there is: known, 0, and unknown. */
static struct report some(size_t nr)
{
	struct report report = { .page_size = 4096 };
	struct file *file;
	char name[64];
	size_t i;

	for (i = 0; i < nr; i++) {
		snprintf(name, sizeof(name), "/a/path/%zu", i);
		file = report_add(&report, i == 1 ? LONG : i == 2 ? WIDE : name);
		file->snap.ino = i + 1;
		file->snap.size_bytes = 8 << 20;
		know(&file->snap, PCINSPECT_CACHED, 1000, PCINSPECT_ACTIVE, 300,
		     PCINSPECT_INACTIVE, 700, PCINSPECT_UNEVICTABLE, 0, PCINSPECT_OFF_LRU, 0,
		     PCINSPECT_WRITEBACK, 0, PCINSPECT_DIRTY, (unsigned int)i,
		     PCINSPECT_GEN0, 1, PCINSPECT_GEN1, 2, PCINSPECT_GEN2, 3,
		     PCINSPECT_GEN3, 994, -1);
	}
	return report;
}

static void terminals(void)
{
	static const int sizes[] = { 40, 80, 200 };
	struct report report = some(4);
	struct output out = {};
	size_t i;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		printed(&report, &out, sizes[i]);
		printf("# %d columns\n%s", sizes[i], text);
		CHECK("no line is longer than the terminal is wide", widest() <= sizes[i]);
		CHECK("CACHED and PATH", has("CACHED") && has("PATH\r\n"));
		CHECK("sizes have units", has("3.9M"));
		CHECK("how much of the file", has("CACHED%") && has(" 48%"));
		CHECK("the end of a path is its name", has("2619_fsm\r\n") &&
		      has("/e\u0301nd\r\n"));
		CHECK("columns of nothing go", has("All 0: UNEVICTABLE OFF_LRU"));
		CHECK("unknown is not 0", has("All unknown: EVICTED."));
		CHECK("the total", has("total of 4 files"));
	}
	CHECK("wide: whole paths", has(LONG) && has(WIDE) && has("GEN3") && !has("\u2026"));
	CHECK("the total is a sum", has("15.6M") || has("16M"));
	printed(&report, &out, 40);
	CHECK("narrow: what has no room is said", has("No room:") && has("\u2026"));
	out.columns = "CACHED,UNEVICTABLE,EVICTED,GEN3,PATH";
	printed(&report, &out, 80);
	CHECK("columns that were asked for stay, and count pages", has("UNEVICTABLE") &&
	      has("EVICTED") && has("GEN3") && has("1000") && !has("All") && widest() <= 80);
	out.noheadings = true;
	printed(&report, &out, 40);
	CHECK("without headings nothing is shortened", has(LONG) && has(WIDE) &&
	      !has("total"));
	out = (struct output){ .bytes = true };
	printed(&report, &out, 80);
	CHECK("--bytes", has("4096000"));
	out = (struct output){ .pages = true };
	printed(&report, &out, 80);
	CHECK("--pages", has("1000") && has("8388608"));
	report_free(&report);
}

static void pipes(void)
{
	struct report report = some(3), many = some(1000);
	struct output out = {};

	printed(&report, &out, 0);
	CHECK("pipe: all columns, in pages", has("OFF_LRU") && has("GEN3") && has("1000"));
	CHECK("pipe: whole paths", has(LONG) && has(WIDE));
	CHECK("pipe: the unit is said", has("CACHED and other counts are in pages of 4K ("));
	out.table = "OLDEST,DIRTY,PATH";
	printed(&report, &out, 0);
	CHECK("pipe: so are seconds", has("DIRTY and other counts are in pages of 4K, OLDEST in seconds"));
	out = (struct output){ .noheadings = true, .columns = "CACHED,DIRTY,PATH" };
	printed(&report, &out, 0);
	CHECK("pipe: the one format", has("1000 0 /a/path/0\n1000 1 " LONG "\n"));
	printed(&many, &out, 0);
	CHECK("pipe: and of many rows", has("1000   0 /a/path/0\n1000   1 " LONG "\n"));
	report_free(&report);
	report_free(&many);
}

static void totals(void)
{
	struct report report = some(2);
	struct output out = { .columns = "CACHED,EVICTED,OLDEST,CACHED%,SIZE,FS,PATH" };
	struct file *file;
	size_t i;

	know(&report.files[0].snap, PCINSPECT_EVICTED, 5, PCINSPECT_OLDEST_MS, 2000, -1);
	know(&report.files[1].snap, PCINSPECT_OLDEST_MS, 3000, -1);
	/* Another name of the second, and one that is gone. */
	file = report_add(&report, "/b");
	file->snap = report.files[1].snap;
	report_add(&report, "/gone")->gone = true;
	printed(&report, &out, 200);
	CHECK("an inode counts once; one unknown makes the sum unknown; ages have no sum",
	      has("  2000       ?    3.0    48.8  16M    total of 4 files\r\n"));
	report_free(&report);
	printed(&report, &out, 200);
	CHECK("no files, no table", !*text);
	/* Three files of a byte are three pages, all of them cached. */
	report = some(3);
	for (i = 0; i < 3; i++) {
		report.files[i].snap.size_bytes = 1;
		know(&report.files[i].snap, PCINSPECT_CACHED, 1, -1);
	}
	out.columns = "CACHED,CACHED%,PATH";
	printed(&report, &out, 200);
	CHECK("all of small files is 100 %", has("   100.0 total of 3 files\r\n"));
	report_free(&report);
}

/* The oldest dirty page where some have no age. */
static void oldest(void)
{
	struct output out = { .columns = "OLDEST,PATH" };
	struct report report = some(4);
	struct pcinspect_snapshot *snap;
	size_t i;

	for (i = 0; i < 4; i++)
		know(&report.files[i].snap, PCINSPECT_DIRTY, i ? 2 : 0,
		     PCINSPECT_UNKNOWN_AGE_PAGES, i ? 1 : 0, -1);
	know(&report.files[1].snap, PCINSPECT_INODE_AGE_MS, 4000, -1);
	for (i = 1; i < 3; i++) {
		snap = &report.files[i].snap;
		snap->numbers[PCINSPECT_OLDEST_MS] = 3000;
	}
	printed(&report, &out, 200);
	CHECK("oldest: none is dirty", has("- /a/path/0"));
	CHECK("oldest: by the inode's time", has("~4.0"));
	CHECK("oldest: at least what has an age", has(">3.0"));
	CHECK("oldest: no page has an age", has("?"));
	report_free(&report);
}

static void csv(void)
{
	struct report report = some(1);
	struct output out = { .csv = true, .columns = "CACHED,EVICTED,DIRTY,CACHED%,MEMCG,SIZE,PATH" };
	struct file *file;

	report_add(&report, "/with space,comma \"quote\"\nand \\040");
	file = report_add(&report, "/gone");
	file->gone = true;
	printed(&report, &out, 80);
	CHECK_STR("CSV", text, "CACHED,EVICTED,DIRTY,CACHED%,MEMCG,SIZE,PATH\r\n"
		  "1000,,0,48.8,,8388608,/a/path/0\r\n"
		  ",,,,,0,\"/with space,comma \"\"quote\"\"\\012and \\134040\"\r\n"
		  ",,,,,,/gone (gone)\r\n");
	out.bytes = out.noheadings = true;
	out.limit = 1;
	printed(&report, &out, 0);
	CHECK_STR("CSV in bytes", text, "4096000,,0,48.8,,8388608,/a/path/0\n");
	report_free(&report);
}

static void limits(void)
{
	struct report report = some(1000);
	struct output out = { .limit = 3 };

	printed(&report, &out, 80);
	CHECK("the limit", has("/a/path/0") && has("/e\u0301nd") && !has("/a/path/3"));
	CHECK("the total is of all", has("total of 1000 files"));
	CHECK("what it left out", has("and 997 more (--limit 0 shows all)"));
	out.limit = 0;
	printed(&report, &out, 80);
	CHECK("no limit", has("/a/path/999") && !has("more"));
	report_free(&report);
}

static void shortened(const char *from, int width, const char *want)
{
	char *got = width_shorten(strdup(from), width);

	CHECK_STR("shortened", got, want);
	CHECK("fits", width_of(got) <= width);
	free(got);
}

static void widths(void)
{
	CHECK("wide characters take two cells", width_of("a\u6f22") == 3);
	CHECK("combining ones none", width_of("e\u0301") == 1);
	shortened("/short", 6, "/short");
	shortened("/a/long/path/to/file", 13, "/a/l\u2026/to/file");
	shortened("\u6f22\u6f22\u6f22\u6f22\u6f22", 6, "\u2026\u6f22\u6f22");
	shortened("abcdefghe\u0301i", 4, "a\u2026e\u0301i");
	shortened("abc", 1, "\u2026");
}

/* A line where it has no room. */
static const char *wrapped(const char *line, int width)
{
	static char lines[512];
	FILE *to;

	memset(lines, 0, sizeof(lines));
	to = fmemopen(lines, sizeof(lines) - 1, "w");
	wrap_line(to, line, width);
	fclose(to);
	return lines;
}

static void wraps(void)
{
	CHECK_STR("a line that fits", wrapped("  a b  c", 8), "  a b  c");
	CHECK_STR("one that does not", wrapped("12345 pages by a", 12), "12345 pages\n  by a");
	CHECK_STR("no terminal", wrapped("12345 pages by a", 0), "12345 pages by a");
	CHECK_STR("further in", wrapped("  12345 pages of somebody", 24), "  12345 pages of\n    somebody");
	CHECK_STR("wide characters", wrapped("漢字 漢字 漢字", 9), "漢字 漢字\n  漢字");
	CHECK_STR("what is too wide stands alone", wrapped("a /one/long/name b", 10),
		  "a\n  /one/long/name\n  b");
	CHECK_STR("a command is pasted as it is", wrapped("    echo 16 > /sys/x", 10),
		  "    echo 16 > /sys/x");
}

int main(void)
{
	setlocale(LC_CTYPE, "C.UTF-8");
	widths();
	terminals();
	pipes();
	totals();
	oldest();
	limits();
	csv();
	wraps();
	return test_failures != 0;
}
