/* SPDX-License-Identifier: GPL-2.0 */
/*
 * machine_sample.h - what the two faces of machine, tables and screen, have in common: the
 * machine at one tick.
 */
#ifndef PCINSPECT_MACHINE_SAMPLE_H
#define PCINSPECT_MACHINE_SAMPLE_H

#include "collect/collect.h"
#include "lib/options.h"
#include "model/machine.h"

/**
 * struct look - the machine at one tick
 * @collect: reaches the module
 * @report: of it
 * @machine: what was seen
 */
struct look {
	struct collect collect;
	struct report report;
	struct machine machine;
};

struct look *look_now(const struct args *args, const struct machine_only *only,
		      struct look *before, bool live);
void look_free(struct look *look);

#endif /* PCINSPECT_MACHINE_SAMPLE_H */
