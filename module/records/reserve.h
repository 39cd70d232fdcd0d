/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reserve.h - objects set aside for probes, which may not wait for memory.
 */
#ifndef PCINSPECT_RESERVE_H
#define PCINSPECT_RESERVE_H

#include <linux/preempt.h>
#include <linux/types.h>

struct kmem_cache;
struct pcinspect_reserve;

/*
 * On PREEMPT_RT the locks of the slab allocator sleep (local_lock_t,
 * mm/slub.c), and a probe must not. Context: any.
 */
static inline bool pcinspect_reserve_needed(void)
{
	return IS_ENABLED(CONFIG_PREEMPT_RT) && !preemptible();
}

struct pcinspect_reserve *pcinspect_reserve_init(struct kmem_cache *slab,
						 gfp_t gfp);
void pcinspect_reserve_exit(struct pcinspect_reserve *reserve);
bool pcinspect_reserve_is_short(const struct pcinspect_reserve *reserve);
void *pcinspect_reserve_get(struct pcinspect_reserve *reserve);
void pcinspect_reserve_put(struct pcinspect_reserve *reserve, void *object);
unsigned long pcinspect_reserve_nr(const struct pcinspect_reserve *reserve);

#endif /* PCINSPECT_RESERVE_H */
