// SPDX-License-Identifier: GPL-2.0-only
/*
 * churn.c - a bound on the pages that left their LRU list between two looks.
 *
 * Why: a count of a list that lies between two readings of the kernel's own need not
 * be between their values: pages leave and others come. It is off by those that left,
 * at most: none less than before less what left since, none more than after and what
 * left until then. No counter has these, but a page that leaves a list is freed, or is
 * moved, and of both the kernel keeps events, each CPU its own, which it adds up when
 * it is asked: nothing lags.
 *
 * More than the pages of file lists are counted, of all cgroups: an upper bound.
 *
 * Touches: reads /proc/vmstat.
 */
#include <string.h>

#include "collect/churn.h"

/* The fate of a page that leaves a list. */
static const char *const events[] = {
	"pgfree",
	"pgactivate", "pgdeactivate", "pglazyfree",
	/* Taken out by reclaim, to be freed, put back or sorted. */
	"pgscan_file", "pgrefill",
	"unevictable_pgs_culled", "unevictable_pgs_mlocked",
	"compact_isolated", "pgmigrate_success", "pgmigrate_fail",
};

/* Add up the events of /proc/vmstat; keys that it lacks count nothing. */
void churn_parse(struct churn *churn, struct keyfile *vmstat)
{
	size_t i;

	*churn = (struct churn){ 0 };
	while (keyfile_next(vmstat))
		for (i = 0; i < sizeof(events) / sizeof(*events); i++)
			if (!strcmp(vmstat->key, events[i])) {
				churn->pages += vmstat->value;
				churn->known = true;
			}
}

/* Before the first reading of what is to be held against, or after the last. */
void churn_read(struct churn *churn)
{
	struct keyfile vmstat;

	keyfile_open(&vmstat, "/proc/vmstat");
	churn_parse(churn, &vmstat);
	keyfile_close(&vmstat);
}

/* Pages that may have left a list between two looks, at most; unknown is no excuse. */
uint64_t churn_between(const struct churn *before, const struct churn *after)
{
	if (!before->known || !after->known || after->pages < before->pages)
		return 0;
	return after->pages - before->pages;
}

/* Likewise until now. */
uint64_t churn_since(const struct churn *before)
{
	struct churn now;

	churn_read(&now);
	return churn_between(before, &now);
}
