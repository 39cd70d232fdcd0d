// SPDX-License-Identifier: GPL-2.0
/*
 * json_trial.c - a command with and without remedies, as JSON: "try" of a report.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "view/json.h"
#include "view/trial.h"

static struct json_object *remedy_object(const struct remedy *remedy)
{
	static const char *const kinds[] = {
		[REMEDY_ADVICE] = "advice", [REMEDY_SETTING] = "setting",
		[REMEDY_CGROUP] = "cgroup", [REMEDY_DROP] = "drop",
	};
	struct json_object *out = json_object_new_object(), *list;
	const char *line;
	char *path;
	size_t len;

	key_add(out, "kind", json_object_new_string(kinds[remedy->kind]));
	key_add(out, "name", json_object_new_string(remedy->knob));
	key_add(out, "value", remedy->value ? json_object_new_string(remedy->value) : NULL);
	list = json_object_new_array();
	for (line = remedy->place ?: ""; *line; line += len + (line[len] == '\n')) {
		struct json_object *one = json_object_new_object();

		len = strcspn(line, "\n");
		path = alloc_first(line, len);
		key_add_path(one, "path", "path_hex", path);
		free(path);
		json_object_array_add(list, one);
	}
	key_add(out, "places", list);
	return out;
}

static struct json_object *attempt_object(const struct attempt *a)
{
	struct json_object *out = json_object_new_object();
	const struct costs *costs = &a->costs;
	bool ran = a->outcome != OUTCOME_NOT_APPLIED;

	key_add(out, "remedy", a->remedy ? remedy_object(a->remedy) : NULL);
	key_add(out, "outcome", json_object_new_string(outcome_word(a->outcome)));
	key_add(out, "status", maybe_value(ran, costs->status));
	key_add(out, "read_bytes", maybe_value(ran && costs->bytes_known, costs->read_bytes));
	key_add(out, "written_bytes",
		maybe_value(ran && costs->bytes_known, costs->written_bytes));
	key_add(out, "requests", maybe_value(ran && costs->requests_known, costs->requests));
	key_add(out, "refault_pages", maybe_value(ran && costs->refault_known, costs->refault_pages));
	key_add(out, "fsync_calls", maybe_value(ran && costs->fsyncs_known, costs->fsyncs));
	key_add(out, "fsync_ns", maybe_value(ran && costs->fsync_known, costs->fsync_ns));
	key_add(out, "left_pages", maybe_value(ran, costs->left_pages));
	return out;
}

/* What was tried, and what helps. */
struct json_object *trial_object(const struct trial *trial)
{
	struct json_object *out = json_object_new_object(), *list = json_object_new_array();
	size_t i;

	for (i = 0; i < trial->nr; i++)
		json_object_array_add(list, attempt_object(&trial->attempts[i]));
	key_add(out, "files", count_value(trial->files));
	key_add(out, "runs", list);
	key_add(out, "best", maybe_value(trial->best < trial->nr, trial->best));
	return out;
}
