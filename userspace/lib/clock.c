// SPDX-License-Identifier: GPL-2.0
/*
 * clock.c - the one clock of all our times.
 */
#include <time.h>

#include "lib/clock.h"

/* CLOCK_MONOTONIC in nanoseconds. */
uint64_t clock_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}
