// SPDX-License-Identifier: GPL-2.0
/*
 * json_trial.c - a command with and without remedies, as JSON: "try" of a report.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "view/json.h"
#include "view/trial.h"

static void put_remedy(struct jsonw *w, const struct remedy *remedy)
{
	static const char *const kinds[] = {
		[REMEDY_ADVICE] = "advice", [REMEDY_SETTING] = "setting",
		[REMEDY_CGROUP] = "cgroup", [REMEDY_DROP] = "drop",
	};
	const char *line;
	char *path;
	size_t len;

	if (!remedy) {
		jsonw_null(w, "remedy");
		return;
	}
	jsonw_open(w, "remedy", '{');
	jsonw_text(w, "kind", kinds[remedy->kind]);
	jsonw_text(w, "name", remedy->knob);
	jsonw_text(w, "value", remedy->value);
	jsonw_open(w, "places", '[');
	for (line = remedy->place ?: ""; *line; line += len + (line[len] == '\n')) {
		len = strcspn(line, "\n");
		path = alloc_first(line, len);
		jsonw_row(w, NULL);
		jsonw_path(w, "path", path);
		jsonw_close(w);
		free(path);
	}
	jsonw_close_to(w, w->depth - 2);
}

FIELD_COMPUTE(status, attempt, number, row->costs.status, true)

#define COST(member, flag) FIELD_KEY(attempt, costs.member, #member, FIELD_IF(attempt, costs.flag))

/* The costs of a run; null of one that there was not. */
static const struct field costs[] = {
	FIELD_GET("status", S64, status),
	COST(read_bytes, bytes_known),
	COST(written_bytes, bytes_known),
	COST(requests, requests_known),
	COST(refault_pages, refault_known),
	FIELD_KEY(attempt, costs.fsyncs, "fsync_calls", FIELD_IF(attempt, costs.fsyncs_known)),
	COST(fsync_ns, fsync_known),
	FIELD_KEY(attempt, costs.left_pages, "left_pages"),
};

static const struct fields cost_fields = FIELDS(costs);

/**
 * json_trial() - "try" of a report
 * @w: where
 * @trial: judged
 */
void json_trial(struct jsonw *w, const struct trial *trial)
{
	size_t i, k;

	jsonw_open(w, "try", '{');
	jsonw_open(w, "runs", '[');
	for (i = 0; i < trial->nr; i++) {
		const struct attempt *attempt = &trial->attempts[i];

		jsonw_open(w, NULL, '{');
		put_remedy(w, attempt->remedy);
		jsonw_text(w, "outcome", outcome_word(attempt->outcome));
		if (attempt->outcome != OUTCOME_NOT_APPLIED)
			json_fields(w, &cost_fields, attempt, NULL);
		else
			for (k = 0; k < cost_fields.nr; k++)
				jsonw_null(w, costs[k].key);
		jsonw_close(w);
	}
	jsonw_close(w);
	jsonw_count(w, "files", trial->files);
	jsonw_maybe(w, "best", trial->best < trial->nr, trial->best);
	jsonw_close(w);
}
