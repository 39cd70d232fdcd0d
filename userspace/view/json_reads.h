/* SPDX-License-Identifier: GPL-2.0 */
/*
 * json_reads.h - the read side's sections of a report as JSON.
 */
#ifndef PCINSPECT_READS_JSON_H
#define PCINSPECT_READS_JSON_H

#include <json-c/json.h>

#include "model/report.h"

void pcinspect_json_reads(struct json_object *to,
			  const struct pcinspect_report *report,
			  const struct pcinspect_file *file);
struct json_object *pcinspect_json_devices(const struct pcinspect_report *report);

#endif /* PCINSPECT_READS_JSON_H */
