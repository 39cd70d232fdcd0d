// SPDX-License-Identifier: GPL-2.0-only
/*
 * diff.c - two reports: which entry of one is which of the other, and what differs.
 * Touches memory only.
 *
 * An inode is the same if its device, number and generation are, under whatever name; a
 * generation of 0 says nothing (block devices, NFS), so there, and on a machine or
 * filesystem that was made anew, it is the path that tells. Processes are added up by name
 * (side.c): their numbers are others each time. A difference against what is unknown is
 * unknown.
 */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/compare.h"
#include "model/diff.h"

/* Of what is counted over time: more than that much longer is no fair comparison. */
#define INTERVAL_DIFFERS 1.1

/* --- which is which ------------------------------------------------------------------ */

static int compare_inode(const struct side_row *x, const struct side_row *y)
{
	const struct pcinspect_snapshot *p = &x->file.snap, *q = &y->file.snap;

	return compare_numbers(x->identified, y->identified) ?:
	       compare_numbers(p->dev_major, q->dev_major) ?:
	       compare_numbers(p->dev_minor, q->dev_minor) ?: compare_numbers(p->ino, q->ino) ?:
	       compare_numbers(p->i_generation, q->i_generation);
}

/* A file within a cgroup is never matched with one elsewhere. */
static int compare_place(const struct side_row *x, const struct side_row *y)
{
	return compare_numbers(x->kind, y->kind) ?:
	       strcmp(x->within ?: "", y->within ?: "");
}

static int compare_path(const struct side_row *x, const struct side_row *y)
{
	return strcmp(x->file.path ?: "", y->file.path ?: "");
}

enum { BY_BOTH, BY_INODE, BY_PATH, NR_WAYS };

/* Can it be found that way? */
static bool can(const struct side_row *row, int by)
{
	return by == BY_INODE ? row->identified && row->file.snap.i_generation :
	       by == BY_BOTH ? row->identified || row->file.path : row->file.path != NULL;
}

static int compare_sides(const void *a, const void *b, void *by)
{
	const struct side_row *x = *(struct side_row *const *)a, *y = *(struct side_row *const *)b;
	int way = *(int *)by;

	return compare_place(x, y) ?: (way != BY_PATH ? compare_inode(x, y) : 0) ?:
	       (way != BY_INODE ? compare_path(x, y) : 0);
}

/* Those that are still alone, in order. Returns how many. */
static size_t alone(struct side *side, struct side_row **list, int by)
{
	size_t i, nr = 0;

	for (i = 0; i < side->nr; i++)
		if (!side->rows[i].other && can(&side->rows[i], by))
			list[nr++] = &side->rows[i];
	qsort_r(list, nr, sizeof(*list), compare_sides, &by);
	return nr;
}

static void match(struct side *a, struct side *b)
{
	struct side_row **x = alloc_zero(a->nr + 1, sizeof(*x));
	struct side_row **y = alloc_zero(b->nr + 1, sizeof(*y));
	size_t i, k, n, m;
	int by, order;

	/* They may have been compared before. */
	for (i = 0; i < a->nr; i++)
		a->rows[i].other = NULL;
	for (i = 0; i < b->nr; i++)
		b->rows[i].other = NULL;
	for (by = BY_BOTH; by < NR_WAYS; by++) {
		n = alone(a, x, by);
		m = alone(b, y, by);
		for (i = k = 0; i < n && k < m;) {
			order = compare_sides(&x[i], &y[k], &by);
			if (!order) {
				x[i]->other = y[k];
				y[k++]->other = x[i++];
			} else if (order < 0) {
				i++;
			} else {
				k++;
			}
		}
	}
	free(x);
	free(y);
}

/* --- numbers ------------------------------------------------------------------------- */

/**
 * change_of() - how a number has changed
 * @diff: of which
 * @a: it was
 * @b: it is
 * @pages: it counts pages
 *
 * Return: it.
 */
struct change change_of(const struct diff *diff, const struct quantity *a,
			const struct quantity *b, bool pages)
{
	struct change c = { .a = *a, .b = *b };

	if (!a->known || !b->known || (pages && diff->a->page_size != diff->b->page_size))
		return c;
	c.change_known = true;
	/* Large counts differ by little: the difference is made of them as they are. */
	if (!a->whole || !b->whole)
		c.change = b->value - a->value;
	else
		c.change = b->count >= a->count ? (double)(b->count - a->count) :
						  -(double)(a->count - b->count);
	c.ratio_known = a->value != 0;
	if (c.ratio_known)
		c.ratio = b->value / a->value;
	return c;
}

/**
 * diff_number() - the next number of an entry that differs
 * @diff: of which
 * @a: the entry in the first; NULL: it is not there
 * @b: in the second
 * @i: 0 at first
 * @m: set to which number it is
 * @change: filled in
 *
 * Of an entry that is in one of them only, all that is known and not 0 differs.
 *
 * Return: false behind the last.
 */
bool diff_number(const struct diff *diff, const struct side_row *a, const struct side_row *b,
		 size_t *i, struct measure *m, struct change *change)
{
	enum side_kind kind = a ? a->kind : b->kind;

	for (; side_measure(kind, *i, m); ++*i) {
		struct quantity x = a ? side_number(a, *i) : (struct quantity){};
		struct quantity y = b ? side_number(b, *i) : (struct quantity){};

		if (a && b ? quantity_same(&x, &y) : !x.value && !y.value)
			continue;
		*change = change_of(diff, &x, &y, !strcmp(m->unit, "pages"));
		++*i;
		return true;
	}
	return false;
}

/**
 * diff_value() - the next number with a name, of those of two lists, that differs
 * @diff: of which
 * @a: the first list
 * @b: the second; its names that the first lacks follow those of the first
 * @i: 0 at first
 * @change: filled in
 *
 * Return: its name, NULL behind the last.
 */
const char *diff_value(const struct diff *diff, const struct side_values *a,
		       const struct side_values *b, size_t *i, struct change *change)
{
	static const struct quantity unknown;

	while (*i < a->nr + b->nr) {
		bool first = *i < a->nr;
		const struct side_value *v = first ? &a->list[*i] : &b->list[*i - a->nr];
		const struct side_value *other = side_value(first ? b : a, v->name);
		const struct quantity *found = other ? &other->value : &unknown;
		size_t len = strlen(v->name);

		++*i;
		/* It was met in the first. */
		if (!first && other)
			continue;
		*change = change_of(diff, first ? &v->value : found, first ? found : &v->value,
				    len > 6 && !strcmp(v->name + len - 6, "_pages"));
		if (!quantity_same(&change->a, &change->b))
			return v->name;
	}
	return NULL;
}

static void weigh(const struct diff *diff, struct diff_row *row)
{
	struct change change;
	struct measure m;
	size_t i = 0;
	double x, y;

	row->differs = !row->a || !row->b;
	while (diff_number(diff, row->a, row->b, &i, &m, &change)) {
		row->differs = true;
		x = y = 0;
		quantity_bytes(&m, &change.a, diff->a->page_size, &x);
		quantity_bytes(&m, &change.b, diff->b->page_size, &y);
		if (fabs(y - x) > row->weight)
			row->weight = fabs(y - x);
	}
}

/* Whatever differs, then as they were in the reports. */
static int compare_weights(const void *a, const void *b)
{
	const struct diff_row *x = a, *y = b;

	if (x->weight != y->weight)
		return x->weight < y->weight ? 1 : -1;
	if (!x->a != !y->a)
		return !x->a - !y->a;
	return x->a ? compare_numbers((uintptr_t)x->a, (uintptr_t)y->a) :
		      compare_numbers((uintptr_t)x->b, (uintptr_t)y->b);
}

static void find_rows(struct diff *diff)
{
	size_t i;

	diff->rows = alloc_zero(diff->a->nr + diff->b->nr + 1, sizeof(*diff->rows));
	for (i = 0; i < diff->a->nr; i++)
		diff->rows[diff->nr++] = (struct diff_row){ .a = &diff->a->rows[i],
							    .b = diff->a->rows[i].other };
	for (i = 0; i < diff->b->nr; i++)
		if (!diff->b->rows[i].other)
			diff->rows[diff->nr++] = (struct diff_row){ .b = &diff->b->rows[i] };
	for (i = 0; i < diff->nr; i++)
		weigh(diff, &diff->rows[i]);
	qsort(diff->rows, diff->nr, sizeof(*diff->rows), compare_weights);
}

/*
 * All files of a report, an inode once. On btrfs two files of one number may be two (a
 * file and its copy in a snapshot): what their sum is nobody can say.
 */
static size_t sum_side(const struct side *side, struct file *total)
{
	struct side_row **list = alloc_zero(side->nr + 1, sizeof(*list));
	size_t i, nr = 0;
	int by = BY_INODE;
	bool good = true;

	file_begin_sum(total, side->page_size);
	for (i = 0; i < side->nr; i++)
		if (side->rows[i].kind == SIDE_FILE)
			list[nr++] = &side->rows[i];
	qsort_r(list, nr, sizeof(*list), compare_sides, &by);
	for (i = 0; i < nr; i++) {
		if (i && list[i]->identified && !compare_sides(&list[i - 1], &list[i], &by)) {
			good &= strcmp(list[i]->file.snap.fs, "btrfs") != 0;
			continue;
		}
		file_add(total, &list[i]->file);
	}
	if (!good)
		memset(total->snap.known, 0, sizeof(total->snap.known));
	free(list);
	return nr;
}

/* --- what is not fair ----------------------------------------------------------------- */

static void __attribute__((format(printf, 2, 3))) note(struct diff *diff, const char *format, ...)
{
	va_list args;

	diff->notes = alloc_room(diff->notes, diff->nr_notes, &diff->notes_room,
				 sizeof(*diff->notes));
	va_start(args, format);
	diff->notes[diff->nr_notes++] = alloc_vtext(format, args);
	va_end(args);
}

static void note_texts(struct diff *diff, const char *a, const char *b, const char *what)
{
	if (strcmp(a ?: "", b ?: ""))
		note(diff, "%s: A %s, B %s", what, a ?: "?", b ?: "?");
}

static bool has_processes(const struct side *side)
{
	size_t i;

	for (i = 0; i < side->nr; i++)
		if (side->rows[i].kind == SIDE_PROCESS)
			return true;
	return false;
}

static void note_side(struct diff *diff, const struct side *side, const char *name)
{
	if (side->untrusted)
		note(diff, "%s has %zu of %zu audits UNTRUSTED (%s…): a difference may be no more than that",
		     name, side->untrusted, side->audits, side->untrusted_what);
	if (side_lost(side))
		note(diff, "%s says that something was lost: its counters may be too small", name);
	if (side->gone)
		note(diff, "%s has %ju deleted or forgotten files by filesystem only: they are in none of these numbers",
		     name, (uintmax_t)side->gone);
	if (side->unnamed)
		note(diff, "%s has processes without a name (more than 16 used one file): their reads and writes cannot be attributed",
		     name);
	else if (side->uncounted && (has_processes(diff->a) || has_processes(diff->b)))
		note(diff, "%s does not have the processes of every file: their reads and writes are unknown",
		     name);
}

static void note_all(struct diff *diff)
{
	const struct side *a = diff->a, *b = diff->b;
	double x = a->interval.value, y = b->interval.value;

	note_texts(diff, a->kernel, b->kernel, "other kernel");
	note_texts(diff, a->lru, b->lru, "other LRU lists");
	if (a->page_size != b->page_size)
		note(diff, "other page size: A %u, B %u: what is counted in pages is not compared",
		     a->page_size, b->page_size);
	/* A run is as long as its command takes: that is what is compared. */
	if (a->run && b->run)
		;
	else if (a->interval.known != b->interval.known)
		note(diff, "counters of %s ran %.3f s, those of %s for an unknown time",
		     a->interval.known ? "A" : "B", (a->interval.known ? x : y) / 1e9,
		     a->interval.known ? "B" : "A");
	else if (x > y * INTERVAL_DIFFERS || y > x * INTERVAL_DIFFERS)
		note(diff, "other interval: counters of A ran %.3f s, those of B %.3f s", x / 1e9,
		     y / 1e9);
	if (a->explained != b->explained)
		note(diff, "%s has no verdicts (made without --explain): changes of verdicts are unknown",
		     a->explained ? "B" : "A");
	if (!a->machine.nr != !b->machine.nr)
		note(diff, "one is of the machine, the other is not");
	note_side(diff, a, "A");
	note_side(diff, b, "B");
}

/* A verdict about a file that has another name in the other report is about the same. */
static void follow_verdicts(struct side *side)
{
	size_t i, k;

	for (k = 0; k < side->nr_verdicts; k++) {
		struct side_verdict *v = &side->verdicts[k];

		v->now = v->place;
		for (i = 0; v->place && !strcmp(v->scope, "file") && i < side->nr; i++) {
			const struct side_row *row = &side->rows[i];

			if (row->kind == SIDE_FILE && row->other && row->file.path &&
			    !strcmp(row->file.path, v->place))
				v->now = row->other->file.path;
		}
	}
}

/* The verdict of another report that is the same; NULL: it has none. */
const struct side_verdict *diff_verdict(const struct side *in, const struct side_verdict *v)
{
	size_t i;

	for (i = 0; i < in->nr_verdicts; i++)
		if (!strcmp(in->verdicts[i].name, v->name) &&
		    !strcmp(in->verdicts[i].scope, v->scope) &&
		    !strcmp(in->verdicts[i].place ?: "", v->now ?: ""))
			return &in->verdicts[i];
	return NULL;
}

/**
 * diff_make() - compare two reports
 * @diff: filled in
 * @a: the first
 * @b: the second; both are kept until diff_free()
 */
void diff_make(struct diff *diff, struct side *a, struct side *b)
{
	size_t x, y;

	*diff = (struct diff){ .a = a, .b = b };
	match(a, b);
	follow_verdicts(a);
	follow_verdicts(b);
	find_rows(diff);
	x = sum_side(a, &diff->total[0].file);
	y = sum_side(b, &diff->total[1].file);
	/* Of one file it would be the same again. */
	diff->summed = x && y && x + y > 2;
	note_all(diff);
}

/* Forget it, but not the reports. */
void diff_free(struct diff *diff)
{
	while (diff->nr_notes)
		free(diff->notes[--diff->nr_notes]);
	free(diff->notes);
	free(diff->rows);
	*diff = (struct diff){};
}
