// SPDX-License-Identifier: GPL-2.0-only
/*
 * losses.c - the losses of a report, in words, each with a remedy.
 * Touches stdout or stderr.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/complain.h"
#include "lib/output.h"
#include "view/text.h"

/* struct losses_to - where the lines go: FILE, or stderr as complaints */
struct losses_to {
	FILE *to;
	const char *when;
};

static void print_loss(const struct losses_to *to, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void print_loss(const struct losses_to *to, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (to->to == stderr)
		complain(NULL, "lost %s: %s", to->when, text);
	else
		fprintf(to->to, "lost %s: %s\n", to->when, text);
}

/* A parameter of the module that is to be larger: the power of two for as much again. */
static void more_of(char *out, size_t size, const struct report *report, const char *name,
		    uint64_t lost)
{
	char path[80];
	uint64_t now, want;

	snprintf(path, sizeof(path), PARAMETER "%s", name);
	if (!report_setting(report, path, &now)) {
		snprintf(out, size, "a larger %s=", name);
		return;
	}
	for (want = now ? now : 1; want <= UINT64_MAX / 2 &&
	     (want / 2 < now || want - now < lost); want *= 2)
		;
	snprintf(out, size, "%s is %" PRIu64 ": modprobe -r pcinspect; modprobe pcinspect %s=%" PRIu64,
		 name, now, name, want);
}

static void inodes(const struct losses_to *to, const struct report *report)
{
	char more[160];

	if (!report->about.lost_inodes)
		return;
	more_of(more, sizeof(more), report, "max_inodes", report->about.lost_inodes);
	print_loss(to, "%ju times a file found the table full, so files are missing here (%s)",
		   (uintmax_t)report->about.lost_inodes, more);
}

static void events(const struct losses_to *to, const struct event_counts *counts)
{
	if (counts->missed_unknown)
		print_loss(to, "an unknown number of events: counts of events are too low (record fewer files, or less at once)");
	else if (counts->missed)
		print_loss(to, "%" PRIu64 " events: counts of events are too low (record fewer files, or less at once)",
			   counts->missed);
}

/**
 * view_losses() - what the report lacks, a line each
 * @report: which
 * @to: where; stderr: as complaints
 */
void view_losses(const struct report *report, FILE *to)
{
	const struct losses *lost = &report->losses;
	const struct losses_to lines = {
		.to = to,
		.when = report->interval_ns ? "during the run" :
			report->recorded ? "while recording" : "since the module was loaded",
	};
	char more[160];

	inodes(&lines, report);
	if (report->counts)
		events(&lines, report->counts);
	if (!lost->known)
		return;
	if (lost->ledgers)
		print_loss(&lines, "%" PRIu64 " files found no memory for their counters, and are ? (free memory, or a larger max_memory_bytes, then again)",
			   lost->ledgers);
	if (lost->frames)
		print_loss(&lines, "%" PRIu64 " calls could not be followed: their reads are unattributed (free memory, or fewer tasks at once)",
			   lost->frames);
	if (lost->probes_missed)
		print_loss(&lines, "%" PRIu64 " calls were missed by the probes: counts are too low (fewer tasks at once)",
			   lost->probes_missed);
	if (lost->windows)
		print_loss(&lines, "%" PRIu64 " readahead windows found no memory to be kept: lists of windows have gaps, sums do not (free memory)",
			   lost->windows);
	if (lost->dirty_times) {
		more_of(more, sizeof(more), report, "max_dirty_bytes", 0);
		print_loss(&lines, "the times of %" PRIu64 " dirty folios: their ages are unknown (%s)",
			   lost->dirty_times, more);
	}
	if (lost->device_bytes)
		print_loss(&lines, "%" PRIu64 " bytes were read from devices without a row: the module has room for %d",
			   lost->device_bytes, PCINSPECT_NR_DEVICES);
}

/* Complain about what could not be counted from the beginning. */
void view_gaps(const struct report *report)
{
	size_t i;

	if (report->losses.known && report->losses.hooks_missing)
		complain(NULL, "%" PRIu64 " hooks are missing (see pcinspect status)",
			 report->losses.hooks_missing);
	for (i = 0; i < report->nr_devices; i++)
		if (report->devices[i].silent)
			complain(NULL, "there is no audit of %s: it counts nothing (echo 1 > /sys/block/%s/queue/iostats), or requests to it hang",
				 report->devices[i].name, report->devices[i].name);
}

/* Files without a ledger that are named. */
#define UNTRACKED_NAMED 20

/**
 * view_untracked() - say why files have no counters
 * @report: whose files
 *
 * Return: how many are not tracked. Of one that is tracked, on tmpfs or with DAX, it is known
 * that nothing can be counted.
 */
size_t view_untracked(const struct report *report)
{
	size_t i, n = 0, untracked = 0;

	for (i = 0; i < report->nr_files; i++) {
		const struct file *file = &report->files[i];

		if (file->gone || file->who)
			continue;
		untracked += !(file->snap.flags & PCINSPECT_F_EXPLICIT);
		if (n++ >= UNTRACKED_NAMED)
			continue;
		complain(file->path, "%s",
				   file->snap.flags & PCINSPECT_F_EXPLICIT ?
				   "its pages come and go without events: nothing is known of its reads" :
				   "is not tracked, so nothing of it was counted (--for 5 tracks it for 5 seconds; or pcinspect track, or run)");
	}
	if (n > UNTRACKED_NAMED)
		complain(NULL, "and %zu more files are not tracked (--json lists all)",
			 n - UNTRACKED_NAMED);
	return untracked;
}
