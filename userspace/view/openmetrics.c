// SPDX-License-Identifier: GPL-2.0-only
/*
 * openmetrics.c - metrics as text, as OpenMetrics 1.0 has it: families with TYPE, UNIT and
 * HELP, base units (bytes, seconds), counters in _total, no timestamps, "# EOF" at the end.
 * Types are gauge and counter only and a family has all its samples in one place, so that
 * readers of Prometheus's older text (node_exporter's textfile collector) take it as well.
 *
 * An unknown value is left out, and so is a family without any known one: a 0, or NaN,
 * would be drawn and summed. The number of files and the like is bounded, and the number
 * left out is a metric.
 *
 * Names and units of a file's numbers are those of include/numbers_table.h.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/complain.h"
#include "lib/escape.h"
#include "lib/replace.h"
#include "model/fields.h"
#include "view/machine.h"
#include "view/openmetrics.h"

#define LABELS 6

/**
 * struct family - samples of one name
 * @to: where
 * @name: without _total
 * @unit: NULL: none
 * @help: one line
 * @counter: it only grows, until it begins anew; else a gauge
 * @begun: it has a sample
 */
struct family {
	FILE *to;
	char name[96];
	const char *unit;
	const char *help;
	bool counter;
	bool begun;
};

/* struct label - NULL: it is not there */
struct label {
	const char *name;
	const char *value;
};

/* --- text ----------------------------------------------------------------------------- */

/* A label's value: backslash, quote and line feed are escaped, nothing else may be. */
static void label_value(FILE *to, const char *value)
{
	for (; *value; value++) {
		if (*value == '\n') {
			fputs("\\n", to);
		} else {
			if (strchr("\\\"", *value))
				putc('\\', to);
			putc(*value, to);
		}
	}
}

static void metric_value(FILE *to, double value)
{
	/* Counts as they are, up to what a reader's double can tell apart. */
	fprintf(to, value == (double)(int64_t)value && value < 1e18 ? "%.0f" : "%.9g", value);
}

static void open_family(struct family *family)
{
	FILE *to = family->to;

	if (family->begun)
		return;
	family->begun = true;
	fprintf(to, "# TYPE %s %s\n", family->name, family->counter ? "counter" : "gauge");
	if (family->unit)
		fprintf(to, "# UNIT %s %s\n", family->name, family->unit);
	fprintf(to, "# HELP %s ", family->name);
	label_value(to, family->help);
	putc('\n', to);
}

static void sample(struct family *family, const struct label *labels, size_t nr, double value)
{
	const char *separator = "{";
	FILE *to = family->to;
	size_t i;

	open_family(family);
	fprintf(to, "%s%s", family->name, family->counter ? "_total" : "");
	for (i = 0; i < nr; i++) {
		if (!labels[i].value)
			continue;
		fprintf(to, "%s%s=\"", separator, labels[i].name);
		label_value(to, labels[i].value);
		putc('"', to);
		separator = ",";
	}
	fputs(*separator == ',' ? "} " : " ", to);
	metric_value(to, value);
	putc('\n', to);
}

static struct family new_family(FILE *to, const char *name, const char *unit, const char *help)
{
	struct family family = { .to = to, .unit = unit, .help = help };

	snprintf(family.name, sizeof(family.name), "pcinspect_%s", name);
	return family;
}

/* A family of one sample, a count. */
static void single(FILE *to, const char *name, const char *help, bool known, double value)
{
	struct family family = new_family(to, name, NULL, help);

	if (known)
		sample(&family, NULL, 0, value);
}

/* The base unit of a number, NULL: none; *@factor makes that of it. */
static const char *base_unit(enum pcinspect_unit unit, uint32_t page_size, double *factor)
{
	*factor = 1;
	switch (unit) {
	case PCINSPECT_UNIT_PAGES: *factor = page_size; return "bytes";
	case PCINSPECT_UNIT_BYTES: return "bytes";
	case PCINSPECT_UNIT_MS: *factor = 1e-3; return "seconds";
	case PCINSPECT_UNIT_NS: *factor = 1e-9; return "seconds";
	case PCINSPECT_UNIT_EVENTS: break;
	}
	return NULL;
}

/* The family of a field, with its base unit at the end of its name. */
static struct family field_family(FILE *to, const struct field *field, uint32_t page_size,
				  double *factor)
{
	const char *unit = base_unit(field->unit, page_size, factor);
	struct family family = new_family(to, field->metric, unit, field->help);

	if (unit)
		strcat(strcat(family.name, "_"), unit);
	family.counter = field->flags & FIELD_COUNTER;
	return family;
}

/*
 * The fields of a row that are metrics. Those that follow one another under one name are
 * samples of one family, told apart by "what".
 */
static void put_fields(FILE *to, const struct fields *fields, const void *row, const void *of,
		       uint32_t page_size)
{
	const struct field *field, *last = NULL;
	union field_value value;
	struct family family;
	double factor;
	size_t i;

	for (i = 0; i < fields->nr; i++) {
		struct label what;

		field = &fields->list[i];
		if (!field->metric)
			continue;
		if (!last || strcmp(last->metric, field->metric))
			family = field_family(to, field, page_size, &factor);
		last = field;
		what = (struct label){ "what", field->metric_what };
		if (field_value(fields, field, row, of, &value))
			sample(&family, &what, 1, value.count * factor);
	}
}

/**
 * struct name - a name that others have given, fit for a label
 * @text: UTF-8; bytes that are none are U+FFFD, what would not be seen is \ooo
 * @hex: all its bytes then, which tell it from others; else NULL
 */
struct name {
	char *text;
	char *hex;
};

static struct name label_name(const char *raw)
{
	struct name name = {};
	char *valid, *shown;

	if (!raw)
		return name;
	valid = utf8_replace(raw);
	shown = escape_line(valid);
	name.text = alloc_copy(shown);
	if (!utf8_valid(raw) || strcmp(shown, valid))
		name.hex = hex_text(raw);
	free(valid);
	free(shown);
	return name;
}

static void name_free(struct name *name)
{
	free(name->text);
	free(name->hex);
}

/* --- audits ----------------------------------------------------------------------------- */

/* Two rows of one sum are one sample, which is good if both are. */
static bool audit_first(const struct report *report, size_t i, bool *good)
{
	const struct audit *audit = &report->audits[i];
	bool first = true;
	size_t k;

	*good = true;
	for (k = 0; k < report->nr_audits; k++) {
		const struct audit *other = &report->audits[k];

		if (strcmp(other->what, audit->what) || strcmp(other->source, audit->source) ||
		    other->major != audit->major || other->minor != audit->minor)
			continue;
		first &= k >= i;
		*good &= audit_ok(other);
	}
	return first;
}

static void put_audits(FILE *to, const struct report *report)
{
	struct family family = new_family(to, "audit_ok", NULL,
					  "1 if the sum agrees with the independent counter, else 0: UNTRUSTED");
	char dev[32];
	bool good;
	size_t i;

	for (i = 0; i < report->nr_audits; i++) {
		const struct audit *audit = &report->audits[i];
		struct label labels[] = {
			{ "what", audit->what }, { "dev", NULL }, { "source", audit->source },
		};

		if (!audit_first(report, i, &good))
			continue;
		snprintf(dev, sizeof(dev), "%u:%u", audit->major, audit->minor);
		if (audit->major || audit->minor)
			labels[1].value = dev;
		sample(&family, labels, 3, good);
	}
}

/* --- cgroups ---------------------------------------------------------------------------- */

static size_t first_ones(size_t nr, size_t limit)
{
	return limit && limit < nr ? limit : nr;
}

/* One cgroup in one family. */
static void cgroup_metric(struct family *family, const struct machine_row *row, double value)
{
	struct name path = label_name(row->name), note = label_name(row->note);
	char id[24];
	struct label labels[] = {
		{ "cgroup", path.text ?: "" }, { "cgroup_hex", path.hex },
		{ "name", note.text }, { "id", id },
	};

	snprintf(id, sizeof(id), "%" PRIu64, row->keys[0]);
	sample(family, labels, 4, value);
	name_free(&path);
	name_free(&note);
}

static void put_cgroups(FILE *to, const struct metrics *metrics)
{
	const struct fields *fields = &machine_row_fields;
	const struct machine *machine = metrics->machine;
	size_t i, k, n = first_ones(machine->nr_rows, metrics->limit);
	union field_value value;
	struct family family;
	double factor;

	for (k = 0; k < fields->nr; k++) {
		const struct field *field = &fields->list[k];

		if (!field->metric)
			continue;
		family = field_family(to, field, machine->report->page_size, &factor);
		for (i = 0; i < n; i++)
			if (field_value(fields, field, &machine->rows[i], machine, &value))
				cgroup_metric(&family, &machine->rows[i], value.count * factor);
	}
	single(to, "cgroups", "Cgroups that have page cache", true, machine->nr_rows);
}

/* --- tracked files ---------------------------------------------------------------------- */

/* Those of a record, or ledger, are counted over time. */
#define COUNTED (PCINSPECT_F_COUNTERS | PCINSPECT_F_LEDGER | PCINSPECT_F_HOLES | PCINSPECT_F_FSYNC)

static const char *const suffixes[] = { "_pages", "_bytes", "_ms", "_ns", "_total" };

/*
 * A number as a family: its own name with the base unit at its end; @factor makes that of
 * it. Of pages those that tables have a column of.
 */
static bool number_family(struct family *family, enum pcinspect_number number,
			  uint32_t page_size, double *factor)
{
	const struct number_row *row = &number_rows[number];
	size_t len = strlen(row->name), i;

	if (!row->json || (row->unit == PCINSPECT_UNIT_PAGES && !row->heading))
		return false;
	for (i = 0; i < sizeof(suffixes) / sizeof(*suffixes); i++) {
		size_t end = strlen(suffixes[i]);

		if (len > end && !strcmp(row->name + len - end, suffixes[i])) {
			len -= end;
			break;
		}
	}
	family->unit = base_unit(row->unit, page_size, factor);
	snprintf(family->name, sizeof(family->name), "pcinspect_file_%.*s%s%s", (int)len, row->name,
		 family->unit ? "_" : "", family->unit ?: "");
	family->counter = row->needs & COUNTED;
	family->help = row->help;
	return true;
}

static void file_metric(struct family *family, const struct file *file, double value)
{
	const struct pcinspect_snapshot *snap = &file->snap;
	struct name path = label_name(file->path);
	char dev[32], ino[24], generation[16];
	struct label labels[LABELS] = {
		{ "path", path.text ?: "" }, { "path_hex", path.hex }, { "dev", dev },
		{ "ino", ino }, { "generation", generation }, { "fs", snap->fs },
	};

	snprintf(dev, sizeof(dev), "%u:%u", snap->dev_major, snap->dev_minor);
	snprintf(ino, sizeof(ino), "%ju", (uintmax_t)snap->ino);
	snprintf(generation, sizeof(generation), "%u", snap->i_generation);
	sample(family, labels, LABELS, value);
	name_free(&path);
}

/* Would its samples be those of one before it? (a snapshot of btrfs under no path) */
static bool repeated(const struct report *report, size_t i)
{
	const struct file *file = &report->files[i], *other;
	size_t k;

	for (k = 0; k < i; k++) {
		other = &report->files[k];
		if (other->snap.ino == file->snap.ino &&
		    other->snap.dev_major == file->snap.dev_major &&
		    other->snap.dev_minor == file->snap.dev_minor &&
		    other->snap.i_generation == file->snap.i_generation &&
		    !strcmp(other->path ?: "", file->path ?: ""))
			return true;
	}
	return false;
}

static void files_metrics(FILE *to, const struct metrics *metrics)
{
	const struct report *report = metrics->files;
	size_t i, n = first_ones(report->nr_files, metrics->limit);
	bool *skip = alloc_zero(n + 1, sizeof(*skip));
	int number;

	for (i = 0; i < n; i++)
		skip[i] = repeated(report, i);
	for (number = 0; number < PCINSPECT_NR_NUMBERS; number++) {
		struct family family = { .to = to };
		uint64_t value;
		double factor;

		if (!number_family(&family, number, report->page_size, &factor))
			continue;
		for (i = 0; i < n; i++)
			if (!skip[i] && file_number(&report->files[i], number, &value))
				file_metric(&family, &report->files[i], value * factor);
	}
	single(to, "tracked_files", "Files with an explicit record", true, report->nr_files);
	free(skip);
}

/* --- verdicts --------------------------------------------------------------------------- */

static bool same_verdict(const struct report *report, const struct verdict *a,
			 const struct verdict *b)
{
	const char *x = a->nr_files ? report->files[a->file].path : a->place;
	const char *y = b->nr_files ? report->files[b->file].path : b->place;

	return !strcmp(a->name, b->name) && a->scope == b->scope && !strcmp(x ?: "", y ?: "");
}

static void verdict_metrics(FILE *to, const struct metrics *metrics)
{
	struct family family = new_family(to, "verdict_cost_bytes", "bytes",
					  "What is wrong with tracked files, and what it has cost since their records began");
	const struct report *report = metrics->files;
	size_t i, k, n = first_ones(report->nr_verdicts, metrics->limit);

	for (i = 0; i < n; i++) {
		const struct verdict *v = &report->verdicts[i];
		struct name place = label_name(v->nr_files ? report->files[v->file].path : v->place);
		struct label labels[] = {
			{ "verdict", v->name }, { "scope", scope_word(v->scope) },
			{ "place", place.text ?: "" }, { "place_hex", place.hex },
		};

		for (k = 0; k < i && !same_verdict(report, v, &report->verdicts[k]); k++)
			;
		if (k == i)
			sample(&family, labels, 4, v->cost_bytes);
		name_free(&place);
	}
	single(to, "verdicts", "How many there are", report->nr_rules, report->nr_verdicts);
}

/* --- all of it -------------------------------------------------------------------------- */

static void put_left_out(FILE *to, const struct metrics *metrics)
{
	const struct {
		const char *what;
		size_t nr;
	} rows[] = {
		{ "cgroups", metrics->machine->nr_rows }, { "files", metrics->files->nr_files },
		{ "verdicts", metrics->files->nr_verdicts },
	};
	struct family family = new_family(to, "left_out", NULL,
					  "How many are not here, because of --limit");
	size_t i;

	for (i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		sample(&family, &(struct label){ "what", rows[i].what }, 1,
		       rows[i].nr - first_ones(rows[i].nr, metrics->limit));
}

static void put_kernel(FILE *to, const struct metrics *metrics)
{
	const struct machine *machine = metrics->machine;
	struct label labels[] = {
		{ "release", machine->report->kernel },
		{ "lru", machine_policy_name(machine->policy) },
		{ "version", PCINSPECT_VERSION },
	};
	struct family family = new_family(to, "kernel", NULL,
					  "1; the kernel, the LRU lists in use, the version of pcinspect");

	sample(&family, labels, 3, 1);
}

/**
 * openmetrics_write() - write all of it
 * @metrics: what
 * @to: where
 *
 * Return: 0, or -1 with errno set if it could not be written.
 */
int openmetrics_write(const struct metrics *metrics, FILE *to)
{
	uint32_t page_size = metrics->machine->report->page_size;

	put_kernel(to, metrics);
	put_audits(to, metrics->machine->report);
	put_fields(to, &loss_fields, metrics->files, NULL, page_size);
	put_fields(to, &machine_fields, metrics->machine, NULL, page_size);
	put_fields(to, &memory_fields, &metrics->machine->memory, NULL, page_size);
	put_cgroups(to, metrics);
	files_metrics(to, metrics);
	verdict_metrics(to, metrics);
	put_left_out(to, metrics);
	fputs("# EOF\n", to);
	if (fflush(to))
		return -1;
	/* An earlier write failed. */
	errno = ferror(to) ? errno ?: EIO : 0;
	return errno ? -1 : 0;
}

/**
 * openmetrics_save() - write it to a file, at once
 * @metrics: what
 * @path: replaced as a whole; after an error it is what it was
 *
 * Complains by itself.
 *
 * Return: 0 or -1.
 */
int openmetrics_save(const struct metrics *metrics, const char *path)
{
	struct replace file;
	FILE *to = replace_begin(&file, path);

	if (!replace_end(&file, to && !openmetrics_write(metrics, to)))
		return 0;
	complain(path, "cannot write the metrics: %s", open_error_text(errno));
	return -1;
}
