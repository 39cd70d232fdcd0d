/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lists_audit.h - the audits of a walk over LRU lists.
 */
#ifndef PCINSPECT_LISTS_AUDIT_H
#define PCINSPECT_LISTS_AUDIT_H

#include "model/cgroups.h"
#include "model/machine.h"

/**
 * struct cgroup_stat - what memory.stat says of the lists
 * @pages: by enum pcinspect_list_kind
 * @known: it could be read
 */
struct cgroup_stat {
	uint64_t pages[PCINSPECT_NR_LISTS];
	bool known;
};

bool lists_audit_fits(const struct cgroup *cgroup, const struct cgroup_stat *before,
		      const struct cgroup_stat *after, uint64_t left_pages);
void lists_audit_cgroup(struct report *report, const struct cgroup *cgroup,
			const struct cgroup_stat *before, const struct cgroup_stat *after,
			uint64_t left_pages);
bool lists_audit_machine_fits(const struct pcinspect_list_cgroup *lists,
			      const struct memory *before, const struct memory *now,
			      uint64_t left_pages);
void lists_audit_machine(const struct machine *machine, const struct memory *before,
			 uint64_t left_pages, unsigned int cpus);

#endif /* PCINSPECT_LISTS_AUDIT_H */
