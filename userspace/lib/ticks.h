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
bool pcinspect_ticks_next(struct pcinspect_ticks *ticks);
bool pcinspect_ticks_due(const struct pcinspect_ticks *ticks);
bool pcinspect_ticks_sleep(const struct pcinspect_ticks *ticks, unsigned int most_ms);
bool pcinspect_ticks_wait(struct pcinspect_ticks *ticks);
void pcinspect_ticks_catch(int sig);
void pcinspect_ticks_last_words(void (*words)(void));
bool pcinspect_ticks_stopped(void);

#endif /* PCINSPECT_TICKS_H */
