/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * clock.h - the one clock of all our times, and what a clock on the wall says.
 */
#ifndef PCINSPECT_CLOCK_H
#define PCINSPECT_CLOCK_H

#include <stdint.h>

uint64_t clock_now_ns(void);
uint64_t clock_wall_ns(void);
void clock_wait(double seconds);

#endif /* PCINSPECT_CLOCK_H */
