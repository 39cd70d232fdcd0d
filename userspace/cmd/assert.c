// SPDX-License-Identifier: GPL-2.0-only
/*
 * assert.c - pcinspect assert: a command is run as pcinspect run does it, and what it did
 * is held against limits. For CI: the exit status says whether all of them hold.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/deliver.h"
#include "cmd/run_once.h"
#include "explain/verdict_words.h"
#include "lib/alloc.h"
#include "lib/complain.h"
#include "lib/output.h"
#include "lib/replace.h"
#include "lib/text.h"
#include "model/limits.h"
#include "view/json_report.h"
#include "view/junit.h"
#include "view/limits.h"
#include "view/report_table.h"
#include "view/text.h"

/* Is there such a verdict at all? Complains if not. */
static bool check_verdict(const struct limit *limit)
{
	const struct verdict_words *words = verdict_words(limit->verdict);
	const char *like = NULL;
	size_t best = 5, i;

	if (words && !words->whole)
		return true;
	if (words) {
		complain(NULL, "assert: %s is of a machine or cgroup, never of a command (pcinspect explain --machine)",
			 limit->verdict);
		return false;
	}
	for (i = 0; (words = verdict_words_at(i)); i++) {
		if (words->whole || words_differ(words->name, limit->verdict) >= best)
			continue;
		best = words_differ(words->name, limit->verdict);
		like = words->name;
	}
	complain(NULL, "assert: no verdict is called %s (%s%s%sman pcinspect-explain)",
		 limit->verdict, like ? "perhaps " : "", like ?: "", like ? "; " : "");
	return false;
}

static bool take_limit(struct limits *limits, const char *text, const char *op)
{
	char *wrong = limit_parse(limits, text, op);

	if (wrong)
		complain(NULL, "assert: %s", wrong);
	free(wrong);
	return !wrong && (!limits->list[limits->nr - 1].verdict ||
			  check_verdict(&limits->list[limits->nr - 1]));
}

/* All that is wrong is said before anything is run. */
static bool take_limits(struct limits *limits, const struct args *args)
{
	bool good = true;
	size_t i;

	for (i = 0; i < args->nr_bounds; i++)
		good &= take_limit(limits, args->bounds[i].text, args->bounds[i].most ? "<=" : ">=");
	for (i = 0; i < args->what.nr_paths; i++)
		good &= take_limit(limits, args->what.paths[i], NULL);
	if (!args->argv) {
		complain(NULL, "assert: no -- and no CMD behind it (usage: pcinspect assert [OPTION]… LIMIT… -- CMD…)");
		return false;
	}
	if (good && !limits->nr) {
		complain(NULL, "assert: no LIMIT given (such as --max device_bytes=100M; pcinspect run has none)");
		return false;
	}
	return good;
}

/* --max help, --min help */
static bool wants_names(const struct args *args)
{
	size_t i;

	for (i = 0; i < args->nr_bounds; i++)
		if (!strcmp(args->bounds[i].text, "help"))
			return true;
	return false;
}

/* What CI servers read. */
static bool save_junit(const struct limits *limits, const struct args *args)
{
	struct replace replace;
	FILE *to = replace_begin(&replace, args->out.junit);

	if (to)
		junit_write(to, limits, args->argv[0]);
	return !replace_report(&replace, to && !ferror(to), args->out.junit);
}

static int assert_show(struct report *report, struct limits *limits, const struct args *args)
{
	int status;

	fflush(stdout);
	report->limits = limits;
	status = deliver_saved(report, args, 0);
	if (args->out.junit && !save_junit(limits, args))
		status = EXIT_FAILED;
	if (args->out.json) {
		if (report_json_write(report, stdout))
			status = EXIT_FAILED;
	} else {
		limits_print(limits, &args->out);
	}
	report->limits = NULL;
	view_losses(report, stderr);
	table_audit_complain(report);
	return fflush(stdout) || output_failed() ? EXIT_FAILED : status;
}

/**
 * cmd_assert() - pcinspect assert LIMIT… -- CMD…
 * @given: options, limits and the command
 *
 * With --max help nothing is run: it lists what there may be limits of.
 *
 * Return: the exit status of CMD if it failed; EXIT_FAILED if a limit does not hold or
 * nothing could be counted; EXIT_LOSSES if of one nobody knows.
 */
int cmd_assert(const struct args *given)
{
	static const int statuses[] = {
		[LIMIT_OK] = 0, [LIMIT_FAILED] = EXIT_FAILED, [LIMIT_UNKNOWN] = EXIT_LOSSES,
	};
	struct limits *limits;
	struct run_once *run;
	struct args args = *given;
	int status = EXIT_USAGE;
	size_t i;

	if (wants_names(given)) {
		limits_print_names();
		return 0;
	}
	limits = alloc_zero(1, sizeof(*limits));
	run = alloc_zero(1, sizeof(*run));
	if (take_limits(limits, given)) {
		for (i = 0; i < limits->nr; i++)
			args.explain |= !strcmp(limits->list[i].name, "verdict") ||
					!strcmp(limits->list[i].name, "verdicts");
		args.what.paths = given->argv;
		for (args.what.nr_paths = 0; given->argv[args.what.nr_paths]; args.what.nr_paths++)
			;
		if (run_once(run, &args, NULL)) {
			limits->status = run->status;
			limits_judge(limits, &run->report);
			status = assert_show(&run->report, limits, &args);
			status = run->status ?: status ?: statuses[limits_worst(limits)];
		} else {
			status = run->status ?: EXIT_FAILED;
		}
		run_free(run);
	}
	limits_free(limits);
	free(limits);
	free(run);
	return status;
}
