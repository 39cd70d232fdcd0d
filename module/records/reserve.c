// SPDX-License-Identifier: GPL-2.0-only
/*
 * reserve.c - objects set aside for probes where the slab allocator may sleep,
 * or has none.
 *
 * Why: on PREEMPT_RT its locks do, and a probe runs with preemption off. And
 * everywhere a probe may not wait for memory, while a task that is about to
 * read beside a stream finds none at once. So each CPU keeps some objects of a
 * cache. Taken ones are replaced, and those too many are freed, by an irq_work:
 * on PREEMPT_RT that is a thread of the CPU (run_irq_workd(),
 * kernel/irq_work.c), with a real-time priority, so that it runs as soon as the
 * probe has returned. With an empty list an object is refused, as without
 * memory, and counted by who asked.
 *
 * May touch: the slab caches it is given. Locks: a CPU's, a leaf raw spinlock,
 * irqs saved, held for one object.
 */
#include <linux/irq_work.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "kunit_visible.h"
#include "records/reserve.h"

/* So many bytes of a cache each CPU sets aside, and so many objects. */
#define RESERVE_BYTES 32768U
#define RESERVE_MIN 4U
#define RESERVE_MAX 64U

/* Linked by their first word; of one CPU. */
struct reserve_cpu {
	raw_spinlock_t lock;
	void *first;
	unsigned int nr;
	struct irq_work refill;
	struct pcinspect_reserve *of;
};

struct pcinspect_reserve {
	struct kmem_cache *slab;
	gfp_t gfp;
	unsigned int keep;
	struct reserve_cpu __percpu *cpus;
};

static void *reserve_pop(struct reserve_cpu *cpu)
{
	unsigned long flags;
	void *object;

	raw_spin_lock_irqsave(&cpu->lock, flags);
	object = cpu->first;
	if (object) {
		cpu->first = *(void **)object;
		WRITE_ONCE(cpu->nr, cpu->nr - 1);
	}
	raw_spin_unlock_irqrestore(&cpu->lock, flags);
	return object;
}

static void reserve_push(struct reserve_cpu *cpu, void *object)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&cpu->lock, flags);
	*(void **)object = cpu->first;
	cpu->first = object;
	WRITE_ONCE(cpu->nr, cpu->nr + 1);
	raw_spin_unlock_irqrestore(&cpu->lock, flags);
}

/* Until a CPU has as many as it keeps. Context: may allocate by @gfp. */
static void reserve_level(struct reserve_cpu *cpu, unsigned int keep, gfp_t gfp)
{
	struct kmem_cache *slab = cpu->of->slab;
	void *object;

	while (READ_ONCE(cpu->nr) < keep) {
		object = kmem_cache_alloc(slab, gfp);
		if (!object)
			return;
		reserve_push(cpu, object);
	}
	while (READ_ONCE(cpu->nr) > keep) {
		object = reserve_pop(cpu);
		if (object)
			kmem_cache_free(slab, object);
	}
}

static void reserve_refill(struct irq_work *work)
{
	struct reserve_cpu *cpu = container_of(work, struct reserve_cpu, refill);

	reserve_level(cpu, cpu->of->keep, cpu->of->gfp);
}

/*
 * For one cache. @gfp: how an irq_work may allocate. Context: at load, may
 * sleep. Return: NULL without memory.
 */
struct pcinspect_reserve *pcinspect_reserve_init(struct kmem_cache *slab,
						 gfp_t gfp)
{
	struct pcinspect_reserve *reserve;
	struct reserve_cpu *cpu;
	int i;

	reserve = kzalloc(sizeof(*reserve), GFP_KERNEL);
	if (!reserve)
		return NULL;
	reserve->slab = slab;
	reserve->gfp = gfp;
	reserve->keep = clamp(RESERVE_BYTES / kmem_cache_size(slab),
			      RESERVE_MIN, RESERVE_MAX);
	reserve->cpus = alloc_percpu(struct reserve_cpu);
	if (!reserve->cpus) {
		kfree(reserve);
		return NULL;
	}
	for_each_possible_cpu(i) {
		cpu = per_cpu_ptr(reserve->cpus, i);
		raw_spin_lock_init(&cpu->lock);
		init_irq_work(&cpu->refill, reserve_refill);
		cpu->of = reserve;
		reserve_level(cpu, reserve->keep, GFP_KERNEL);
	}
	return reserve;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_reserve_init);

/* @reserve: or NULL. Nobody gets or puts any more. Context: may sleep. */
void pcinspect_reserve_exit(struct pcinspect_reserve *reserve)
{
	struct reserve_cpu *cpu;
	int i;

	if (!reserve)
		return;
	for_each_possible_cpu(i) {
		cpu = per_cpu_ptr(reserve->cpus, i);
		irq_work_sync(&cpu->refill);
		reserve_level(cpu, 0, GFP_KERNEL);
	}
	free_percpu(reserve->cpus);
	kfree(reserve);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_reserve_exit);

/* Does this CPU keep fewer than it should? Context: preemption off. */
bool pcinspect_reserve_is_short(const struct pcinspect_reserve *reserve)
{
	return READ_ONCE(raw_cpu_ptr(reserve->cpus)->nr) < reserve->keep;
}

/* A cleared object, or NULL. Context: preemption off. */
void *pcinspect_reserve_get(struct pcinspect_reserve *reserve)
{
	struct reserve_cpu *cpu = raw_cpu_ptr(reserve->cpus);
	void *object = reserve_pop(cpu);

	irq_work_queue(&cpu->refill);
	if (object)
		memset(object, 0, kmem_cache_size(reserve->slab));
	return object;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_reserve_get);

/* Context: preemption off. */
void pcinspect_reserve_put(struct pcinspect_reserve *reserve, void *object)
{
	struct reserve_cpu *cpu = raw_cpu_ptr(reserve->cpus);

	reserve_push(cpu, object);
	if (READ_ONCE(cpu->nr) > reserve->keep)
		irq_work_queue(&cpu->refill);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_reserve_put);

/* How many there are. @reserve: or NULL. Context: any; a moment's answer. */
unsigned long pcinspect_reserve_nr(const struct pcinspect_reserve *reserve)
{
	unsigned long nr = 0;
	int i;

	if (!reserve)
		return 0;
	for_each_possible_cpu(i)
		nr += READ_ONCE(per_cpu_ptr(reserve->cpus, i)->nr);
	return nr;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_reserve_nr);
