// SPDX-License-Identifier: GPL-2.0
/*
 * track.c - pcinspect track, untrack and reset: explicit records.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cmd/output.h"
#include "collect/collect.h"
#include "collect/device.h"
#include "lib/clock.h"
#include "lib/complain.h"

/* Silent when all went well, but for --json and --report. */
static int finish(struct pcinspect_collect *collect, const struct pcinspect_args *args)
{
	int status = pcinspect_collect_status(collect);

	if (!args->json && !args->report)
		return status;
	collect->report->time_ns = pcinspect_now_ns();
	pcinspect_audit_report(collect->report, &collect->tally);
	pcinspect_losses_read(collect->report, collect->device);
	return pcinspect_output(collect->report, args, status);
}

/**
 * pcinspect_cmd_track() - pcinspect track PATH…
 * @args: options and paths
 *
 * Return: the exit status.
 */
int pcinspect_cmd_track(const struct pcinspect_args *args)
{
	struct pcinspect_collect collect;
	struct pcinspect_report report;
	int status;
	size_t i;

	if (!pcinspect_collect_start(&collect, &report))
		return EXIT_FAILED;
	for (i = 0; i < args->nr_paths; i++)
		pcinspect_collect_path(&collect, args->paths[i],
				       PCINSPECT_IOC_TRACK);
	status = finish(&collect, args);
	pcinspect_collect_free(&collect);
	return status;
}

/* UNTRACK or RESET one path; what it is like then is reported if asked for. */
static void each(struct pcinspect_collect *collect, const struct pcinspect_args *args,
		 const char *path, unsigned long request)
{
	struct pcinspect_query query = { .size = sizeof(query) };

	query.fd = pcinspect_collect_open(path);
	if (query.fd < 0) {
		collect->failed++;
		return;
	}
	if (ioctl(collect->device, request, &query)) {
		pcinspect_complain(path, "%s", pcinspect_device_why(errno, query.refusal));
		collect->failed++;
	} else if (args->json || args->report) {
		pcinspect_collect_path(collect, path, PCINSPECT_IOC_SNAPSHOT);
	} else {
		collect->ok++;
	}
	close(query.fd);
}

/* UNTRACK or RESET every path, or every record without any. */
static int all(const struct pcinspect_args *args, unsigned long request)
{
	struct pcinspect_query every = { .size = sizeof(every), .fd = -1 };
	struct pcinspect_collect collect;
	struct pcinspect_report report;
	int status;
	size_t i;

	if (!pcinspect_collect_start(&collect, &report))
		return EXIT_FAILED;
	if (!args->nr_paths && ioctl(collect.device, request, &every)) {
		pcinspect_complain(NULL, "%s", strerror(errno));
		collect.failed++;
	}
	for (i = 0; i < args->nr_paths; i++)
		each(&collect, args, args->paths[i], request);
	status = finish(&collect, args);
	pcinspect_collect_free(&collect);
	return status;
}

/**
 * pcinspect_cmd_untrack() - pcinspect untrack [PATH…]
 * @args: options and paths
 *
 * Return: the exit status.
 */
int pcinspect_cmd_untrack(const struct pcinspect_args *args)
{
	return all(args, PCINSPECT_IOC_UNTRACK);
}

/**
 * pcinspect_cmd_reset() - pcinspect reset [PATH…]
 * @args: options and paths
 *
 * Return: the exit status.
 */
int pcinspect_cmd_reset(const struct pcinspect_args *args)
{
	return all(args, PCINSPECT_IOC_RESET);
}
