// SPDX-License-Identifier: GPL-2.0-only
/*
 * selftest.c - pcinspect selftest [DIR]: are the numbers right on this kernel, on this
 * filesystem? Touches a file without a name in DIR (collect/known_work.c).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/command.h"
#include "cmd/deliver.h"
#include "collect/known_work.h"
#include "lib/alloc.h"
#include "lib/clock.h"
#include "lib/complain.h"
#include "lib/keyfile.h"
#include "view/report_table.h"

/* Pages that reclaim took, of any file, and how often all were dropped. */
static uint64_t taken(void)
{
	uint64_t reclaimed = 0, dropped = 0;

	keyfile_find(&reclaimed, "pgsteal_file", "/proc/vmstat");
	keyfile_find(&dropped, "drop_pagecache", "/proc/vmstat");
	return reclaimed + dropped;
}

static bool all_right(const struct report *report)
{
	size_t i;

	for (i = 0; i < report->nr_audits; i++)
		if (!audit_ok(&report->audits[i]))
			return false;
	return true;
}

/* The audits, and what there is none of. */
static int selftest_show(const struct report *report, const struct args *args, const char *unknown)
{
	int status = 0;

	if (args->out.json) {
		status = deliver_report(report, args, 0);
	} else {
		status = deliver_saved(report, args, 0);
		table_audit_lines(report, &args->out);
		table_audit_complain(report);
	}
	if (*unknown)
		complain(NULL, "not compared here: %s", unknown);
	return status;
}

/**
 * cmd_selftest() - pcinspect selftest [DIR]
 * @args: options and the directory; the working directory without
 *
 * Return: 0 if all numbers that are known are right (that one is not makes it EXIT_LOSSES),
 * EXIT_UNSUPPORTED if none is known there, EXIT_FAILED.
 */
int cmd_selftest(const struct args *args)
{
	struct collect collect;
	struct report report;
	int status = EXIT_FAILED;
	uint64_t before;
	int failed;
	size_t size;
	char *text;
	FILE *unknown;

	if (args->what.nr_paths > 1) {
		complain(NULL, "selftest takes one directory");
		return EXIT_USAGE;
	}
	if (!collect_start(&collect, &report))
		return EXIT_FAILED;
	unknown = alloc_stream(&text, &size);
	before = taken();
	failed = known_work(&collect, args->what.nr_paths ? args->what.paths[0] : ".", unknown);
	alloc_close(unknown);
	/* Dropping counts when it is done (drop_caches_sysctl_handler(), fs/drop_caches.c). */
	if (!failed && !all_right(&report))
		clock_wait(1);
	if (!failed && taken() != before && !all_right(&report)) {
		complain(NULL, "pages were reclaimed or dropped meanwhile, so nothing can be said (try again)");
	} else if (!failed) {
		losses_read(&report, collect.device);
		status = selftest_show(&report, args, text);
		if (!status && !report.nr_audits)
			status = EXIT_UNSUPPORTED;
	}
	free(text);
	collect_free(&collect);
	return status;
}
