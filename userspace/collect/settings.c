// SPDX-License-Identifier: GPL-2.0-only
/*
 * settings.c - the kernel's settings and limits that a report's files depend on:
 * a verdict is about this machine, and a recording of it is read on others.
 *
 * Touches: reads /proc/sys/vm, /proc/vmstat, /proc/meminfo, our parameters, /sys/class/bdi,
 * /sys/dev/block and the cgroup hierarchy (v2).
 */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collect/settings.h"
#include "lib/keyfile.h"

static const char *const vm[] = {
	"dirty_expire_centisecs", "dirty_ratio", "dirty_writeback_centisecs",
};

static const char *const parameters[] = { "max_dirty_bytes", "max_inodes" };

/* One file, once; most files of a report share theirs. */
void settings_read_one(struct report *report, const char *format, ...)
{
	uint64_t value;
	char path[PATH_MAX];
	va_list args;
	bool known;

	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	if (report_has_setting(report, path))
		return;
	/* "max" is no number: there is no limit. */
	known = keyfile_number(&value, "%s", path);
	report_set(report, path, !known ? -1 : value < INT64_MAX ? (int64_t)value : INT64_MAX);
}

/* The limits of a cgroup and of all above it. */
void settings_read_memcg(struct report *report, const char *path)
{
	int len;

	for (len = strlen(path); len > 1; len = memrchr(path, '/', len) - (void *)path) {
		settings_read_one(report, MEMCG_ROOT "%.*s/memory.high", len, path);
		settings_read_one(report, MEMCG_ROOT "%.*s/memory.max", len, path);
		settings_read_one(report, MEMCG_ROOT "%.*s/memory.peak", len, path);
	}
}

/* A partition has the queue of its disk: what stands between the two in a path. */
static const char *queue_at(const struct pcinspect_snapshot *snap)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/dev/block/%u:%u/partition", snap->dev_major,
		 snap->dev_minor);
	return access(path, F_OK) ? "" : "../";
}

/**
 * settings_read_memory() - how much memory the machine has
 * @report: gets it
 */
void settings_read_memory(struct report *report)
{
	FILE *from = fopen("/proc/meminfo", "re");
	long long kib;

	/* It is the first line. */
	if (from && fscanf(from, "MemTotal: %lld kB", &kib) == 1)
		report_set(report, MEMORY_BYTES, kib << 10);
	if (from)
		fclose(from);
}

/**
 * settings_read() - what holds for the files of a report now
 * @report: its files are there; what it had is forgotten
 */
void settings_read(struct report *report)
{
	uint64_t threshold;
	size_t i, k;

	report_forget_settings(report);
	settings_read_memory(report);
	if (keyfile_find(&threshold, "nr_dirty_threshold", "/proc/vmstat"))
		report_set(report, DIRTY_THRESHOLD, threshold);
	for (k = 0; k < sizeof(vm) / sizeof(*vm); k++)
		settings_read_one(report, "/proc/sys/vm/%s", vm[k]);
	for (k = 0; k < sizeof(parameters) / sizeof(*parameters); k++)
		settings_read_one(report, PARAMETER "%s", parameters[k]);
	for (i = 0; i < report->nr_files; i++) {
		const struct file *file = &report->files[i];
		const struct pcinspect_snapshot *snap = &file->snap;

		if (file->gone)
			continue;
		if (snap->bdi[0])
			settings_read_one(report, "/sys/class/bdi/%s/read_ahead_kb", snap->bdi);
		if (snap->dev_major)
			settings_read_one(report, "/sys/dev/block/%u:%u/%squeue/max_hw_sectors_kb",
				 snap->dev_major, snap->dev_minor, queue_at(snap));
		for (k = 0; k < PCINSPECT_NR_MEMCGS; k++)
			if (file->memcg_paths[k])
				settings_read_memcg(report, file->memcg_paths[k]);
	}
}
