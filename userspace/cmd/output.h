/* SPDX-License-Identifier: GPL-2.0 */
/*
 * output.h - a finished report to where the user wants it.
 */
#ifndef PCINSPECT_OUTPUT_H
#define PCINSPECT_OUTPUT_H

#include "cmd/args.h"
#include "model/report.h"

int output_saved(const struct report *report, const struct args *args, int status);
int output_report(const struct report *report, const struct args *args, int status);

#endif /* PCINSPECT_OUTPUT_H */
