/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rethook.h - what the instances of a kretprobe take, and whether all CPUs take
 * them from one list.
 *
 * Since 4bbd93455659 ("kprobes: kretprobe scalability improvement", 6.7) they
 * are in rings of one allocation for each possible CPU (objpool_init(),
 * lib/objpool.c); before, each is its own (rethook_alloc(),
 * kernel/trace/rethook.c).
 */
#ifndef PCINSPECT_COMPAT_RETHOOK_H
#define PCINSPECT_COMPAT_RETHOOK_H

#include_next <linux/rethook.h>

#include <linux/cpumask.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/slab.h>

#ifdef PCINSPECT_HAVE_RETHOOK_OBJPOOL
#include <linux/objpool.h>

#define PCINSPECT_RETHOOK_SHARED false

static inline size_t pcinspect_rethook_memory(size_t instance, unsigned int nr)
{
	unsigned int cpus = num_possible_cpus();
	size_t slot = struct_size((struct objpool_slot *)NULL, entries,
				  roundup_pow_of_two(nr)) +
		      ALIGN(instance, sizeof(long)) * DIV_ROUND_UP(nr, cpus);

	return cpus * PAGE_ALIGN(slot) + nr_cpu_ids * sizeof(void *);
}
#else
#define PCINSPECT_RETHOOK_SHARED true

static inline size_t pcinspect_rethook_memory(size_t instance, unsigned int nr)
{
	return nr * kmalloc_size_roundup(instance);
}
#endif

#endif /* PCINSPECT_COMPAT_RETHOOK_H */
