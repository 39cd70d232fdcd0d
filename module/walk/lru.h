/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * lru.h - counting the cached pages of one mapping by what reclaim thinks of
 * them. Touches nothing: no flag, no list, no reference outlives a folio.
 */
#ifndef PCINSPECT_LRU_H
#define PCINSPECT_LRU_H

#include <linux/types.h>
#include "uapi/pcinspect.h"

struct address_space;
struct folio;
struct lruvec;
struct mem_cgroup;
struct super_block;

/* Entries walked at most before the walk offers to reschedule. */
#define PCINSPECT_LRU_BATCH 1024

/**
 * enum pcinspect_lru_class - where a folio is for reclaim
 * @PCINSPECT_LRU_UNEVICTABLE: kept by mlock, ramfs, SHM_LOCK
 * @PCINSPECT_LRU_OFF: in a per-CPU batch or isolated
 * @PCINSPECT_LRU_CLASSIC_INACTIVE: on a classic inactive list
 * @PCINSPECT_LRU_CLASSIC_ACTIVE: on a classic active list
 * @PCINSPECT_LRU_GENERATION: in an MGLRU generation
 */
enum pcinspect_lru_class {
	PCINSPECT_LRU_UNEVICTABLE,
	PCINSPECT_LRU_OFF,
	PCINSPECT_LRU_CLASSIC_INACTIVE,
	PCINSPECT_LRU_CLASSIC_ACTIVE,
	PCINSPECT_LRU_GENERATION,
};

/*
 * Decide from a folio's own flags alone. @gen: generation number, negative
 * outside MGLRU. Never from "is MGLRU on": both populations live side by side
 * after /sys/kernel/mm/lru_gen/enabled was switched, and MGLRU clears PG_active
 * on everything it lists (lru_gen_add_folio(), include/linux/mm_inline.h).
 */
static inline enum pcinspect_lru_class
pcinspect_lru_classify(bool unevictable, bool lru, bool active, int gen)
{
	if (unevictable)
		return PCINSPECT_LRU_UNEVICTABLE;
	if (!lru)
		return PCINSPECT_LRU_OFF;
	if (gen >= 0)
		return PCINSPECT_LRU_GENERATION;
	return active ? PCINSPECT_LRU_CLASSIC_ACTIVE :
			PCINSPECT_LRU_CLASSIC_INACTIVE;
}

/*
 * How old a generation is. @max_seq: youngest sequence number of the folio's
 * lruvec. @gen: generation number, seq modulo the number of generations.
 * Example: max_seq 9 and four generations: gen 1 is seq 9, age 0; gen 0 is seq
 * 8, age 1; gen 3 is seq 7, age 2.
 * Return: 0 for the youngest, PCINSPECT_NR_GENS - 1 for the oldest.
 */
static inline unsigned int pcinspect_lru_age(unsigned long max_seq, int gen)
{
	return (max_seq - gen) % PCINSPECT_NR_GENS;
}

int pcinspect_lru_walk(struct address_space *mapping, struct super_block *sb,
		       struct pcinspect_snapshot *snap);
enum pcinspect_range_list pcinspect_lru_list(struct folio *folio);
struct lruvec *pcinspect_lru_lruvec(struct mem_cgroup *memcg, int nid);
struct mem_cgroup *pcinspect_lru_root(void);
int pcinspect_lru_init(void);
bool pcinspect_lru_gen_enabled(void);

#endif /* PCINSPECT_LRU_H */
