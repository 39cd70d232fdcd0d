// SPDX-License-Identifier: GPL-2.0-only
/*
 * json_diff.c - the differences of two reports as JSON (docs/pcinspect-diff.1). Touches the
 * stream it is given, or the file of --report; stderr.
 */
#include <errno.h>
#include <string.h>

#include "lib/complain.h"
#include "lib/jsonw.h"
#include "lib/replace.h"
#include "view/diff.h"

static void put_quantity(struct jsonw *w, const char *key, const struct quantity *q)
{
	if (!q->known)
		jsonw_null(w, key);
	else if (q->whole)
		jsonw_count(w, key, q->count);
	else
		jsonw_real(w, key, q->value);
}

static void put_change(struct jsonw *w, const struct change *c, const char *key,
		       const char *name, const char *unit)
{
	jsonw_row(w, NULL);
	jsonw_text(w, key, name);
	if (unit)
		jsonw_text(w, "unit", unit);
	put_quantity(w, "a", &c->a);
	put_quantity(w, "b", &c->b);
	/* Counts differ by a whole number. */
	if (!c->change_known)
		jsonw_null(w, "change");
	else if (c->a.whole && c->b.whole)
		jsonw_signed(w, "change", c->b.count - c->a.count);
	else
		jsonw_real(w, "change", c->change);
	jsonw_maybe_real(w, "ratio", c->ratio_known, c->ratio);
	jsonw_close(w);
}

static void put_numbers(struct jsonw *w, const char *key, const struct diff *diff,
			const struct side_row *a, const struct side_row *b)
{
	struct change change;
	struct measure m;
	size_t i = 0;

	jsonw_open(w, key, '[');
	while (diff_number(diff, a, b, &i, &m, &change))
		put_change(w, &change, "number", m.name, m.unit);
	jsonw_close(w);
}

static void put_values(struct jsonw *w, const char *key, const struct diff *diff,
		       const struct side_values *a, const struct side_values *b,
		       const char *name_key)
{
	struct change change;
	const char *name;
	size_t i = 0;

	jsonw_open(w, key, '[');
	while ((name = diff_value(diff, a, b, &i, &change)))
		put_change(w, &change, name_key, name, NULL);
	jsonw_close(w);
}

static void put_verdict(struct jsonw *w, const struct side_verdict *a,
			const struct side_verdict *b)
{
	static const struct quantity unknown;
	const struct side_verdict *v = a ?: b;

	jsonw_row(w, NULL);
	jsonw_text(w, "verdict", v->name);
	jsonw_text(w, "scope", v->scope);
	jsonw_text(w, "place", v->place);
	jsonw_text(w, "state", !b ? "went" : !a ? "came" : "stayed");
	put_quantity(w, "a_cost_bytes", a ? &a->cost : &unknown);
	put_quantity(w, "b_cost_bytes", b ? &b->cost : &unknown);
	jsonw_close(w);
}

static void diff_verdicts(struct jsonw *w, const struct diff *diff)
{
	const struct side *a = diff->a, *b = diff->b;
	size_t i;

	if (!a->explained || !b->explained) {
		jsonw_null(w, "verdicts");
		return;
	}
	jsonw_open(w, "verdicts", '[');
	for (i = 0; i < a->nr_verdicts; i++)
		put_verdict(w, &a->verdicts[i], diff_verdict(b, &a->verdicts[i]));
	for (i = 0; i < b->nr_verdicts; i++)
		if (!diff_verdict(a, &b->verdicts[i]))
			put_verdict(w, NULL, &b->verdicts[i]);
	jsonw_close(w);
}

static void put_side(struct jsonw *w, const char *key, const struct side *side)
{
	jsonw_open(w, key, '{');
	jsonw_path(w, "path", side->path);
	jsonw_text(w, "kernel", side->kernel);
	jsonw_text(w, "lru", side->lru);
	jsonw_maybe(w, "page_size", side->page_size, side->page_size);
	jsonw_text(w, "wall_time", side->wall);
	put_quantity(w, "interval_ns", &side->interval);
	jsonw_count(w, "entries", side->nr);
	jsonw_count(w, "audits", side->audits);
	jsonw_count(w, "untrusted", side->untrusted);
	jsonw_bool(w, "lost", side_lost(side));
	jsonw_close(w);
}

static void put_row(struct jsonw *w, const struct diff *diff, const struct diff_row *row)
{
	static const char *const kinds[NR_SIDE_KINDS] = {
		[SIDE_FILE] = "file", [SIDE_DIRECTORY] = "directory",
		[SIDE_FILESYSTEM] = "filesystem", [SIDE_CGROUP] = "cgroup",
		[SIDE_PROCESS] = "process",
	};
	const struct side_row *of = row->b ?: row->a;
	const struct pcinspect_snapshot *snap = &of->file.snap;
	const char *was = row->a && row->b ? row->a->file.path : NULL;
	bool process = of->kind == SIDE_PROCESS;

	jsonw_row(w, NULL);
	jsonw_text(w, "kind", kinds[of->kind]);
	if (process)
		jsonw_text(w, "comm", of->file.path);
	jsonw_path(w, "path", process ? NULL : of->file.path);
	if (was && of->file.path && strcmp(was, of->file.path))
		jsonw_path(w, "a_path", was);
	if (of->within)
		jsonw_path(w, "cgroup", of->within);
	if (of->identified)
		jsonw_dev(w, "dev", snap->dev_major, snap->dev_minor);
	else
		jsonw_null(w, "dev");
	jsonw_maybe(w, "ino", of->identified, snap->ino);
	jsonw_text(w, "in", !row->b ? "a" : !row->a ? "b" : "both");
	put_numbers(w, "numbers", diff, row->a, row->b);
	jsonw_close(w);
}

/**
 * diff_json() - write it
 * @diff: what
 * @to: where
 *
 * Return: 0, or -1 with errno set if it could not be written.
 */
int diff_json(const struct diff *diff, FILE *to)
{
	struct jsonw w;
	size_t i;

	jsonw_begin(&w, to, true);
	jsonw_open(&w, NULL, '{');
	jsonw_text(&w, "format", "pcinspect-diff");
	jsonw_count(&w, "version", 1);
	put_side(&w, "a", diff->a);
	put_side(&w, "b", diff->b);
	jsonw_open(&w, "notes", '[');
	for (i = 0; i < diff->nr_notes; i++)
		jsonw_text(&w, NULL, diff->notes[i]);
	jsonw_close(&w);
	if (diff->summed)
		put_numbers(&w, "totals", diff, &diff->total[0], &diff->total[1]);
	else
		jsonw_null(&w, "totals");
	put_values(&w, "machine", diff, &diff->a->machine, &diff->b->machine, "number");
	put_values(&w, "settings", diff, &diff->a->settings, &diff->b->settings, "path");
	diff_verdicts(&w, diff);
	jsonw_open(&w, "rows", '[');
	for (i = 0; i < diff->nr && !ferror(to); i++)
		if (diff->rows[i].differs)
			put_row(&w, diff, &diff->rows[i]);
	return jsonw_end(&w);
}

/**
 * diff_json_save() - write it to a file, for --report
 * @diff: what
 * @path: replaced as a whole; after an error it is what it was
 *
 * Complains by itself.
 *
 * Return: 0 or -1.
 */
int diff_json_save(const struct diff *diff, const char *path)
{
	struct replace file;
	FILE *to = replace_begin(&file, path);

	if (!replace_end(&file, to && !diff_json(diff, to)))
		return 0;
	complain(path, "cannot write the report: %s", open_error_text(errno));
	return -1;
}
