/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * demand.h - requests of all programs to the page cache, for live views.
 */
#ifndef PCINSPECT_COLLECT_DEMAND_H
#define PCINSPECT_COLLECT_DEMAND_H

#include "uapi/pcinspect.h"

int demand_open(void);
void demand_read(int counter, struct pcinspect_demand *demand);

#endif /* PCINSPECT_COLLECT_DEMAND_H */
