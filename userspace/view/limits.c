// SPDX-License-Identifier: GPL-2.0
/*
 * limits.c - what came of limits. Touches stdout.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/escape.h"
#include "lib/text.h"
#include "view/json.h"
#include "view/limits.h"
#include "view/report_table.h"

/* What there may be limits of, a line each. */
void limits_print_names(void)
{
	const char *name, *help;
	size_t i;

	for (i = 0; (name = limit_name(i, &help)); i++)
		printf("%-27s %-7s %s\n", name, limit_unit(name) ?: "-", help);
}

/* The number, as it was counted; with a unit that people read. */
static void number_text(char *out, size_t size, const struct limit *limit, bool human)
{
	const char *unit = limit_unit(limit->name);

	if (!strcmp(unit, "ratio") || !strcmp(unit, "percent"))
		snprintf(out, size, "%.3f", limit->least);
	else if (human && !strcmp(unit, "bytes"))
		size_text(out, size, limit->least);
	else if (human && !strcmp(unit, "ns"))
		duration_text(out, size, limit->least);
	else
		snprintf(out, size, "%.0f%s", limit->least, strcmp(unit, "pages") ? "" : " pages");
}

static void print_limit(const struct limit *limit, bool human)
{
	static const char *const words[] = {
		[LIMIT_OK] = "ok", [LIMIT_FAILED] = "FAILED", [LIMIT_UNKNOWN] = "unknown",
	};
	char *text = escape_line(limit->text), number[64] = "?";

	if (limit->verdict && limit->known)
		snprintf(number, sizeof(number), "%s", limit->least ? "is there" : "is not there");
	else if (!limit->verdict && (limit->known || limit->least))
		number_text(number, sizeof(number), limit, human);
	printf("assert: %-7s %s: %s%s", words[limit->result], text,
	       !limit->verdict && !limit->known && limit->least ? "at least " : "", number);
	if (limit->result == LIMIT_UNKNOWN)
		printf(" (%s)", limit->why ?: "it lies in between");
	putchar('\n');
	free(text);
}

/**
 * limits_print() - a line for each
 * @limits: judged
 * @args: units
 */
void limits_print(const struct limits *limits, const struct args *args)
{
	size_t i;

	for (i = 0; i < limits->nr; i++)
		print_limit(&limits->list[i], table_human(args));
}

/* A number that is a count is a whole one. */
static struct json_object *number_object(const char *unit, double value)
{
	return !strcmp(unit, "ratio") || !strcmp(unit, "percent") ?
	       json_object_new_double(value) : count_value(value);
}

static struct json_object *limit_object(const struct limit *limit)
{
	struct json_object *out = json_object_new_object();
	const char *unit = limit->verdict ? NULL : limit_unit(limit->name);

	key_add(out, "limit", name_value(limit->text));
	key_add(out, "number", json_object_new_string(limit->name));
	key_add(out, "unit", unit ? json_object_new_string(unit) : NULL);
	key_add(out, "op", json_object_new_string(limit_op_text(limit->op)));
	if (limit->verdict) {
		key_add(out, "value", name_value(limit->verdict));
		key_add(out, "measured", limit->known ? json_object_new_boolean(limit->least != 0) :
							NULL);
	} else {
		key_add(out, "value", json_object_new_double(limit->value));
		key_add(out, "value_unit", json_object_new_string(limit->bytes ? "bytes" : unit));
		key_add(out, "measured", limit->known ? number_object(unit, limit->least) : NULL);
	}
	key_add(out, "result", json_object_new_string(limit_result_word(limit->result)));
	key_add(out, "why", name_value(limit->why));
	return out;
}

/* What came of them, and of CMD. */
struct json_object *limits_object(const struct limits *limits)
{
	struct json_object *out = json_object_new_object(), *list = json_object_new_array();
	size_t i;

	for (i = 0; i < limits->nr; i++)
		json_object_array_add(list, limit_object(&limits->list[i]));
	key_add(out, "status", json_object_new_int(limits->status));
	key_add(out, "result", json_object_new_string(limit_result_word(limits_worst(limits))));
	key_add(out, "limits", list);
	return out;
}
