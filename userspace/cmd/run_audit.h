/* SPDX-License-Identifier: GPL-2.0 */
/*
 * run_audit.h - how a run's report proves itself.
 */
#ifndef PCINSPECT_RUN_AUDIT_H
#define PCINSPECT_RUN_AUDIT_H

#include "collect/disks.h"
#include "model/report.h"

void pcinspect_run_subtract_gone(struct pcinspect_report *report,
				 const struct pcinspect_report *old);
void pcinspect_run_audit(struct pcinspect_report *report, uint64_t listed,
			 const struct pcinspect_disks *before,
			 const struct pcinspect_disks *after,
			 uint64_t most);

#endif /* PCINSPECT_RUN_AUDIT_H */
