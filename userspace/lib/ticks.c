// SPDX-License-Identifier: GPL-2.0
/*
 * ticks.c - ticks on an even clock; SIGINT, SIGTERM and SIGHUP end them, so
 * that callers come by their own clean-up.
 */
#include <signal.h>
#include <time.h>

#include "lib/clock.h"
#include "lib/ticks.h"

static volatile sig_atomic_t stopped;
static void (*last_words)(void);

static void stop(int sig)
{
	/*
	 * Typed a second time: die, but leave the terminal as it was. Of one hangup
	 * there are often two, the kernel's and the shell's; so are there of a
	 * timeout(1).
	 */
	if (stopped == sig && (sig == SIGINT || sig == SIGQUIT)) {
		if (last_words)
			last_words();
		signal(sig, SIG_DFL);
		raise(sig);
	}
	stopped = sig;
}

/**
 * pcinspect_ticks_catch() - let a signal end the ticks
 * @sig: which
 */
void pcinspect_ticks_catch(int sig)
{
	struct sigaction action = {
		.sa_handler = stop,
		/* A report that is being written is written. */
		.sa_flags = SA_RESTART,
	};

	sigaction(sig, &action, NULL);
}

/**
 * pcinspect_ticks_last_words() - what to do before a second signal kills us
 * @words: called in the signal's handler; NULL: nothing
 */
void pcinspect_ticks_last_words(void (*words)(void))
{
	last_words = words;
}

/**
 * pcinspect_ticks_stopped() - has a signal come that ends the ticks
 *
 * Return: true if so.
 */
bool pcinspect_ticks_stopped(void)
{
	return stopped;
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
	pcinspect_ticks_catch(SIGINT);
	pcinspect_ticks_catch(SIGTERM);
	pcinspect_ticks_catch(SIGHUP);
	ticks->interval_ns = interval * 1e9;
	ticks->next_ns = pcinspect_now_ns();
	ticks->end_ns = duration > 0 ? ticks->next_ns + (uint64_t)(duration * 1e9) : 0;
}

/**
 * pcinspect_ticks_next() - aim at the next tick
 * @ticks: which
 *
 * Ticks that were missed are not made up for; the last one is at the end.
 *
 * Return: false if the end has been reached.
 */
bool pcinspect_ticks_next(struct pcinspect_ticks *ticks)
{
	uint64_t now = pcinspect_now_ns();

	if (ticks->end_ns && (ticks->next_ns >= ticks->end_ns || now >= ticks->end_ns))
		return false;
	ticks->next_ns += ticks->interval_ns;
	if (ticks->next_ns < now)
		ticks->next_ns = now;
	if (ticks->end_ns && ticks->next_ns > ticks->end_ns)
		ticks->next_ns = ticks->end_ns;
	return true;
}

/**
 * pcinspect_ticks_due() - is it time for the tick
 * @ticks: which
 *
 * Return: true if so.
 */
bool pcinspect_ticks_due(const struct pcinspect_ticks *ticks)
{
	return pcinspect_now_ns() >= ticks->next_ns;
}

/**
 * pcinspect_ticks_sleep() - sleep until the tick, or a while
 * @ticks: which
 * @most_ms: how long at most; a signal ends it, too
 *
 * Return: true if it is time for the tick.
 */
bool pcinspect_ticks_sleep(const struct pcinspect_ticks *ticks, unsigned int most_ms)
{
	uint64_t until = pcinspect_now_ns() + most_ms * 1000000ULL;
	struct timespec at;

	if (until > ticks->next_ns)
		until = ticks->next_ns;
	at.tv_sec = until / 1000000000;
	at.tv_nsec = until % 1000000000;
	if (!stopped)
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
	return pcinspect_ticks_due(ticks);
}

/**
 * pcinspect_ticks_wait() - sleep until the next tick
 * @ticks: which
 *
 * Return: false at the end, or after a signal.
 */
bool pcinspect_ticks_wait(struct pcinspect_ticks *ticks)
{
	if (!pcinspect_ticks_next(ticks))
		return false;
	while (!stopped && !pcinspect_ticks_sleep(ticks, 1000))
		;
	return !stopped;
}
