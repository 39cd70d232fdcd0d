/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * memory.h - memory that probes may take: bounded, counted, never of reclaim's.
 */
#ifndef PCINSPECT_MEMORY_H
#define PCINSPECT_MEMORY_H

#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/types.h>

struct kmem_cache;
struct pcinspect_reserve;

/* In probes: never sleeps, and leaves the reserves to those they are for. */
#define PCINSPECT_GFP_PROBE (GFP_NOWAIT | __GFP_NOWARN | __GFP_NOMEMALLOC)

/*
 * struct pcinspect_cache - objects of one kind
 * @size: of one, with its padding
 * @max: so many at most. Some of them wait with each CPU: with many CPUs the
 *	last quarter may not be had
 * @batch: how many a CPU takes or gives back at once
 * @reserve: objects set aside: on PREEMPT_RT, and by
 *	pcinspect_cache_set_aside(); else NULL
 * @credit: counted in @nr, but not there; by CPU
 */
struct pcinspect_cache {
	struct kmem_cache *slab;
	struct pcinspect_reserve *reserve;
	size_t size;
	long max;
	int batch;
	int __percpu *credit;
	atomic_long_t nr ____cacheline_aligned_in_smp;
};

/*
 * Does the running task reclaim? reclaim_pages(), for MADV_PAGEOUT and DAMON,
 * has no reclaim_state, only the flag (mm/vmscan.c, 6.1 to 7.2).
 */
static inline bool pcinspect_in_reclaim(void)
{
	return current->reclaim_state || current->flags & PF_MEMALLOC;
}

void pcinspect_memory_limit(unsigned long bytes);
long pcinspect_memory_max(void);
int pcinspect_cache_init(struct pcinspect_cache *cache, const char *name,
			 size_t size, bool aligned, long max);
int pcinspect_cache_set_aside(struct pcinspect_cache *cache);
void pcinspect_cache_exit(struct pcinspect_cache *cache);
void *pcinspect_cache_alloc(struct pcinspect_cache *cache, gfp_t gfp);
void pcinspect_cache_free(struct pcinspect_cache *cache, void *object);
size_t pcinspect_cache_memory(const struct pcinspect_cache *cache);

#endif /* PCINSPECT_MEMORY_H */
