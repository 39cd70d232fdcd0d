/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * machine_sample.h - common to the tables and the screen of machine: the
 * machine at one tick.
 */
#ifndef PCINSPECT_MACHINE_SAMPLE_H
#define PCINSPECT_MACHINE_SAMPLE_H

#include "collect/collect.h"
#include "lib/options.h"
#include "model/machine.h"

/**
 * struct machine_sample - the machine at one tick
 * @collect: reaches the module
 * @report: of it
 * @machine: what was seen
 */
struct machine_sample {
	struct collect collect;
	struct report report;
	struct machine machine;
};

struct machine_sample *machine_sample_take(enum machine_per per, enum machine_key key,
					   const struct machine_only *only,
					   struct machine_sample *before, int counter);
void machine_sample_free(struct machine_sample *sample);

#endif /* PCINSPECT_MACHINE_SAMPLE_H */
