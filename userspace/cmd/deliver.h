/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * deliver.h - a finished report to where the user wants it.
 */
#ifndef PCINSPECT_DELIVER_H
#define PCINSPECT_DELIVER_H

#include "cmd/asked.h"
#include "model/report.h"
#include "view/json_report.h"

/**
 * struct delivery - JSON, on stdout or in a file, of files that come one by one
 * @report: they are of
 * @args: where
 * @json: on stdout, with --json
 * @save: in a file, with --report
 */
struct delivery {
	const struct report *report;
	const struct args *args;
	struct json_stream json;
	struct json_save save;
};

void delivery_begin(struct delivery *stream, const struct report *report,
		    const struct args *args);
void delivery_file(struct delivery *stream, const struct file *file);
bool delivery_wanted(const struct delivery *stream);
int delivery_save(struct delivery *stream, int status);
int delivery_end(struct delivery *stream, int status);
void delivery_drop(struct delivery *stream);
int deliver_saved(const struct report *report, const struct args *args, int status);
int deliver_report(const struct report *report, const struct args *args, int status);

#endif /* PCINSPECT_DELIVER_H */
