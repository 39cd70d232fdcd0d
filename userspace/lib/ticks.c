// SPDX-License-Identifier: GPL-2.0-only
/*
 * ticks.c - ticks on an even clock; SIGINT, SIGTERM and SIGHUP end them, so
 * that callers come by their own clean-up.
 */
#include <signal.h>
#include <time.h>

#include "lib/clock.h"
#include "lib/ticks.h"

static volatile sig_atomic_t stopped;
static void (*before_kill)(void);

static void stop(int sig)
{
	/*
	 * Typed a second time: die, but leave the terminal as it was. Of one hangup
	 * there are often two, the kernel's and the shell's; so are there of a
	 * timeout(1).
	 */
	if (stopped == sig && (sig == SIGINT || sig == SIGQUIT)) {
		if (before_kill)
			before_kill();
		signal(sig, SIG_DFL);
		raise(sig);
	}
	stopped = sig;
}

/* Let a signal end the ticks. */
void ticks_end_on(int sig)
{
	struct sigaction action = {
		.sa_handler = stop,
		/* A report that is being written is written. */
		.sa_flags = SA_RESTART,
	};
	struct sigaction old;

	sigaction(sig, &action, &old);
	/* nohup(1). A script's jobs in the background ignore SIGINT, which ends them all the same. */
	if (sig == SIGHUP && old.sa_handler == SIG_IGN)
		signal(sig, SIG_IGN);
}

/**
 * ticks_before_kill() - what to do before a second signal kills us
 * @action: called in the signal's handler; NULL: nothing
 */
void ticks_before_kill(void (*action)(void))
{
	before_kill = action;
}

/* The signal that has come and ends the ticks; 0: none has. */
int ticks_stopped(void)
{
	return stopped;
}

/* Let the usual signals end the ticks, also those that have not begun. */
void ticks_catch(void)
{
	ticks_end_on(SIGINT);
	ticks_end_on(SIGTERM);
	ticks_end_on(SIGHUP);
}

/**
 * ticks_start() - begin ticking, now
 * @ticks: filled in
 * @interval: seconds between ticks
 * @duration: seconds until the end, 0 for none
 */
void ticks_start(struct ticks *ticks, double interval, double duration)
{
	ticks_catch();
	ticks->interval_ns = interval * 1e9;
	ticks->next_ns = clock_now_ns();
	ticks->end_ns = duration > 0 ? ticks->next_ns + (uint64_t)(duration * 1e9) : 0;
}

/**
 * ticks_next() - aim at the next tick
 * @ticks: which
 *
 * Ticks that were missed are not made up for; the last one is at the end.
 *
 * Return: false if the end has been reached.
 */
bool ticks_next(struct ticks *ticks)
{
	uint64_t now = clock_now_ns();

	if (ticks->end_ns && ticks->next_ns >= ticks->end_ns)
		return false;
	ticks->next_ns += ticks->interval_ns;
	if (ticks->next_ns < now)
		ticks->next_ns = now;
	if (ticks->end_ns && ticks->next_ns > ticks->end_ns)
		ticks->next_ns = ticks->end_ns;
	return true;
}

/* Is it time for the tick? */
bool ticks_due(const struct ticks *ticks)
{
	return clock_now_ns() >= ticks->next_ns;
}

/**
 * ticks_sleep() - sleep until the tick, or a while
 * @ticks: which
 * @most_ms: how long at most; a signal ends it, too
 *
 * Return: true if it is time for the tick.
 */
bool ticks_sleep(const struct ticks *ticks, unsigned int most_ms)
{
	uint64_t until = clock_now_ns() + most_ms * 1000000ULL;
	struct timespec at;

	if (until > ticks->next_ns)
		until = ticks->next_ns;
	at.tv_sec = until / 1000000000;
	at.tv_nsec = until % 1000000000;
	if (!stopped)
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
	return ticks_due(ticks);
}

/**
 * ticks_wait() - sleep until the next tick
 * @ticks: which
 *
 * A signal makes it the last, now, as the end of the duration would.
 *
 * Return: false if there was the last one already.
 */
bool ticks_wait(struct ticks *ticks)
{
	if (!ticks_next(ticks))
		return false;
	while (!stopped && !ticks_sleep(ticks, 1000))
		;
	if (stopped)
		ticks->end_ns = ticks->next_ns;
	return true;
}
