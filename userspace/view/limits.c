// SPDX-License-Identifier: GPL-2.0-only
/*
 * limits.c - results of limits. Touches stdout.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/escape.h"
#include "lib/jsonw.h"
#include "lib/text.h"
#include "view/limits.h"
#include "view/report_table.h"

/* The numbers that limits may be for, a line each. */
void limits_print_names(void)
{
	const char *name, *help;
	size_t i;

	for (i = 0; (name = limit_name(i, &help)); i++)
		printf("%-27s %-7s %s\n", name, limit_unit(name) ?: "-", help);
}

/* The number, as it was counted; with a unit that people read. */
static void limit_text(char *out, size_t size, const struct limit *limit, bool human)
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

/**
 * limit_measured() - the number, and why it is no result
 * @limit: judged
 * @human: with a unit that people read
 *
 * Return: it, to be freed.
 */
char *limit_measured(const struct limit *limit, bool human)
{
	bool unknown = limit->result == LIMIT_UNKNOWN;
	char number[64] = "?";

	if (limit->verdict && limit->known)
		snprintf(number, sizeof(number), "%s", limit->least ? "is there" : "is not there");
	else if (!limit->verdict && (limit->known || limit->least))
		limit_text(number, sizeof(number), limit, human);
	return alloc_text("%s%s%s%s%s",
			  !limit->verdict && !limit->known && limit->least ? "at least " : "", number,
			  unknown ? " (" : "", unknown ? limit->why ?: "it lies in between" : "",
			  unknown ? ")" : "");
}

static void print_limit(const struct limit *limit, bool human)
{
	static const char *const words[] = {
		[LIMIT_OK] = "ok", [LIMIT_FAILED] = "FAILED", [LIMIT_UNKNOWN] = "unknown",
	};
	char *text = escape_line(limit->text), *measured = limit_measured(limit, human);

	printf("assert: %-7s %s: %s\n", words[limit->result], text, measured);
	free(measured);
	free(text);
}

/**
 * limits_print() - a line for each
 * @limits: judged
 * @out: units
 */
void limits_print(const struct limits *limits, const struct output *out)
{
	size_t i;

	for (i = 0; i < limits->nr; i++)
		print_limit(&limits->list[i], table_human(out));
}

/* A number that is a count is a whole one. */
static void limit_member(struct jsonw *w, const char *key, const char *unit, double value)
{
	if (!strcmp(unit, "ratio") || !strcmp(unit, "percent"))
		jsonw_real(w, key, value);
	else
		jsonw_count(w, key, value);
}

static void put_limit(struct jsonw *w, const struct limit *limit)
{
	const char *unit = limit->verdict ? NULL : limit_unit(limit->name);

	jsonw_row(w, NULL);
	jsonw_text(w, "limit", limit->text);
	jsonw_text(w, "number", limit->name);
	jsonw_text(w, "unit", unit);
	jsonw_text(w, "op", limit_op_text(limit->op));
	if (limit->verdict) {
		jsonw_text(w, "value", limit->verdict);
	} else {
		jsonw_real(w, "value", limit->value);
		jsonw_text(w, "value_unit", limit->bytes ? "bytes" : unit);
	}
	if (!limit->known)
		jsonw_null(w, "measured");
	else if (limit->verdict)
		jsonw_bool(w, "measured", limit->least != 0);
	else
		limit_member(w, "measured", unit, limit->least);
	jsonw_text(w, "result", limit_result_word(limit->result));
	jsonw_text(w, "why", limit->why);
	jsonw_close(w);
}

/**
 * json_limits() - "assert" of a report: the result of each limit, and CMD's status
 * @w: where
 * @limits: judged
 */
void json_limits(struct jsonw *w, const struct limits *limits)
{
	size_t i;

	jsonw_open(w, "assert", '{');
	jsonw_signed(w, "status", limits->status);
	jsonw_text(w, "result", limit_result_word(limits_worst(limits)));
	jsonw_open(w, "limits", '[');
	for (i = 0; i < limits->nr; i++)
		put_limit(w, &limits->list[i]);
	jsonw_close_to(w, w->depth - 2);
}
