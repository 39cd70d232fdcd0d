// SPDX-License-Identifier: GPL-2.0-only
/*
 * settings.c - the kernel's settings and limits, as they were when the report was
 * made. Touches memory only.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "model/report.h"

/* Where a setting is kept, or would be: they are in the order of their paths. */
static size_t position(const struct report *report, const char *path)
{
	size_t low = 0, high = report->nr_settings;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (strcmp(report->settings[middle].path, path) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Where a setting is kept, or NULL. */
static struct setting *find_setting(const struct report *report, const char *path)
{
	size_t at = position(report, path);

	return at < report->nr_settings && !strcmp(report->settings[at].path, path) ?
	       &report->settings[at] : NULL;
}

/**
 * report_set() - keep a setting
 * @report: of its machine
 * @path: of the file that shows it
 * @value: -1: unknown
 */
void report_set(struct report *report, const char *path, int64_t value)
{
	struct setting *setting = find_setting(report, path);
	size_t at;

	if (!setting) {
		report->settings = alloc_array(report->settings, report->nr_settings + 1,
					       sizeof(*report->settings));
		at = position(report, path);
		setting = &report->settings[at];
		memmove(setting + 1, setting, (report->nr_settings++ - at) * sizeof(*setting));
		setting->path = alloc_copy(path);
	}
	setting->value = value;
}

/* Has it been looked for, whether or not it was found? */
bool report_has_setting(const struct report *report, const char *path)
{
	return find_setting(report, path);
}

/**
 * report_setting() - a setting of the report's machine, when it was made
 * @report: which
 * @path: of the file that shows it
 * @value: set to it
 *
 * Return: false if it is unknown.
 */
bool report_setting(const struct report *report, const char *path, uint64_t *value)
{
	const struct setting *setting = find_setting(report, path);

	if (!setting || setting->value < 0)
		return false;
	*value = setting->value;
	return true;
}

/*
 * Has a cgroup been near its limit? Now it need not be: what its tasks had of their own
 * went with them. One that nobody has looked at may have been.
 */
static bool near(const struct report *report, const char *memcg, int len, uint64_t bytes)
{
	char path[PATH_MAX];
	uint64_t peak;

	snprintf(path, sizeof(path), MEMCG_ROOT "%.*s/memory.peak", len, memcg);
	return !report_setting(report, path, &peak) || peak >= bytes - bytes / 5;
}

/**
 * report_memcg_limit() - the memory limit that holds for a cgroup
 * @report: with the settings
 * @memcg: its path within the hierarchy (v2)
 * @any: else one of which four fifths were used, so that it is why pages went
 * @limit: filled in: the lowest memory.high or memory.max on the way up
 *
 * Return: false if there is none, or it is unknown.
 */
bool report_memcg_limit(const struct report *report, const char *memcg, bool any,
			struct memcg_limit *limit)
{
	static const char *const names[] = { "high", "max" };
	char path[PATH_MAX];
	bool found = false;
	uint64_t value;
	int i, len;

	for (len = strlen(memcg); len > 1; len = memrchr(memcg, '/', len) - (void *)memcg) {
		for (i = 0; i < 2; i++) {
			snprintf(path, sizeof(path), MEMCG_ROOT "%.*s/memory.%s", len, memcg,
				 names[i]);
			if (!report_setting(report, path, &value) ||
			    (found && value >= limit->bytes) || (!any && !near(report, memcg, len, value)))
				continue;
			*limit = (struct memcg_limit){ len, names[i], value, memcg };
			found = true;
		}
	}
	return found;
}

/* The pages that a report's files have of one memory cgroup. */
struct part {
	const char *memcg;
	uint64_t pages;
};

/**
 * report_likely_memcg() - whose a page was that is no longer cached
 * @report: of whose files it was one
 *
 * Return: the memory cgroup that has most of the pages of files that were read meanwhile,
 *	of @report; NULL: none is known.
 */
const char *report_likely_memcg(const struct report *report)
{
	struct part *parts = NULL;
	size_t i, k, most = 0, nr = 0;
	const char *memcg;

	for (i = 0; i < report->nr_files; i++) {
		const struct file *file = &report->files[i];

		memcg = file->memcg_paths[0];
		if (!memcg || !file->who || !file_inserted(file))
			continue;
		for (k = 0; k < nr && strcmp(parts[k].memcg, memcg); k++)
			;
		if (k == nr) {
			parts = alloc_array(parts, ++nr, sizeof(*parts));
			parts[k] = (struct part){ .memcg = memcg };
		}
		parts[k].pages += file->snap.memcgs[0].pages;
		if (parts[k].pages > parts[most].pages)
			most = k;
	}
	memcg = nr ? parts[most].memcg : NULL;
	free(parts);
	return memcg;
}

/* Forget the settings, before they are read again. */
void report_forget_settings(struct report *report)
{
	while (report->nr_settings)
		free(report->settings[--report->nr_settings].path);
	free(report->settings);
	report->settings = NULL;
}
