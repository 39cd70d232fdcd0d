/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * churn.h - a bound on the pages that left their LRU list between two looks.
 */
#ifndef PCINSPECT_COLLECT_CHURN_H
#define PCINSPECT_COLLECT_CHURN_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/keyfile.h"

/**
 * struct churn - pages that have left a list of any kind since boot, and more
 * @known: the kernel said so
 * @pages: how many
 */
struct churn {
	bool known;
	uint64_t pages;
};

void churn_parse(struct churn *churn, struct keyfile *vmstat);
void churn_read(struct churn *churn);
uint64_t churn_between(const struct churn *before, const struct churn *after);
uint64_t churn_since(const struct churn *before);

#endif /* PCINSPECT_COLLECT_CHURN_H */
