// SPDX-License-Identifier: GPL-2.0-only
/*
 * file.c - panes on the state of the selected file: LRU, reads,
 * rates, the audit, who it was.
 * Touches the screen, by way of pen.c.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/text.h"
#include "screen/file.h"
#include "view/file_name.h"

static const enum pcinspect_number writing[] = { PCINSPECT_DIRTY, PCINSPECT_WRITEBACK };
static const enum pcinspect_number moving[] = { PCINSPECT_INSERTED, PCINSPECT_REMOVED };
static const enum pcinspect_number reads[] = {
	PCINSPECT_DEMANDED_BYTES, PCINSPECT_DEVICE_BYTES, PCINSPECT_HOLE_PAGES,
	PCINSPECT_REFAULT_PAGES, PCINSPECT_WASTED_PAGES,
};

#define NUMBERS(list) list, sizeof(list) / sizeof(*(list))

#define WIDE		100	/* columns of a pane where changes fit, too */
#define SHARE		70	/* and where it fits how much of the file is cached */

static void value_words(char *out, size_t size, enum pcinspect_number number,
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
	value_words(text, sizeof(text), number, now, a->raw);
	pen_print(a->pane, PEN_PLAIN, " %s %s", name, text);
	if (a->pane->cols < WIDE || !a->before ||
	    !file_number(a->before, number, &then) || now == then)
		return;
	value_words(text, sizeof(text), number, now > then ? now - then : then - now, a->raw);
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

/**
 * subject_all_zero() - is there nothing to say of some numbers
 * @a: of which file
 * @numbers: they
 * @n: how many
 *
 * Return: true if all are known and 0: a line of zeros says nothing.
 */
bool subject_all_zero(const struct subject *a, const enum pcinspect_number *numbers, size_t n)
{
	uint64_t value;
	size_t i;

	for (i = 0; i < n; i++)
		if (!file_number(a->file, numbers[i], &value) || value)
			return false;
	return true;
}

/* Has nothing been read, nor written, nor inserted? */
bool subject_quiet(const struct subject *a)
{
	return subject_all_zero(a, NUMBERS(reads)) && subject_all_zero(a, NUMBERS(writing)) &&
	       subject_all_zero(a, NUMBERS(moving));
}

/* Some numbers on a line. */
static void some(const struct subject *a, const enum pcinspect_number *numbers, size_t n)
{
	size_t i;

	for (i = 0; i < n; i++)
		subject_number(a, number_rows[numbers[i]].name, numbers[i]);
}

/* A line of numbers that an enum tells apart, in its words; none of zeros. */
static void line(const struct subject *a, const char *title,
		 const enum pcinspect_number *numbers, unsigned int nr,
		 const char *(*word)(unsigned int value))
{
	unsigned int i;

	if (subject_all_zero(a, numbers, nr))
		return;
	subject_title(a, title);
	for (i = 0; i < nr; i++)
		subject_number(a, word(i), numbers[i]);
	pen_end(a->pane);
}

/* 80 columns: what is left for a bar beside the numbers. */
static int bar_width(const struct pane *pane)
{
	int width = pane->cols - 55;

	return width < 8 ? 8 : width > 60 ? 60 : width;
}

/* A file's pages by list and generation. */
void part_lru(const struct subject *a)
{
	static const char *const ages[PCINSPECT_NR_GENS] = { "0:", "1:", "2:", "3:" };
	static const enum pcinspect_number lists[] = {
		PCINSPECT_ACTIVE, PCINSPECT_INACTIVE, PCINSPECT_UNEVICTABLE, PCINSPECT_OFF_LRU,
	};
	const __u64 *now = a->file->snap.numbers;
	bool clean = subject_all_zero(a, NUMBERS(writing)), empty;
	uint64_t value;
	char share[32];
	double percent;
	size_t i;

	subject_title(a, "lru");
	pen_bar(a->pane, &now[PCINSPECT_ACTIVE], "Aiuo", 4, bar_width(a->pane));
	subject_number(a, "cached", PCINSPECT_CACHED);
	if (a->pane->cols >= SHARE && file_cached_percent(a->file, &percent)) {
		share_text(share, sizeof(share), percent);
		pen_print(a->pane, PEN_PLAIN, " (%s)", share);
	}
	subject_number(a, "mapped", PCINSPECT_MAPPED);
	subject_number(a, "evicted", PCINSPECT_EVICTED);
	pen_end(a->pane);
	empty = file_number(a->file, PCINSPECT_CACHED, &value) && !value;
	if (!empty) {
		subject_title(a, "");
		some(a, NUMBERS(lists));
		if (clean)
			some(a, NUMBERS(writing));
		pen_end(a->pane);
	}
	if (!number_known(a->file, PCINSPECT_GEN0)) {
		subject_title(a, "gen");
		pen_print(a->pane, PEN_PLAIN, " ?");
		if (!(a->file->snap.flags & PCINSPECT_F_LRU_GEN))
			pen_print(a->pane, PEN_DIM, " (classic LRU: no generations)");
		pen_end(a->pane);
	} else if (!empty) {
		subject_title(a, "gen");
		pen_bar(a->pane, &now[PCINSPECT_GEN0], "0123", 4, bar_width(a->pane));
		for (i = 0; i < PCINSPECT_NR_GENS; i++)
			subject_number(a, ages[i], PCINSPECT_GEN0 + i);
		if (a->file->snap.flags & PCINSPECT_F_AGED)
			pen_print(a->pane, PEN_DIM, " (aged meanwhile)");
		pen_end(a->pane);
	}
	if (clean && subject_all_zero(a, NUMBERS(moving)))
		return;
	subject_title(a, "pages");
	if (!clean)
		some(a, NUMBERS(writing));
	some(a, NUMBERS(moving));
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

/* Requested bytes, bytes read, and why. */
void part_reads(const struct subject *a)
{
	enum pcinspect_number causes[PCINSPECT_NR_CAUSES];
	double x = 0;
	bool known = file_amplification(a->file, &x);
	int i;

	if (!subject_all_zero(a, NUMBERS(reads))) {
		subject_title(a, "reads");
		subject_number(a, "demanded", PCINSPECT_DEMANDED_BYTES);
		subject_number(a, "device", PCINSPECT_DEVICE_BYTES);
		subject_factor(a, known, x);
		subject_number(a, "hole", PCINSPECT_HOLE_PAGES);
		subject_number(a, "refault", PCINSPECT_REFAULT_PAGES);
		subject_number(a, "wasted", PCINSPECT_WASTED_PAGES);
		pen_end(a->pane);
	}
	for (i = 0; i < PCINSPECT_NR_CAUSES; i++)
		causes[i] = pcinspect_inserted(i);
	line(a, "cause", NUMBERS(causes), pcinspect_cause_word);
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

/* The rate by second; false: it is unknown. */
static bool per_second(const struct subject *a, enum pcinspect_number number, uint64_t *value)
{
	uint64_t now, then;

	if (!a->before || !file_number(a->file, number, &now) ||
	    !file_number(a->before, number, &then) || now < then ||
	    a->file->snap.time_ns <= a->before->snap.time_ns)
		return false;
	*value = (now - then) * 1e9 / (a->file->snap.time_ns - a->before->snap.time_ns) + 0.5;
	return true;
}

/* Reads and writes, each second. */
void part_rates(const struct subject *a)
{
	static const struct {
		const char *name;
		enum pcinspect_number number;
	} rates[] = {
		{ "demanded", PCINSPECT_DEMANDED_BYTES }, { "device", PCINSPECT_DEVICE_BYTES },
		{ "in", PCINSPECT_INSERTED }, { "out", PCINSPECT_REMOVED },
		{ "dirtied", PCINSPECT_DIRTIED_PAGES }, { "written", PCINSPECT_WRITTEN_PAGES },
	};
	uint64_t value;
	char text[32];
	size_t i, zeros = 0;

	for (i = 0; i < sizeof(rates) / sizeof(*rates); i++)
		zeros += per_second(a, rates[i].number, &value) && !value;
	/* Nothing to say, or no time to say it of. */
	if (zeros == i || !a->before)
		return;
	subject_title(a, "per s");
	for (i = 0; i < sizeof(rates) / sizeof(*rates); i++) {
		strcpy(text, "?");
		if (per_second(a, rates[i].number, &value))
			value_words(text, sizeof(text), rates[i].number, value, a->raw);
		pen_print(a->pane, PEN_PLAIN, " %s %s", rates[i].name, text);
	}
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
	       (int)strlen(file_name_deleted(snap->flags)) - (a->file->renamed ? 30 : 0) -
	       (a->file->replaced ? 36 : 0);
	pen_name(a->pane, PEN_TITLE, a->file->path, room > 16 ? room : 16);
	if (a->file->real_path) {
		pen_print(a->pane, PEN_PLAIN, " -> ");
		pen_name(a->pane, PEN_PLAIN, a->file->real_path,
			 a->pane->cols - a->pane->col - (int)strlen(text));
	}
	if (a->file->renamed) {
		pen_print(a->pane, PEN_YELLOW, " renamed to ");
		pen_name(a->pane, PEN_YELLOW, a->file->renamed, 18);
	}
	if (a->file->replaced)
		pen_print(a->pane, PEN_YELLOW, " replaced by a new file: now inode %ju",
			  (uintmax_t)snap->ino);
	if (a->file->gone) {
		pen_print(a->pane, PEN_BAD, " gone: deleted, unmounted or untracked");
	} else {
		pen_print(a->pane, PEN_YELLOW, "%s", file_name_deleted(snap->flags));
		pen_print(a->pane, PEN_PLAIN, "%s", text);
	}
	pen_end(a->pane);
}

/* Pages removed, and why; then the file's users: as many as there is room for. */
void part_tasks(const struct subject *a)
{
	const struct pcinspect_who *who = a->file->who;
	enum pcinspect_number removals[PCINSPECT_NR_REMOVALS];
	int i;

	for (i = 0; i < PCINSPECT_NR_REMOVALS; i++)
		removals[i] = pcinspect_removed(i);
	line(a, "gone", NUMBERS(removals), pcinspect_removal_word);
	for (i = 0; who && i < PCINSPECT_NR_TASKS && who->tasks[i].comm[0]; i++) {
		const struct pcinspect_task *task = &who->tasks[i];
		char text[32];

		subject_title(a, i ? "" : "by");
		pen_print(a->pane, PEN_PLAIN, " ");
		pen_word(a->pane, PEN_PLAIN, task->comm, PCINSPECT_COMM_LEN);
		value_words(text, sizeof(text), PCINSPECT_DEMANDED_BYTES, task->demanded_bytes, a->raw);
		pen_print(a->pane, PEN_PLAIN, "-%u demanded %s", task->pid, text);
		value_words(text, sizeof(text), PCINSPECT_DEMANDED_BYTES, task->device_bytes, a->raw);
		pen_print(a->pane, PEN_PLAIN, " device %s",
			  number_known(a->file, PCINSPECT_DEVICE_BYTES) ? text : "?");
		subject_count(a, "inserted", true, task->inserted_pages);
		subject_count(a, "dirtied", number_known(a->file, PCINSPECT_DIRTIED_PAGES),
			      task->dirtied_pages);
		pen_end(a->pane);
	}
}
