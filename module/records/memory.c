// SPDX-License-Identifier: GPL-2.0-only
/*
 * memory.c - memory that probes may take: bounded, counted, never of reclaim's.
 *
 * Why refuse a task that reclaims: kswapd and direct reclaim are PF_MEMALLOC,
 * so GFP_NOWAIT would be served from the emergency reserves, which are there to
 * free memory with, not to count what is freed.
 *
 * Objects are counted by CPU, in batches, so that probes on all of them do not
 * meet in one counter: that of their cache, and the bytes of all caches.
 *
 * May touch: its slab caches. Any context; no locks but those of reserve.c.
 */
#include <linux/cache.h>
#include <linux/cpumask.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "records/memory.h"
#include "records/reserve.h"

/* The bytes that the objects of all caches take, and may take; counted in batches. */
static atomic_long_t cache_bytes;
static long cache_max_bytes __read_mostly = LONG_MAX;

/* Context: at load. */
void pcinspect_memory_limit(unsigned long bytes)
{
	cache_max_bytes = min_t(unsigned long, bytes, LONG_MAX);
}

/* So many bytes at most. */
long pcinspect_memory_max(void)
{
	return cache_max_bytes;
}

/* @aligned: to cache lines; @max: LONG_MAX if something else bounds them. */
int pcinspect_cache_init(struct pcinspect_cache *cache, const char *name,
			 size_t size, bool aligned, long max)
{
	size_t align = aligned ? cache_line_size() : sizeof(void *);

	cache->size = ALIGN(size, align);
	cache->max = max;
	cache->batch = clamp(max / (8L * num_possible_cpus()), 1L, 32L);
	cache->credit = alloc_percpu(int);
	/* Not merged with other caches: slabinfo has it by its name, and rmmod ends it. */
	cache->slab = kmem_cache_create(name, size, align, SLAB_NO_MERGE, NULL);
	if (cache->slab && IS_ENABLED(CONFIG_PREEMPT_RT))
		cache->reserve = pcinspect_reserve_init(cache->slab,
							PCINSPECT_GFP_PROBE);
	if (cache->slab && cache->credit &&
	    (cache->reserve || !IS_ENABLED(CONFIG_PREEMPT_RT)))
		return 0;
	pcinspect_cache_exit(cache);
	return -ENOMEM;
}

/*
 * For objects that are needed most when memory is short: some are set aside
 * with each CPU, for when the slab allocator has none. Context: at load, may
 * sleep. Return: 0 or -ENOMEM.
 */
int pcinspect_cache_set_aside(struct pcinspect_cache *cache)
{
	if (!cache->reserve)
		cache->reserve = pcinspect_reserve_init(cache->slab,
							PCINSPECT_GFP_PROBE);
	return cache->reserve ? 0 : -ENOMEM;
}

/* Also of one that was not made. None of its objects is left. */
void pcinspect_cache_exit(struct pcinspect_cache *cache)
{
	pcinspect_reserve_exit(cache->reserve);
	kmem_cache_destroy(cache->slab);
	free_percpu(cache->credit);
	cache->reserve = NULL;
	cache->slab = NULL;
	cache->credit = NULL;
}

static bool cache_take(struct pcinspect_cache *cache, long nr)
{
	long bytes = nr * cache->size;

	if (atomic_long_add_return(nr, &cache->nr) <= cache->max) {
		if (atomic_long_add_return(bytes, &cache_bytes) <=
		    cache_max_bytes)
			return true;
		atomic_long_sub(bytes, &cache_bytes);
	}
	atomic_long_sub(nr, &cache->nr);
	return false;
}

/* Count one more; false: there are too many. */
static bool cache_count(struct pcinspect_cache *cache)
{
	if (this_cpu_dec_return(*cache->credit) >= 0)
		return true;
	this_cpu_inc(*cache->credit);
	if (atomic_long_read(&cache->nr) >= cache->max ||
	    atomic_long_read(&cache_bytes) >= cache_max_bytes)
		return false;
	if (cache_take(cache, cache->batch)) {
		this_cpu_add(*cache->credit, cache->batch - 1);
		return true;
	}
	return cache_take(cache, 1);
}

static void cache_uncount(struct pcinspect_cache *cache)
{
	if (this_cpu_inc_return(*cache->credit) <= 2 * cache->batch)
		return;
	this_cpu_sub(*cache->credit, cache->batch);
	atomic_long_sub(cache->batch, &cache->nr);
	atomic_long_sub(cache->batch * cache->size, &cache_bytes);
}

/* A cleared object, or NULL: no memory, no more of them, or we are reclaim. */
void *pcinspect_cache_alloc(struct pcinspect_cache *cache, gfp_t gfp)
{
	void *object;

	if ((current->flags & PF_MEMALLOC) || !cache_count(cache))
		return NULL;
	object = pcinspect_reserve_needed() ?
			 NULL :
			 kmem_cache_zalloc(cache->slab, gfp);
	if (!object && cache->reserve)
		object = pcinspect_reserve_get(cache->reserve);
	if (!object)
		cache_uncount(cache);
	return object;
}

/* @object may be NULL. */
void pcinspect_cache_free(struct pcinspect_cache *cache, void *object)
{
	if (!object)
		return;
	if (pcinspect_reserve_needed() ||
	    (cache->reserve && pcinspect_reserve_is_short(cache->reserve)))
		pcinspect_reserve_put(cache->reserve, object);
	else
		kmem_cache_free(cache->slab, object);
	cache_uncount(cache);
}

/* What its objects take, in bytes, while none comes or goes; with those set aside. */
size_t pcinspect_cache_memory(const struct pcinspect_cache *cache)
{
	long nr = atomic_long_read(&cache->nr);
	int cpu;

	for_each_possible_cpu(cpu)
		nr -= READ_ONCE(*per_cpu_ptr(cache->credit, cpu));
	return (max(nr, 0L) + pcinspect_reserve_nr(cache->reserve)) *
	       cache->size;
}
