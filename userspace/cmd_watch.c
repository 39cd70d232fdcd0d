// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_watch.c - pcinspect watch: live LRU state of some files.
 *
 * Every PATH gets an explicit record and is asked about by its handle, so that
 * no file stays open: an unmount or a deletion goes through, and watch says
 * so. Records that watch made are let go at the end. Paths on overlayfs are
 * opened anew at each tick, because a copy-up moves them to another inode.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "collect.h"
#include "device.h"
#include "report_json.h"
#include "lines.h"
#include "output.h"
#include "table.h"
#include "ticks.h"

static void untrack(int device, uint64_t id)
{
	struct pcinspect_query query = {
		.size = sizeof(query), .fd = -1, .id = id,
	};

	ioctl(device, PCINSPECT_IOC_UNTRACK, &query);
}

/* The path may lead to another inode by now: follow it. */
static void renew_overlay(struct pcinspect_collect *collect,
			  struct pcinspect_file *file, uint64_t *made)
{
	struct pcinspect_report now = { .about = collect->report->about };
	struct pcinspect_collect one = *collect;
	uint64_t old = file->snap.id;

	one.report = &now;
	pcinspect_collect_path(&one, file->path, PCINSPECT_IOC_TRACK);
	if (now.nr_files) {
		if (now.files[0].snap.id != old && *made == old) {
			untrack(collect->device, old);
			*made = now.files[0].snap.id;
		}
		pcinspect_file_free(file);
		*file = now.files[0];
		now.nr_files = 0;
	} else {
		file->gone = true;
	}
	pcinspect_report_free(&now);
}

static size_t renew(struct pcinspect_collect *collect, uint64_t *made)
{
	struct pcinspect_report *report = collect->report;
	size_t i, alive = 0;

	for (i = 0; i < report->nr_files; i++) {
		struct pcinspect_file *file = &report->files[i];

		if (file->gone)
			continue;
		if (file->snap.flags & PCINSPECT_F_REAL_INODE) {
			renew_overlay(collect, file, &made[i]);
		} else if (pcinspect_collect_id(collect, file, file->snap.id)) {
			if (errno != EBUSY && errno != EINTR)
				file->gone = true;
		}
		alive += !file->gone;
	}
	report->time_ns = pcinspect_now_ns();
	report->nr_audits = 0;
	pcinspect_audit_report(report, NULL);
	pcinspect_losses_read(report, collect->device);
	return alive;
}

static int show(const struct pcinspect_report *report,
		const struct pcinspect_file *before, const struct pcinspect_args *args)
{
	size_t i;

	if (args->json)
		return pcinspect_json_write(report, stdout, false);
	if (isatty(STDOUT_FILENO) && !args->once)
		printf("\033[H\033[J");
	printf("%.3f s, lru %s\n", report->time_ns / 1e9,
	       pcinspect_report_lru(report));
	for (i = 0; i < report->nr_files; i++)
		pcinspect_lines_print(&report->files[i], before ? &before[i] : NULL);
	for (i = 0; i < report->nr_audits; i++)
		printf("audit: %s %ju, %s says %ju: %s\n", report->audits[i].what,
		       (uintmax_t)report->audits[i].ours, report->audits[i].source,
		       (uintmax_t)report->audits[i].theirs,
		       pcinspect_audit_ok(&report->audits[i]) ? "ok" : "UNTRUSTED");
	return fflush(stdout) || ferror(stdout) ? -1 : 0;
}

/**
 * pcinspect_cmd_watch() - pcinspect watch PATH…
 * @args: options and paths
 *
 * Return: the exit status; 0 after Ctrl-C.
 */
int pcinspect_cmd_watch(const struct pcinspect_args *args)
{
	struct pcinspect_collect collect;
	struct pcinspect_report report;
	struct pcinspect_file *before = NULL;
	struct pcinspect_ticks ticks;
	uint64_t *made;
	int status, tick = 0;
	size_t i, nr;

	if (!pcinspect_collect_start(&collect, &report))
		return EXIT_FAILED;
	made = calloc(args->nr_paths, sizeof(*made));
	for (i = 0; i < args->nr_paths; i++) {
		struct pcinspect_file *file;

		nr = report.nr_files;
		pcinspect_collect_path(&collect, args->paths[i],
				       PCINSPECT_IOC_TRACK);
		if (report.nr_files == nr)
			continue;
		/* Younger than this command: it was made for us. */
		file = &report.files[nr];
		if (made && file->snap.id > report.about.last_id)
			made[nr] = file->snap.id;
	}
	/* The clock starts now: the first track attaches the probes. */
	pcinspect_ticks_start(&ticks, args->interval, args->duration);
	status = pcinspect_collect_status(&collect);
	nr = report.nr_files;
	before = calloc(nr ?: 1, sizeof(*before));
	if (!made || !before) {
		pcinspect_complain(NULL, "out of memory");
		status = EXIT_FAILED;
		nr = 0;
	}

	while (nr) {
		/* One more report after the last file is gone, to say so. */
		size_t alive = renew(&collect, made);

		if (show(&report, tick ? before : NULL, args)) {
			if (errno != EPIPE)
				pcinspect_complain(NULL, "cannot write: %s",
						   strerror(errno));
			status = EXIT_FAILED;
			break;
		}
		for (i = 0; i < nr; i++) {
			before[i].snap = report.files[i].snap;
			before[i].gone = report.files[i].gone;
		}
		tick++;
		if (!alive || args->once || !pcinspect_ticks_wait(&ticks))
			break;
	}

	if (args->report && pcinspect_json_save(&report, args->report))
		status = EXIT_FAILED;
	for (i = 0; i < nr; i++)
		if (made[i])
			untrack(collect.device, made[i]);
	free(made);
	free(before);
	pcinspect_collect_free(&collect);
	return status;
}
