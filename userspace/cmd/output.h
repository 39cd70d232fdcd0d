/* SPDX-License-Identifier: GPL-2.0 */
/*
 * output.h - a finished report to where the user wants it.
 */
#ifndef PCINSPECT_OUTPUT_H
#define PCINSPECT_OUTPUT_H

#include "cmd/args.h"
#include "model/report.h"

int pcinspect_output(const struct pcinspect_report *report,
		     const struct pcinspect_args *args, int status);

#endif /* PCINSPECT_OUTPUT_H */
