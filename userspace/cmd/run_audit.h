/* SPDX-License-Identifier: GPL-2.0 */
/*
 * run_audit.h - how a run's report proves itself.
 */
#ifndef PCINSPECT_RUN_AUDIT_H
#define PCINSPECT_RUN_AUDIT_H

#include "collect/disks.h"
#include "model/report.h"

void run_subtract_gone(struct report *report, const struct report *old);
void run_audit(struct report *report, uint64_t listed,
	       const struct disks *before,
	       const struct disks *after,
	       uint64_t most);

#endif /* PCINSPECT_RUN_AUDIT_H */
