// SPDX-License-Identifier: GPL-2.0-only
/*
 * trial.c - a command with and without remedies: a line for each run, the remedy that helps,
 * and both as JSON. Touches stdout, and the stream it is given.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/alloc.h"
#include "lib/escape.h"
#include "lib/quote.h"
#include "view/json.h"
#include "view/sheet.h"
#include "view/trial.h"

static char *outcome_text(const void *row, const void *of)
{
	const struct trial *trial = of;
	const struct attempt *attempt = row;

	/* The second run is without a remedy, as the first is. */
	return alloc_copy(attempt == &trial->attempts[1] ? "again" : outcome_word(attempt->outcome));
}

static char *remedy_text(const void *row, const void *of)
{
	const struct attempt *attempt = row;

	(void)of;
	return attempt->remedy ? escape_line(attempt->remedy->name) : alloc_copy("-");
}

/* The cost of a run; unknown where there was none. */
#define COST(name, member, type, ...) \
	FIELD_COMPUTE(name, attempt, type, row->costs.member, \
		      row->outcome != OUTCOME_NOT_APPLIED __VA_ARGS__)

COST(status, status, number, && row->costs.status >= 0)
COST(read_bytes, read_bytes, count, && row->costs.bytes_known)
COST(written_bytes, written_bytes, count, && row->costs.bytes_known)
COST(requests, requests, count, && row->costs.requests_known)
COST(refault_pages, refault_pages, count, && row->costs.refault_known)
COST(fsyncs, fsyncs, count, && row->costs.fsyncs_known)
COST(fsync_ns, fsync_ns, count, && row->costs.fsync_known)
COST(asked_bytes, asked_bytes, count, && row->costs.asked_known)
COST(left_pages, left_pages, count, && row->costs.left_pages != PCINSPECT_UNKNOWN)

/* Of a service it is what counts, of CMD the same each time. */
enum { OF_CMD = 1, OF_SERVICE = 2 };

static const struct field attempts[] = {
	FIELD_GET("status", S64, status),
	FIELD_GET("asked_bytes", U64, asked_bytes, .in = OF_SERVICE, COLUMN("ASKED", BYTES)),
	FIELD_GET("asked_bytes", U64, asked_bytes, .in = OF_CMD),
	FIELD_GET("read_bytes", U64, read_bytes, COLUMN("READ", BYTES, .flags = FIELD_KEEP)),
	FIELD_GET("written_bytes", U64, written_bytes, COLUMN("WRITTEN", BYTES)),
	FIELD_GET("requests", U64, requests, COLUMN("REQUESTS", EVENTS, .flags = FIELD_KEEP)),
	FIELD_GET("refault_pages", U64, refault_pages, COLUMN("REFAULT", PAGES)),
	FIELD_GET("fsync_calls", U64, fsyncs),
	FIELD_GET("fsync_ns", U64, fsync_ns, COLUMN("FSYNC", NS)),
	FIELD_GET("left_pages", U64, left_pages),
	{ COLUMN("OUTCOME", EVENTS, .cell = outcome_text, .flags = FIELD_KEEP | FIELD_LEFT) },
	{ COLUMN_PATH("REMEDY", remedy_text) },
};

static struct fields fields_of(const struct trial *trial)
{
	struct fields fields = FIELDS(attempts, .in = trial->service ? OF_SERVICE : OF_CMD);

	return fields;
}

/* How to do it for good. */
static void print_how(const struct trial *trial, const struct remedy *remedy)
{
	char *word = remedy->place ? shell_word(remedy->place) : NULL;

	switch (remedy->kind) {
	case REMEDY_ADVICE:
		printf("  in the program: posix_fadvise(2)%s\n",
		       !strcmp(remedy->knob, "random") ? " POSIX_FADV_RANDOM, madvise(2) MADV_RANDOM" :
		       !strcmp(remedy->knob, "sequential") ?
		       " POSIX_FADV_SEQUENTIAL, madvise(2) MADV_SEQUENTIAL" :
		       !strcmp(remedy->knob, "dontneed") ? " POSIX_FADV_DONTNEED behind what was read" :
		       " POSIX_FADV_NOREUSE");
		break;
	case REMEDY_SETTING:
		printf("    echo %s > %s\n", remedy->value, word);
		break;
	case REMEDY_CGROUP:
		if (trial->service) {
			printf("  in its cgroup, %s is %s\n", remedy->knob, remedy->value);
			break;
		}
		printf("  a cgroup of its own, in which %s is %s\n", remedy->knob, remedy->value);
		break;
	case REMEDY_DROP:
		printf("    dd if=%s iflag=nocache count=0 status=none\n", word);
		break;
	}
	free(word);
}

static double saved(double base, double now)
{
	return base > 0 ? 100 * (base - now) / base : 0;
}

static double least(double a, double b)
{
	return a < b ? a : b;
}

static void print_best(const struct trial *trial)
{
	const struct costs *one = &trial->attempts[0].costs, *two = &trial->attempts[1].costs;
	const struct attempt *best = &trial->attempts[trial->best];
	char *name = escape_line(best->remedy->name);
	double bytes = saved(least(costs_bytes(one), costs_bytes(two)), costs_bytes(&best->costs));

	printf("best: %s: %.0f %% %s bytes%s", name, bytes < 0 ? -bytes : bytes,
	       bytes < 0 ? "more" : "fewer", trial->service ? " for what was asked for" : "");
	if (one->requests_known && two->requests_known && best->costs.requests_known) {
		double requests = saved(least(one->requests * one->scale, two->requests * two->scale),
					best->costs.requests * best->costs.scale);

		printf(", %.0f %% %s requests", requests < 0 ? -requests : requests,
		       requests < 0 ? "more" : "fewer");
	}
	putchar('\n');
	print_how(trial, best->remedy);
	free(name);
}

static void print_none(const struct trial *trial)
{
	size_t untried = trial->remedies.nr_untried;

	if (trial->nr > 2)
		puts("none: no remedy saves more than the two runs without any differ by, and a twentieth");
	else if (untried)
		printf("none: not tried, as %s would change what others use (--remedy tries %s)\n",
		       untried == 1 ? "the remedy" : "the remedies", untried == 1 ? "it" : "them");
	else
		puts("none: no verdict has a remedy that can be tried (--remedy tries one)");
}

/* The caches that were emptied, and those that were not. */
static void print_runs(const struct trial *trial)
{
	size_t i, stayed = 0;

	if (trial->service) {
		printf("\n%zu looks of %g s at %s, compared by what was asked for in each; nothing was emptied\n",
		       trial->nr, trial->seconds, trial->service);
		return;
	}
	for (i = 0; i < trial->nr; i++)
		if (trial->attempts[i].costs.left_pages > stayed)
			stayed = trial->attempts[i].costs.left_pages;
	printf("\n%zu runs of CMD, its %zu files emptied from the cache before each", trial->nr,
	       trial->files);
	if (stayed)
		printf(", but for at most %zu pages that others map or lock", stayed);
	putchar('\n');
}

/**
 * trial_print() - a line for each run, and the answer
 * @trial: judged
 * @out: units, headings
 */
void trial_print(const struct trial *trial, const struct output *out)
{
	struct fields fields = fields_of(trial);
	struct sheet sheet;
	size_t i;

	if (!out->noheadings)
		print_runs(trial);
	sheet_begin(&sheet, &fields, trial, out, sysconf(_SC_PAGESIZE));
	for (i = 0; i < trial->nr; i++)
		sheet_row(&sheet, &trial->attempts[i]);
	sheet_end(&sheet, 0, "");
	putchar('\n');
	if (trial->best < trial->nr)
		print_best(trial);
	else
		print_none(trial);
}

/* --- JSON -------------------------------------------------------------------------- */

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

/**
 * json_trial() - "try" of a report
 * @w: where
 * @trial: judged
 */
void json_trial(struct jsonw *w, const struct trial *trial)
{
	struct fields fields = fields_of(trial);
	size_t i;

	jsonw_open(w, "try", '{');
	jsonw_text(w, "service", trial->service);
	jsonw_open(w, "runs", '[');
	for (i = 0; i < trial->nr; i++) {
		const struct attempt *attempt = &trial->attempts[i];

		jsonw_open(w, NULL, '{');
		put_remedy(w, attempt->remedy);
		jsonw_text(w, "outcome", outcome_word(attempt->outcome));
		json_fields(w, &fields, attempt, NULL);
		jsonw_close(w);
	}
	jsonw_close(w);
	jsonw_count(w, "files", trial->files);
	jsonw_maybe(w, "best", trial->best < trial->nr, trial->best);
	jsonw_close(w);
}
