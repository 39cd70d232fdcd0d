// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_screen_draw.c - drawing on a terminal of every size, with every number
 * known or not: nothing past an edge (the sanitizers look), the title and the
 * keys where they belong.
 */
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <locale.h>
#include <stdlib.h>

#include "screen/draw.h"
#include "screen/keys.h"
#include "test.h"

#define FILES	12

static struct watch watch;
static struct screen screen = { .watch = &watch };
static struct file before[FILES];
static unsigned int seed = 1;

static unsigned int chance(unsigned int n)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % n;
}

/* Small, large, or as large as can be. */
static void fill(void *what, size_t size)
{
	uint64_t *words = what;
	size_t i;

	for (i = 0; i < size / sizeof(*words); i++)
		words[i] = chance(3) ? chance(1000) : chance(2) ? chance(1 << 30) : ~0ULL;
}

static void fill_file(struct file *file)
{
	struct pcinspect_snapshot *snap = &file->snap;
	int i;

	fill(snap, sizeof(*snap));
	snap->flags = chance(1 << 26);
	memcpy(snap->fs, "\033fs\0", 5);
	if (chance(4)) {
		file->who = calloc(1, sizeof(*file->who));
		fill(file->who, sizeof(*file->who));
		for (i = 0; i < PCINSPECT_NR_TASKS; i++)
			memcpy(file->who->tasks[i].comm, "sixteen\n\033\377bytes", 16);
	}
	file->nr_windows = chance(129);
	file->windows = calloc(file->nr_windows + 1, sizeof(*file->windows));
	fill(file->windows, file->nr_windows * sizeof(*file->windows));
	file->nr_fsyncs = chance(31);
	file->fsyncs = calloc(file->nr_fsyncs + 1, sizeof(*file->fsyncs));
	fill(file->fsyncs, file->nr_fsyncs * sizeof(*file->fsyncs));
	file->gone = !chance(6);
}

static void make(void)
{
	static const char *const paths[] = {
		"/a", "/with\nline", "/\xe6\xbc\xa2\xe5\xad\x97\xe6\xbc\xa2\xe5\xad\x97", "/\xff\033[2J",
	};
	char path[400];
	int i;

	for (i = 0; i < FILES; i++) {
		snprintf(path, sizeof(path), "%s%0*d", paths[i % 4], i == 7 ? 300 : 1, i);
		fill_file(report_add(&watch.report, path));
		fill_file(&before[i]);
	}
	watch.before = before;
	watch.nr_ticks = 2;
	report_add_audit(&watch.report, "cached_pages", 1, 2, 2, "somewhere");
	report_add_audit(&watch.report, "other_pages", 2, 2, 2, "somewhere");
	screen.view.list.order = calloc(FILES, sizeof(*screen.view.list.order));
	screen_events_start(&screen.shown);
	for (i = 0; i < 300; i++) {
		struct event *event = &screen.shown.ring[i];

		event->time_ns = i * 123456789ULL;
		event->file = i % FILES;
		event->system = i % 3 ? "writeback" : "filemap";
		event->name = i % 50 ? "mm_filemap_fault" : "";
		memcpy(event->comm, "sixteen\n\033\377bytes", 16);
		memset(event->text, 'x', sizeof(event->text) - 1);
	}
	screen.shown.newest = 299;
	screen.shown.kept = 300;
}

/* A line without the blanks at its end. */
static void line_of(int y, char *out, size_t size)
{
	wchar_t wide[1024];
	size_t n;

	mvinnwstr(y, 0, wide, 1023);
	n = wcstombs(out, wide, size - 1);
	if (n == (size_t)-1)
		n = 0;
	while (n && out[n - 1] == ' ')
		n--;
	out[n] = '\0';
}

static bool all_printable(void)
{
	char text[4096];
	int y;

	for (y = 0; y < LINES; y++) {
		const char *c;

		line_of(y, text, sizeof(text));
		for (c = text; *c; c++)
			if ((unsigned char)*c < ' ' || *c == 0x7f)
				return false;
	}
	return true;
}

static void at_size(int rows, int cols)
{
	static const char keys[] = "nnsz[v]or/eh?N \t";
	char text[4096];
	int bad = 0, i;

	resizeterm(rows, cols);
	for (i = 0; i < 40; i++) {
		watch.events = chance(3) ? (void *)&watch : NULL;
		watch.why = chance(2) ? "why not" : NULL;
		screen.missed = chance(2) ? 0 : ~0ULL;
		screen.rate = chance(2) ? 0 : 1e18;
		screen_key(&screen.view, false, keys[chance(sizeof(keys) - 1)], rows);
		if (!chance(4))
			screen_key(&screen.view, false, '\r', rows);
		screen_draw(&screen);
		bad += !all_printable();
		if (cols < 40 || rows < 3)
			continue;
		line_of(0, text, sizeof(text));
		bad += strncmp(text, "pcinspect ", 10) || !strstr(text, " missed ");
		line_of(rows - 1, text, sizeof(text));
		bad += !screen.view.list.into && strncmp(text, "q quit", 6);
	}
	snprintf(text, sizeof(text), "%dx%d", cols, rows);
	CHECK(text, !bad);
}

int main(void)
{
	static const int sizes[][2] = {
		{ 24, 80 }, { 60, 200 }, { 5, 20 }, { 1, 1 }, { 2, 2 }, { 3, 1 }, { 1, 300 },
		{ 300, 1 }, { 22, 140 }, { 21, 139 }, { 100, 400 }, { 16, 60 }, { 4, 1000 },
	};
	FILE *null = fopen("/dev/null", "r+");
	size_t i;
	SCREEN *term;

	setlocale(LC_CTYPE, "C.UTF-8");
	term = newterm("xterm", null, null);
	if (!term) {
		puts("not ok - a terminal to draw on");
		return 1;
	}
	make();
	for (i = 0; i < 2 * sizeof(sizes) / sizeof(*sizes); i++) {
		pen_start(i % 2 && has_colors());
		at_size(sizes[i / 2][0], sizes[i / 2][1]);
	}
	endwin();
	delscreen(term);
	for (i = 0; i < FILES; i++)
		file_free(&before[i]);
	report_free(&watch.report);
	free(screen.view.list.order);
	free(screen.shown.ring);
	return test_failures != 0;
}
