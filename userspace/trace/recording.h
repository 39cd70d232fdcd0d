/* SPDX-License-Identifier: GPL-2.0 */
/*
 * recording.h - a trace.dat as a report.
 */
#ifndef PCINSPECT_RECORDING_H
#define PCINSPECT_RECORDING_H

#include "model/report.h"

int recording_load(const char *path, struct report *report);
int recording_print(const char *path, const struct report *report);

#endif /* PCINSPECT_RECORDING_H */
