/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * machine.h - from the machine's LRU lists and records to its model.
 */
#ifndef PCINSPECT_COLLECT_MACHINE_H
#define PCINSPECT_COLLECT_MACHINE_H

#include "collect/collect.h"
#include "model/machine.h"

void machine_pulse(struct machine *pulse, const struct machine *walked,
		   const struct machine *before, int counter);
int machine_collect(struct collect *collect, struct machine *machine, int counter);

#endif /* PCINSPECT_COLLECT_MACHINE_H */
