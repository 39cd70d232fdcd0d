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
#include <string.h>

#include "explain/rules.h"
#include "lib/escape.h"
#include "lib/quote.h"
#include "lib/text.h"

/* A new string, as printf(3). */
static char *text_of(const char *format, va_list args)
{
	char *out;

	if (vasprintf(&out, format, args) < 0)
		err(1, "out of memory");
	return out;
}

/* The one that was added last. */
static struct verdict *last(const struct subject *s)
{
	return &s->report->verdicts[s->report->nr_verdicts - 1];
}

/**
 * add_verdict() - something is wrong with a file
 * @s: the file
 * @name: in a word
 * @cost_bytes: what it cost
 * @format: what happened, with the numbers, as printf(3)
 *
 * It is certain, until is_inferred() says otherwise.
 *
 * Return: true.
 */
bool add_verdict(const struct subject *s, const char *name, uint64_t cost_bytes,
		 const char *format, ...)
{
	struct report *report = s->report;
	va_list args;

	/* Twice as large whenever it is full: after 1, 2, 4, 8… */
	if (!(report->nr_verdicts & (report->nr_verdicts - 1)))
		report->verdicts = reallocarray(report->verdicts, report->nr_verdicts * 2 ?: 1,
						sizeof(*report->verdicts));
	if (!report->verdicts)
		err(1, "out of memory");
	report->verdicts[report->nr_verdicts++] = (struct verdict){
		.name = name,
		.file = s->file - report->files,
		.cost_bytes = cost_bytes,
		.certain = true,
	};
	va_start(args, format);
	last(s)->what = text_of(format, args);
	va_end(args);
	return true;
}

/* What helps against the last verdict, as printf(3). */
void add_remedy(const struct subject *s, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	last(s)->remedy = text_of(format, args);
	va_end(args);
}

/* The command that does it here, as printf(3). */
void add_command(const struct subject *s, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	last(s)->command = text_of(format, args);
	va_end(args);
}

/**
 * add_evidence() - a number behind the last verdict
 * @s: the file
 * @name: a constant
 * @value: it; there is room for VERDICT_EVIDENCE of them
 */
void add_evidence(const struct subject *s, const char *name, uint64_t value)
{
	struct verdict *v = last(s);

	if (v->nr_evidence < VERDICT_EVIDENCE)
		v->evidence[v->nr_evidence++] = (struct evidence){ name, value };
}

/* The numbers make the last verdict likely, and leave others possible. */
void is_inferred(const struct subject *s)
{
	last(s)->certain = false;
}

/* Drop a file from the cache: dd(1) calls posix_fadvise(POSIX_FADV_DONTNEED). */
void drop_command(const struct subject *s, const struct file *file)
{
	char *word;

	if (!file->path || file->gone || file->snap.flags & PCINSPECT_F_DELETED)
		return;
	word = shell_word(file->path);
	add_command(s, "dd if=%s iflag=nocache count=0 status=none", word);
	free(word);
}

/* Enough for what one fault or a small read wants. */
#define LITTLE_KB 16

/* Less readahead on the file's device, unless it is little already. */
void read_less_command(const struct subject *s)
{
	char path[PATH_MAX], *word;
	uint64_t now;

	snprintf(path, sizeof(path), READ_AHEAD, s->file->snap.bdi);
	if (!report_setting(s->report, path, &now) || now <= LITTLE_KB)
		return;
	word = shell_word(path);
	add_command(s, "echo %d > %s", LITTLE_KB, word);
	free(word);
}

/* The cgroup that is charged for a file; for one of which no page is left, the likeliest. */
static const char *memcg_of(const struct subject *s)
{
	return s->file->memcg_paths[0] ?: s->memcg;
}

/**
 * raise_limit_command() - a larger limit for the file's cgroup
 * @s: the file
 * @limit: from pressure()
 * @bytes: by how much, at least
 */
void raise_limit_command(const struct subject *s, const struct memcg_limit *limit,
			 uint64_t bytes)
{
	char path[PATH_MAX], *word;

	snprintf(path, sizeof(path), MEMCG_ROOT "%.*s/memory.%s", limit->len,
		 memcg_of(s), limit->knob);
	word = shell_word(path);
	/* In whole MiB. */
	add_command(s, "echo %ju > %s", (uintmax_t)(limit->bytes + bytes + (1 << 20) - 1) >>
		    20 << 20, word);
	free(word);
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
 * @any: a cgroup's limit counts even if it is far away
 * @limit: filled in if it is one, else its @len is 0
 *
 * Return: that limit, or all memory, in words; to be freed.
 */
char *pressure(const struct subject *s, bool any, struct memcg_limit *limit)
{
	const char *path = memcg_of(s);
	char *out, *cgroup, *shown;
	int result;

	*limit = (struct memcg_limit){};
	if (path && report_memcg_limit(s->report, path, any, limit)) {
		cgroup = strndup(path, limit->len);
		shown = cgroup ? escape_path(cgroup) : NULL;
		result = shown ? asprintf(&out, "the memory limit of cgroup %s (memory.%s, %s)",
					  shown, limit->knob, bytes_text(limit->bytes).text) : -1;
		free(shown);
		free(cgroup);
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

/* All of a verdict, in a line. */
static void compose(struct verdict *v)
{
	if (asprintf(&v->text, "%s.%s%s%s", v->what, v->remedy ? " Remedy: " : "",
		     v->remedy ?: "", v->remedy ? "." : "") < 0)
		err(1, "out of memory");
}

/* The two files with most active pages that nobody has used; the first of equals. */
static void find_idle(const struct report *report, const struct file *idle[2])
{
	size_t i;

	for (i = 0; i < report->nr_files; i++) {
		const struct file *file = &report->files[i];
		uint64_t active = number_of(file, PCINSPECT_ACTIVE);

		if (file->gone || !file->who || number_of(file, PCINSPECT_DEMANDED_BYTES) ||
		    number_of(file, PCINSPECT_FAULTS))
			continue;
		if (!idle[0] || active > number_of(idle[0], PCINSPECT_ACTIVE)) {
			idle[1] = idle[0];
			idle[0] = file;
		} else if (!idle[1] || active > number_of(idle[1], PCINSPECT_ACTIVE)) {
			idle[1] = file;
		}
	}
}

/*
 * Of which cgroup was a page that is no longer cached? Of the one with most pages of the
 * report's files, of those that have been near a limit; NULL: of none of them.
 */
static const char *limited_memcg(const struct report *report)
{
	const char *most = NULL;
	struct memcg_limit limit;
	uint64_t pages = 0;
	size_t i, k;

	for (i = 0; i < report->nr_files; i++) {
		const struct file *file = &report->files[i];

		for (k = 0; k < PCINSPECT_NR_MEMCGS; k++)
			if (file->memcg_paths[k] && file->snap.memcgs[k].pages > pages &&
			    report_memcg_limit(report, file->memcg_paths[k], false, &limit)) {
				most = file->memcg_paths[k];
				pages = file->snap.memcgs[k].pages;
			}
	}
	return most;
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
	const struct file *idle[2] = {};
	uint64_t interval = report_interval(report);
	const char *memcg = limited_memcg(report);
	size_t i, k;
	int c;

	report_forget_verdicts(report);
	find_idle(report, idle);
	report->nr_rules = nr_read_rules + nr_write_rules;
	for (i = 0; i < report->nr_files; i++) {
		const struct file *file = &report->files[i];
		struct subject s = {
			.report = report, .file = file, .idle = { idle[0], idle[1] },
			.interval = interval, .memcg = memcg,
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
	for (i = 0; i < report->nr_verdicts; i++)
		compose(&report->verdicts[i]);
	if (report->nr_verdicts)
		qsort(report->verdicts, report->nr_verdicts, sizeof(*report->verdicts),
		      costlier);
}
