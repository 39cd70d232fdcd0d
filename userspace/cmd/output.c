// SPDX-License-Identifier: GPL-2.0
/*
 * output.c - table or JSON on stdout, JSON in a file, and the audit. What is wrong with
 * stdout is said at the end (lib/output.c).
 */
#include "cmd/output.h"
#include "lib/complain.h"
#include "lib/output.h"
#include "view/json_report.h"
#include "view/table.h"

/**
 * output_saved() - write the report to a file, if it is asked for
 * @report: which
 * @args: with the file
 * @status: exit status so far
 *
 * Before anything is printed, whose reader may go away.
 *
 * Return: @status, or EXIT_FAILED.
 */
int output_saved(const struct report *report, const struct args *args, int status)
{
	return args->report && report_json_save(report, args->report) ? EXIT_FAILED : status;
}

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
	status = output_saved(report, args, status);
	if (args->lines ? report_json_line(report, stdout) :
	    args->json ? report_json_write(report, stdout) :
	    args->csv ? table_csv(report, args) : table_print(report, args)) {
		output_failed();
		return EXIT_FAILED;
	}
	table_audit_print(report, args);
	return status;
}
