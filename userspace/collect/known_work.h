/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * known_work.h - a piece of work whose numbers are known beforehand, as audits of a report.
 */
#ifndef PCINSPECT_KNOWN_WORK_H
#define PCINSPECT_KNOWN_WORK_H

#include "collect/collect.h"

int known_work(struct collect *collect, const char *dir, FILE *unknown);

#endif /* PCINSPECT_KNOWN_WORK_H */
