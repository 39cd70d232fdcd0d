/* SPDX-License-Identifier: GPL-2.0 */
/*
 * explain.h - from the numbers of a report to what is wrong, in words.
 */
#ifndef PCINSPECT_EXPLAIN_H
#define PCINSPECT_EXPLAIN_H

#include "model/report.h"

void explain(struct report *report);

#endif /* PCINSPECT_EXPLAIN_H */
