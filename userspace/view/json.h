/* SPDX-License-Identifier: GPL-2.0 */
/*
 * json.h - the few words that every part of a JSON report is written in.
 */
#ifndef PCINSPECT_JSON_H
#define PCINSPECT_JSON_H

#include <json-c/json.h>
#include <stdint.h>

#include "model/report.h"

/* A key of an object; NULL is null. */
static inline void json_add(struct json_object *to, const char *key,
			    struct json_object *value)
{
	json_object_object_add(to, key, value);
}

static inline struct json_object *json_count(uint64_t value)
{
	return json_object_new_uint64(value);
}

/* A count, or null where it is not known. */
static inline struct json_object *json_maybe(int known, uint64_t value)
{
	return known ? json_object_new_uint64(value) : NULL;
}

/* A number of a file, or null. */
static inline struct json_object *json_number(const struct pcinspect_file *file,
					      enum pcinspect_field field)
{
	uint64_t value;

	return pcinspect_file_number(file, field, &value) ? json_count(value) : NULL;
}

struct json_object *pcinspect_json_comm(const char *comm);
void pcinspect_json_path(struct json_object *to, const char *key,
			 const char *hex_key, const char *path);

#endif /* PCINSPECT_JSON_H */
