/* SPDX-License-Identifier: GPL-2.0 */
/*
 * json_writes.h - the write side's sections of a report as JSON, and the words
 * it has in common with the text.
 */
#ifndef PCINSPECT_WRITES_JSON_H
#define PCINSPECT_WRITES_JSON_H

#include <json-c/json.h>

#include "model/report.h"

extern const int pcinspect_age_bounds_ms[PCINSPECT_NR_AGES];

const char *pcinspect_reason_name(unsigned int reason);
const char *pcinspect_fsync_kind(const struct pcinspect_fsync *call);
uint64_t pcinspect_throttled_ns(const struct pcinspect_writes *writes);
const char *pcinspect_throttle_limit(const struct pcinspect_report *report,
				     const struct pcinspect_writes *writes);
bool pcinspect_writeback_mean_ns(const struct pcinspect_writes *writes,
				 uint64_t *ns);
void pcinspect_json_writes(struct json_object *to,
			   const struct pcinspect_report *report,
			   const struct pcinspect_file *file);

#endif /* PCINSPECT_WRITES_JSON_H */
