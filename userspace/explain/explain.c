// SPDX-License-Identifier: GPL-2.0-only
/*
 * explain.c - from a report to verdicts: asks each rule of every file, puts those
 * together that have the same cause, and asks it of these. Touches memory only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/explain.h"
#include "explain/rules.h"
#include "explain/verdict_words.h"
#include "lib/alloc.h"

/**
 * struct member - a file of which a rule holds
 * @cause: what it shares with the others of the same cause
 * @file: its index in the report
 * @suffers: how much
 */
struct member {
	char *cause;
	size_t file;
	uint64_t suffers;
};

/**
 * struct asked - what is the same for all rules and files
 * @one: a subject, but its file
 * @spoken: for each file, has a rule spoken of it after which no other does
 * @members: room for as many as there are files
 */
struct asked {
	struct subject one;
	bool *spoken;
	struct member *members;
};

static int costlier(const void *a, const void *b)
{
	const struct verdict *x = a, *y = b;

	if (x->cost_bytes != y->cost_bytes)
		return x->cost_bytes < y->cost_bytes ? 1 : -1;
	return x->file < y->file ? -1 : x->file > y->file;
}

/* By cause; who suffers most first. */
static int compare_members(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	int order = strcmp(x->cause, y->cause);

	if (order)
		return order;
	if (x->suffers != y->suffers)
		return x->suffers < y->suffers ? 1 : -1;
	return x->file < y->file ? -1 : x->file > y->file;
}

/* All of a verdict, in a line. */
static void compose(struct verdict *v)
{
	const struct verdict_words *words = verdict_words(v->name);
	bool costs = words && v->remedy;

	v->why = words ? words->why : NULL;
	v->costs = costs ? words->costs : NULL;
	v->text = alloc_text("%s.%s%s%s%s%s%s", v->what, v->remedy ? " Remedy: " : "",
			     v->remedy ?: "", v->remedy ? "." : "", costs ? " Its price: " : "",
			     costs ? words->costs : "", costs ? "." : "");
}

/*
 * The pages of a file that nobody has used since these counts began; 0: it was used, or
 * that is not known.
 */
static uint64_t unused(const struct file *file)
{
	if (file->gone || (!file->who && !file->held) ||
	    number_of(file, PCINSPECT_DEMANDED_BYTES) || number_of(file, PCINSPECT_FAULTS) ||
	    number_of(file, PCINSPECT_WRITE_BYTES) || number_of(file, PCINSPECT_DIRTIED_PAGES))
		return 0;
	/* Of one that is only held, nothing was counted: nobody of the run touched it. */
	if (file->who && (!number_known(file, PCINSPECT_DEMANDED_BYTES) ||
			  !number_known(file, PCINSPECT_FAULTS)))
		return 0;
	return unmapped_pages(file);
}

/* The two files with most pages that nobody has used; the first of equals. */
static void find_idle(const struct report *report, const struct file *idle[2])
{
	size_t i, nr = report->nr_files + report->nr_names;

	for (i = 0; i < nr; i++) {
		const struct file *file = i < report->nr_files ? &report->files[i] :
					  &report->names[i - report->nr_files];
		uint64_t pages = i < report->nr_files || file->held ? unused(file) : 0;

		if (!pages)
			continue;
		if (!idle[0] || pages > unused(idle[0])) {
			idle[1] = idle[0];
			idle[0] = file;
		} else if (!idle[1] || pages > unused(idle[1])) {
			idle[1] = file;
		}
	}
}

/* Take a file's numbers into a subject. */
static void add_file(struct subject *s, const struct file *file)
{
	uint64_t read, fetched;
	int c;

	for (read = 0, c = 0; c <= PCINSPECT_CAUSE_FORCED; c++)
		read += number_of(file, pcinspect_inserted(c));
	if (!file_number(file, PCINSPECT_DEVICE_BYTES, &fetched)) {
		fetched = read * s->report->page_size;
		s->by_device = false;
	}
	s->size += file->snap.size_bytes;
	s->ahead += read;
	s->read += read + number_of(file, PCINSPECT_INSERTED_OTHER);
	s->fetched += fetched;
}

/* All members of one cause: does the rule find it worth a word? */
static bool ask_all(const struct asked *asked, const struct rule *rule,
		    const struct member *members, size_t nr)
{
	const struct file **list = alloc_zero(nr, sizeof(*list));
	uint64_t sums[PCINSPECT_NR_NUMBERS] = {};
	struct subject all = asked->one;
	size_t i;
	bool said;
	int k;

	for (i = 0; i < nr; i++) {
		list[i] = &all.report->files[members[i].file];
		add_file(&all, list[i]);
		for (k = 0; k < PCINSPECT_NR_NUMBERS; k++)
			sums[k] += number_of(list[i], k);
	}
	all.file = list[0];
	all.list = list;
	all.nr = nr;
	all.sums = sums;
	said = rule->say(&all);
	free(list);
	return said;
}

/* One rule, of every file that may be spoken of. */
static void apply_rule(struct asked *asked, const struct rule *rule, bool *spoken)
{
	const struct report *report = asked->one.report;
	struct member *members = asked->members;
	size_t i, k, end, nr = 0;

	for (i = 0; i < report->nr_files; i++) {
		const struct file *file = &report->files[i];
		struct subject one = asked->one;

		if (file->gone || !file->who || (spoken && spoken[i]))
			continue;
		one.file = file;
		one.list = &one.file;
		one.nr = 1;
		add_file(&one, file);
		members[nr].suffers = rule->holds(&one);
		if (!members[nr].suffers)
			continue;
		members[nr].file = i;
		members[nr++].cause = rule->cause(&one);
	}
	if (nr)
		qsort(members, nr, sizeof(*members), compare_members);
	for (i = 0; i < nr; i = end) {
		for (end = i + 1; end < nr && !strcmp(members[end].cause, members[i].cause); end++)
			;
		if (ask_all(asked, rule, members + i, end - i) && rule->alone && spoken)
			for (k = i; k < end; k++)
				spoken[members[k].file] = true;
	}
	while (nr)
		free(members[--nr].cause);
}

/**
 * explain_finish() - all rules were asked: the words of each verdict, the costliest first
 * @report: with the verdicts
 */
void explain_finish(struct report *report)
{
	size_t i;

	for (i = 0; i < report->nr_verdicts; i++)
		compose(&report->verdicts[i]);
	if (report->nr_verdicts)
		qsort(report->verdicts, report->nr_verdicts, sizeof(*report->verdicts),
		      costlier);
}

/**
 * explain() - find what is wrong with the files of a report
 * @report: gets the verdicts, the costliest first
 *
 * Waste, evictions and refaults follow from other things: the rules about reading are
 * asked from the cause that explains most on, and who is spoken of is left alone by
 * the next.
 */
void explain(struct report *report)
{
	struct asked asked = { .one = {
		.report = report, .interval = report_interval(report),
		.moved = report_moved(report), .by_device = true, .memcg = report_likely_memcg(report),
	} };
	size_t i;

	report_forget_verdicts(report);
	find_idle(report, asked.one.idle);
	report->nr_rules = nr_read_rules + nr_write_rules;
	asked.spoken = alloc_zero(report->nr_files + 1, sizeof(*asked.spoken));
	asked.members = alloc_zero(report->nr_files + 1, sizeof(*asked.members));
	for (i = 0; i < nr_read_rules; i++)
		apply_rule(&asked, &read_rules[i], asked.spoken);
	for (i = 0; i < nr_write_rules; i++)
		apply_rule(&asked, &write_rules[i], NULL);
	free(asked.spoken);
	free(asked.members);
	explain_finish(report);
}
