// SPDX-License-Identifier: GPL-2.0
/*
 * machine_sample.c - the machine at one tick, and what it has gained since the one before.
 */
#include <stdlib.h>

#include "collect/machine.h"
#include "collect/machine_sample.h"
#include "lib/alloc.h"
#include "lib/complain.h"

/* Forget a tick; NULL: there is none. */
void look_free(struct look *look)
{
	if (!look)
		return;
	machine_free(&look->machine);
	collect_free(&look->collect);
	free(look);
}

/**
 * look_now() - look at the machine
 * @args: what the list is of, and its order
 * @only: a part of it, or NULL
 * @before: the tick before, NULL: there was none
 * @live: more ticks follow
 *
 * Complains by itself.
 *
 * Return: to be freed with look_free(); NULL if it failed.
 */
struct look *look_now(const struct args *args, const struct machine_only *only,
		      struct look *before, bool live)
{
	struct look *look = alloc_zero(1, sizeof(*look));

	if (!collect_start(&look->collect, &look->report)) {
		free(look);
		return NULL;
	}
	look->machine.report = &look->report;
	look->machine.per = args->per;
	look->machine.key = args->key;
	look->machine.only = only;
	if (machine_collect(&look->collect, &look->machine, !live)) {
		look_free(look);
		return NULL;
	}
	if (before)
		machine_grow(&look->machine, &before->machine);
	machine_sort(&look->machine, args->key);
	return look;
}
