// SPDX-License-Identifier: GPL-2.0-only
/*
 * machine.c - the machine on a terminal: memory above, the list below, keys that turn
 * it, sort it and open what is in it, down to watch of one file.
 *
 * A walk over the lists of a large machine takes a while, during which keys wait. The list is
 * of the last walk; the next comes no sooner than 99 times as long after it, or three times,
 * if --interval was given. Numbers that need no walk, above, are of each tick. Touches the
 * terminal.
 */
#define NCURSES_WIDECHAR 1
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/demand.h"
#include "collect/machine.h"
#include "collect/machine_sample.h"
#include "lib/alloc.h"
#include "lib/clock.h"
#include "lib/complain.h"
#include "lib/text.h"
#include "lib/ticks.h"
#include "screen/disk_line.h"
#include "screen/list.h"
#include "screen/machine.h"
#include "screen/pen.h"
#include "screen/screen.h"
#include "screen/terminal.h"
#include "screen/watch.h"
#include "screen/why_line.h"
#include "view/machine.h"
#include "view/sheet.h"

/* Of the time between two walks: one percent, and what --interval may ask for. */
#define WALK_SHARE	100
#define WALK_SHARE_OFTEN 4
#define KEYS_MS		50	/* a key waits no longer, but for a look */
#define NUMBER_WIDTH	8
#define NAME_WIDTH	24	/* of which a path needs so much before it is of use */

static const char *const help_lines[] = {
	"q, F10       quit (Ctrl-C as well)",
	"Tab, S-Tab   by file, directory, filesystem, cgroup, process; the one before",
	"s > F6, S <  sort by the next, the previous number; r: reversed",
	"up, down     the row above, below; PgUp, PgDn, Home, End",
	"Enter        the files of a directory, filesystem, cgroup; watch of a file",
	"Esc, Left    back to where Enter was typed (Backspace as well)",
	"x, F9        why: five seconds of all that happens to this row's files",
	"n            next: what reclaim takes next, of this cgroup or of the machine",
	"t            track this file, so that its reads and processes are counted",
	"/            rows with this in their name only (empty: all)",
	"p, space     pause; again: go on; F5: look now",
	"u            exact numbers; again: short ones",
	"h, ?, F1     this; any key ends it",
	"",
	"why: what explain finds in the last seconds. oldest: by the time of the inode.",
	"? is unknown, which is not 0. names known: of how much of the page cache.",
	"on no LRU list: locked, or in batches of CPUs. UNTRUSTED: a sum does not agree",
	"with the kernel's own counter (--once --audit: which).",
};

/*
 * struct view - the screen
 * @per: what the list is of
 * @key: its order
 * @pace: how often it is renewed
 * @out: how it is printed
 * @now: the last walk
 * @before: the one before it
 * @pulse: the counters of now
 * @last: and of the tick before
 * @walk_ns: no walk before this
 * @counter: of what programs ask of the page cache
 * @disks: how fast they are
 * @why: what is wrong
 * @only: the part that was opened
 * @opened: there is one
 * @from: and the key of the list it was opened in
 * @list: of its rows, by index
 * @mark: the selected row, to be found in the next look; its name is ours
 * @marked: there is one
 * @reversed: the least first
 * @message: of something that failed
 */
struct view {
	enum machine_per per;
	enum machine_key key;
	struct pace pace;
	struct output out;
	struct machine_sample *now;
	struct machine_sample *before;
	struct machine pulse;
	struct machine last;
	uint64_t walk_ns;
	int counter;
	struct disk_line *disks;
	struct why_line why;
	struct machine_only only;
	bool opened;
	enum machine_key from;
	struct list list;
	struct machine_row mark;
	bool marked;
	bool reversed;
	char message[256];
};

/* --- rows ------------------------------------------------------------------ */

/* The selected row, or NULL. */
static struct machine_row *selected(const struct view *view)
{
	const struct list *list = &view->list;

	return list->row < list->nr ? &view->now->machine.rows[list->order[list->row]] : NULL;
}

static bool same_row(const struct machine_row *a, const struct machine_row *b)
{
	return !memcmp(a->keys, b->keys, sizeof(a->keys)) && !a->name == !b->name &&
	       (!a->name || !strcmp(a->name, b->name));
}

/* Remember which row is selected: the next look has others, in another order. */
static void mark(struct view *view)
{
	const struct machine_row *row = selected(view);

	free(view->mark.name);
	memset(&view->mark, 0, sizeof(view->mark));
	view->marked = row;
	if (!row)
		return;
	memcpy(view->mark.keys, row->keys, sizeof(view->mark.keys));
	if (row->name)
		view->mark.name = alloc_copy(row->name);
}

static bool row_matches(const struct view *view, const struct machine_row *row)
{
	const char *filter = view->list.filter;

	return !*filter || (row->name && strcasestr(row->name, filter)) ||
	       (row->note && strcasestr(row->note, filter));
}

/* Which rows are shown, and where the selected one is now. */
static void put_in_order(struct view *view)
{
	const struct machine *machine = &view->now->machine;
	struct list *list = &view->list;
	bool found = false;
	size_t i;

	list->order = alloc_array(list->order, machine->nr_rows + 1, sizeof(*list->order));
	list->nr = 0;
	for (i = 0; i < machine->nr_rows; i++) {
		size_t at = view->reversed ? machine->nr_rows - 1 - i : i;

		if (!row_matches(view, &machine->rows[at]))
			continue;
		if (view->marked && !found && same_row(&view->mark, &machine->rows[at])) {
			list->row = list->nr;
			found = true;
		}
		list->order[list->nr++] = at;
	}
	list_move(list, 0);
}

/* The first row is selected. */
static void to_top(struct view *view)
{
	view->list.row = view->list.top = 0;
	view->marked = false;
}

/* Walk again. Returns false if that fails. */
static bool walk_again(struct view *view)
{
	uint64_t start = clock_now_ns(), share = view->pace.often ? WALK_SHARE_OFTEN : WALK_SHARE;
	struct machine_sample *now = machine_sample_take(view->per, view->key,
							 view->opened ? &view->only : NULL,
							 view->now, view->counter);

	if (!now)
		return false;
	machine_sample_free(view->before);
	view->before = view->now;
	view->now = now;
	view->pulse.report = view->last.report = &now->report;
	/* The second is soon: the first knows of no growth. */
	view->walk_ns = view->before ? start + share * (clock_now_ns() - start) : 0;
	put_in_order(view);
	return true;
}

/* The numbers that need no walk; a walk comes first if it is due. Returns false if it fails. */
static bool tick(struct view *view)
{
	if (clock_now_ns() >= view->walk_ns && !walk_again(view))
		return false;
	readers_free(&view->last.readers);
	view->last = view->pulse;
	machine_pulse(&view->pulse, &view->now->machine, &view->last, view->counter);
	disk_line_look(view->disks);
	why_line_update(&view->why, view->now);
	return true;
}

/* Of another list nothing is known before. */
static bool turn(struct view *view)
{
	machine_sample_free(view->before);
	machine_sample_free(view->now);
	view->before = view->now = NULL;
	view->list.nr = 0;
	to_top(view);
	return walk_again(view);
}

/* --- drawing --------------------------------------------------------------- */

/* Since when the list is as it is, if that is long. */
static void draw_age(const struct view *view, struct pane *line)
{
	uint64_t ns = clock_now_ns() - view->now->machine.memory.time_ns;
	char text[16];

	if (ns < 5000000000ULL)
		return;
	duration_text(text, sizeof(text), ns / 1000000000 * 1000000000);
	pen_print(line, PEN_YELLOW, "  list of %s ago (F5)", text);
}

static void draw_machine_title(void *context, struct pane *line)
{
	const struct view *view = context;
	char text[128];

	draw_age(view, line);
	pen_print(line, PEN_PLAIN, "  per %s by %s%s", machine_per_name(view->per),
		  machine_key_name(view->key), view->reversed ? ", least first" : "");
	if (machine_key_counted(view->key) &&
	    machine_unknown(&view->now->machine, text, sizeof(text)))
		pen_print(line, PEN_YELLOW, "%s", strchr(text, ':'));
	list_draw_filter(&view->list, line);
	if (view->opened) {
		pen_print(line, PEN_YELLOW, "  of ");
		pen_name(line, PEN_YELLOW, view->only.name, COLS - line->col);
	}
}

#define LIST_COLUMNS 16

static int width_of_column(const struct field *column)
{
	return column->flags & FIELD_SHRINKS ? 20 : NUMBER_WIDTH;
}

/* The columns that there is room for; the first, the order's and the name stay. */
static int fitting(const struct view *view, const struct field **columns)
{
	struct fields fields = machine_list(view->per, view->key, true);
	int n = 0, k, width;

	while (n < LIST_COLUMNS && (columns[n] = sheet_column(&fields, n)))
		n++;
	for (;;) {
		for (k = 0, width = NAME_WIDTH; k < n - 1; k++)
			width += width_of_column(columns[k]);
		if (width <= COLS)
			return n;
		for (k = n - 2; k > 0 && columns[k]->order - 1 == (int)view->key; k--)
			;
		if (k <= 0)
			return n;
		memmove(&columns[k], &columns[k + 1], (n - k - 1) * sizeof(*columns));
		n--;
	}
}

/* struct columns - those of the list, and of what */
struct columns {
	const struct view *view;
	const struct field *of[LIST_COLUMNS];
	int nr;
};

static void draw_row(void *context, struct pane *list, enum pen pen, size_t index)
{
	const struct columns *columns = context;
	const struct machine *machine = &columns->view->now->machine;
	const struct field *column;
	char *text;
	int k, width;

	for (k = 0; k < columns->nr; k++) {
		column = columns->of[k];
		width = width_of_column(column) - 1;
		text = sheet_cell(&machine_row_fields, column, &machine->rows[index], machine,
				  &columns->view->out, machine->report->page_size);
		if (k == columns->nr - 1)
			pen_name_safe(list, pen, text, list->cols - list->col);
		else if (column->flags & FIELD_LEFT)
			pen_print(list, pen, "%-*.*s ", width, width, text);
		else
			pen_print(list, pen, "%*s ", width, text);
		free(text);
	}
}

static void draw_headings(const struct columns *columns, struct pane *list)
{
	int k, width;

	for (k = 0; k < columns->nr; k++) {
		const struct field *column = columns->of[k];
		bool key = column->order - 1 == (int)columns->view->key;

		width = width_of_column(column) - 1;
		if (k == columns->nr - 1)
			pen_print(list, PEN_DIM, "%s", column->heading);
		else if (column->flags & FIELD_LEFT)
			pen_print(list, PEN_DIM, "%-*s ", width, column->heading);
		else
			pen_print(list, key ? PEN_TITLE : PEN_DIM, "%*s ", width, column->heading);
	}
	pen_end(list);
}

static void draw_list(struct view *view, struct pane list)
{
	struct columns columns = { .view = view };

	if (list.rows <= 0)
		return;
	columns.nr = fitting(view, columns.of);
	if (list.rows > 1)
		draw_headings(&columns, &list);
	list_draw_rows(&view->list, &list, draw_row, &columns);
	if (view->list.nr)
		return;
	pen_print(&list, PEN_YELLOW, *view->list.filter ? "no name has this in it" :
		  view->per == PER_PROCESS ?
		  "no file is tracked: processes are unknown (pcinspect track PATH)" :
		  "nothing is cached");
}

/* How much of the page cache is named, what is not, and whether it can be trusted. */
static void draw_sums(const struct view *view, int y)
{
	const struct machine *machine = &view->now->machine;
	uint64_t all, off, page = machine->report->page_size;
	struct pane line = pane(y, 0, 1, COLS);
	size_t i, wrong = 0;
	double percent;
	char text[16];

	for (i = 0; i < view->now->report.nr_audits; i++)
		wrong += !audit_ok(&view->now->report.audits[i]);
	if (wrong)
		pen_print(&line, PEN_BAD, "UNTRUSTED  ");
	if (!machine_named(machine, &percent) || !machine_file_pages(machine, &all)) {
		pen_print(&line, PEN_PLAIN, "names known: ?");
	} else {
		size_text(text, sizeof(text), all * page);
		pen_print(&line, PEN_PLAIN, "names known: %.1f%% of %s", percent, text);
	}
	size_text(text, sizeof(text), machine->deleted_pages * page);
	pen_print(&line, PEN_PLAIN, "; deleted %s", text);
	strcpy(text, "?");
	if (machine_off_lru(machine, &off))
		size_text(text, sizeof(text), off * page);
	pen_print(&line, PEN_PLAIN, "; on no LRU list %s", text);
	if (machine->hidden_pages) {
		size_text(text, sizeof(text), machine->hidden_pages * page);
		pen_print(&line, PEN_YELLOW, ", no room %s", text);
	}
	pen_print(&line, PEN_PLAIN, "; %zu row%s", view->list.nr, view->list.nr == 1 ? "" : "s");
}

/* In two lines, if it does not fit into one: then it is what matters. */
static void draw_why(const struct view *view, struct pane *pane)
{
	enum pen pen = view->why.wrong ? PEN_YELLOW : PEN_PLAIN;
	const char *text = view->why.text ?: "why     ?";
	size_t first = strlen(text), len = first;

	for (first = len; first > (size_t)COLS; ) {
		while (first && text[--first] != ' ')
			;
	}
	pen_print(pane, pen, "%.*s", (int)(first ?: len), text);
	pen_end(pane);
	if (!first || first == len)
		return;
	pen_print(pane, pen, "        %s", text + first + 1);
	pen_end(pane);
}

/* A newcomer's first question stands first: on a low terminal the list needs the lines. */
static void draw_head(const struct view *view, struct pane *pane)
{
	const struct machine *before = view->last.memory.time_ns ? &view->last : NULL;
	int most = LINES < 10 ? LINES / 4 : LINES < 13 ? 3 : LINES < 20 ? 6 : 12, k;
	char text[160], *line;

	if (most > 3)
		draw_why(view, pane);
	disk_line_text(view->disks, text, COLS < (int)sizeof(text) ? (size_t)COLS + 1 : sizeof(text));
	pen_print(pane, PEN_PLAIN, "%s", text);
	pen_end(pane);
	for (k = 0; pane->row < most; k++) {
		line = machine_head(&view->now->machine, &view->pulse, before, k, COLS);
		if (!line)
			break;
		pen_print(pane, PEN_PLAIN, "%s", line);
		pen_end(pane);
		free(line);
	}
}

static void draw_body(void *context)
{
	struct view *view = context;
	struct pane all = pane(1, 0, LINES - 1, COLS);

	draw_head(view, &all);
	draw_list(view, pane(1 + all.row, 0, LINES - 3 - all.row, COLS));
	draw_sums(view, LINES - 2);
}

static void draw(struct view *view)
{
	static const struct list_screen of_machine = {
		draw_machine_title, draw_body,
		"q quit  Tab per  s sort  Enter open  x why  n next  t track  / filter  h help",
		help_lines, sizeof(help_lines) / sizeof(*help_lines),
	};

	list_draw(&view->list, &of_machine, view, view->message);
}

/* --- keys ------------------------------------------------------------------ */

/* The next number that rows of this kind have. */
static bool sort_by_next(struct view *view, int step)
{
	enum machine_key key = view->key;
	bool counted = machine_key_counted(key);

	do
		key = (key + step + NR_MACHINE_KEYS) % NR_MACHINE_KEYS;
	while (!machine_key_fits(view->per, key));
	view->key = key;
	to_top(view);
	/* The counts had not been asked for before. */
	if (machine_key_counted(key) && !counted)
		return walk_again(view);
	view->now->machine.key = key;
	machine_sort(&view->now->machine, key);
	put_in_order(view);
	return true;
}

static bool turn_to(struct view *view, enum machine_per per)
{
	view->per = per;
	if (!machine_key_fits(per, view->key))
		view->key = per == PER_PROCESS ? KEY_DEVICE : KEY_CACHED;
	return turn(view);
}

static void close_part(struct view *view)
{
	free(view->only.name);
	memset(&view->only, 0, sizeof(view->only));
	view->opened = false;
}

/* Watch one file until q; then the machine again. Returns false to end. */
static bool watch_file(struct view *view, const char *path)
{
	char *copy = alloc_copy(path), *paths[] = { copy };
	struct selection what = { .paths = paths, .nr_paths = 1 };
	struct pace pace = view->pace;
	struct watch watch;

	pace.duration = 0;
	*view->message = '\0';
	terminal_down();
	if (watch_start(&watch, &what, &pace)) {
		screen_run(&watch);
		watch_stop(&watch);
	} else {
		snprintf(view->message, sizeof(view->message), "%s", complain_last());
	}
	free(copy);
	return !terminal_up();
}

static bool open_row(struct view *view)
{
	struct machine_row *row;
	struct machine_only part;

	row = selected(view);
	if (!row)
		return true;
	if (machine_part(view->per, row, &part)) {
		close_part(view);
		view->only = part;
		view->opened = true;
		view->from = view->key;
		*view->list.filter = '\0';
		return turn_to(view, PER_FILE);
	}
	if (view->per != PER_FILE)
		snprintf(view->message, sizeof(view->message), "a %s cannot be opened",
			 machine_per_name(view->per));
	else if (!row->name || row->row.flags & PCINSPECT_F_DELETED)
		strcpy(view->message, "a file without a name cannot be watched");
	else if (row->elsewhere)
		strcpy(view->message, "a file that is not mounted here cannot be watched");
	else
		return watch_file(view, row->name);
	return true;
}

/* A command of ours about the selected row; NULL: about the machine. False to end. */
static bool command_of(struct view *view, const char *command)
{
	struct machine_row *row = selected(view);
	bool next = !strcmp(command, "next"), file = view->per == PER_FILE;
	const char *of = NULL;
	char text[PATH_MAX];

	/* By its whole path: there may be a file of its name. */
	if (row && row->name && view->per == PER_CGROUP && row->keys[0]) {
		snprintf(text, sizeof(text), MEMCG_ROOT "%s", row->name);
		of = text;
	} else if (row && !next && view->per == PER_PROCESS && row->pid) {
		snprintf(text, sizeof(text), "%u", row->pid);
		of = text;
	} else if (row && !next && !row->elsewhere && view->per != PER_PROCESS &&
		   view->per != PER_CGROUP && (!file || !(row->row.flags & PCINSPECT_F_DELETED))) {
		of = row->name;
	}
	if (!strcmp(command, "track") && (!file || !of)) {
		strcpy(view->message, file ? "a file without a name cannot be tracked" :
		       "only a file can be tracked (Enter: its files)");
		return true;
	}
	*view->message = '\0';
	return terminal_command(command, of);
}

/* Back to the list where the part was opened. */
static bool go_back(struct view *view)
{
	enum machine_per per = view->only.per;

	if (!view->opened)
		return true;
	close_part(view);
	view->key = view->from;
	return turn_to(view, per);
}

static bool special_key(struct view *view, wint_t key)
{
	switch (key) {
	case KEY_BTAB:
		close_part(view);
		return turn_to(view, view->per ? view->per - 1 : PER_PROCESS);
	case KEY_ENTER: return open_row(view);
	case KEY_BACKSPACE:
	case KEY_LEFT: return go_back(view);
	case KEY_F(5): return walk_again(view);
	case KEY_F(6): return sort_by_next(view, 1);
	case KEY_F(9): return command_of(view, "why");
	}
	return true;
}

/* One key. Returns false if it means to quit. */
static bool one_key(void *context, bool special, wint_t key)
{
	struct view *view = context;

	*view->message = '\0';
	switch (list_key(&view->list, special, key, LINES > 12 ? LINES - 8 : 2)) {
	case LIST_QUIT: return false;
	case LIST_MOVED:
		mark(view);
		return true;
	case LIST_FILTERED:
		put_in_order(view);
		return true;
	case LIST_DONE:
		view->out.pages = view->list.exact;
		return true;
	case LIST_OTHER: break;
	}
	if (special)
		return special_key(view, key);
	switch (key) {
	case '\t':
		close_part(view);
		return turn_to(view, view->per == PER_PROCESS ? PER_FILE :
			       view->per + 1);
	case 's':
	case '>': return sort_by_next(view, 1);
	case 'S':
	case '<': return sort_by_next(view, -1);
	case 'x': return command_of(view, "why");
	case 'n': return command_of(view, "next");
	case 't': return command_of(view, "track");
	case 'r':
		view->reversed = !view->reversed;
		to_top(view);
		put_in_order(view);
		break;
	case '\r':
	case '\n': return open_row(view);
	case 127:
	case '\b':
	case 27: return go_back(view);
	}
	return true;
}

/* --- the loop -------------------------------------------------------------- */

/* Returns the exit status. */
static int loop(struct view *view, struct ticks *ticks)
{
	uint64_t start, took;
	int keys = 1;

	for (;;) {
		if (keys)
			draw(view);
		if (ticks_stopped() || !terminal_wait_key(KEYS_MS))
			return 0;
		keys = list_read_keys(one_key, view);
		if (keys < 0)
			return view->now ? 0 : EXIT_FAILED;
		keys |= terminal_resume();
		keys |= terminal_resized();
		start = clock_now_ns();
		if (ticks->end_ns && start >= ticks->end_ns)
			return 0;
		if (!ticks_due(ticks))
			continue;
		if (!view->list.paused && !tick(view))
			return EXIT_FAILED;
		took = clock_now_ns() - start;
		if (!ticks_next(ticks))
			return 0;
		if (ticks->next_ns < start + 4 * took)
			ticks->next_ns = start + 4 * took;
		terminal_message(view->message, sizeof(view->message));
		keys = 1;
	}
}

static void stop_counting(struct view *view)
{
	if (view->counter >= 0)
		close(view->counter);
	readers_free(&view->pulse.readers);
	readers_free(&view->last.readers);
}

/**
 * machine_screen() - the machine on the terminal until q, a signal or the end
 * @per: what the list is of
 * @key: its order
 * @pace: how often it is renewed, how long
 * @out: how it is printed
 *
 * Return: the exit status, or -1 if the terminal cannot be used: nothing has happened
 * then.
 */
int machine_screen(enum machine_per per, enum machine_key key, const struct pace *pace,
		   const struct output *out)
{
	struct view view = { .per = per, .key = key, .pace = *pace, .out = *out,
			     .list.exact = out->pages,
			     .counter = demand_open(), .disks = disk_line_new() };
	struct ticks ticks;
	int status = EXIT_FAILED;

	ticks_start(&ticks, pace->interval, pace->duration);
	ticks_next(&ticks);
	/* An error at the start is printed where a shell can see it. */
	if (!tick(&view)) {
		stop_counting(&view);
		disk_line_free(view.disks);
		why_line_free(&view.why);
		return EXIT_FAILED;
	}
	if (terminal_up()) {
		stop_counting(&view);
		machine_sample_free(view.now);
		disk_line_free(view.disks);
		why_line_free(&view.why);
		free(view.list.order);
		return -1;
	}
	status = loop(&view, &ticks);
	terminal_down();
	/* The list that was shown last, as it was at its last tick. */
	if (out->report && view.now &&
	    machine_json_save(&view.now->machine, view.before ? &view.before->machine : NULL,
			      out->report))
		status = EXIT_FAILED;
	close_part(&view);
	stop_counting(&view);
	machine_sample_free(view.before);
	machine_sample_free(view.now);
	disk_line_free(view.disks);
	why_line_free(&view.why);
	free(view.mark.name);
	free(view.list.order);
	return status;
}
