// SPDX-License-Identifier: GPL-2.0-only
/*
 * screen.c - watch on a terminal (terminal.c): the loop between keys, events and ticks.
 *
 * Nothing here waits for long: a key is looked for every 50 ms, events are read
 * and files asked about in slices of 20 ms. Touches the terminal.
 */
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <stdlib.h>
#include <string.h>

#include "lib/clock.h"
#include "lib/complain.h"
#include "screen/draw.h"
#include "screen/keys.h"
#include "screen/list.h"
#include "screen/screen.h"
#include "screen/terminal.h"

#define SLICE_MS	20	/* for events, and for files */
#define KEYS_MS		50	/* a key waits no longer than this and the slices */
#define DRAW_NS		100000000ULL

static bool one_key(void *context, bool special, wint_t key)
{
	struct screen *screen = context;

	*screen->message = '\0';
	return screen_key(&screen->view, special, key, LINES);
}

static void tick(struct screen *screen)
{
	struct watch *watch = screen->watch;
	uint64_t now = clock_now_ns(), total;
	size_t i;

	for (i = 0; i < watch->report.nr_files; i++)
		watch->report.files[i].told = watch->report.files[i].gone;
	if (watch->events) {
		total = screen->shown.total;
		if (screen->total_ns && now > screen->total_ns)
			screen->rate = (total - screen->total) * 1e9 /
				       (now - screen->total_ns);
		screen->total = total;
		screen->total_ns = now;
		screen->missed = events_missed(watch->events);
	}
	terminal_message(screen->message, sizeof(screen->message));
}

static void loop(struct screen *screen)
{
	struct watch *watch = screen->watch;
	bool more = false, renewing = true, changed = true;
	uint64_t drawn = 0, now;
	int keys;

	while (!ticks_stopped()) {
		if (!terminal_wait_key(more || (renewing && watch->next) ? 0 : KEYS_MS))
			return;
		keys = list_read_keys(one_key, screen);
		if (keys < 0)
			return;
		keys |= terminal_resume();
		keys |= terminal_resized();
		if (watch->events) {
			more = screen_events_take(&screen->shown, watch->events,
						  SLICE_MS);
			changed |= screen->shown.came != 0;
		}
		if (!renewing && ticks_due(&watch->ticks)) {
			ticks_next(&watch->ticks);
			renewing = !screen->view.list.paused;
			tick(screen);
			changed = true;
		}
		if (renewing && watch_renew(watch, SLICE_MS * 1000000ULL)) {
			chart_take(&screen->history, watch);
			renewing = false;
			changed = true;
		}
		now = clock_now_ns();
		if (watch->ticks.end_ns && now >= watch->ticks.end_ns)
			return;
		if (keys || (changed && now - drawn >= DRAW_NS && watch->nr_ticks)) {
			if (watch->events)
				screen_events_decode(&screen->shown, watch->events,
						     screen->view.list.paused);
			screen_draw(screen);
			drawn = clock_now_ns();
			changed = false;
		}
	}
}

/* Lines of a page, as far as there is room; what it says of audits is always seen. */
static void draw_page(const char *page)
{
	struct pane pane = { .rows = LINES - 1, .cols = COLS };
	const char *line, *end, *last = "";
	size_t len, last_len = 0;

	erase();
	for (line = page; *line; line = *end ? end + 1 : end) {
		end = strchrnul(line, '\n');
		len = end - line;
		if (len) {
			last = line;
			last_len = len;
		}
		if (pane_full(&pane))
			continue;
		pen_print(&pane, PEN_PLAIN, "%.*s", (int)len, line);
		pen_end(&pane);
	}
	pane = (struct pane){ .y = LINES - 1, .rows = 1, .cols = COLS };
	pen_print(&pane, PEN_TITLE, "q quit");
	if (!strncmp(last, "audit:", 6))
		pen_print(&pane, PEN_TITLE, "   %.*s", (int)last_len, last);
	pen_fill(&pane, PEN_TITLE);
	refresh();
}

/**
 * screen_pages() - text that is made anew at each tick, until q, a signal or the end
 * @ticks: started
 * @make: makes a page for so many lines, a new string; NULL: the end
 * @context: for it
 *
 * What @make says on stderr comes out afterwards, if it was of the last page.
 *
 * Return: 0, or -1 if the terminal cannot be used: nothing has happened then.
 */
int screen_pages(struct ticks *ticks, char *(*make)(void *context, int rows), void *context)
{
	bool draw = true, ended = false;
	char *page = NULL;
	wint_t key;
	int kind;

	if (terminal_up())
		return -1;
	while (!ticks_stopped() && !ended) {
		if (!page || ticks_due(ticks) || draw) {
			free(page);
			/* Of what each page complains of anew. */
			terminal_forget_messages();
			page = make(context, LINES - 1);
			if (!page)
				break;
			draw_page(page);
			ended = ticks_due(ticks) && !ticks_next(ticks);
		}
		if (ended || !terminal_wait_key(KEYS_MS))
			break;
		draw = terminal_resume() || terminal_resized();
		while ((kind = get_wch(&key)) != ERR) {
			ended |= kind == OK && (key == 'q' || key == 'Q' || key == 3);
			draw |= kind == KEY_CODE_YES && key == KEY_RESIZE;
		}
	}
	free(page);
	terminal_down();
	return 0;
}

/* The reason for the wait until there is something to show. */
static void waiting(void *context, const char *what)
{
	screen_draw_waiting(context, what);
}

/**
 * screen_run() - watch on the terminal until q, a signal or the end
 * @watch: started, not begun
 *
 * Return: 0, or -1 if the terminal cannot be used: nothing has happened then.
 */
int screen_run(struct watch *watch)
{
	struct screen screen = { .watch = watch, .view.list.word = "path" };

	if (screen_events_start(&screen.shown) || terminal_up()) {
		free(screen.shown.ring);
		return -1;
	}
	/* Messages from before the screen are behind it now. */
	if (watch->collect.failed)
		snprintf(screen.message, sizeof(screen.message), "not watched: %s",
			 complain_last());
	watch->say = waiting;
	watch->context = &screen;
	if (watch_begin(watch))
		loop(&screen);
	terminal_down();
	free(screen.view.list.order);
	chart_free(&screen.history);
	free(screen.shown.ring);
	return 0;
}
