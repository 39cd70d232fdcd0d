// SPDX-License-Identifier: GPL-2.0
/*
 * json_diff.c - what differs between two reports, as JSON (docs/pcinspect-diff.1). Written
 * row by row: there may be hundreds of thousands.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/complain.h"
#include "lib/replace.h"
#include "view/diff.h"
#include "view/json.h"

static struct json_object *quantity(const struct quantity *q)
{
	return !q->known ? NULL : q->whole ? count_value(q->count) :
	       json_object_new_double(q->value);
}

/* What is counted differs by a whole number. */
static struct json_object *difference(const struct change *c)
{
	if (!c->change_known)
		return NULL;
	if (!c->a.whole || !c->b.whole)
		return json_object_new_double(c->change);
	return json_object_new_int64((int64_t)(c->b.count - c->a.count));
}

static struct json_object *change_object(const struct change *c, const char *key,
					 const char *name, const char *unit)
{
	struct json_object *out = json_object_new_object();

	key_add(out, key, name_value(name));
	if (unit)
		key_add(out, "unit", json_object_new_string(unit));
	key_add(out, "a", quantity(&c->a));
	key_add(out, "b", quantity(&c->b));
	key_add(out, "change", difference(c));
	key_add(out, "ratio", c->ratio_known ? json_object_new_double(c->ratio) : NULL);
	return out;
}

static struct json_object *numbers(const struct diff *diff, const struct side_row *a,
				   const struct side_row *b)
{
	struct json_object *out = json_object_new_array();
	struct change change;
	struct measure m;
	size_t i = 0;

	while (diff_number(diff, a, b, &i, &m, &change))
		json_object_array_add(out, change_object(&change, "number", m.name, m.unit));
	return out;
}

static struct json_object *values(const struct diff *diff, const struct side_values *a,
				  const struct side_values *b, const char *key)
{
	struct json_object *out = json_object_new_array();
	struct change change;
	const char *name;
	size_t i = 0;

	while ((name = diff_value(diff, a, b, &i, &change)))
		json_object_array_add(out, change_object(&change, key, name, NULL));
	return out;
}

static struct json_object *verdict_object(const struct side_verdict *a,
					  const struct side_verdict *b)
{
	const struct side_verdict *v = a ?: b;
	struct json_object *out = json_object_new_object();

	key_add(out, "verdict", name_value(v->name));
	key_add(out, "scope", name_value(v->scope));
	key_add(out, "place", name_value(v->place));
	key_add(out, "state", json_object_new_string(!b ? "went" : !a ? "came" : "stayed"));
	key_add(out, "a_cost_bytes", a ? quantity(&a->cost) : NULL);
	key_add(out, "b_cost_bytes", b ? quantity(&b->cost) : NULL);
	return out;
}

static struct json_object *verdicts(const struct diff *diff)
{
	const struct side *a = diff->a, *b = diff->b;
	struct json_object *out;
	size_t i;

	if (!a->explained || !b->explained)
		return NULL;
	out = json_object_new_array();
	for (i = 0; i < a->nr_verdicts; i++)
		json_object_array_add(out, verdict_object(&a->verdicts[i],
							  diff_verdict(b, &a->verdicts[i])));
	for (i = 0; i < b->nr_verdicts; i++)
		if (!diff_verdict(a, &b->verdicts[i]))
			json_object_array_add(out, verdict_object(NULL, &b->verdicts[i]));
	return out;
}

static struct json_object *side_object(const struct side *side)
{
	struct json_object *out = json_object_new_object();

	key_add_path(out, "path", "path_hex", side->path);
	key_add(out, "kernel", name_value(side->kernel));
	key_add(out, "lru", name_value(side->lru));
	key_add(out, "page_size", maybe_value(side->page_size != 0, side->page_size));
	key_add(out, "wall_time", name_value(side->wall));
	key_add(out, "interval_ns", quantity(&side->interval));
	key_add(out, "entries", count_value(side->nr));
	key_add(out, "audits", count_value(side->audits));
	key_add(out, "untrusted", count_value(side->untrusted));
	key_add(out, "lost", json_object_new_boolean(side_lost(side)));
	return out;
}

static struct json_object *row_object(const struct diff *diff, const struct diff_row *row)
{
	static const char *const kinds[NR_SIDE_KINDS] = {
		[SIDE_FILE] = "file", [SIDE_DIRECTORY] = "directory",
		[SIDE_FILESYSTEM] = "filesystem", [SIDE_CGROUP] = "cgroup",
		[SIDE_PROCESS] = "process",
	};
	const struct side_row *of = row->b ?: row->a;
	struct json_object *out = json_object_new_object();
	const char *was = row->a && row->b ? row->a->file.path : NULL;
	char dev[32];

	key_add(out, "kind", json_object_new_string(kinds[of->kind]));
	if (of->kind == SIDE_PROCESS)
		key_add(out, "comm", name_value(of->file.path));
	key_add_path(out, "path", "path_hex", of->kind == SIDE_PROCESS ? NULL : of->file.path);
	if (was && of->file.path && strcmp(was, of->file.path))
		key_add_path(out, "a_path", "a_path_hex", was);
	if (of->within)
		key_add_path(out, "cgroup", "cgroup_hex", of->within);
	snprintf(dev, sizeof(dev), "%u:%u", of->file.snap.dev_major, of->file.snap.dev_minor);
	key_add(out, "dev", of->identified ? json_object_new_string(dev) : NULL);
	key_add(out, "ino", maybe_value(of->identified, of->file.snap.ino));
	key_add(out, "in", json_object_new_string(!row->b ? "a" : !row->a ? "b" : "both"));
	key_add(out, "numbers", numbers(diff, row->a, row->b));
	return out;
}

static struct json_object *head(const struct diff *diff)
{
	struct json_object *out = json_object_new_object(), *notes = json_object_new_array();
	size_t i;

	key_add(out, "format", json_object_new_string("pcinspect-diff"));
	key_add(out, "version", json_object_new_int(1));
	key_add(out, "a", side_object(diff->a));
	key_add(out, "b", side_object(diff->b));
	for (i = 0; i < diff->nr_notes; i++)
		json_object_array_add(notes, name_value(diff->notes[i]));
	key_add(out, "notes", notes);
	key_add(out, "totals", diff->summed ?
		numbers(diff, &diff->total[0], &diff->total[1]) : NULL);
	key_add(out, "machine", values(diff, &diff->a->machine, &diff->b->machine, "number"));
	key_add(out, "settings", values(diff, &diff->a->settings, &diff->b->settings, "path"));
	key_add(out, "verdicts", verdicts(diff));
	return out;
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
	const char *separator = "\n    ";
	char *text = json_line(head(diff));
	size_t i;

	/* Its last brace is ours. */
	fprintf(to, "%.*s,\n  \"rows\": [", (int)(strrchr(text, '}') - text), text);
	free(text);
	for (i = 0; i < diff->nr && !ferror(to); i++) {
		if (!diff->rows[i].differs)
			continue;
		text = json_line(row_object(diff, &diff->rows[i]));
		fprintf(to, "%s%s", separator, text);
		free(text);
		separator = ",\n    ";
	}
	fputs(*separator == ',' ? "\n  ] }\n" : "] }\n", to);
	return json_flush(to);
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
