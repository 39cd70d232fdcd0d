/* SPDX-License-Identifier: GPL-2.0 */
/*
 * json.h - the few words that every part of a JSON report is written in.
 */
#ifndef PCINSPECT_JSON_H
#define PCINSPECT_JSON_H

#include <json-c/json.h>
#include <stdint.h>
#include <stdio.h>

#include "model/report.h"

/* A key of an object; NULL is null. */
static inline void key_add(struct json_object *to, const char *key,
			   struct json_object *value)
{
	json_object_object_add(to, key, value);
}

static inline struct json_object *count_value(uint64_t value)
{
	return json_object_new_uint64(value);
}

/* A count, or null where it is not known. */
static inline struct json_object *maybe_value(int known, uint64_t value)
{
	return known ? json_object_new_uint64(value) : NULL;
}

/* Of a file's flags: null where nobody here knows whether a name is left. */
static inline struct json_object *deleted_value(uint32_t flags)
{
	return flags & PCINSPECT_F_MAYBE_DELETED ? NULL :
		json_object_new_boolean(!!(flags & PCINSPECT_F_DELETED));
}

/* A number of a file, or null. */
static inline struct json_object *number_value(const struct file *file,
					       enum pcinspect_number number)
{
	uint64_t value;

	return file_number(file, number, &value) ? count_value(value) : NULL;
}

struct json_object *section_value(const struct file *file, const char *section);
struct json_object *list_value(const struct file *file,
			       enum pcinspect_number first, int nr, const char *key,
			       const int *bounds);
struct json_object *comm_value(const char *comm);
struct json_object *name_value(const char *name);
char *json_line(struct json_object *value);
int json_flush(FILE *to);
void key_add_path(struct json_object *to, const char *key,
		  const char *hex_key, const char *path);

#endif /* PCINSPECT_JSON_H */
