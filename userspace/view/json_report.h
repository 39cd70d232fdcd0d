/* SPDX-License-Identifier: GPL-2.0 */
/*
 * json_report.h - the report schema (docs/pcinspect-report.5).
 */
#ifndef PCINSPECT_REPORT_JSON_H
#define PCINSPECT_REPORT_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include "model/report.h"

char *pcinspect_json(const struct pcinspect_report *report, bool pretty);
int pcinspect_json_write(const struct pcinspect_report *report, FILE *to);
int pcinspect_json_tick(const struct pcinspect_report *report, const char *events,
			FILE *to);
int pcinspect_json_save(const struct pcinspect_report *report, const char *path);

#endif /* PCINSPECT_REPORT_JSON_H */
