// SPDX-License-Identifier: GPL-2.0
/*
 * cmd_stat.c - pcinspect stat: one report now, no tracking needed.
 */
#include <stdio.h>
#include <string.h>
#include <errno.h>
#include <unistd.h>
#include <sys/ioctl.h>

#include "collect.h"
#include "device.h"
#include "report_json.h"
#include "output.h"

/**
 * pcinspect_cmd_stat() - pcinspect stat PATH…
 * @args: options and paths
 *
 * Return: the exit status.
 */
int pcinspect_cmd_stat(const struct pcinspect_args *args)
{
	struct pcinspect_report report = {};
	struct pcinspect_collect collect = { .report = &report };
	int status;
	size_t i;

	collect.device = pcinspect_device_open(&report.about);
	if (collect.device < 0)
		return EXIT_FAILED;
	pcinspect_mounts_load(&collect.mounts);
	for (i = 0; i < args->nr_paths; i++) {
		if (args->recursive)
			pcinspect_collect_tree(&collect, args->paths[i]);
		else
			pcinspect_collect_path(&collect, args->paths[i],
					       PCINSPECT_IOC_SNAPSHOT);
	}
	report.time_ns = pcinspect_now_ns();
	pcinspect_audit_report(&report, &collect.tally);
	status = pcinspect_collect_status(&collect);
	status = pcinspect_output(&report, args, status);

	pcinspect_report_free(&report);
	pcinspect_collect_free(&collect);
	close(collect.device);
	return status;
}
