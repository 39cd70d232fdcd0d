// SPDX-License-Identifier: GPL-2.0
/*
 * json_numbers.c - the numbers of a file as JSON: where include/numbers_table.h
 * says. Touches memory only.
 */
#include <stdio.h>
#include <string.h>

#include "view/json.h"

/* Add a number below @to, at a path like "inserted.sync". */
static void add_at(struct json_object *to, const char *path, size_t len,
		   struct json_object *value)
{
	const char *dot = memchr(path, '.', len);
	struct json_object *below;
	char key[64];

	snprintf(key, sizeof(key), "%.*s", (int)(dot ? dot - path : (ptrdiff_t)len), path);
	if (!dot) {
		key_add(to, key, value);
		return;
	}
	if (!json_object_object_get_ex(to, key, &below)) {
		below = json_object_new_object();
		key_add(to, key, below);
	}
	add_at(below, dot + 1, len - (dot + 1 - path), value);
}

/**
 * section_value() - the numbers of one section of a file
 * @file: whose
 * @section: a key of the file's object
 *
 * Return: a new object; without lists ("dirty.ages[0]"), which list_value() makes.
 */
struct json_object *section_value(const struct file *file, const char *section)
{
	struct json_object *out = json_object_new_object();
	size_t prefix = strlen(section), len;
	const char *path;
	int i;

	for (i = 0; i < PCINSPECT_NR_NUMBERS; i++) {
		path = number_rows[i].json ?: "";
		for (; *path; path += len, path += *path == ' ') {
			len = strcspn(path, " ");
			if (!strncmp(path, section, prefix) && path[prefix] == '.' &&
			    !memchr(path, '[', len))
				add_at(out, path + prefix + 1, len - prefix - 1,
				       number_value(file, i));
		}
	}
	return out;
}

/**
 * list_value() - numbers that follow one another, each in an object of a list
 * @file: whose
 * @first: number
 * @nr: how many
 * @key: what tells them apart
 * @bounds: what stands there, 0 is null; or NULL: 0, 1, 2, ...
 *
 * Return: a new array.
 */
struct json_object *list_value(const struct file *file,
			       enum pcinspect_number first, int nr, const char *key,
			       const int *bounds)
{
	struct json_object *out = json_object_new_array(), *one;
	int i;

	for (i = 0; i < nr; i++) {
		one = json_object_new_object();
		key_add(one, key, !bounds ? json_object_new_int(i) :
				   bounds[i] ? json_object_new_int(bounds[i]) : NULL);
		key_add(one, "pages", number_value(file, first + i));
		json_object_array_add(out, one);
	}
	return out;
}
