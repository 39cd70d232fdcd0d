/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * demand.h - what is asked of the page cache by all programs, and what comes
 * into it and goes.
 */
#ifndef PCINSPECT_DEMAND_H
#define PCINSPECT_DEMAND_H

#include <linux/types.h>

struct pcinspect_demand;

int pcinspect_demand_want(void);
void pcinspect_demand_done(void);
int pcinspect_demand_settle(void);
bool pcinspect_demand_step_back(void);
void pcinspect_demand_exit(void);
void pcinspect_demand_get(struct pcinspect_demand *demand);
bool pcinspect_demand_reads_known(void);
bool pcinspect_demand_events_known(void);
unsigned int pcinspect_demand_users(void);
const char *pcinspect_demand_state(void);
size_t pcinspect_demand_memory(void);

#endif /* PCINSPECT_DEMAND_H */
