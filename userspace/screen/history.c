// SPDX-License-Identifier: GPL-2.0
/*
 * history.c - what is said of how the selected file came to its state:
 * readahead, dirty pages, fsync calls. Touches the screen, by way of
 * screen_pen.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/text.h"
#include "screen/file.h"

#define STRETCH		6	/* columns of a cell, at most */

/**
 * pcinspect_part_timeline() - its readahead windows as a chart
 * @a: of which file, and where
 */
void pcinspect_part_timeline(const struct pcinspect_subject *a)
{
	static const char letters[] = "sarfwo";
	uint64_t span = pcinspect_zoom_ns(a->screen->view.zoom), most = 0;
	const struct pcinspect_reads *ledger = a->file->reads;
	int columns = a->pane->cols - 7, rows = 2 + a->spare, n, each = 1, row, i;
	struct pcinspect_cell cells[PCINSPECT_CELLS];
	char line[PCINSPECT_CELLS + 1];

	if (columns > PCINSPECT_CELLS)
		columns = PCINSPECT_CELLS;
	if (columns < 1)
		return;
	/* A few windows are easier to see when they are broad. */
	if (!span && a->file->nr_windows)
		each = columns / (int)a->file->nr_windows;
	each = each < 1 ? 1 : each > STRETCH ? STRETCH : each;
	n = columns / each;
	pcinspect_timeline(cells, n, a->file->windows, a->file->nr_windows,
			   a->file->snap.time_ns, span);
	for (i = 0; i < n; i++)
		if (cells[i].pages > most)
			most = cells[i].pages;
	pcinspect_subject_title(a, "ahead");
	if (!ledger) {
		pcinspect_pen_say(a->pane, PEN_PLAIN, " ? windows");
		pcinspect_pen_end(a->pane);
		return;
	}
	pcinspect_pen_say(a->pane, PEN_PLAIN, " %ju windows, %ju not kept; a cell is %s, "
			  "up to %ju pages", (uintmax_t)ledger->nr_windows,
			  (uintmax_t)ledger->windows_dropped,
			  pcinspect_zoom_name(a->screen->view.zoom), (uintmax_t)most);
	pcinspect_pen_end(a->pane);
	for (row = rows - 1; row >= 0; row--) {
		for (i = 0; i < n; i++) {
			uint64_t level = most ? (cells[i].pages * rows + most - 1) / most : 0;
			char letter = ' ';

			if (level > (uint64_t)row)
				letter = letters[cells[i].cause];
			else if (!row && cells[i].windows)
				letter = '.';
			if (cells[i].expanded && level == (uint64_t)row + 1)
				letter = '+';
			memset(line + i * each, letter, each);
		}
		line[n * each] = '\0';
		pcinspect_pen_say(a->pane, PEN_PLAIN, "%7s", "");
		pcinspect_pen_letters(a->pane, line);
		pcinspect_pen_end(a->pane);
	}
}

static const char *const age_names[PCINSPECT_NR_AGES + 1] = {
	"10ms", "100ms", ".5s", "1s", "2s", "5s", "10s", "30s", "60s", ">60s", "?",
};

static uint64_t age_pages(const struct pcinspect_ages *ages, int i)
{
	return i < PCINSPECT_NR_AGES ? ages->pages[i] : ages->unknown_pages;
}

/* One line of names, one of numbers; or a line each, with bars. */
static void age_lines(const struct pcinspect_subject *a, bool bars)
{
	const struct pcinspect_ages *ages = &a->file->snap.ages;
	char text[32];
	uint64_t most = 1;
	int i, line, width = a->pane->cols - 28;

	for (i = 0; i <= PCINSPECT_NR_AGES; i++)
		if (age_pages(ages, i) > most)
			most = age_pages(ages, i);
	for (line = 0; line < 2 && !bars; line++) {
		pcinspect_subject_title(a, line ? "" : "  to");
		for (i = 0; i <= PCINSPECT_NR_AGES; i++) {
			int cell;

			pcinspect_count_text(text, sizeof(text), age_pages(ages, i), a->raw);
			cell = strlen(text) > 5 ? (int)strlen(text) : 5;
			pcinspect_pen_say(a->pane, !line ? PEN_DIM : age_pages(ages, i) ?
					  PEN_YELLOW : PEN_PLAIN, " %*s", cell,
					  line ? text : age_names[i]);
		}
		pcinspect_pen_end(a->pane);
	}
	for (i = 0; i <= PCINSPECT_NR_AGES && bars; i++) {
		pcinspect_count_text(text, sizeof(text), age_pages(ages, i), a->raw);
		pcinspect_pen_say(a->pane, PEN_PLAIN, "  to %5s ", age_names[i]);
		pcinspect_pen_bar(a->pane, (__u64[]){ age_pages(ages, i),
				  most - age_pages(ages, i) }, "# ", 2, width);
		pcinspect_pen_say(a->pane, PEN_PLAIN, " %s", text);
		pcinspect_pen_end(a->pane);
	}
}

/**
 * pcinspect_part_dirty() - its dirty pages; their ages get a line each where all fits
 * @a: of which file, and where
 */
void pcinspect_part_dirty(const struct pcinspect_subject *a)
{
	bool bars = a->pane->rows - a->pane->row >= PCINSPECT_NR_AGES + 3 + a->spare;
	bool known = a->file->snap.flags & PCINSPECT_F_AGES;
	double x = 0;
	char text[32];

	pcinspect_subject_title(a, "dirty");
	if (!known)
		pcinspect_pen_say(a->pane, PEN_PLAIN, " ages ?");
	else if (!a->file->snap.ages.oldest_ns)
		pcinspect_pen_say(a->pane, PEN_PLAIN,
				  a->file->snap.pages.dirty ? " oldest ?" : " oldest -");
	else {
		pcinspect_duration_text(text, sizeof(text), a->file->snap.ages.oldest_ns);
		pcinspect_pen_say(a->pane, PEN_PLAIN, " oldest %s", text);
	}
	pcinspect_subject_number(a, "dirtied", FIELD_DIRTIED);
	pcinspect_subject_number(a, "written", FIELD_WRITTEN);
	pcinspect_subject_number(a, "again", FIELD_REDIRTIED);
	pcinspect_subject_number(a, "device", FIELD_DEVICE_WRITE);
	known &= pcinspect_file_write_amplification(a->file, &x);
	pcinspect_subject_factor(a, known, x);
	pcinspect_pen_end(a->pane);
	if (a->file->snap.flags & PCINSPECT_F_AGES)
		age_lines(a, bars);
}

/**
 * pcinspect_part_fsyncs() - its fsync calls, the newest first
 * @a: of which file, and where
 */
void pcinspect_part_fsyncs(const struct pcinspect_subject *a)
{
	const struct pcinspect_writes *ledger = a->file->writes;
	char text[32];
	int i;

	pcinspect_subject_title(a, "fsync");
	if (!ledger || !(ledger->flags & PCINSPECT_WRITES_FSYNC)) {
		pcinspect_pen_say(a->pane, PEN_PLAIN, " ? calls");
		pcinspect_pen_end(a->pane);
		return;
	}
	pcinspect_pen_say(a->pane, PEN_PLAIN, " %ju calls", (uintmax_t)ledger->nr_fsyncs);
	for (i = 0; i <= a->spare && i < (int)a->file->nr_fsyncs; i++) {
		const struct pcinspect_fsync *call = &a->file->fsyncs[a->file->nr_fsyncs - 1 - i];

		if (i)
			pcinspect_subject_title(a, "");
		else
			pcinspect_pen_say(a->pane, PEN_PLAIN, ":");
		pcinspect_duration_text(text, sizeof(text), call->duration_ns);
		pcinspect_pen_say(a->pane, PEN_PLAIN, " %s ", pcinspect_fsync_kind_word(pcinspect_fsync_kind(call)));
		pcinspect_pen_word(a->pane, PEN_PLAIN, call->comm, PCINSPECT_COMM_LEN);
		pcinspect_pen_say(a->pane, PEN_PLAIN, "-%u ", call->pid);
		pcinspect_pen_say(a->pane, PEN_YELLOW, "%s", text);
		pcinspect_subject_count(a, "dirty", call->flags & PCINSPECT_FSYNC_DIRTY,
					call->dirty_at_entry_pages);
		pcinspect_subject_count(a, "written", true, call->written_pages);
		pcinspect_subject_count(a, "requests", call->flags & PCINSPECT_FSYNC_REQUESTS,
					call->requests);
		pcinspect_subject_count(a, "log", call->flags & PCINSPECT_FSYNC_LOG, call->log_requests);
		pcinspect_pen_end(a->pane);
	}
	if (!i)
		pcinspect_pen_end(a->pane);
}
