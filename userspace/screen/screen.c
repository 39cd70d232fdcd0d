// SPDX-License-Identifier: GPL-2.0
/*
 * screen.c - the terminal of watch: taking it, giving it back however the
 * program ends, and the loop between keys, events and ticks.
 *
 * Nothing here waits for long: a key is looked for every 50 ms, events are read
 * and files asked about in slices of 20 ms. While the screen is up, stderr goes
 * to a memory file, and comes out afterwards. Touches the terminal, signals,
 * stderr.
 */
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/clock.h"
#include "lib/complain.h"
#include "screen/draw.h"
#include "screen/keys.h"
#include "screen/screen.h"

/* Last: it makes macros of words like "columns". */
#include <term.h>

#define SLICE_MS	20	/* for events, and for files */
#define KEYS_MS		50	/* a key waits no longer than this and the slices */
#define DRAW_NS		100000000ULL

static bool up;
static volatile sig_atomic_t continued;
static int real_stderr = -1, kept_stderr = -1;

/* What was said on stderr meanwhile; its end, if it is much. */
static void give_back_stderr(void)
{
	char text[4096];
	off_t size;
	ssize_t n;

	if (kept_stderr < 0)
		return;
	dup2(real_stderr, STDERR_FILENO);
	size = lseek(kept_stderr, 0, SEEK_END);
	n = pread(kept_stderr, text, sizeof(text),
		  size > (off_t)sizeof(text) ? size - (off_t)sizeof(text) : 0);
	if (n > 0 && write(STDERR_FILENO, text, n) < 0)
		n = 0;
	close(real_stderr);
	close(kept_stderr);
	real_stderr = kept_stderr = -1;
}

static void keep_stderr(void)
{
	if (!isatty(STDERR_FILENO))
		return;
	fflush(stderr);
	kept_stderr = memfd_create("pcinspect-stderr", MFD_CLOEXEC);
	real_stderr = dup(STDERR_FILENO);
	if (kept_stderr < 0 || real_stderr < 0 || dup2(kept_stderr, STDERR_FILENO) < 0) {
		close(kept_stderr);
		close(real_stderr);
		real_stderr = kept_stderr = -1;
	}
}

/* The last line of it, for the bottom of the screen. */
static void last_message(struct screen *screen)
{
	char text[sizeof(screen->message)], *line;
	static off_t shown;
	off_t size;
	ssize_t n;

	if (kept_stderr < 0)
		return;
	size = lseek(kept_stderr, 0, SEEK_END);
	if (size == shown)
		return;
	shown = size;
	n = pread(kept_stderr, text, sizeof(text) - 1,
		  size >= (off_t)sizeof(text) ? size - (off_t)sizeof(text) + 1 : 0);
	if (n <= 0)
		return;
	text[n] = '\0';
	if (text[n - 1] == '\n')
		text[n - 1] = '\0';
	line = strrchr(text, '\n');
	strcpy(screen->message, line ? line + 1 : text);
}

static void take_down(void)
{
	if (!up)
		return;
	up = false;
	endwin();
	give_back_stderr();
}

static void terminal_first(void)
{
	if (up)
		endwin();
}

/* A fault of our own: the terminal first, then what is usual. */
static void fault(int sig)
{
	terminal_first();
	signal(sig, SIG_DFL);
	raise(sig);
}

/* Stopped by a signal that curses does not see, or by one that it does. */
static void go_on(int sig)
{
	(void)sig;
	continued = 1;
}

/**
 * screen_possible() - is there a terminal to draw on
 *
 * Return: true if both ends are terminals and TERM is of one with a cursor.
 */
bool screen_possible(void)
{
	int error;

	return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && getenv("TERM") &&
	       setupterm(NULL, STDOUT_FILENO, &error) == OK && tigetstr("cup") &&
	       tigetstr("cup") != (char *)-1;
}

static int put_up(void)
{
	static const int faults[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT };
	const char *no_color = getenv("NO_COLOR");
	static bool registered;
	size_t i;

	if (!newterm(NULL, stdout, stdin))
		return -1;
	up = true;
	if (!registered)
		atexit(take_down);
	registered = true;
	/* curses has put its own in place for TERM and INT: ours end the loop. */
	ticks_before_kill(terminal_first);
	ticks_end_on(SIGINT);
	ticks_end_on(SIGTERM);
	ticks_end_on(SIGHUP);
	ticks_end_on(SIGQUIT);
	for (i = 0; i < sizeof(faults) / sizeof(*faults); i++)
		signal(faults[i], fault);
	signal(SIGCONT, go_on);
	keep_stderr();
	cbreak();
	noecho();
	nonl();
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	set_escdelay(25);
	curs_set(0);
	pen_start(!(no_color && *no_color) && has_colors());
	return 0;
}

/* Take the terminal again after the shell had it. */
static bool taken_again(void)
{
	if (!continued)
		return false;
	continued = 0;
	endwin();
	clearok(stdscr, TRUE);
	refresh();
	return true;
}

/* A resize while we were stopped sends us no signal. */
static bool resized(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_row || !size.ws_col ||
	    !is_term_resized(size.ws_row, size.ws_col))
		return false;
	resizeterm(size.ws_row, size.ws_col);
	clearok(stdscr, TRUE);
	return true;
}

/* Wait for a key; true if the terminal is still there. */
static bool wait_key(int ms)
{
	struct pollfd in = { .fd = STDIN_FILENO, .events = POLLIN };

	if (poll(&in, 1, ms) < 0)
		return errno == EINTR;
	return !(in.revents & (POLLHUP | POLLERR | POLLNVAL));
}

/* Everything that was typed; -1 to quit, 1 if something changed. */
static int read_keys(struct screen *screen)
{
	int kind, changed = 0;
	wint_t key;

	while ((kind = get_wch(&key)) != ERR) {
		if (kind == KEY_CODE_YES && key == KEY_RESIZE) {
			clearok(stdscr, TRUE);
		} else {
			*screen->message = '\0';
			if (!screen_key(&screen->view, kind == KEY_CODE_YES, key, LINES))
				return -1;
		}
		changed = 1;
	}
	return changed;
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
	last_message(screen);
}

static void loop(struct screen *screen)
{
	struct watch *watch = screen->watch;
	bool more = false, renewing = true, changed = true;
	uint64_t drawn = 0, now;
	int keys;

	while (!ticks_stopped()) {
		if (!wait_key(more || (renewing && watch->next) ? 0 : KEYS_MS))
			return;
		keys = read_keys(screen);
		if (keys < 0)
			return;
		keys |= taken_again();
		keys |= resized();
		if (watch->events) {
			more = screen_events_take(&screen->shown, watch->events,
						  SLICE_MS);
			changed |= screen->shown.came != 0;
		}
		if (!renewing && ticks_due(&watch->ticks)) {
			ticks_next(&watch->ticks);
			renewing = !screen->view.paused;
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
						     screen->view.paused);
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
 * Return: 0, or -1 if the terminal cannot be used: nothing has happened then.
 */
int screen_pages(struct ticks *ticks, char *(*make)(void *context, int rows), void *context)
{
	bool draw = true, ended = false;
	char *page = NULL;
	wint_t key;
	int kind;

	if (put_up())
		return -1;
	while (!ticks_stopped() && !ended) {
		if (!page || ticks_due(ticks) || draw) {
			free(page);
			page = make(context, LINES - 1);
			if (!page)
				break;
			draw_page(page);
			ended = ticks_due(ticks) && !ticks_next(ticks);
		}
		if (ended || !wait_key(KEYS_MS))
			break;
		draw = taken_again() || resized();
		while ((kind = get_wch(&key)) != ERR) {
			ended |= kind == OK && (key == 'q' || key == 'Q' || key == 3);
			draw |= kind == KEY_CODE_YES && key == KEY_RESIZE;
		}
	}
	free(page);
	take_down();
	return 0;
}

/* What is waited for until there is something to show. */
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
	struct screen screen = { .watch = watch };

	if (screen_events_start(&screen.shown) || put_up()) {
		free(screen.shown.ring);
		return -1;
	}
	/* What was said before the screen was there is behind it now. */
	if (watch->collect.failed)
		snprintf(screen.message, sizeof(screen.message), "not watched: %s",
			 complain_last());
	watch->say = waiting;
	watch->context = &screen;
	if (watch_begin(watch))
		loop(&screen);
	take_down();
	free(screen.view.order);
	chart_free(&screen.history);
	free(screen.shown.ring);
	return 0;
}
