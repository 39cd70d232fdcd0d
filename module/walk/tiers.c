// SPDX-License-Identifier: GPL-2.0-only
/*
 * tiers.c - MGLRU's counts of uses of folios.
 *
 * Why: within a generation MGLRU does not take what is in a tier whose pages
 * come back sooner than those of the first (get_tier_idx(), mm/vmscan.c). Which
 * tier a folio is in, and what the counts of tiers are, is not exported; both
 * are in the folio's flags and in struct lruvec.
 *
 * 6.14 changed what the flags mean, where a protected folio is put, and counts
 * protected folios of the first tier as well ("mm/mglru: rework workingset
 * protection"). The length of that counter says which of both a kernel is.
 *
 * May touch: nothing.
 */
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/mm_inline.h>
#include <linux/mmzone.h>

#include "walk/tiers.h"

#ifdef CONFIG_LRU_GEN

static_assert(MAX_NR_TIERS == PCINSPECT_NR_TIERS);

#define TIERS_NR_PROTECTED \
	ARRAY_SIZE(((struct lruvec *)NULL)->lrugen.protected[0][0])
#define TIERS_REWORKED (TIERS_NR_PROTECTED == MAX_NR_TIERS)

/*
 * Where a folio stands within its generation, by its flags as they were under
 * its list's lock; nothing else is looked at. As
 * sort_folio(), isolate_folio() and folio_inc_gen() in mm/vmscan.c do, and
 * lru_gen_eviction() in mm/workingset.c; 6.1 to 7.2.
 */
void pcinspect_tiers_folio(struct folio *folio, struct pcinspect_tier *tier)
{
	unsigned int refs = folio_lru_refs(folio);
	bool workingset = folio_test_workingset(folio);

	if (TIERS_REWORKED) {
		tier->now = workingset ? MAX_NR_TIERS - 1 : order_base_2(refs);
		tier->evicted = tier->now;
		tier->later = workingset ? MAX_NR_TIERS - 1 : 0;
		tier->full = refs + workingset == BIT(LRU_REFS_WIDTH) + 1;
		return;
	}
	tier->now = order_base_2(refs + 1);
	tier->evicted = folio_test_referenced(folio) ? tier->now : 0;
	tier->later = 0;
	tier->full = refs == BIT(LRU_REFS_WIDTH);
}

/*
 * Generations of a list, and the counts of its tiers; under its lock. @list:
 * filled in, but for what tells whose it is.
 */
void pcinspect_tiers_read(struct lruvec *lruvec,
			  struct pcinspect_next_list *list)
{
	/* struct lru_gen_struct before 6.3. */
	const typeof(lruvec->lrugen) *lrugen = &lruvec->lrugen;
	const atomic_long_t *refaulted, *evicted;
	unsigned int hist, tier, i;

	list->min_seq = lrugen->min_seq[LRU_GEN_FILE];
	list->max_seq = lrugen->max_seq;
	if (lrugen->enabled)
		list->flags |= PCINSPECT_NEXT_GENERATIONS;
	if (TIERS_REWORKED)
		list->flags |= PCINSPECT_NEXT_REWORKED;
	hist = lru_hist_from_seq(list->min_seq);
	refaulted = lrugen->refaulted[hist][LRU_GEN_FILE];
	evicted = lrugen->evicted[hist][LRU_GEN_FILE];
	for (tier = 0; tier < MAX_NR_TIERS; tier++) {
		list->refaulted[tier] = atomic_long_read(&refaulted[tier]);
		list->evicted[tier] = atomic_long_read(&evicted[tier]);
		list->avg_refaulted[tier] =
			lrugen->avg_refaulted[LRU_GEN_FILE][tier];
		list->avg_total[tier] = lrugen->avg_total[LRU_GEN_FILE][tier];
	}
	/* Where it is shorter the first tier is not in it. */
	for (i = 0; i < TIERS_NR_PROTECTED; i++)
		list->protected[i + MAX_NR_TIERS - TIERS_NR_PROTECTED] =
			lrugen->protected[hist][LRU_GEN_FILE][i];
}

#else

void pcinspect_tiers_folio(struct folio *folio, struct pcinspect_tier *tier)
{
}

void pcinspect_tiers_read(struct lruvec *lruvec,
			  struct pcinspect_next_list *list)
{
}

#endif /* CONFIG_LRU_GEN */
