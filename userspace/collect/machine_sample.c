// SPDX-License-Identifier: GPL-2.0-only
/*
 * machine_sample.c - the machine at one tick, and what it has gained since the one before.
 */
#include <stdlib.h>
#include <unistd.h>

#include "collect/machine.h"
#include "collect/machine_sample.h"
#include "lib/alloc.h"
#include "lib/complain.h"

/* Forget a tick; NULL: there is none. */
void machine_sample_free(struct machine_sample *sample)
{
	if (!sample)
		return;
	machine_free(&sample->machine);
	collect_free(&sample->collect);
	free(sample);
}

/**
 * machine_sample_take() - look at the machine
 * @per: what the list is of
 * @key: its order
 * @only: a part of it, or NULL
 * @before: the tick before, NULL: there was none
 * @counter: see machine_collect()
 *
 * Complains by itself.
 *
 * Return: to be freed with machine_sample_free(); NULL if it failed.
 */
struct machine_sample *machine_sample_take(enum machine_per per, enum machine_key key,
					   const struct machine_only *only,
					   struct machine_sample *before, int counter)
{
	struct machine_sample *sample = alloc_zero(1, sizeof(*sample));

	if (!collect_start_without(&sample->collect, &sample->report)) {
		free(sample);
		return NULL;
	}
	sample->machine.report = &sample->report;
	sample->machine.per = per;
	sample->machine.key = key;
	sample->machine.only = only;
	if (machine_collect(&sample->collect, &sample->machine, counter)) {
		machine_sample_free(sample);
		return NULL;
	}
	if (before)
		machine_grow(&sample->machine, &before->machine);
	machine_audit_demand(&sample->machine, before ? &before->machine : NULL,
			     sysconf(_SC_NPROCESSORS_CONF));
	machine_sort(&sample->machine, key);
	return sample;
}
