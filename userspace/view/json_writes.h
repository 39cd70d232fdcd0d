/* SPDX-License-Identifier: GPL-2.0 */
/*
 * json_writes.h - the write side's sections of a report as JSON.
 */
#ifndef PCINSPECT_WRITES_JSON_H
#define PCINSPECT_WRITES_JSON_H

#include <json-c/json.h>

#include "model/report.h"

void report_json_writes(struct json_object *to,
			const struct report *report,
			const struct file *file);

#endif /* PCINSPECT_WRITES_JSON_H */
