// SPDX-License-Identifier: GPL-2.0
/*
 * memory.c - memory that probes may take: bounded, counted, never of reclaim's.
 *
 * Why refuse a task that reclaims: kswapd and direct reclaim are PF_MEMALLOC,
 * so GFP_NOWAIT would be served from the emergency reserves, which are there to
 * free memory with, not to count what is freed.
 *
 * May touch: its slab caches. Any context; no locks.
 */
#include <linux/cache.h>
#include <linux/limits.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "records/memory.h"

/* @aligned: to cache lines; @max: LONG_MAX if something else bounds them. */
int pcinspect_cache_init(struct pcinspect_cache *cache, const char *name,
			 size_t size, bool aligned, long max)
{
	size_t align = aligned ? cache_line_size() : sizeof(void *);

	cache->size = ALIGN(size, align);
	cache->max = max;
	cache->slab = kmem_cache_create(name, size, align, 0, NULL);
	return cache->slab ? 0 : -ENOMEM;
}

/* Also of one that was not made. None of its objects is left. */
void pcinspect_cache_exit(struct pcinspect_cache *cache)
{
	kmem_cache_destroy(cache->slab);
	cache->slab = NULL;
}

/* A cleared object, or NULL: no memory, no more of them, or we are reclaim. */
void *pcinspect_cache_alloc(struct pcinspect_cache *cache, gfp_t gfp)
{
	void *object = NULL;

	if (atomic_long_inc_return(&cache->nr) <= cache->max &&
	    !(current->flags & PF_MEMALLOC))
		object = kmem_cache_zalloc(cache->slab, gfp);
	if (!object)
		atomic_long_dec(&cache->nr);
	return object;
}

/* @object may be NULL. */
void pcinspect_cache_free(struct pcinspect_cache *cache, void *object)
{
	if (!object)
		return;
	kmem_cache_free(cache->slab, object);
	atomic_long_dec(&cache->nr);
}

/* What its objects take, in bytes. */
size_t pcinspect_cache_memory(const struct pcinspect_cache *cache)
{
	return atomic_long_read(&cache->nr) * cache->size;
}
