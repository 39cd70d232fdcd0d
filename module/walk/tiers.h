/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * tiers.h - MGLRU's count of uses of a folio, by value.
 */
#ifndef PCINSPECT_TIERS_H
#define PCINSPECT_TIERS_H

#include <linux/types.h>
#include "uapi/pcinspect.h"

struct folio;
struct lruvec;

/*
 * struct pcinspect_tier - of one folio
 * @now: where reclaim compares it with the tiers that it takes
 * @evicted: where it is counted once it is evicted
 * @later: where it is when reclaim has moved it to the next generation
 * @full: used so often that it is moved in any case
 */
struct pcinspect_tier {
	u8 now;
	u8 evicted;
	u8 later;
	bool full;
};

void pcinspect_tiers_folio(struct folio *folio, struct pcinspect_tier *tier);
void pcinspect_tiers_read(struct lruvec *lruvec,
			  struct pcinspect_next_list *list);

#endif /* PCINSPECT_TIERS_H */
