/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ticks.h - the clock of watch and top: ticks, an end, and Ctrl-C.
 */
#ifndef PCINSPECT_TICKS_H
#define PCINSPECT_TICKS_H

#include <stdbool.h>
#include <stdint.h>

/**
 * struct ticks - when the next tick is, and when there is none
 * @next_ns: CLOCK_MONOTONIC
 * @end_ns: 0: until a signal
 * @interval_ns: between ticks
 */
struct ticks {
	uint64_t next_ns;
	uint64_t end_ns;
	uint64_t interval_ns;
};

void ticks_start(struct ticks *ticks, double interval, double duration);
bool ticks_next(struct ticks *ticks);
bool ticks_due(const struct ticks *ticks);
bool ticks_sleep(const struct ticks *ticks, unsigned int most_ms);
bool ticks_wait(struct ticks *ticks);
void ticks_end_on(int sig);
void ticks_catch(void);
void ticks_before_kill(void (*action)(void));
int ticks_stopped(void);

#endif /* PCINSPECT_TICKS_H */
