/* SPDX-License-Identifier: GPL-2.0 */
/*
 * recording.h - a trace.dat as a report.
 */
#ifndef PCINSPECT_RECORDING_H
#define PCINSPECT_RECORDING_H

#include "model/report.h"

int pcinspect_recording_load(const char *path, struct pcinspect_report *report);
int pcinspect_recording_print(const char *path, const struct pcinspect_report *report);

#endif /* PCINSPECT_RECORDING_H */
