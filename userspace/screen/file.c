// SPDX-License-Identifier: GPL-2.0
/*
 * file.c - what is said of the state of the selected file: LRU, reads,
 * rates, the audit, who it was.
 * Touches the screen, by way of pen.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/text.h"
#include "screen/file.h"

static const enum pcinspect_number pages[] = {
	PCINSPECT_DIRTY, PCINSPECT_WRITEBACK, PCINSPECT_EVICTED, PCINSPECT_INSERTED,
	PCINSPECT_REMOVED,
};

#define WIDE		100	/* columns of a pane where changes fit, too */

static void value_text(char *out, size_t size, enum pcinspect_number number,
		       uint64_t value, bool raw)
{
	if (number_rows[number].unit == PCINSPECT_UNIT_BYTES && !raw)
		size_text(out, size, value);
	else
		count_text(out, size, value, raw);
}

/**
 * subject_number() - " name value", and the change where there is room
 * @a: of which file, and where
 * @name: as it is shown
 * @number: which number
 */
void subject_number(const struct subject *a, const char *name,
		    enum pcinspect_number number)
{
	uint64_t now, then;
	char text[32];

	if (!file_number(a->file, number, &now)) {
		pen_print(a->pane, PEN_PLAIN, " %s ?", name);
		return;
	}
	value_text(text, sizeof(text), number, now, a->raw);
	pen_print(a->pane, PEN_PLAIN, " %s %s", name, text);
	if (a->pane->cols < WIDE || !a->before ||
	    !file_number(a->before, number, &then) || now == then)
		return;
	value_text(text, sizeof(text), number, now > then ? now - then : then - now, a->raw);
	pen_print(a->pane, PEN_DIM, " (%c%s)", now > then ? '+' : '-', text);
}

/**
 * subject_title() - begin a line
 * @a: where
 * @text: what it is about
 */
void subject_title(const struct subject *a, const char *text)
{
	pen_print(a->pane, PEN_TITLE, "%-6s", text);
}

/* A line of numbers that an enum tells apart, in its words. */
static void line(const struct subject *a, const char *title,
		 enum pcinspect_number first, unsigned int nr,
		 const char *(*word)(unsigned int value))
{
	unsigned int i;

	subject_title(a, title);
	for (i = 0; i < nr; i++)
		subject_number(a, word ? word(i) : number_rows[first + i].name,
			       first + i);
	pen_end(a->pane);
}

/* 80 columns: what is left for a bar beside the numbers. */
static int bar_width(const struct pane *pane)
{
	int width = pane->cols - 48;

	return width < 8 ? 8 : width > 60 ? 60 : width;
}

/* A file's pages by list and generation. */
void part_lru(const struct subject *a)
{
	static const char *const ages[PCINSPECT_NR_GENS] = { "0:", "1:", "2:", "3:" };
	const __u64 *now = a->file->snap.numbers;
	size_t i;

	subject_title(a, "lru");
	pen_bar(a->pane, &now[PCINSPECT_ACTIVE], "Aiuo", 4, bar_width(a->pane));
	subject_number(a, "cached", PCINSPECT_CACHED);
	subject_number(a, "mapped", PCINSPECT_MAPPED);
	pen_end(a->pane);
	line(a, "", PCINSPECT_ACTIVE, 4, NULL);
	subject_title(a, "gen");
	if (number_known(a->file, PCINSPECT_GEN0)) {
		pen_bar(a->pane, &now[PCINSPECT_GEN0], "0123", 4, bar_width(a->pane));
		for (i = 0; i < PCINSPECT_NR_GENS; i++)
			subject_number(a, ages[i], PCINSPECT_GEN0 + i);
		if (a->file->snap.flags & PCINSPECT_F_AGED)
			pen_print(a->pane, PEN_DIM, " (aged meanwhile)");
	} else {
		pen_print(a->pane, PEN_PLAIN, " ?");
		if (!(a->file->snap.flags & PCINSPECT_F_LRU_GEN))
			pen_print(a->pane, PEN_DIM, " (classic LRU: no generations)");
	}
	pen_end(a->pane);
	subject_title(a, "pages");
	for (i = 0; i < sizeof(pages) / sizeof(*pages); i++)
		subject_number(a, number_rows[pages[i]].name, pages[i]);
	pen_end(a->pane);
}

/**
 * subject_factor() - an amplification
 * @a: where
 * @known: is it known
 * @x: it
 */
void subject_factor(const struct subject *a, bool known, double x)
{
	if (known)
		pen_print(a->pane, x > 1.5 ? PEN_YELLOW : PEN_PLAIN, " x%.2f", x);
	else
		pen_print(a->pane, PEN_PLAIN, " x?");
}

/* What was asked for, what was read, and why. */
void part_reads(const struct subject *a)
{
	double x = 0;
	bool known = file_amplification(a->file, &x);

	subject_title(a, "reads");
	subject_number(a, "demanded", PCINSPECT_DEMANDED_BYTES);
	subject_number(a, "device", PCINSPECT_DEVICE_BYTES);
	subject_factor(a, known, x);
	subject_number(a, "hole", PCINSPECT_HOLE_PAGES);
	subject_number(a, "refault", PCINSPECT_REFAULT_PAGES);
	subject_number(a, "wasted", PCINSPECT_WASTED_PAGES);
	pen_end(a->pane);
	line(a, "cause", PCINSPECT_INSERTED_SYNC, PCINSPECT_NR_CAUSES, pcinspect_cause_word);
}

/**
 * subject_count() - " name value" of a number that has no number
 * @a: where
 * @name: as it is shown
 * @known: is it known
 * @value: it
 */
void subject_count(const struct subject *a, const char *name, bool known, uint64_t value)
{
	char text[32] = "?";

	if (known)
		count_text(text, sizeof(text), value, a->raw);
	pen_print(a->pane, PEN_PLAIN, " %s %s", name, text);
}

static void rate(const struct subject *a, const char *name,
		 enum pcinspect_number number)
{
	uint64_t now, then, ns;
	char text[32];

	if (!a->before || !file_number(a->file, number, &now) ||
	    !file_number(a->before, number, &then) || now < then ||
	    a->file->snap.time_ns <= a->before->snap.time_ns) {
		pen_print(a->pane, PEN_PLAIN, " %s ?", name);
		return;
	}
	ns = a->file->snap.time_ns - a->before->snap.time_ns;
	value_text(text, sizeof(text), number, (now - then) * 1e9 / ns + 0.5, a->raw);
	pen_print(a->pane, PEN_PLAIN, " %s %s", name, text);
}

/* Reads and writes, each second. */
void part_rates(const struct subject *a)
{
	subject_title(a, "per s");
	rate(a, "demanded", PCINSPECT_DEMANDED_BYTES);
	rate(a, "device", PCINSPECT_DEVICE_BYTES);
	rate(a, "in", PCINSPECT_INSERTED);
	rate(a, "out", PCINSPECT_REMOVED);
	rate(a, "dirtied", PCINSPECT_DIRTIED_PAGES);
	rate(a, "written", PCINSPECT_WRITTEN_PAGES);
	pen_end(a->pane);
}

/* The audit of all files; what does not agree comes first. */
void part_audits(const struct subject *a)
{
	const struct report *report = &a->screen->watch->report;
	struct pane *pane = a->pane;
	size_t i, shown = 0;
	int pass;

	pen_print(pane, PEN_TITLE, "%-6s", "audit");
	for (pass = 0; pass < 2; pass++) {
		for (i = 0; i < report->nr_audits; i++) {
			const struct audit *audit = &report->audits[i];
			bool good = audit_ok(audit);

			if (good != pass)
				continue;
			pen_print(pane, good ? PEN_GREEN : PEN_BAD, "%s %s",
				  shown++ ? "," : "", good ? "ok" : "UNTRUSTED");
			if (good)
				pen_print(pane, PEN_PLAIN, " %s %" PRIu64,
					  audit->what, audit->ours);
			else
				pen_print(pane, PEN_BAD,
					  " %s %" PRIu64 ", %s says %" PRIu64,
					  audit->what, audit->ours, audit->source,
					  audit->theirs);
		}
	}
	if (!shown)
		pen_print(pane, PEN_PLAIN, " ?");
	pen_end(pane);
}

/* Which file it is, and where. */
void part_head(const struct subject *a)
{
	const struct screen *screen = a->screen;
	const struct pcinspect_snapshot *snap = &a->file->snap;
	const struct report *report = &screen->watch->report;
	char text[128], size[32];
	int room;

	if (a->raw)
		snprintf(size, sizeof(size), "%ju bytes", (uintmax_t)snap->size_bytes);
	else
		size_text(size, sizeof(size), snap->size_bytes);
	snprintf(text, sizeof(text), " %.15s %u:%u ino %ju %s", snap->fs, snap->dev_major,
		 snap->dev_minor, (uintmax_t)snap->ino, size);
	pen_print(a->pane, PEN_TITLE, "#%zu/%zu ", screen->view.selected + 1,
		  report->nr_files);
	room = a->pane->cols - a->pane->col - (int)strlen(text) -
	       (snap->flags & PCINSPECT_F_DELETED ? 10 : 0);
	pen_name(a->pane, PEN_TITLE, a->file->path, room > 16 ? room : 16);
	if (a->file->real_path) {
		pen_print(a->pane, PEN_PLAIN, " -> ");
		pen_name(a->pane, PEN_PLAIN, a->file->real_path,
			 a->pane->cols - a->pane->col - (int)strlen(text));
	}
	if (a->file->gone) {
		pen_print(a->pane, PEN_BAD, " gone: deleted, unmounted or untracked");
	} else {
		if (snap->flags & PCINSPECT_F_DELETED)
			pen_print(a->pane, PEN_YELLOW, " (deleted)");
		pen_print(a->pane, PEN_PLAIN, "%s", text);
	}
	pen_end(a->pane);
}

/* What left, and why; then who used the file: as many as there is room for. */
void part_tasks(const struct subject *a)
{
	const struct pcinspect_who *who = a->file->who;
	int i;

	line(a, "gone", PCINSPECT_REMOVED_RECLAIM, PCINSPECT_NR_REMOVALS,
	     pcinspect_removal_word);
	for (i = 0; who && i < PCINSPECT_NR_TASKS && who->tasks[i].comm[0]; i++) {
		const struct pcinspect_task *task = &who->tasks[i];
		char text[32];

		subject_title(a, i ? "" : "by");
		pen_print(a->pane, PEN_PLAIN, " ");
		pen_word(a->pane, PEN_PLAIN, task->comm, PCINSPECT_COMM_LEN);
		value_text(text, sizeof(text), PCINSPECT_DEMANDED_BYTES, task->demanded_bytes, a->raw);
		pen_print(a->pane, PEN_PLAIN, "-%u demanded %s", task->pid, text);
		value_text(text, sizeof(text), PCINSPECT_DEMANDED_BYTES, task->device_bytes, a->raw);
		pen_print(a->pane, PEN_PLAIN, " device %s",
			  number_known(a->file, PCINSPECT_DEVICE_BYTES) ? text : "?");
		subject_count(a, "inserted", true, task->inserted_pages);
		subject_count(a, "dirtied", number_known(a->file, PCINSPECT_DIRTIED_PAGES),
			      task->dirtied_pages);
		pen_end(a->pane);
	}
}
