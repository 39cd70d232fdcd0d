/* SPDX-License-Identifier: GPL-2.0 */
/*
 * json_report.h - the report schema (docs/pcinspect-report.5).
 */
#ifndef PCINSPECT_REPORT_JSON_H
#define PCINSPECT_REPORT_JSON_H

#include <stdbool.h>
#include <stdio.h>

#include "model/report.h"

struct json_object;

struct json_object *report_json_audit(const struct audit *audit);
char *report_json(const struct report *report, bool pretty);
int report_json_write(const struct report *report, FILE *to);
int report_json_line(const struct report *report, FILE *to);
int report_json_tick(const struct report *report, const char *events, FILE *to);
int report_json_save(const struct report *report, const char *path);

#endif /* PCINSPECT_REPORT_JSON_H */
