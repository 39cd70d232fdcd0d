/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * domains.h - the machine, or a cgroup, looked at twice.
 */
#ifndef PCINSPECT_COLLECT_DOMAINS_H
#define PCINSPECT_COLLECT_DOMAINS_H

#include "collect/collect.h"
#include "model/domains.h"

struct machine;

void domains_begin(struct domains *domains, size_t most);
void domains_again(struct domains *domains);
void domains_take(struct domains *domains, struct collect *collect,
		  const struct machine *machine, struct pcinspect_list_file *deleted);
int domains_collect(struct collect *collect, struct domains *domains, const char *cgroup,
		  double seconds);

#endif /* PCINSPECT_COLLECT_DOMAINS_H */
