// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_ticks.c - when ticks are that came too late, or are the last after a signal. The
 * times are set, not waited for. Touches nothing.
 */
#include <signal.h>

#include "lib/clock.h"
#include "lib/ticks.h"
#include "test.h"

#define SECOND	1000000000ULL

int main(void)
{
	uint64_t now = clock_now_ns();
	struct ticks ticks = { .next_ns = now - 5 * SECOND, .end_ns = now - SECOND,
			       .interval_ns = SECOND };

	CHECK("the end went by: a last tick", ticks_next(&ticks) && ticks.next_ns == ticks.end_ns);
	CHECK("which is due", ticks_due(&ticks));
	CHECK("and no other", !ticks_next(&ticks));

	ticks = (struct ticks){ .next_ns = now - 5 * SECOND, .interval_ns = SECOND };
	CHECK("without an end: four that were missed are not made up for",
	      ticks_next(&ticks) && ticks.next_ns >= now);

	ticks = (struct ticks){ .next_ns = now + SECOND, .end_ns = now + 3 * SECOND / 2,
				.interval_ns = SECOND };
	CHECK("a last one at the end, not behind it",
	      ticks_next(&ticks) && ticks.next_ns == ticks.end_ns && !ticks_next(&ticks));

	ticks_end_on(SIGINT);
	raise(SIGINT);
	ticks = (struct ticks){ .next_ns = now, .interval_ns = 1000 * SECOND };
	CHECK("a signal: a last tick, and at once", ticks_wait(&ticks));
	CHECK("and no other then", !ticks_wait(&ticks));
	return !!test_failures;
}
