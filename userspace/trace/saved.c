// SPDX-License-Identifier: GPL-2.0-only
/*
 * saved.c - a JSON report (docs/pcinspect-report.5), read again. Where a number stands in
 * it include/numbers_table.h says, as it does to those who write it.
 *
 * Long lists are read and freed one entry at a time: as an object a file takes 16 KB.
 * A file that is cut short, or no report at all, ends with one line that names the
 * error.
 *
 * Touches: reads the file, complains.
 */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/complain.h"
#include "trace/saved.h"

#define WRITES_ONE "--report FILE of any command writes one"

/**
 * struct reader - a file of JSON
 * @path: of it
 * @from: it
 * @tokener: reads a value
 * @buffer: what comes next
 * @at: where in it
 * @len: how much there is
 * @before: bytes before it
 * @failed: it has been said what is wrong
 * @side: what it says
 * @format: it says what it is
 * @version: of what
 */
struct reader {
	const char *path;
	FILE *from;
	struct json_tokener *tokener;
	char buffer[1 << 16];
	size_t at;
	size_t len;
	uint64_t before;
	bool failed;
	struct side *side;
	bool format;
	int64_t version;
};

static bool more(struct reader *r)
{
	r->before += r->len;
	r->at = 0;
	r->len = fread(r->buffer, 1, sizeof(r->buffer), r->from);
	return r->len;
}

/* Whatever is wrong: only the first of it is said. */
static void wrong(struct reader *r, const char *what)
{
	if (r->failed)
		return;
	r->failed = true;
	if (ferror(r->from))
		complain(r->path, "cannot be read: %s", strerror(errno));
	else if (r->at == r->len && feof(r->from))
		complain(r->path, "is cut short: it ends at byte %" PRIu64 " (was it still being written?)",
			 r->before + r->at);
	else
		complain(r->path, "is no JSON at byte %" PRIu64 ": %s (" WRITES_ONE ")",
			 r->before + r->at, what);
}

/* The next character that is no white space; EOF: none. */
static int peek(struct reader *r)
{
	for (;;) {
		if (r->at == r->len && !more(r))
			return EOF;
		if (!strchr(" \t\r\n", r->buffer[r->at]) || !r->buffer[r->at])
			return (unsigned char)r->buffer[r->at];
		r->at++;
	}
}

static bool expect(struct reader *r, char c)
{
	char what[] = "X is missing";

	if (peek(r) == c) {
		r->at++;
		return true;
	}
	*what = c;
	wrong(r, what);
	return false;
}

/* The next value; false: there is none. */
static bool value(struct reader *r, struct json_object **to)
{
	enum json_tokener_error error;

	*to = NULL;
	json_tokener_reset(r->tokener);
	if (peek(r) == EOF) {
		wrong(r, "");
		return false;
	}
	do {
		*to = json_tokener_parse_ex(r->tokener, r->buffer + r->at, r->len - r->at);
		error = json_tokener_get_error(r->tokener);
		r->at += json_tokener_get_parse_end(r->tokener);
	} while (error == json_tokener_continue && more(r));
	if (error == json_tokener_success)
		return true;
	wrong(r, json_tokener_error_desc(error));
	return false;
}

/* --- one value ---------------------------------------------------------------------- */

static const char *text_of(struct json_object *of, const char *key)
{
	struct json_object *found;

	return json_object_object_get_ex(of, key, &found) &&
	       json_object_is_type(found, json_type_string) ? json_object_get_string(found) : NULL;
}

/* A value that is no number is unknown; counts are not negative. */
static struct quantity number_of_value(struct json_object *found)
{
	if (json_object_is_type(found, json_type_double))
		return isfinite(json_object_get_double(found)) ?
		       quantity_value(json_object_get_double(found)) : (struct quantity){};
	if (!json_object_is_type(found, json_type_int))
		return (struct quantity){};
	if (json_object_get_int64(found) < 0)
		return quantity_value(json_object_get_int64(found));
	return quantity_count(json_object_get_uint64(found));
}

static struct quantity number_at(struct json_object *of, const char *key)
{
	struct json_object *found;

	return json_object_object_get_ex(of, key, &found) ? number_of_value(found) :
							    (struct quantity){};
}

/* A number below an object, at a path like "dirty.ages[3].pages" of so many bytes. */
static struct quantity number_below(struct json_object *of, const char *path, size_t len)
{
	const char *end = path + len;
	char key[64];
	size_t part;

	while (path < end) {
		if (*path == '[') {
			size_t i = strtoul(path + 1, NULL, 10);

			if (!json_object_is_type(of, json_type_array) ||
			    i >= json_object_array_length(of))
				return (struct quantity){};
			of = json_object_array_get_idx(of, i);
			path += strcspn(path, "]") + 1;
		} else {
			part = strcspn(path, ".[ ");
			snprintf(key, sizeof(key), "%.*s", (int)part, path);
			if (!json_object_is_type(of, json_type_object) ||
			    !json_object_object_get_ex(of, key, &of))
				return (struct quantity){};
			path += part;
		}
		path += *path == '.';
	}
	return number_of_value(of);
}

/* Raw bytes of digits. */
static char *bytes_of(const char *hex)
{
	size_t len = strlen(hex) / 2, i;
	char *out = alloc_zero(len + 1, 1);
	unsigned int byte;

	for (i = 0; i < len && sscanf(hex + 2 * i, "%2x", &byte) == 1; i++)
		out[i] = byte;
	return out;
}

/* A path: its bytes where JSON could not hold them. NULL: it has none. */
static char *path_of(struct json_object *of)
{
	const char *hex = text_of(of, "path_hex");

	return hex ? bytes_of(hex) : alloc_copy(text_of(of, "path"));
}

/* --- rows --------------------------------------------------------------------------- */

static void take_numbers(struct file *file, struct json_object *of)
{
	struct quantity found;
	const char *path;
	size_t len;
	int i;

	for (i = 0; i < PCINSPECT_NR_NUMBERS; i++) {
		path = number_rows[i].json ?: "";
		for (; *path; path += len, path += *path == ' ') {
			len = strcspn(path, " ");
			found = number_below(of, path, len);
			if (!found.whole)
				continue;
			file->snap.known[i / 64] |= 1ULL << i % 64;
			file->snap.numbers[i] = found.count;
			break;
		}
	}
}

static struct side_row *take_row(struct side *side, struct json_object *of, enum side_kind kind,
				 const char *within)
{
	struct side_row *row = side_add(side, kind);
	struct quantity ino = number_at(of, "ino"), size = number_at(of, "size_bytes");
	struct quantity generation = number_at(of, "i_generation");
	struct pcinspect_snapshot *snap = &row->file.snap;
	const char *dev = text_of(of, "dev"), *fs = text_of(of, "fs");

	row->within = alloc_copy(within);
	row->file.path = path_of(of);
	if (dev && sscanf(dev, "%u:%u", &snap->dev_major, &snap->dev_minor) == 2)
		row->identified = ino.whole;
	snap->ino = ino.count;
	snap->i_generation = generation.count;
	snap->size_bytes = size.count;
	if (fs)
		snprintf(snap->fs, sizeof(snap->fs), "%s", fs);
	take_numbers(&row->file, of);
	return row;
}

/* One process, of a file or of the machine: those of one name are added up. */
static void take_process(struct side *side, struct json_object *of)
{
	const char *name = number_at(of, "pid").known ? text_of(of, "comm") : NULL;
	struct quantity *sum = side_process(side, name), found;
	struct measure m;
	size_t i;

	for (i = 0; side_measure(SIDE_PROCESS, i, &m); i++) {
		found = number_at(of, m.name);
		if (sum[i].known && found.whole)
			sum[i] = quantity_count(sum[i].count + found.count);
		else
			sum[i] = (struct quantity){};
	}
}

static void read_file(struct side *side, struct json_object *of)
{
	struct side_row *row = take_row(side, of, SIDE_FILE, NULL);
	struct json_object *tasks;
	size_t i;

	if (!json_object_object_get_ex(of, "tasks", &tasks))
		return;
	/*
	 * Under two names it is one file; on btrfs perhaps two, a snapshot's as well, or
	 * where numbers come again and no generation tells them apart.
	 */
	if (side_meets(side, row)) {
		side->uncounted |= !row->file.snap.i_generation ||
			!strcmp(row->file.snap.fs, "btrfs");
		return;
	}
	if (!json_object_is_type(tasks, json_type_array)) {
		side->uncounted = true;
		return;
	}
	for (i = 0; i < json_object_array_length(tasks); i++)
		take_process(side, json_object_array_get_idx(tasks, i));
}

static void take_directory(struct side *side, struct json_object *of)
{
	take_row(side, of, SIDE_DIRECTORY, NULL);
}

static void take_filesystem(struct side *side, struct json_object *of)
{
	take_row(side, of, SIDE_FILESYSTEM, NULL);
}

static void take_cgroup(struct side *side, struct json_object *of)
{
	struct json_object *files;
	char *path = path_of(of);
	size_t i;

	take_row(side, of, SIDE_CGROUP, NULL);
	if (json_object_object_get_ex(of, "files", &files) &&
	    json_object_is_type(files, json_type_array))
		for (i = 0; i < json_object_array_length(files); i++)
			take_row(side, json_object_array_get_idx(files, i), SIDE_FILE, path ?: "?");
	free(path);
}

static void take_gone(struct side *side, struct json_object *of)
{
	side->gone += number_at(of, "inodes").count;
}

static void take_audit(struct side *side, struct json_object *of)
{
	struct json_object *ok;

	side->audits++;
	if (json_object_object_get_ex(of, "ok", &ok) && json_object_get_boolean(ok))
		return;
	if (!side->untrusted++)
		side->untrusted_what = alloc_copy(text_of(of, "what") ?: "?");
}

static void take_verdict(struct side *side, struct json_object *of)
{
	struct side_verdict *v = side_add_verdict(side);

	v->name = alloc_copy(text_of(of, "verdict") ?: "?");
	v->scope = alloc_copy(text_of(of, "scope") ?: "?");
	v->place = text_of(of, "place") ? alloc_copy(text_of(of, "place")) : path_of(of);
	v->cost = number_at(of, "cost_bytes");
}

/* Nobody sets values that the kernel works out, or counts. */
static void take_setting(struct side *side, struct json_object *of)
{
	static const char peak[] = "/memory.peak";
	const char *path = text_of(of, "path");
	size_t len = path ? strlen(path) : 0;

	if (!path || !strcmp(path, DIRTY_THRESHOLD) || !strcmp(path, MEMORY_BYTES) ||
	    (len >= sizeof(peak) && !strcmp(path + len - (sizeof(peak) - 1), peak)))
		return;
	side_set(&side->settings, path, number_at(of, "value"));
}

/* Lists that are read one by one; those without a function are not wanted. */
static const struct list {
	const char *key;
	void (*take)(struct side *side, struct json_object *of);
} lists[] = {
	{ "files", read_file }, { "directories", take_directory },
	{ "filesystems", take_filesystem }, { "cgroups", take_cgroup },
	{ "processes", take_process }, { "gone", take_gone }, { "audit", take_audit },
	{ "verdicts", take_verdict }, { "settings", take_setting }, { "events", NULL },
	{ "event_counts", NULL }, { "devices", NULL },
};

#define NR_LISTS (sizeof(lists) / sizeof(*lists))

/* --- the file ------------------------------------------------------------------------ */

/* Numbers of an object, by name; those of objects below it are named with both. */
static void take_values(struct side_values *values, struct json_object *of, const char *prefix)
{
	struct json_object_iter at;
	char *name;

	if (!json_object_is_type(of, json_type_object))
		return;
	json_object_object_foreachC(of, at) {
		name = alloc_text("%s%s", prefix, at.key);
		if (json_object_is_type(at.val, json_type_object)) {
			char *below = alloc_text("%s.", name);

			take_values(values, at.val, below);
			free(below);
		} else if (!json_object_is_type(at.val, json_type_string)) {
			side_set(values, name, number_of_value(at.val));
		}
		free(name);
	}
}

static void set_text(char **to, struct json_object *of)
{
	free(*to);
	*to = json_object_is_type(of, json_type_string) ?
	      alloc_copy(json_object_get_string(of)) : NULL;
}

static void take_value(struct reader *r, const char *key, struct json_object *of)
{
	struct side *side = r->side;

	if (!strcmp(key, "format"))
		r->format = json_object_is_type(of, json_type_string) &&
			    !strcmp(json_object_get_string(of), "pcinspect-report");
	else if (!strcmp(key, "version"))
		r->version = json_object_is_type(of, json_type_int) ? json_object_get_int64(of) : 0;
	else if (!strcmp(key, "kernel"))
		set_text(&side->kernel, of);
	else if (!strcmp(key, "lru"))
		set_text(&side->lru, of);
	else if (!strcmp(key, "wall_time"))
		set_text(&side->wall, of);
	else if (!strcmp(key, "page_size"))
		side->page_size = number_of_value(of).count;
	else if (!strcmp(key, "interval_ns"))
		side->interval = number_of_value(of);
	else if (!strcmp(key, "machine"))
		take_values(&side->machine, of, "");
	else if (!strcmp(key, "lost"))
		take_values(&side->lost, of, "");
}

static void read_list(struct reader *r, const struct list *list)
{
	struct json_object *one;

	if (!expect(r, '['))
		return;
	while (!r->failed && peek(r) != ']') {
		if (!value(r, &one))
			return;
		if (list->take && json_object_is_type(one, json_type_object))
			list->take(r->side, one);
		json_object_put(one);
		if (peek(r) != ']' && !expect(r, ','))
			return;
	}
	expect(r, ']');
}

/* One key, and what stands there. */
static void read_pair(struct reader *r)
{
	struct json_object *key, *of;
	const char *name;
	size_t i;

	if (peek(r) != '"') {
		wrong(r, "a key is missing");
		return;
	}
	if (!value(r, &key))
		return;
	name = json_object_get_string(key);
	for (i = 0; i < NR_LISTS && strcmp(lists[i].key, name); i++)
		;
	if (i < NR_LISTS && !strcmp(name, "verdicts"))
		r->side->explained = true;
	if (expect(r, ':')) {
		if (i < NR_LISTS && peek(r) == '[') {
			r->side->run |= !strcmp(name, "devices");
			read_list(r, &lists[i]);
		} else if (value(r, &of)) {
			take_value(r, name, of);
			json_object_put(of);
		}
	}
	json_object_put(key);
}

static void read_report(struct reader *r)
{
	if (peek(r) != '{' && peek(r) != EOF) {
		complain(r->path, "is neither a JSON report nor a recording (" WRITES_ONE ")");
		r->failed = true;
		return;
	}
	if (!expect(r, '{'))
		return;
	while (!r->failed && peek(r) != '}') {
		read_pair(r);
		if (!r->failed && peek(r) != '}')
			expect(r, ',');
	}
	if (!r->failed)
		expect(r, '}');
	if (r->failed)
		return;
	if (!r->format || r->version < 1) {
		complain(r->path, "is JSON, but no report of pcinspect (" WRITES_ONE ")");
		r->failed = true;
	} else if (r->version > 1) {
		complain(r->path, "is a report of version %" PRId64 ", and this pcinspect knows 1 (use a newer one)",
			 r->version);
		r->failed = true;
	} else if (peek(r) != EOF) {
		complain(r->path, "has more than one report in it (give one: such as tail -n 1 of --json-lines)");
		r->failed = true;
	}
}

/**
 * saved_read() - read a report again
 * @path: of its file
 * @from: the file, open
 * @side: filled in; to be freed with side_free() also if it failed
 *
 * Complains by itself.
 *
 * Return: 0 or -1.
 */
int saved_read(const char *path, FILE *from, struct side *side)
{
	struct reader *r = alloc_zero(1, sizeof(*r));
	bool failed;
	size_t i;

	*side = (struct side){ .path = path };
	r->path = path;
	r->from = from;
	r->side = side;
	r->tokener = alloc_got(json_tokener_new());
	read_report(r);
	side_end(side);
	for (i = 0; i < side->nr; i++)
		side->rows[i].file.page_size = side->page_size;
	failed = r->failed;
	json_tokener_free(r->tokener);
	free(r);
	return failed ? -1 : 0;
}
