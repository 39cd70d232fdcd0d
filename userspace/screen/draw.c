// SPDX-License-Identifier: GPL-2.0-only
/*
 * draw.c - dividing the screen among its panes; the title, the list of
 * files, the events and the keys. Touches the screen, by way of pen.c.
 */
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/text.h"
#include "screen/draw.h"
#include "screen/file.h"
#include "view/order.h"

#define WIDE		140	/* columns from which panes are side by side */

static const char *const help_lines[] = {
	"q            quit (Ctrl-C as well)",
	"p, space     pause; again: go on",
	"n, Tab, down next file           N, up       the one before",
	"PgUp, PgDn   a page of files     Home, End   first, last file",
	"s, S         sort the list by the next, the previous key",
	"/            show files with this in their path only (empty: all)",
	"e            show events with this in them only (empty: all)",
	"o            events of this file only; again: of all",
	"[, ]         older, newer events",
	"c, C         chart: readahead, cached, hits, inserted, dirty; C: the one before",
	"z, Z         a cell of the chart is more, less time",
	"v            give the room to all, the list, the events",
	"u            exact numbers, events as the kernel prints them; again: short",
	"h, ?         this; any key ends it",
	"",
	"Bars: A active, i inactive, u unevictable, o off the LRU lists; 0 youngest",
	"  generation to 3 oldest. Timeline (newest right): s a read missed, a a read",
	"  met the marker, r around a fault, f advice; + the filesystem added pages;",
	"  . a window that inserted nothing. The height is the pages inserted.",
	"Counts are in pages, sizes have K, M, G. Causes: pcinspect explain PATH.",
	"? is unknown, which is not 0. UNTRUSTED: a sum does not agree with the",
	"  kernel's own counter. missed: events that nobody saw.",
};

static void draw_watch_title(void *context, struct pane *title)
{
	const struct screen *screen = context;
	const struct screen_view *view = &screen->view;
	const struct watch *watch = screen->watch;
	struct pane line = *title, right;
	char missed[48] = "missed ?", size[32];

	if (watch->events)
		snprintf(missed, sizeof(missed), "missed %" PRIu64, screen->missed);
	line.cols = COLS - (int)strlen(missed) - 1;
	pen_print(&line, PEN_PLAIN, "  lru %s  %zu file%s",
		  report_lru(&watch->report), watch->report.nr_files,
		  watch->report.nr_files == 1 ? "" : "s");
	if (watch->report.left_out)
		pen_print(&line, PEN_YELLOW, ", %zu left out", watch->report.left_out);
	if (!watch->alive && watch->nr_ticks)
		pen_print(&line, PEN_BAD, watch->report.nr_files ? ", all gone" : ": none yet");
	list_draw_filter(&view->list, &line);
	pen_print(&line, PEN_PLAIN, "  sort %s", order_name(view->sort));
	if (view->list.exact)
		pen_print(&line, PEN_PLAIN, "  raw");
	size_text(size, sizeof(size), watch->report.page_size);
	if (line.cols - line.col >= (int)strlen(size) + 11)
		pen_print(&line, PEN_DIM, "  pages of %s", size);
	right = pane(0, line.cols < 0 ? 0 : line.cols + 1, 1, COLS);
	right.cols -= right.x;
	pen_print(&right, screen->missed ? PEN_BAD : PEN_PLAIN, "%s", missed);
}

static void list_number(struct pane *line, enum pen pen, bool raw,
			const struct file *file, enum pcinspect_number number)
{
	char text[32] = "?";
	uint64_t value;

	if (file_number(file, number, &value)) {
		if (number_rows[number].unit == PCINSPECT_UNIT_BYTES && !raw)
			size_text(text, sizeof(text), value);
		else
			count_text(text, sizeof(text), value, raw);
	}
	pen_print(line, pen, "%7s ", text);
}

static void draw_row(void *context, struct pane *list, enum pen pen, size_t index)
{
	static const enum pcinspect_number numbers[] = {
		PCINSPECT_CACHED, PCINSPECT_ACTIVE, PCINSPECT_DIRTY, PCINSPECT_DEVICE_BYTES,
		PCINSPECT_WASTED_PAGES, PCINSPECT_REFAULT_PAGES,
	};
	const struct screen *screen = context;
	const struct file *file = &screen->watch->report.files[index];
	const char *base;
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		list_number(list, pen, screen->view.list.exact, file, numbers[i]);
	pen_name(list, pen, file->path,
		 list->cols - list->col - (file->gone ? 5 : file->renamed ? 20 : 0));
	if (file->gone)
		pen_print(list, PEN_BAD, " gone");
	if (file->renamed) {
		base = strrchr(file->renamed, '/');
		pen_print(list, PEN_YELLOW, " now ");
		pen_name(list, PEN_YELLOW, base ? base + 1 : file->renamed, 15);
	}
}

static void draw_list(struct screen *screen, struct pane *list)
{
	if (list->rows <= 0)
		return;
	if (list->rows > 1) {
		pen_print(list, PEN_DIM, "%7s %7s %7s %7s %7s %7s PATH", "CACHED", "ACTIVE",
			  "DIRTY", "READ", "WASTED", "REFAULT");
		pen_end(list);
	}
	list_draw_rows(&screen->view.list, list, draw_row, screen);
}

static void draw_event(const struct screen *screen, struct pane *to,
		       const struct event *event)
{
	enum pen pen = *event->system == 'f' ? PEN_GREEN : *event->system == 'w' ? PEN_YELLOW :
										   PEN_CYAN;
	bool wide = to->cols >= 120;
	char words[64];

	if (!*event->name) {
		pen_print(to, PEN_DIM, "%s", event->text);
		return;
	}
	if (wide)
		pen_print(to, PEN_DIM, "%" PRIu64 ".%06" PRIu64 " [%03d] ",
			  event->time_ns / 1000000000,
			  event->time_ns % 1000000000 / 1000, event->cpu);
	else
		pen_print(to, PEN_DIM, "%02" PRIu64 ".%04" PRIu64 " ",
			  event->time_ns / 1000000000 % 100,
			  event->time_ns % 1000000000 / 100000);
	if (screen->watch->report.nr_files > 1)
		pen_print(to, PEN_DIM, "#%zu ", event->file + 1);
	pen_word(to, PEN_PLAIN, event->comm, wide ? 16 : 8);
	pen_print(to, PEN_PLAIN, "-%d ", event->pid);
	if (!screen->view.list.exact && screen_event_words(words, sizeof(words), event,
						    screen->watch->report.page_size)) {
		pen_print(to, pen, "%s", words);
		return;
	}
	if (wide)
		pen_print(to, PEN_PLAIN, "%s:", event->system);
	pen_print(to, pen, "%s ", wide ? event->name : screen_short_event(event->name));
	pen_print(to, PEN_PLAIN, "%s",
		  wide ? event->text : screen_short_text(event->text));
}

static void draw_events(struct screen *screen, struct pane *to)
{
	struct screen_view *view = &screen->view;
	const struct event *event;
	size_t ages[512], n = 0, want, skip = view->back, age, file;

	if (to->rows <= 0)
		return;
	pen_print(to, PEN_TITLE, "events");
	if (!screen->watch->events) {
		pen_print(to, PEN_PLAIN, ": %s", screen->watch->why ?: "?");
		return;
	}
	pen_print(to, PEN_PLAIN, " %" PRIu64 ", %.0f/s, missed ",
		  screen->shown.total, screen->rate);
	pen_print(to, screen->missed ? PEN_BAD : PEN_PLAIN, "%" PRIu64, screen->missed);
	if (view->only)
		pen_print(to, PEN_YELLOW, "  of #%zu only", view->selected + 1);
	if (*view->events_filter) {
		pen_print(to, PEN_YELLOW, "  with ");
		pen_name(to, PEN_YELLOW, view->events_filter, 24);
	}
	if (view->back)
		pen_print(to, PEN_YELLOW, "  %zu newer not shown", view->back);
	pen_end(to);
	want = to->rows - to->row;
	if (want > sizeof(ages) / sizeof(*ages))
		want = sizeof(ages) / sizeof(*ages);
	file = report_first_name(&screen->watch->report, view->selected);
	for (age = 0; n < want; age++) {
		event = screen_events_get(&screen->shown, age);
		if (!event)
			break;
		if (*event->name && !screen_event_passes(view, file, event))
			continue;
		if (skip)
			skip--;
		else
			ages[n++] = age;
	}
	/* As far back as there is something. */
	view->back -= skip;
	while (n--) {
		draw_event(screen, to, screen_events_get(&screen->shown, ages[n]));
		pen_end(to);
	}
}

/*
 * struct part - a part of what is said about the selected file, in this order
 * @draw: writes it
 * @beside: on the right where there is room for two
 * @wide: only then
 * @gone: also of a file that is gone
 */
static const struct part {
	void (*draw)(const struct subject *a);
	bool beside;
	bool wide;
	bool gone;
} parts[] = {
	{ part_head, .gone = true },
	{ .draw = part_lru },
	{ .draw = part_reads },
	{ .draw = part_rates },
	{ part_audits, .gone = true },
	{ part_tasks, .wide = true },
	{ part_chart, .beside = true },
	{ part_dirty, .beside = true },
	{ part_fsyncs, .beside = true },
};

enum side { LEFT, RIGHT, ALL };

/* Returns how many lines were written. */
static int draw_parts(const struct screen *screen, struct pane to,
		      enum side side, int spare)
{
	size_t i, selected = screen->view.selected;
	const struct subject subject = {
		.file = &screen->watch->report.files[selected],
		.before = watch_before(screen->watch, selected),
		.pane = &to, .raw = screen->view.list.exact, .screen = screen, .spare = spare,
	};

	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if ((side == ALL ? !parts[i].wide : parts[i].beside == (side == RIGHT)) &&
		    (parts[i].gone || !subject.file->gone))
			parts[i].draw(&subject);
	return to.row < to.rows ? to.row : to.rows;
}

/* Room for the list, of @rows, of which the rest needs some. */
static int list_rows(const struct screen *screen, int rows)
{
	int want = (int)screen->view.list.nr + 1;
	int most = rows < 16 ? 0 : rows < 22 ? 3 : rows < 30 ? 4 : rows / 5;

	if (screen->view.show == SCREEN_SHOW_LIST)
		return rows;
	if (screen->watch->report.nr_files < 2 || screen->view.show == SCREEN_SHOW_EVENTS)
		return 0;
	return want < most ? want : most;
}

/* Everything between the title and the keys. */
static void draw_panes(void *context)
{
	struct screen *screen = context;
	int rows = LINES - 2, y = 1, list = list_rows(screen, rows), detail, spare, right;
	struct pane part;
	bool wide = COLS >= WIDE && rows >= 20;

	part = pane(y, 0, list, COLS);
	draw_list(screen, &part);
	y += list;
	rows -= list;
	if (rows <= 0)
		return;
	if (!screen->view.list.nr && screen->watch->report.nr_files) {
		part = pane(y, 0, 1, COLS);
		pen_print(&part, PEN_YELLOW, "no path has this in it");
		detail = 1;
	} else if (!screen->watch->report.nr_files) {
		part = pane(y, 0, 1, COLS);
		pen_print(&part, PEN_YELLOW, "no file yet: waiting for one");
		detail = 1;
	} else if (screen->view.show == SCREEN_SHOW_EVENTS) {
		detail = draw_parts(screen, pane(y, 0, 1, COLS), LEFT, 0);
	} else if (wide) {
		detail = rows / 2 < 26 ? rows / 2 : 26;
		right = draw_parts(screen, pane(y, COLS / 2, detail, COLS - COLS / 2), RIGHT,
				   detail >= 24 ? 4 : 1);
		/* The lines that the taller of the two does not need are for the events. */
		detail = draw_parts(screen, pane(y, 0, detail, COLS / 2 - 1), LEFT, 0);
		detail = right > detail ? right : detail;
	} else {
		/* Chart, ages and calls grow where there is room. */
		spare = (rows - 22) / 3;
		spare = spare < 0 ? 0 : spare > 4 ? 4 : spare;
		detail = 17 + 2 * spare;
		/* One event at least, below what they are. */
		if (rows >= 16 && detail > rows - 2)
			detail = rows - 2;
		detail = draw_parts(screen, pane(y, 0, detail < rows ? detail : rows, COLS),
				    ALL, spare);
	}
	part = pane(y + detail, 0, rows - detail, COLS);
	draw_events(screen, &part);
}

/* Room for the list to be put in order. */
static void make_room(struct screen *screen)
{
	struct list *list = &screen->view.list;
	size_t room = screen->watch->report.room;

	if (screen->room >= room && list->order)
		return;
	list->order = alloc_array(list->order, room ?: 1, sizeof(*list->order));
	screen->room = room;
}

/* Paint everything anew. */
void screen_draw(struct screen *screen)
{
	static const struct list_screen of_files = {
		draw_watch_title, draw_panes,
		"q quit  p pause  n next  s sort  / filter  e events  c chart  v view  h help",
		help_lines, sizeof(help_lines) / sizeof(*help_lines),
	};

	make_room(screen);
	screen_order(&screen->view, &screen->watch->report);
	list_draw(&screen->view.list, &of_files, screen, screen->message);
}

/**
 * screen_draw_waiting() - there is nothing to show yet
 * @screen: which
 * @what: what is waited for
 */
void screen_draw_waiting(struct screen *screen, const char *what)
{
	struct pane all = pane(0, 0, LINES - 1, COLS);

	erase();
	pen_print(&all, PEN_TITLE, "pcinspect");
	pen_print(&all, PEN_PLAIN, " starts; Ctrl-C ends it");
	pen_end(&all);
	pen_print(&all, PEN_PLAIN, "waiting for: ");
	pen_print(&all, PEN_YELLOW, "%s", what);
	pen_end(&all);
	if (*screen->message)
		pen_print(&all, PEN_BAD, "%s", screen->message);
	refresh();
}
