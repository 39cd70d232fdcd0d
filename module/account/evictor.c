// SPDX-License-Identifier: GPL-2.0-only
/*
 * evictor.c - the files whose insertions filled memory lately.
 *
 * Why: kswapd frees pages for nobody in particular. It runs because of the
 * pages inserted since it ran last, so the pages it takes are split over those
 * files in proportion. This is right when one stream fills memory, the usual
 * question; with many it is a guess, and always labelled inferred.
 *
 * Each CPU notes what is inserted on it, in lines of its own: all files are of
 * interest, and nearly all insertions are of files that nobody tracks. kswapd
 * adds the CPUs up: all of them when it wakes, and one with each folio of a
 * tracked file that it takes, so that the sum is of now while it keeps running
 * and never takes long under the i_pages lock (4 slots).
 *
 * One table for all NUMA nodes: insertions are not known by node here.
 *
 * Locks: evictor.lock, a leaf raw spinlock, irqs saved, of kswapd only: one
 * task a node. Slots are read without one, while their CPU writes.
 */
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "account/evictor.h"
#include "records/ledger.h"

struct pcinspect_evictor_cpu __percpu *pcinspect_evictors __read_mostly;

#define EVICTOR_SUM 16

/* struct evictor_sum - slots of all CPUs, added up */
struct evictor_sum {
	struct pcinspect_evictor_slot slots[EVICTOR_SUM];
	u64 total;
};

/*
 * kswapd's wakes: in a line of its own, which all CPUs read. Pages of a slot
 * that was last added to some wakes ago count half for each.
 */
static struct {
	unsigned int wakes;
} ____cacheline_aligned_in_smp evictor_period;

/*
 * State that only kswapd uses.
 * @sums: [@using] is used, the other one is being made, CPU by CPU
 * @next_cpu: whose slots come next
 * @cursor: goes round over the pages of the sum
 */
static struct {
	raw_spinlock_t lock;
	unsigned int using;
	unsigned int next_cpu;
	u64 cursor;
	struct evictor_sum sums[2];
} ____cacheline_aligned_in_smp evictor = {
	.lock = __RAW_SPIN_LOCK_UNLOCKED(evictor.lock),
};

/* The present weight of a slot's pages. */
static u64 evictor_worth(const struct pcinspect_evictor_slot *slot)
{
	unsigned int wakes =
		READ_ONCE(evictor_period.wakes) - READ_ONCE(slot->wakes);

	return wakes < 64 ? READ_ONCE(slot->pages) >> wakes : 0;
}

static bool evictor_is(const struct pcinspect_evictor_slot *slot,
		       const struct inode *inode)
{
	return slot->file.inode == inode && slot->file.ino == inode->i_ino &&
	       slot->file.generation == inode->i_generation &&
	       slot->file.dev == inode->i_sb->s_dev;
}

/*
 * The running task fills another file than before, or the same in another tick.
 * With all slots of this CPU in use that of the fewest pages is taken. @inode:
 * alive. Context: preemption off, task context; never sleeps.
 */
void pcinspect_evictor_other(const struct inode *inode, unsigned int pages)
{
	struct pcinspect_evictor_cpu *cpu = this_cpu_ptr(pcinspect_evictors);
	struct pcinspect_evictor_slot *slot, *least = &cpu->slots[0];
	unsigned int wakes = READ_ONCE(evictor_period.wakes);
	int i;

	for (i = 0; i < PCINSPECT_EVICTOR_SLOTS; i++) {
		slot = &cpu->slots[i];
		if (slot->pages && evictor_is(slot, inode) &&
		    slot->pid == current->tgid)
			goto found;
		if (evictor_worth(slot) < evictor_worth(least))
			least = slot;
	}
	slot = least;
	raw_write_seqcount_begin(&slot->seq);
	slot->pages = 0;
	slot->file.inode = inode;
	slot->file.ino = inode->i_ino;
	slot->file.dev = inode->i_sb->s_dev;
	slot->file.generation = inode->i_generation;
	slot->pid = current->tgid;
	memcpy(slot->comm, pcinspect_comm(), sizeof(slot->comm));
	raw_write_seqcount_end(&slot->seq);
found:
	WRITE_ONCE(slot->pages, evictor_worth(slot) + pages);
	WRITE_ONCE(slot->wakes, wakes);
	slot->at = jiffies;
	cpu->task = current;
	cpu->last = slot;
}

/* A slot as it is now; false: nothing in it, or it is being changed. */
static bool evictor_copy(const struct pcinspect_evictor_slot *from,
			 struct pcinspect_evictor_slot *to)
{
	unsigned int seq = raw_read_seqcount(&from->seq);

	*to = *from;
	to->pages = evictor_worth(to);
	return to->pages && !(seq & 1) && !read_seqcount_retry(&from->seq, seq);
}

/* Add a slot to a sum; what finds no place replaces less. */
static void evictor_add(struct evictor_sum *sum,
			const struct pcinspect_evictor_slot *slot)
{
	struct pcinspect_evictor_slot *to, *least = &sum->slots[0];
	int i;

	for (i = 0; i < EVICTOR_SUM; i++) {
		to = &sum->slots[i];
		if (to->pages && to->pid == slot->pid &&
		    to->file.inode == slot->file.inode &&
		    to->file.ino == slot->file.ino) {
			to->pages += slot->pages;
			sum->total += slot->pages;
			return;
		}
		if (to->pages < least->pages)
			least = to;
	}
	if (least->pages < slot->pages) {
		sum->total += slot->pages - least->pages;
		*least = *slot;
	}
}

static void evictor_add_cpu(struct evictor_sum *sum, unsigned int nr)
{
	const struct pcinspect_evictor_cpu *cpu =
		per_cpu_ptr(pcinspect_evictors, nr);
	struct pcinspect_evictor_slot slot;
	int i;

	for (i = 0; i < PCINSPECT_EVICTOR_SLOTS; i++)
		if (evictor_copy(&cpu->slots[i], &slot))
			evictor_add(sum, &slot);
}

/* Go on with the sum to be; caller holds the lock. True: it is done, and used. */
static bool evictor_step(void)
{
	struct evictor_sum *next = &evictor.sums[!evictor.using];

	evictor.next_cpu = cpumask_next(evictor.next_cpu - 1, cpu_possible_mask);
	if (evictor.next_cpu < nr_cpu_ids) {
		evictor_add_cpu(next, evictor.next_cpu++);
		return false;
	}
	evictor.next_cpu = 0;
	evictor.using = !evictor.using;
	memset(&evictor.sums[!evictor.using], 0, sizeof(evictor.sums[0]));
	return true;
}

/**
 * pcinspect_evictor_wake() - kswapd woke up: a new period begins
 *
 * Earlier insertions count half from now on: they woke kswapd, so they cannot
 * be forgotten at once. The lock is taken for each CPU anew.
 *
 * Context: process context of kswapd, never sleeps.
 */
void pcinspect_evictor_wake(void)
{
	unsigned long flags;
	unsigned int i;
	bool done;

	raw_spin_lock_irqsave(&evictor.lock, flags);
	WRITE_ONCE(evictor_period.wakes, evictor_period.wakes + 1);
	evictor.next_cpu = 0;
	memset(&evictor.sums[!evictor.using], 0, sizeof(evictor.sums[0]));
	raw_spin_unlock_irqrestore(&evictor.lock, flags);
	for (i = 0, done = false; i <= nr_cpu_ids && !done; i++) {
		raw_spin_lock_irqsave(&evictor.lock, flags);
		done = evictor_step();
		raw_spin_unlock_irqrestore(&evictor.lock, flags);
	}
}

/**
 * pcinspect_evictor_infer() - kswapd took pages
 * @pages: how many
 * @by: in whose favour
 *
 * A cursor goes round over all pages of the table, so that in the long run
 * every entry gets its share.
 *
 * Context: probe with the i_pages lock held, interrupts off.
 */
void pcinspect_evictor_infer(unsigned int pages, struct pcinspect_culprit *by)
{
	struct pcinspect_evictor_slot found = {};
	const struct evictor_sum *sum;
	unsigned long flags;
	u64 at;
	int i;

	raw_spin_lock_irqsave(&evictor.lock, flags);
	evictor_step();
	sum = &evictor.sums[evictor.using];
	evictor.cursor += pages;
	if (evictor.cursor >= sum->total)
		evictor.cursor = 0;
	at = evictor.cursor;
	for (i = 0; i < EVICTOR_SUM; i++) {
		if (at < sum->slots[i].pages) {
			found = sum->slots[i];
			break;
		}
		at -= sum->slots[i].pages;
	}
	raw_spin_unlock_irqrestore(&evictor.lock, flags);
	if (found.pages)
		pcinspect_ledger_culprit(by, &found.file, found.pid, found.comm);
	else
		pcinspect_ledger_culprit(by, NULL, 0, "kswapd");
	by->inferred = 1;
	by->pages = pages;
}

/**
 * pcinspect_evictor_own() - the running task reclaims, in no known operation
 * @by: itself; its file is filled in if it has just been filling one
 *
 * Files that nobody tracks have no operations. Somebody who inserted pages a
 * moment ago, on this CPU, most likely reclaims to go on with it.
 *
 * Context: probe with the i_pages lock held, interrupts off.
 */
void pcinspect_evictor_own(struct pcinspect_culprit *by)
{
	const struct pcinspect_evictor_cpu *cpu =
		this_cpu_ptr(pcinspect_evictors);
	const struct pcinspect_evictor_slot *slot, *found = NULL;
	int i;

	for (i = 0; i < PCINSPECT_EVICTOR_SLOTS; i++) {
		slot = &cpu->slots[i];
		if (slot->pages && slot->pid == current->tgid &&
		    time_before(jiffies, slot->at + HZ / 10) &&
		    (!found || time_after(slot->at, found->at)))
			found = slot;
	}
	pcinspect_ledger_culprit(by, found ? &found->file : NULL, current->tgid,
				 pcinspect_comm());
	by->inferred = !!found;
}

/* Forget all. Context: process context; no hook is attached. */
void pcinspect_evictor_reset(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(pcinspect_evictors, cpu), 0,
		       sizeof(struct pcinspect_evictor_cpu));
	memset(evictor.sums, 0, sizeof(evictor.sums));
}

/* The memory of the CPUs' slots, in bytes. */
size_t pcinspect_evictor_memory(void)
{
	return num_possible_cpus() * sizeof(struct pcinspect_evictor_cpu);
}

/* 0 or -ENOMEM. Context: process context. */
int pcinspect_evictor_init(void)
{
	pcinspect_evictors = alloc_percpu(struct pcinspect_evictor_cpu);
	return pcinspect_evictors ? 0 : -ENOMEM;
}

/* Context: process context; no hook is attached. */
void pcinspect_evictor_exit(void)
{
	free_percpu(pcinspect_evictors);
}
