// SPDX-License-Identifier: GPL-2.0
/*
 * ticks.c - ticks on an even clock; SIGINT, SIGTERM and SIGHUP end them, so
 * that callers come by their own clean-up.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

#include "collect.h"
#include "ticks.h"

static volatile sig_atomic_t stopped;

static void stop(int sig)
{
	(void)sig;
	stopped = 1;
}

/**
 * pcinspect_ticks_start() - begin ticking, now
 * @ticks: filled in
 * @interval: seconds between ticks
 * @duration: seconds until the end, 0 for none
 */
void pcinspect_ticks_start(struct pcinspect_ticks *ticks, double interval,
			   double duration)
{
	struct sigaction action = { .sa_handler = stop };

	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGHUP, &action, NULL);
	ticks->interval_ns = interval * 1e9;
	ticks->next_ns = pcinspect_now_ns();
	ticks->end_ns = duration > 0 ? ticks->next_ns + (uint64_t)(duration * 1e9) : 0;
}

/**
 * pcinspect_ticks_wait() - sleep until the next tick
 * @ticks: which
 *
 * Ticks that were missed are not made up for.
 *
 * Return: false at the end, or after a signal.
 */
bool pcinspect_ticks_wait(struct pcinspect_ticks *ticks)
{
	uint64_t now = pcinspect_now_ns();
	struct timespec at;

	ticks->next_ns += ticks->interval_ns;
	if (ticks->next_ns < now)
		ticks->next_ns = now;
	if (ticks->end_ns && ticks->next_ns > ticks->end_ns)
		return false;
	at.tv_sec = ticks->next_ns / 1000000000;
	at.tv_nsec = ticks->next_ns % 1000000000;
	while (!stopped && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at,
					   NULL) == EINTR)
		;
	return !stopped;
}
