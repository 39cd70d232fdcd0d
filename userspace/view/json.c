// SPDX-License-Identifier: GPL-2.0-only
/*
 * json.c - rows and numbers of files as JSON: which there are, and where each stands, their
 * tables say (model/field.h, include/numbers_table.h). Touches the stream it is given.
 */
#include <stdio.h>
#include <string.h>

#include "view/json.h"

/**
 * struct nest - objects that are open for keys like "a.b"
 * @w: where
 * @depth: of the object that all of them are in
 * @last: the key before, NULL: there was none
 * @leaf: the last part of a key
 */
struct nest {
	struct jsonw *w;
	int depth;
	const char *last;
	size_t last_len;
	char leaf[64];
};

/* How many bytes of objects two keys have in common, and how many objects these are. */
static size_t common(const struct nest *nest, const char *key, size_t len, int *objects)
{
	size_t i, same = 0;

	*objects = 0;
	for (i = 0; nest->last && i < len && i < nest->last_len && key[i] == nest->last[i]; i++) {
		if (key[i] != '.')
			continue;
		same = i + 1;
		++*objects;
	}
	return same;
}

/* Open the objects that a key is in. Returns the key of the value. */
static const char *nest_key(struct nest *nest, const char *key, size_t len)
{
	const char *end = key + len, *dot;
	int objects;
	size_t same = common(nest, key, len, &objects);

	jsonw_close_to(nest->w, nest->depth + objects);
	nest->last = key;
	nest->last_len = len;
	for (key += same; (dot = memchr(key, '.', end - key)); key = dot + 1) {
		snprintf(nest->leaf, sizeof(nest->leaf), "%.*s", (int)(dot - key), key);
		jsonw_open(nest->w, nest->leaf, '{');
	}
	snprintf(nest->leaf, sizeof(nest->leaf), "%.*s", (int)(end - key), key);
	return nest->leaf;
}

static void put_value(struct jsonw *w, const char *key, const struct field *field,
		      const union field_value *value)
{
	__u32 dev[2];

	switch (field->type) {
	case FIELD_U64:
	case FIELD_U32: jsonw_count(w, key, value->count); break;
	case FIELD_S64: jsonw_signed(w, key, value->number); break;
	case FIELD_REAL: jsonw_real(w, key, value->real); break;
	case FIELD_BOOL: jsonw_bool(w, key, value->yes); break;
	case FIELD_TEXT:
	case FIELD_CHARS: jsonw_text(w, key, value->text); break;
	case FIELD_PATH: jsonw_path(w, key, value->text); break;
	case FIELD_COMM: json_comm(w, key, value->text); break;
	case FIELD_DEV:
		memcpy(dev, value->text, sizeof(dev));
		jsonw_dev(w, key, dev[0], dev[1]);
	}
}

/**
 * json_fields() - write the fields of a row into the object that is open
 * @w: where
 * @fields: which
 * @row: whose
 * @of: what the row belongs to
 */
void json_fields(struct jsonw *w, const struct fields *fields, const void *row, const void *of)
{
	struct nest nest = { .w = w, .depth = w->depth };
	union field_value value;
	const char *key;
	size_t i;

	for (i = 0; i < fields->nr; i++) {
		const struct field *field = &fields->list[i];
		bool known;

		if (!field->key || !field_is_in(fields, field))
			continue;
		known = field_value(fields, field, row, of, &value);
		if (!known && field->flags & FIELD_IF_KNOWN)
			continue;
		if (field->flags & FIELD_OPTIONAL &&
		    (!known || (field->type < FIELD_TEXT && !value.count)))
			continue;
		key = nest_key(&nest, field->key, strlen(field->key));
		if (known)
			put_value(w, key, field, &value);
		else
			jsonw_null(w, key);
	}
	jsonw_close_to(w, nest.depth);
}

/* The same as an object of its own, on one line. */
void json_row(struct jsonw *w, const char *key, const struct fields *fields, const void *row,
	      const void *of)
{
	jsonw_row(w, key);
	json_fields(w, fields, row, of);
	jsonw_close(w);
}

/* A number of a file, or null. */
void json_number(struct jsonw *w, const char *key, const struct file *file,
		 enum pcinspect_number number)
{
	jsonw_maybe(w, key, number_known(file, number), number_of(file, number));
}

/* A number's place below a file, as numbers_table.h names it. */
struct place {
	const char *path;
	size_t len;
	enum pcinspect_number number;
};

/* Two places for some, and none for others. */
static struct place places[2 * PCINSPECT_NR_NUMBERS];
static size_t nr_places;

/* How much of a path the objects are that it is in. */
static size_t object_len(const struct place *place)
{
	const char *dot = memrchr(place->path, '.', place->len);

	return dot ? dot - place->path : 0;
}

/* Add a place behind the last one in the same object, or at the end. */
static void add_place(const char *path, size_t len, enum pcinspect_number number)
{
	struct place place = { .path = path, .len = len, .number = number };
	size_t own = object_len(&place), i = nr_places;

	while (i && (places[i - 1].len <= own || places[i - 1].path[own] != '.' ||
		     strncmp(places[i - 1].path, path, own)))
		i--;
	i = i ?: nr_places;
	memmove(&places[i + 1], &places[i], (nr_places - i) * sizeof(*places));
	places[i] = place;
	nr_places++;
}

/* Those of one object follow one another: rows of the table are in the order they came. */
static void find_places(void)
{
	const char *path;
	size_t len;
	int i;

	if (nr_places)
		return;
	for (i = 0; i < PCINSPECT_NR_NUMBERS; i++) {
		path = number_rows[i].json ?: "";
		for (; *path; path += len, path += *path == ' ') {
			len = strcspn(path, " ");
			if (!memchr(path, '[', len))
				add_place(path, len, i);
		}
	}
}

/**
 * json_section() - write the numbers of one section of a file into the object that is open
 * @w: where
 * @file: whose
 * @section: a key of the file's object
 * @except: an object in it that is left to somebody else, or NULL
 *
 * Lists ("dirty.ages[0]") are left to json_list().
 */
void json_section(struct jsonw *w, const struct file *file, const char *section,
		  const char *except)
{
	size_t prefix = strlen(section), without = strlen(except ?: ""), i;
	struct nest nest = { .w = w, .depth = w->depth };

	find_places();
	for (i = 0; i < nr_places; i++) {
		const char *key = places[i].path + prefix + 1;

		if (strncmp(places[i].path, section, prefix) || key[-1] != '.' ||
		    (without && !strncmp(key, except, without) && key[without] == '.'))
			continue;
		json_number(w, nest_key(&nest, key, places[i].len - prefix - 1), file,
			    places[i].number);
	}
	jsonw_close_to(w, nest.depth);
}

/**
 * json_list() - numbers that follow one another, each in an object of a list
 * @w: where
 * @key: of the list
 * @file: whose
 * @first: number
 * @nr: how many
 * @tells: the key that tells them apart
 * @bounds: what stands there, 0 is null; or NULL: 0, 1, 2, ...
 */
void json_list(struct jsonw *w, const char *key, const struct file *file,
	       enum pcinspect_number first, int nr, const char *tells, const int *bounds)
{
	int i;

	jsonw_open(w, key, '[');
	for (i = 0; i < nr; i++) {
		jsonw_row(w, NULL);
		jsonw_maybe(w, tells, !bounds || bounds[i], bounds ? bounds[i] : i);
		json_number(w, "pages", file, first + i);
		jsonw_close(w);
	}
	jsonw_close(w);
}

/* A thread's name, whatever bytes it has. */
void json_comm(struct jsonw *w, const char *key, const char *comm)
{
	char raw[PCINSPECT_COMM_LEN + 1] = "";

	memcpy(raw, comm, PCINSPECT_COMM_LEN);
	jsonw_text(w, key, raw);
}
