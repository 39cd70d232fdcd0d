// SPDX-License-Identifier: GPL-2.0
/*
 * explain.c - from a report to verdicts: asks every rule about every file, and
 * sorts what they say. Touches memory only.
 */
#include <err.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "explain/rules.h"
#include "lib/escape.h"
#include "lib/text.h"

/**
 * add_verdict() - something is wrong with a file
 * @s: the file
 * @name: in a word
 * @cost_bytes: what it cost
 * @format: the text, as printf(3)
 *
 * Return: true.
 */
bool add_verdict(const struct subject *s, const char *name, uint64_t cost_bytes,
		 const char *format, ...)
{
	struct report *report = s->report;
	struct verdict *v;
	va_list args;

	report->verdicts = reallocarray(report->verdicts, report->nr_verdicts + 1,
					sizeof(*report->verdicts));
	if (!report->verdicts)
		err(1, "out of memory");
	v = &report->verdicts[report->nr_verdicts++];
	v->name = name;
	v->file = s->file - report->files;
	v->cost_bytes = cost_bytes;
	va_start(args, format);
	if (vasprintf(&v->text, format, args) < 0)
		err(1, "out of memory");
	va_end(args);
	return true;
}

/* Bytes as text. */
struct words bytes_text(uint64_t value)
{
	struct words size;

	size_text(size.text, sizeof(size.text), value);
	return size;
}

/* The bytes of pages as text. */
struct words pages_text(const struct subject *s, uint64_t value)
{
	return bytes_text(value * s->report->page_size);
}

/* A part of a whole that may be 0. */
double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * part / whole : 0;
}

/**
 * pressure() - what reclaims a file's pages, or makes writers wait
 * @s: the file
 * @cgroup: set if it is the limit of a cgroup; may be NULL
 *
 * Return: that limit, or all memory, in words; to be freed.
 */
char *pressure(const struct subject *s, bool *cgroup)
{
	const char *path = s->file->memcg_paths[0];
	bool limited;
	uint64_t limit;
	char *out, *shown;
	int result;

	limited = path && report_memcg_limit(s->report, path, &limit);
	if (cgroup)
		*cgroup = limited;
	if (limited) {
		shown = escape_path(path);
		result = asprintf(&out, "the memory limit of cgroup %s (%s)", shown,
				  bytes_text(limit).text);
		free(shown);
	} else {
		result = asprintf(&out, "memory pressure");
	}
	if (result < 0)
		err(1, "out of memory");
	return out;
}

/**
 * now_is() - what a setting is, to follow its name
 * @s: a file of the machine
 * @format: path of the setting, as printf(3)
 *
 * Return: in words, none if it is unknown.
 */
struct words now_is(const struct subject *s, const char *format, ...)
{
	struct words out = {};
	char path[PATH_MAX];
	uint64_t value;
	va_list args;

	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	if (report_setting(s->report, path, &value))
		snprintf(out.text, sizeof(out.text), " (now %ju)", (uintmax_t)value);
	return out;
}

static int costlier(const void *a, const void *b)
{
	const struct verdict *x = a, *y = b;

	if (x->cost_bytes != y->cost_bytes)
		return x->cost_bytes < y->cost_bytes ? 1 : -1;
	return x->file < y->file ? -1 : x->file > y->file;
}

/**
 * explain() - find what is wrong with the files of a report
 * @report: gets the verdicts, the costliest first
 *
 * Waste, evictions and refaults are what read-around leads to: where the first
 * rule about reading speaks, the others are silent.
 */
void explain(struct report *report)
{
	size_t i, k;
	int c;

	report_forget_verdicts(report);
	report->nr_rules = nr_read_rules + nr_write_rules;
	for (i = 0; i < report->nr_files; i++) {
		const struct file *file = &report->files[i];
		struct subject s = {
			.report = report, .file = file,
		};

		if (file->gone || !file->who)
			continue;
		for (c = 0; c <= PCINSPECT_CAUSE_FORCED; c++)
			s.ahead += count(&s, pcinspect_inserted(c));
		s.read = s.ahead + count(&s, PCINSPECT_INSERTED_OTHER);
		if (!file_number(file, PCINSPECT_DEVICE_BYTES, &s.fetched))
			s.fetched = s.ahead * report->page_size;
		if (!read_rules[0](&s))
			for (k = 1; k < nr_read_rules; k++)
				read_rules[k](&s);
		for (k = 0; k < nr_write_rules; k++)
			write_rules[k](&s);
	}
	if (report->nr_verdicts)
		qsort(report->verdicts, report->nr_verdicts, sizeof(*report->verdicts),
		      costlier);
}
