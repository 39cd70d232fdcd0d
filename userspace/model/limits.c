// SPDX-License-Identifier: GPL-2.0-only
/*
 * limits.c - limits of what a run may cost: words into numbers, and the numbers of a report
 * against them. Pure.
 *
 * An unknown number lies between its known part and anything; a limit that holds for that
 * whole range holds, one that holds for none of it has failed, and any other is unknown. So
 * no limit holds because something was not counted.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/text.h"
#include "model/limits.h"

static const char *const ops[NR_LIMIT_OPS] = {
	[LIMIT_MOST] = "<=", [LIMIT_LEAST] = ">=", [LIMIT_LESS] = "<", [LIMIT_MORE] = ">",
	[LIMIT_IS] = "=", [LIMIT_IS_NOT] = "!=",
};

/* Where numbers that are of no file come from. */
enum total { TOTAL_FILES, TOTAL_VERDICTS, TOTAL_READ, TOTAL_WRITTEN, NR_TOTALS };

/* struct total_row - a number of all of a run that is no number of files */
static const struct {
	const char *name;
	const char *unit;
	const char *help;
} totals[NR_TOTALS] = {
	[TOTAL_FILES] = { "files", "events", "files that the run has to do with" },
	[TOTAL_VERDICTS] = { "verdicts", "events", "how much is wrong" },
	[TOTAL_READ] = { "devices_read_bytes", "bytes", "read from devices, by their own count" },
	[TOTAL_WRITTEN] = { "devices_written_bytes", "bytes", "written to devices, likewise" },
};

static bool find_total(const char *name, enum total *total)
{
	for (*total = 0; *total < NR_TOTALS; ++*total)
		if (!strcmp(totals[*total].name, name))
			return true;
	return false;
}

/* The operator as it is typed. */
const char *limit_op_text(enum limit_op op)
{
	return ops[op];
}

/* The result of a limit, in a word. */
const char *limit_result_word(enum limit_result result)
{
	return result == LIMIT_OK ? "ok" : result == LIMIT_FAILED ? "failed" : "unknown";
}

/**
 * limit_name() - what there may be limits of, one after the other
 * @i: 0, 1…
 * @help: set to one line about it
 *
 * Return: its name, NULL behind the last; the first is "verdict", which is no number.
 */
const char *limit_name(size_t i, const char **help)
{
	struct measure measure;
	size_t k;

	*help = "a verdict of pcinspect explain that is there (=) or not (!=)";
	if (!i--)
		return "verdict";
	if (i < NR_TOTALS) {
		*help = totals[i].help;
		return totals[i].name;
	}
	i -= NR_TOTALS;
	for (k = 0; measure_get(k, &measure); k++) {
		if (k < PCINSPECT_NR_NUMBERS && !number_rows[k].json)
			continue;
		*help = measure.help;
		if (!i--)
			return measure.name;
	}
	return NULL;
}

/* The unit of a number, by name; NULL: there is no such number. */
const char *limit_unit(const char *name)
{
	struct measure measure;
	enum total total;
	size_t i;

	if (find_total(name, &total))
		return totals[total].unit;
	if (!measure_find(name, strlen(name), &i))
		return NULL;
	measure_get(i, &measure);
	return measure.unit;
}

/* --- words ------------------------------------------------------------------------------ */

/* A number with what may stand behind it; false: it is none. */
static bool value_parse(struct limit *limit, const char *text, const char *unit)
{
	static const struct {
		const char *suffix;
		const char *unit;
		double factor;
	} suffixes[] = {
		{ "", NULL, 1 }, { "%", "percent", 1 }, { "%", "ratio", 0.01 },
		{ "K", NULL, 1 << 10 }, { "M", NULL, 1 << 20 }, { "G", NULL, 1 << 30 },
		{ "T", NULL, 1024.0 * (1 << 30) },
		{ "ns", "ns", 1 }, { "us", "ns", 1e3 }, { "ms", "ns", 1e6 }, { "s", "ns", 1e9 },
		{ "ms", "ms", 1 }, { "s", "ms", 1e3 },
	};
	bool countable = !strcmp(unit, "pages") || !strcmp(unit, "bytes") ||
			 !strcmp(unit, "events");
	char *end;
	size_t i;

	/* No sign, no "inf", no hexadecimal. */
	if (!isdigit(*text) || strspn(text, "0123456789.") != strcspn(text, "KMGT%nums"))
		return false;
	limit->value = strtod(text, &end);
	for (i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		if (strcmp(end, suffixes[i].suffix) ||
		    (suffixes[i].unit ? strcmp(suffixes[i].unit, unit) != 0 :
		     *end && !countable))
			continue;
		limit->value *= suffixes[i].factor;
		limit->bytes = *end && !strcmp(unit, "pages");
		return isfinite(limit->value);
	}
	return false;
}

static char *unknown_name(const char *name)
{
	const char *like = measure_like(name, strlen(name));
	enum total total;

	for (total = 0; total < NR_TOTALS; total++)
		if (words_differ(totals[total].name, name) <= 2)
			like = totals[total].name;
	return alloc_text("no number is called %s (%s%s%spcinspect assert --max help lists them)",
			  name, like ? "perhaps " : "", like ?: "", like ? "; " : "");
}

/**
 * limit_parse() - one more limit
 * @limits: which it is added to
 * @text: NUMBER<=VALUE and the like, as typed
 * @op: the operator that is meant by "=" in it, NULL: itself
 *
 * Return: NULL, or a new string that says what is wrong, and then nothing was added.
 */
char *limit_parse(struct limits *limits, const char *text, const char *op)
{
	struct limit limit = {};
	size_t len = strcspn(text, "<>=!"), i, found = NR_LIMIT_OPS;
	const char *value = text + len, *unit;
	char *wrong = NULL;

	if (limits->nr == MAX_LIMITS)
		return alloc_text("too many limits (%d at most)", MAX_LIMITS);
	/* Of two that begin alike the longer; "==" is "=". */
	for (i = 0; i < NR_LIMIT_OPS; i++)
		if (!strncmp(value, ops[i], strlen(ops[i])) &&
		    (found == NR_LIMIT_OPS || strlen(ops[i]) > strlen(ops[found])))
			found = i;
	if (!len || found == NR_LIMIT_OPS)
		return alloc_text("%s: no limit (such as %s; < and > want quotes)", text,
				  op ? "device_bytes=100M" : "'device_bytes<=100M'");
	value += strlen(ops[found]);
	if (found == LIMIT_IS && *value == '=')
		value++;
	if (op && found != LIMIT_IS)
		return alloc_text("%s: NUMBER=VALUE is wanted here (such as device_bytes=100M)", text);
	for (i = 0; op && i < NR_LIMIT_OPS; i++)
		if (!strcmp(ops[i], op))
			found = i;
	limit.op = found;
	limit.name = alloc_first(text, len);
	unit = limit_unit(limit.name);
	if (!*value) {
		wrong = alloc_text("%s: no value behind %s", text, limit.name);
	} else if (!strcmp(limit.name, "verdict")) {
		if (op || (limit.op != LIMIT_IS && limit.op != LIMIT_IS_NOT))
			wrong = alloc_text("%s: a verdict is there or not (verdict!=NAME, verdict=NAME, verdicts=0)",
					   text);
		limit.verdict = alloc_copy(value);
	} else if (!unit) {
		wrong = unknown_name(limit.name);
	} else if (!value_parse(&limit, value, unit)) {
		wrong = alloc_text("%s: %s is no value of %s (%s)", text, value, limit.name,
				   !strcmp(unit, "ratio") ? "such as 1.5, 150%" :
				   !strcmp(unit, "percent") ? "such as 50%" :
				   !strcmp(unit, "ns") || !strcmp(unit, "ms") ? "such as 10ms, 2s" :
				   "such as 4096, 100M");
	}
	if (wrong) {
		free(limit.name);
		free(limit.verdict);
		return wrong;
	}
	limit.text = op ? alloc_text("%s%s%s", limit.name, op, value) : alloc_copy(text);
	limits->list[limits->nr++] = limit;
	return NULL;
}

/* --- a report ---------------------------------------------------------------------------- */

/* struct range - what a number is between */
struct range {
	double low;
	double high;
	const char *why;
};

/*
 * Is a number none of a file's, rather than unknown? A file whose pages are never written
 * back (tmpfs, squashfs) is not written back: that is known.
 */
static bool is_none(const struct file *file, enum pcinspect_number number)
{
	return !file->gone && file->snap.flags & PCINSPECT_F_PAGES &&
	       !(file->snap.flags & PCINSPECT_F_WRITEBACK) &&
	       number_rows[number].needs & (PCINSPECT_F_WRITEBACK | PCINSPECT_F_AGES);
}

static bool same_device(const struct file *a, const struct file *b)
{
	return a->snap.dev_major == b->snap.dev_major && a->snap.dev_minor == b->snap.dev_minor;
}

/* Deleted files of the run: on a filesystem that it used, or that it unmounted. */
static bool of_run(const struct report *report, const struct file *gone)
{
	size_t i;

	for (i = 0; i < report->nr_files; i++)
		if (same_device(&report->files[i], gone))
			return true;
	return gone->unmounted;
}

/* All files of the run in one, where only what is none of a file's is not unknown. */
static void sum_run(const struct report *report, struct file *total, struct file *known)
{
	size_t i, nr = report->nr_files + report->nr_gone;
	int n;

	file_begin_sum(total, report->page_size);
	file_begin_sum(known, report->page_size);
	for (i = 0; i < nr; i++) {
		const struct file *file = i < report->nr_files ? &report->files[i] :
					  &report->gone[i - report->nr_files];
		struct file one = *file;

		if (i >= report->nr_files && !of_run(report, file))
			continue;
		for (n = 0; n < PCINSPECT_NR_NUMBERS; n++) {
			if (!pcinspect_known(&one.snap, n))
				one.snap.numbers[n] = 0;
			if (is_none(file, n))
				one.snap.known[n / 64] |= 1ULL << n % 64;
		}
		one.gone = false;
		file_add(total, &one);
		/* Its known part counts; the rest is 0, and known to be at least that. */
		memset(one.snap.known, 0xff, sizeof(one.snap.known));
		file_add(known, &one);
	}
}

static struct range of_devices(const struct report *report, bool written)
{
	struct range range = {};
	size_t i;

	for (i = 0; i < report->nr_devices; i++) {
		const struct device *device = &report->devices[i];
		const struct device_counter *counter = written ? &device->written : &device->read;

		if (device->silent) {
			range.high = INFINITY;
			range.why = "a device counts nothing (iostats is 0), or hangs";
			continue;
		}
		/* Bytes that it passes on belong to another one. */
		if (device->layered)
			continue;
		range.low += counter->min_bytes;
		range.high += counter->max_bytes;
	}
	if (!report->devices_known)
		range = (struct range){ .high = INFINITY, .why = "no device was counted" };
	return range;
}

static struct range of_measure(const struct file *total, const struct file *known, size_t i)
{
	struct quantity all = measure_of(total, i), part = measure_of(known, i);

	if (all.known)
		return (struct range){ all.value, all.value, NULL };
	/* Sums of what is known only grow; ratios may be anything. */
	return (struct range){ part.known && part.whole ? part.value : 0, INFINITY,
			       "unknown of one of its files, or nothing of that was done" };
}

static bool has_verdict(const struct report *report, const char *name)
{
	size_t i;

	for (i = 0; i < report->nr_verdicts; i++)
		if (!strcmp(report->verdicts[i].name, name))
			return true;
	return false;
}

static struct range range_of(const struct limit *limit, const struct report *report,
			     const struct file *total, const struct file *known)
{
	struct range range = {};
	enum total which;
	size_t i;

	if (limit->verdict) {
		range.low = range.high = has_verdict(report, limit->verdict);
	} else if (!find_total(limit->name, &which)) {
		measure_find(limit->name, strlen(limit->name), &i);
		range = of_measure(total, known, i);
	} else if (which == TOTAL_FILES) {
		range.low = range.high = report->nr_files;
	} else if (which == TOTAL_VERDICTS) {
		range.low = range.high = report->nr_verdicts;
	} else {
		range = of_devices(report, which == TOTAL_WRITTEN);
	}
	return range;
}

static bool is_ratio(const struct limit *limit)
{
	const char *unit = limit->verdict ? "" : limit_unit(limit->name);

	return !strcmp(unit, "ratio") || !strcmp(unit, "percent");
}

/* An untrusted value, or one too small, is unknown. */
static void doubt(struct range *range, const struct limit *limit, const struct report *report)
{
	size_t i;

	if (report_lost(report)) {
		range->why = "something was lost";
		range->high = INFINITY;
		if (is_ratio(limit) || limit->verdict)
			range->low = 0;
	}
	for (i = 0; i < report->nr_audits; i++)
		if (!audit_ok(&report->audits[i]))
			*range = (struct range){ 0, INFINITY, "an audit is UNTRUSTED" };
	if (report->skipped)
		*range = (struct range){ 0, INFINITY, "inodes could not be looked at" };
}

static enum limit_result result_of(bool all, bool none)
{
	return all ? LIMIT_OK : none ? LIMIT_FAILED : LIMIT_UNKNOWN;
}

static enum limit_result against(enum limit_op op, double low, double high, double value)
{
	bool is = low == high && low == value, is_not = value < low || value > high;

	switch (op) {
	case LIMIT_MOST: return result_of(high <= value, low > value);
	case LIMIT_LEAST: return result_of(low >= value, high < value);
	case LIMIT_LESS: return result_of(high < value, low >= value);
	case LIMIT_MORE: return result_of(low > value, high <= value);
	case LIMIT_IS: return result_of(is, is_not);
	default: return result_of(is_not, is);
	}
}

/**
 * limits_judge() - hold the numbers of a run against the limits
 * @limits: filled in
 * @report: of the run, explained if a limit is about verdicts
 */
void limits_judge(struct limits *limits, const struct report *report)
{
	struct file *sums = alloc_zero(2, sizeof(*sums));
	struct range range;
	double factor;
	size_t i;

	sum_run(report, &sums[0], &sums[1]);
	for (i = 0; i < limits->nr; i++) {
		struct limit *limit = &limits->list[i];

		range = range_of(limit, report, &sums[0], &sums[1]);
		doubt(&range, limit, report);
		factor = limit->bytes ? report->page_size : 1;
		limit->result = against(limit->op, range.low * factor, range.high * factor,
					limit->verdict ? 1 : limit->value);
		limit->known = range.low == range.high;
		limit->least = range.low;
		limit->why = limit->result == LIMIT_UNKNOWN ? range.why : NULL;
	}
	free(sums);
}

/* The worst of them: one that failed, else one that is unknown. */
enum limit_result limits_worst(const struct limits *limits)
{
	enum limit_result worst = LIMIT_OK;
	size_t i;

	for (i = 0; i < limits->nr; i++)
		if (limits->list[i].result == LIMIT_FAILED)
			return LIMIT_FAILED;
		else if (limits->list[i].result != LIMIT_OK)
			worst = LIMIT_UNKNOWN;
	return worst;
}

/* Forget them. */
void limits_free(struct limits *limits)
{
	while (limits->nr) {
		free(limits->list[--limits->nr].text);
		free(limits->list[limits->nr].name);
		free(limits->list[limits->nr].verdict);
	}
}
