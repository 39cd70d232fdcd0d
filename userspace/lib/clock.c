// SPDX-License-Identifier: GPL-2.0-only
/*
 * clock.c - the one clock of all our times, and what a clock on the wall says.
 */
#include <errno.h>
#include <time.h>

#include "lib/clock.h"

static uint64_t now_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/* CLOCK_MONOTONIC in nanoseconds. */
uint64_t clock_now_ns(void)
{
	return now_ns(CLOCK_MONOTONIC);
}

/* Nanoseconds since 1970. */
uint64_t clock_wall_ns(void)
{
	return now_ns(CLOCK_REALTIME);
}

/* Wait that long, whatever signals arrive. */
void clock_wait(double seconds)
{
	struct timespec left = {
		.tv_sec = seconds, .tv_nsec = (seconds - (long)seconds) * 1e9,
	};

	while (nanosleep(&left, &left) && errno == EINTR)
		;
}
