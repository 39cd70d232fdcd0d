// SPDX-License-Identifier: GPL-2.0-only
/*
 * deliver.c - table or JSON on stdout, JSON in a file, and the audit. Errors of
 * stdout are printed at the end (lib/output.c).
 */
#include "cmd/deliver.h"
#include "lib/complain.h"
#include "lib/output.h"
#include "view/report_table.h"

/**
 * deliver_saved() - write the report to a file, if it is asked for
 * @report: which
 * @args: with the file
 * @status: exit status so far
 *
 * Before anything is printed, whose reader may go away.
 *
 * Return: @status, or EXIT_FAILED.
 */
int deliver_saved(const struct report *report, const struct args *args, int status)
{
	return args->out.report && report_json_save(report, args->out.report) ? EXIT_FAILED : status;
}

/**
 * deliver_report() - print a report as the user asked
 * @report: which
 * @args: how
 * @status: exit status so far
 *
 * Return: @status, or EXIT_FAILED if the report could not be written.
 */
int deliver_report(const struct report *report, const struct args *args, int status)
{
	status = deliver_saved(report, args, status);
	if (args->out.lines ? report_json_line(report, stdout) :
	    args->out.json ? report_json_write(report, stdout) :
	    args->out.csv ? table_csv(report, &args->out) : table_print(report, &args->out)) {
		output_failed();
		return EXIT_FAILED;
	}
	table_audit_print(report, &args->out);
	return status;
}

/**
 * delivery_begin() - begin to print a report whose files come one by one
 * @stream: filled in
 * @report: its kernel and page size are there
 * @args: how
 */
void delivery_begin(struct delivery *stream, const struct report *report,
		    const struct args *args)
{
	*stream = (struct delivery){ .report = report, .args = args };
	json_save_begin(&stream->save, report, args->out.report);
	/* The reader of stdout may go away: the file is to be whole. */
	if (args->out.report)
		output_survives();
	if (args->out.json)
		report_json_begin(&stream->json, report, stdout, !args->out.lines);
}

/* One more file. */
void delivery_file(struct delivery *stream, const struct file *file)
{
	json_save_file(&stream->save, stream->report, file);
	if (stream->args->out.json && !output_failed())
		report_json_file(&stream->json, stream->report, file);
}

/* Is there anybody to whom more files go? */
bool delivery_wanted(const struct delivery *stream)
{
	return !output_failed() || (stream->save.path && !stream->save.error);
}

/**
 * delivery_save() - all there is to say is known: complete the file
 * @stream: of delivery_begin()
 * @status: exit status so far
 *
 * Return: @status, or EXIT_FAILED if it could not be written.
 */
int delivery_save(struct delivery *stream, int status)
{
	return json_save_end(&stream->save, stream->report) ? EXIT_FAILED : status;
}

/* The same of JSON on stdout; once the file is complete. */
int delivery_end(struct delivery *stream, int status)
{
	return report_json_end(&stream->json, stream->report) || output_failed() ?
		EXIT_FAILED : status;
}

/*
 * It failed, which has been said: the file stays what it was; on stdout there is nothing,
 * or, if files had gone there, what is no JSON.
 */
void delivery_drop(struct delivery *stream)
{
	json_save_drop(&stream->save);
	report_json_drop(&stream->json);
}
