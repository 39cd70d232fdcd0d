/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * demand.h - what all programs ask of the page cache, while somebody looks.
 */
#ifndef PCINSPECT_COLLECT_DEMAND_H
#define PCINSPECT_COLLECT_DEMAND_H

#include "uapi/pcinspect.h"

int demand_open(void);
void demand_read(int counter, struct pcinspect_demand *demand);

#endif /* PCINSPECT_COLLECT_DEMAND_H */
