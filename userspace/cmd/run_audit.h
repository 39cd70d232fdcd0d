/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * run_audit.h - the audits of a run's report.
 */
#ifndef PCINSPECT_RUN_AUDIT_H
#define PCINSPECT_RUN_AUDIT_H

#include <sys/resource.h>

#include "collect/disks.h"
#include "collect/mounts.h"
#include "model/report.h"

/**
 * struct run_moments - what others had counted, and the module's rows
 * @earlier: the rows before the ledgers began
 * @before: all when the command began
 * @after: and when it had ended
 * @later: the rows when the files had been listed
 * @begun_ns: @before had been read
 * @ended_ns: @after had not been read
 * @dirtied_pages: that became dirty from before the ledgers began until the files had been
 *	listed, and those that were dirty then; 0: unknown
 * @usage: of the command and its children
 * @stale: hooks that are not what is said of them
 * @stale_known: the module was asked
 * @left: tasks that an earlier run had left when this one began
 */
struct run_moments {
	const struct pcinspect_devices *earlier;
	const struct disks *before;
	const struct disks *after;
	const struct pcinspect_devices *later;
	uint64_t begun_ns;
	uint64_t ended_ns;
	uint64_t dirtied_pages;
	const struct rusage *usage;
	uint64_t stale;
	bool stale_known;
	uint64_t left;
};

void run_subtract_gone(struct report *report, const struct report *old);
void run_find_unmounted(struct report *report, struct libmnt_table *mounts);
void run_audit(struct report *report, const struct run_moments *at,
	       struct libmnt_table *mounts);

#endif /* PCINSPECT_RUN_AUDIT_H */
