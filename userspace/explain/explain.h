/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * explain.h - from the numbers of a report to what is wrong, in words.
 */
#ifndef PCINSPECT_EXPLAIN_H
#define PCINSPECT_EXPLAIN_H

#include "model/report.h"

struct domains;

void explain(struct report *report);
void explain_domains(const struct domains *domains);

#endif /* PCINSPECT_EXPLAIN_H */
