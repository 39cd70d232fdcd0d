/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * domains.h - the machine, or a cgroup, looked at twice.
 */
#ifndef PCINSPECT_COLLECT_DOMAINS_H
#define PCINSPECT_COLLECT_DOMAINS_H

#include "collect/collect.h"
#include "model/domains.h"

int domains_collect(struct collect *collect, struct domains *domains, const char *cgroup,
		  double seconds);

#endif /* PCINSPECT_COLLECT_DOMAINS_H */
