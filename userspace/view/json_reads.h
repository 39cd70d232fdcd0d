/* SPDX-License-Identifier: GPL-2.0 */
/*
 * json_reads.h - the read side's sections of a report as JSON.
 */
#ifndef PCINSPECT_READS_JSON_H
#define PCINSPECT_READS_JSON_H

#include <json-c/json.h>

#include "model/report.h"

void report_json_reads(struct json_object *to,
		       const struct report *report,
		       const struct file *file);
struct json_object *report_json_devices(const struct report *report);

#endif /* PCINSPECT_READS_JSON_H */
