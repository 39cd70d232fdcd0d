// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_track.c - pcinspect track, untrack and reset: explicit records.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "collect.h"
#include "device.h"
#include "output.h"

/**
 * pcinspect_cmd_track() - pcinspect track PATH…
 * @args: options and paths
 *
 * Silent when all went well, but for --json and --report.
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
	report.time_ns = pcinspect_now_ns();
	pcinspect_audit_report(&report, &collect.tally);
	status = pcinspect_collect_status(&collect);
	if (args->json || args->report)
		status = pcinspect_output(&report, args, status);
	pcinspect_collect_free(&collect);
	return status;
}

/* UNTRACK or RESET every path, or every record without any. */
static int each(const struct pcinspect_args *args, unsigned long request)
{
	struct pcinspect_collect count = {};
	struct pcinspect_about about;
	int device = pcinspect_device_open(&about);
	size_t i;

	if (device < 0)
		return EXIT_FAILED;
	if (!args->nr_paths) {
		struct pcinspect_query query = { .size = sizeof(query), .fd = -1 };

		if (ioctl(device, request, &query)) {
			pcinspect_complain(NULL, "%s", strerror(errno));
			count.failed++;
		}
	}
	for (i = 0; i < args->nr_paths; i++) {
		struct pcinspect_query query = { .size = sizeof(query) };

		query.fd = pcinspect_collect_open(args->paths[i]);
		if (query.fd < 0) {
			count.failed++;
			continue;
		}
		if (ioctl(device, request, &query)) {
			pcinspect_complain(args->paths[i], "%s",
					   pcinspect_device_why(errno, query.refusal));
			count.failed++;
		} else {
			count.ok++;
		}
		close(query.fd);
	}
	close(device);
	return pcinspect_collect_status(&count);
}

/**
 * pcinspect_cmd_untrack() - pcinspect untrack [PATH…]
 * @args: options and paths
 *
 * Return: the exit status.
 */
int pcinspect_cmd_untrack(const struct pcinspect_args *args)
{
	return each(args, PCINSPECT_IOC_UNTRACK);
}

/**
 * pcinspect_cmd_reset() - pcinspect reset [PATH…]
 * @args: options and paths
 *
 * Return: the exit status.
 */
int pcinspect_cmd_reset(const struct pcinspect_args *args)
{
	return each(args, PCINSPECT_IOC_RESET);
}
