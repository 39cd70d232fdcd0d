// SPDX-License-Identifier: GPL-2.0-only
/*
 * verdicts.c - the verdicts of explain, as text. Touches stdout.
 */
#include <stdio.h>

#include "lib/output.h"
#include "view/text.h"

/* As many verdicts as a screen has room for. */
#define VERDICTS_SHOWN	5

/* The subject of a verdict, how sure it is, and how much of the run it explains. */
static void print_subject(const struct report *report, const struct verdict *v)
{
	if (v->nr_files == 1) {
		print_path(&report->files[v->file]);
	} else if (v->place) {
		if (v->scope == SCOPE_CGROUP)
			fputs("cgroup ", stdout);
		print_escaped(v->place);
	} else {
		fputs("the machine", stdout);
	}
	printf(": %s (%s", v->name, v->certain ? "exact" : "inferred");
	if (v->share >= 0)
		printf(", %.0f %% of what devices moved", 100 * v->share);
	puts(")");
}

/**
 * view_verdicts() - print what explain has found
 * @report: of which
 * @out: its limit, if one was given
 *
 * Return: 0.
 */
int view_verdicts(const struct report *report, const struct output *out)
{
	const struct verdict *list = report->verdicts;
	size_t i, n = report->nr_verdicts, looked = 0, most = VERDICTS_SHOWN;

	for (i = 0; i < report->nr_files; i++)
		looked += !report->files[i].gone && report->files[i].who;
	if (!n && looked)
		printf("%zu rules looked at %zu file%s, nothing found\n", report->nr_rules,
		       looked, looked == 1 ? "" : "s");
	else if (!n && report->devices_known)
		printf("%zu rules had nothing to look at\n", report->nr_rules);
	if (out->limited)
		most = out->limit ?: n;
	for (i = 0; i < n && i < most && !output_failed(); i++) {
		putchar('\n');
		print_subject(report, &list[i]);
		printf("  %s\n", list[i].text);
		if (list[i].command)
			printf("    %s\n", list[i].command);
	}
	if (n > most && !out->noheadings)
		printf("\nand %zu more verdict%s (--limit 0 shows all)\n", n - most,
		       n - most == 1 ? "" : "s");
	return 0;
}

/**
 * view_verdicts_first() - the costliest verdict, of the next ones what they are
 * @report: of which
 * @nr: how many, with the first
 * @priced: with what its remedy costs
 */
void view_verdicts_first(const struct report *report, size_t nr, bool priced)
{
	struct output first = { .limited = true, .limit = 1, .noheadings = true };
	size_t i, more = report->nr_verdicts - nr;
	const struct verdict *v = report->verdicts;

	if (!nr || priced) {
		view_verdicts(report, &first);
	} else {
		putchar('\n');
		print_subject(report, v);
		printf("  %s.%s%s%s\n", v->what, v->remedy ? " Remedy: " : "", v->remedy ?: "",
		       v->remedy ? "." : "");
		if (v->command)
			printf("    %s\n", v->command);
	}
	for (i = 1; i < nr; i++)
		print_subject(report, &v[i]);
	if (more)
		printf("and %zu more verdict%s (--limit 0 shows all)\n", more, more == 1 ? "" : "s");
}
