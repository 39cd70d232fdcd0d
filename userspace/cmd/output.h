/* SPDX-License-Identifier: GPL-2.0 */
/*
 * output.h - a finished report to where the user wants it.
 */
#ifndef PCINSPECT_OUTPUT_H
#define PCINSPECT_OUTPUT_H

#include "cmd/args.h"
#include "model/report.h"
#include "view/json_save.h"

/**
 * struct output_stream - JSON, on stdout or in a file, of files that come one by one
 * @report: they are of
 * @args: where
 * @json: on stdout, with --json
 * @save: in a file, with --report
 */
struct output_stream {
	const struct report *report;
	const struct args *args;
	struct json_stream json;
	struct json_save save;
};

void output_stream_begin(struct output_stream *stream, const struct report *report,
			 const struct args *args);
void output_stream_file(struct output_stream *stream, const struct file *file);
bool output_stream_wanted(const struct output_stream *stream);
int output_stream_save(struct output_stream *stream, int status);
int output_stream_end(struct output_stream *stream, int status);
void output_stream_drop(struct output_stream *stream);
int output_saved(const struct report *report, const struct args *args, int status);
int output_report(const struct report *report, const struct args *args, int status);

#endif /* PCINSPECT_OUTPUT_H */
