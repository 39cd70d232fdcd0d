/* SPDX-License-Identifier: GPL-2.0 */
/*
 * clock.h - the one clock of all our times.
 */
#ifndef PCINSPECT_CLOCK_H
#define PCINSPECT_CLOCK_H

#include <stdint.h>

uint64_t clock_now_ns(void);

#endif /* PCINSPECT_CLOCK_H */
