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
#include "lib/complain.h"

/* Silent when all went well, but for --json and --report. */
static int report_if_wanted(struct collect *collect, const struct args *args)
{
	int status = collect_status(collect);

	if (!args->json && !args->report)
		return status;
	report_now(collect->report);
	audit_all(collect->report, &collect->tally);
	losses_read(collect->report, collect->device);
	return output_report(collect->report, args, status);
}

/**
 * cmd_track() - pcinspect track PATH…
 * @args: options and paths
 *
 * Return: the exit status.
 */
int cmd_track(const struct args *args)
{
	struct collect collect;
	struct report report;
	int status;
	size_t i;

	if (!collect_start(&collect, &report))
		return EXIT_FAILED;
	for (i = 0; i < args->nr_paths; i++)
		collect_path(&collect, args->paths[i], PCINSPECT_IOC_TRACK);
	status = report_if_wanted(&collect, args);
	collect_free(&collect);
	return status;
}

/* UNTRACK or RESET one path; what it is like then is reported if asked for. */
static void one_path(struct collect *collect, const struct args *args,
		     const char *path, unsigned long request)
{
	struct pcinspect_query query = { .size = sizeof(query) };

	query.fd = collect_open(path);
	if (query.fd < 0) {
		collect->failed++;
		return;
	}
	if (ioctl(collect->device, request, &query)) {
		complain(path, "%s", device_error_text(errno, query.refusal));
		collect->failed++;
	} else if (args->json || args->report) {
		collect_path(collect, path, PCINSPECT_IOC_SNAPSHOT);
	} else {
		collect->ok++;
	}
	close(query.fd);
}

/* UNTRACK or RESET every path, or every record without any. */
static int all(const struct args *args, unsigned long request)
{
	struct pcinspect_query every = { .size = sizeof(every), .fd = -1 };
	struct collect collect;
	struct report report;
	int status;
	size_t i;

	if (!collect_start(&collect, &report))
		return EXIT_FAILED;
	if (!args->nr_paths && ioctl(collect.device, request, &every)) {
		complain(NULL, "%s", strerror(errno));
		collect.failed++;
	}
	for (i = 0; i < args->nr_paths; i++)
		one_path(&collect, args, args->paths[i], request);
	status = report_if_wanted(&collect, args);
	collect_free(&collect);
	return status;
}

/**
 * cmd_untrack() - pcinspect untrack [PATH…]
 * @args: options and paths
 *
 * Return: the exit status.
 */
int cmd_untrack(const struct args *args)
{
	return all(args, PCINSPECT_IOC_UNTRACK);
}

/**
 * cmd_reset() - pcinspect reset [PATH…]
 * @args: options and paths
 *
 * Return: the exit status.
 */
int cmd_reset(const struct args *args)
{
	return all(args, PCINSPECT_IOC_RESET);
}
