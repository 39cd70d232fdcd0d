// SPDX-License-Identifier: GPL-2.0
/*
 * output.c - table or JSON on stdout, JSON in a file, and the audit.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cmd/output.h"
#include "lib/complain.h"
#include "view/json_report.h"
#include "view/table.h"

/**
 * output_report() - print a report as the user asked
 * @report: which
 * @args: how
 * @status: exit status so far
 *
 * Return: @status, or EXIT_FAILED if the report could not be written.
 */
int output_report(const struct report *report, const struct args *args, int status)
{
	int failed;

	failed = args->json ? report_json_write(report, stdout) :
			      table_print(report, args);
	if (failed) {
		complain(NULL, "cannot write the report: %s", strerror(errno));
		status = EXIT_FAILED;
	}
	if (args->report && report_json_save(report, args->report))
		status = EXIT_FAILED;
	table_audit_print(report, args);
	return status;
}
