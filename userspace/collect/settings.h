/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * settings.h - the kernel's settings and limits that a report's files depend on.
 */
#ifndef PCINSPECT_SETTINGS_H
#define PCINSPECT_SETTINGS_H

#include "model/report.h"

void settings_read_one(struct report *report, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void settings_read_memory(struct report *report);
void settings_read_memcg(struct report *report, const char *path);
void settings_read(struct report *report);

#endif /* PCINSPECT_SETTINGS_H */
