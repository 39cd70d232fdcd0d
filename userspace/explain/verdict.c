// SPDX-License-Identifier: GPL-2.0-only
/*
 * verdict.c - builds a verdict: its words, its numbers, the command to paste.
 * Touches memory only.
 */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "explain/rules.h"
#include "lib/alloc.h"
#include "lib/escape.h"
#include "lib/quote.h"
#include "lib/text.h"

/* The one that was added last. */
static struct verdict *last(const struct subject *s)
{
	return &s->report->verdicts[s->report->nr_verdicts - 1];
}

/**
 * worth() - is it worth a word
 * @s: the files
 * @bytes: that were moved for no good
 * @least: fewer are not, whatever else happened
 *
 * Return: true if it is, for them and for the run as a whole.
 */
bool worth(const struct subject *s, uint64_t bytes, uint64_t least)
{
	return bytes >= least && (!s->by_device || bytes >= s->moved / WORTH_PART);
}

/*
 * The folder that all of them are in, at any depth; NULL: none that says anything, or
 * that is not known of a name that is relative.
 */
static char *common_folder(const struct subject *s)
{
	char *out = NULL, *slash;
	size_t i, k;

	for (i = 0; i < s->nr; i++) {
		const char *path = s->list[i]->path;

		if (!path)
			continue;
		if (*path != '/') {
			free(out);
			return NULL;
		}
		if (!out) {
			out = alloc_text("%s", path);
			slash = strrchr(out, '/');
			slash[1] = '\0';
		}
		for (k = 0; out[k] && out[k] == path[k]; k++)
			;
		/* Back to where a name begins. */
		while (k && out[k - 1] != '/')
			k--;
		out[k] = '\0';
	}
	if (!out || strlen(out) < 2) {
		free(out);
		return NULL;
	}
	out[strlen(out) - 1] = '\0';
	return out;
}

/* The name of the files' device. */
static char *device_name(const struct subject *s)
{
	const struct pcinspect_snapshot *snap = &s->file->snap;
	size_t i;

	for (i = 0; i < s->report->nr_devices; i++) {
		const struct device *device = &s->report->devices[i];

		if (device->row.dev_major == snap->dev_major &&
		    device->row.dev_minor == snap->dev_minor)
			return alloc_text("%s", device->name);
	}
	return alloc_text("%u:%u", snap->dev_major, snap->dev_minor);
}

/* Of several files: how many, where, and the worst by name. */
static char *which_files(const struct subject *s, const char *folder)
{
	char *out, *all, *shown = folder ? escape_path(folder) : NULL;
	size_t i, skip = folder ? strlen(folder) + 1 : 0;

	out = alloc_text("in %zu files%s%s (worst:", s->nr, shown ? " below " : "", shown ?: "");
	free(shown);
	for (i = 0; i < s->nr && i < VERDICT_NAMED; i++) {
		const char *path = s->list[i]->path;

		shown = path ? escape_path(path + skip) : NULL;
		all = alloc_text("%s%s %s", out, i ? "," : "", shown ?: "?");
		free(shown);
		free(out);
		out = all;
	}
	all = alloc_text("%s): ", out);
	free(out);
	return all;
}

/**
 * add_verdict() - something is wrong with files
 * @s: the files
 * @name: in a word
 * @cost_bytes: what it cost
 * @format: what happened, with the numbers, as printf(3)
 *
 * It is certain, until is_inferred() says otherwise, and about the folder that all of
 * them are in, until add_scope() does.
 */
void add_verdict(const struct subject *s, const char *name, uint64_t cost_bytes,
		 const char *format, ...)
{
	struct report *report = s->report;
	struct verdict *v;
	va_list args;
	char *which, *what;
	size_t i;

	/* Twice as large whenever it is full: after 1, 2, 4, 8… */
	if (!(report->nr_verdicts & (report->nr_verdicts - 1)))
		report->verdicts = alloc_array(report->verdicts, report->nr_verdicts * 2 ?: 1,
					       sizeof(*report->verdicts));
	report->nr_verdicts++;
	v = last(s);
	*v = (struct verdict){
		.name = name,
		.file = s->nr ? s->file - report->files : 0,
		.nr_files = s->nr,
		.cost_bytes = cost_bytes,
		.share = s->by_device && s->moved && cost_bytes <= s->moved ?
			 (double)cost_bytes / s->moved : -1,
		.certain = true,
	};
	for (i = 0; i < s->nr && i < VERDICT_NAMED; i++)
		v->worst[i] = s->list[i] - report->files;
	va_start(args, format);
	v->what = alloc_vtext(format, args);
	va_end(args);
	if (s->nr < 2)
		return;
	v->place = common_folder(s);
	v->scope = v->place ? SCOPE_DIRECTORY : SCOPE_DEVICE;
	which = which_files(s, v->place);
	what = alloc_text("%s%s", which, v->what);
	free(which);
	free(v->what);
	v->what = what;
	if (!v->place)
		v->place = device_name(s);
}

/**
 * add_scope() - what the last verdict is about
 * @s: the files
 * @scope: of which kind
 * @format: its name, raw, as printf(3); NULL: it has none, or is a device
 */
void add_scope(const struct subject *s, enum scope scope, const char *format, ...)
{
	struct verdict *v = last(s);
	va_list args;

	free(v->place);
	v->place = scope == SCOPE_DEVICE ? device_name(s) : NULL;
	v->scope = scope;
	if (!format)
		return;
	va_start(args, format);
	v->place = alloc_vtext(format, args);
	va_end(args);
}

/* The remedy of the last verdict, as printf(3). */
void add_remedy(const struct subject *s, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	last(s)->remedy = alloc_vtext(format, args);
	va_end(args);
}

/* The command that does it here, as printf(3). */
void add_command(const struct subject *s, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	last(s)->command = alloc_vtext(format, args);
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

/* No device moved what the last verdict costs: it is no part of what devices moved. */
void is_not_moved(const struct subject *s)
{
	last(s)->share = -1;
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

/**
 * raise_limit_command() - a larger limit for the file's cgroup
 * @s: the file
 * @limit: from pressure()
 * @bytes: by how much, at least
 *
 * Return: false if the machine has not so much memory: there is no command then.
 */
bool raise_limit_command(const struct subject *s, const struct memcg_limit *limit,
			 uint64_t bytes)
{
	/* In whole MiB. */
	uintmax_t want = (limit->bytes + bytes + (1 << 20) - 1) >> 20 << 20;
	char path[PATH_MAX], *word;
	uint64_t memory;

	if (report_setting(s->report, MEMORY_BYTES, &memory) && want > memory)
		return false;
	snprintf(path, sizeof(path), MEMCG_ROOT "%.*s/memory.%s", limit->len, limit->path,
		 limit->knob);
	word = shell_word(path);
	add_command(s, "echo %ju > %s", want, word);
	free(word);
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
 * limit_of() - the memory limit that files are under
 * @s: the files
 * @any: it counts even if it is far away
 * @limit: filled in if there is one, else its @len is 0
 *
 * A file is of the cgroup that has most of its pages; one of which no page is left of
 * the likeliest.
 *
 * Return: true if there is one.
 */
bool limit_of(const struct subject *s, bool any, struct memcg_limit *limit)
{
	bool told = false;
	size_t i;

	*limit = (struct memcg_limit){};
	for (i = 0; i < s->nr; i++) {
		const char *path = s->list[i]->memcg_paths[0];

		told |= path != NULL;
		if (path && report_memcg_limit(s->report, path, any, limit))
			return true;
	}
	return !told && s->memcg && report_memcg_limit(s->report, s->memcg, any, limit);
}

/**
 * pressure() - what reclaims files' pages, or makes writers wait
 * @s: the files
 * @any: a cgroup's limit counts even if it is far away
 * @limit: filled in if it is one, else its @len is 0
 *
 * Return: that limit, or all memory, in words; to be freed.
 */
char *pressure(const struct subject *s, bool any, struct memcg_limit *limit)
{
	char *out, *cgroup, *shown;

	if (!limit_of(s, any, limit))
		return alloc_text("memory pressure");
	cgroup = alloc_text("%.*s", limit->len, limit->path);
	shown = escape_path(cgroup);
	out = alloc_text("the memory limit of cgroup %s (memory.%s, %s)", shown, limit->knob,
			 bytes_text(limit->bytes).text);
	free(shown);
	free(cgroup);
	return out;
}

/* The same as a cause: which cgroup, or none. */
char *pressed_by(const struct subject *s)
{
	struct memcg_limit limit;

	return limit_of(s, false, &limit) ? alloc_text("%.*s", limit.len, limit.path) :
					    alloc_text("%s", "");
}

/* The device as a cause. */
char *device_of(const struct subject *s)
{
	return alloc_text("%u:%u", s->file->snap.dev_major, s->file->snap.dev_minor);
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

/* The subject of the words, at their beginning or end. */
const char *these(const struct subject *s)
{
	return s->nr > 1 ? "these files" : "this file";
}
