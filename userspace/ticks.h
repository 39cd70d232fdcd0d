/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ticks.h - the clock of watch and top: ticks, an end, and Ctrl-C.
 */
#ifndef PCINSPECT_TICKS_H
#define PCINSPECT_TICKS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct pcinspect_ticks - when the next tick is, and when there is none
 * @next_ns: CLOCK_MONOTONIC
 * @end_ns: 0: until a signal
 * @interval_ns: between ticks
 */
struct pcinspect_ticks {
	uint64_t next_ns;
	uint64_t end_ns;
	uint64_t interval_ns;
};

void pcinspect_ticks_start(struct pcinspect_ticks *ticks, double interval,
			   double duration);
bool pcinspect_ticks_wait(struct pcinspect_ticks *ticks);

#endif /* PCINSPECT_TICKS_H */
