// SPDX-License-Identifier: GPL-2.0-only
/*
 * share.c - sums by CPU of the I/O of tasks on an inode, ahead of its ledger.
 *
 * Why: CPUs that read one cached file share no lock and no written cache line
 * in the kernel, and must not here. A CPU keeps the sums of one process on one
 * ledger until another needs the place, or the ledger is read; a reader gets
 * all of them (pcinspect_ledger_collect()).
 *
 * May touch: ledgers, and each CPU's own sums.
 *
 * Locks: share_cpu.lock, of one CPU, which others take only to collect >
 * ledger->lock.
 */
#include <linux/hash.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "kunit_visible.h"
#include "records/ledger.h"

#define SHARE_BITS 4

/* struct share_slot - what a process did; of its task only the sums count */
struct share_slot {
	struct pcinspect_ledger *ledger;
	struct pcinspect_task task;
};

/* struct share_cpu - of one CPU; the place of a ledger follows from its address */
struct share_cpu {
	raw_spinlock_t lock;
	struct share_slot slots[1 << SHARE_BITS];
};

static DEFINE_PER_CPU_ALIGNED(struct share_cpu, share_cpus) = {
	.lock = __RAW_SPIN_LOCK_UNLOCKED(share_cpus.lock),
};

static struct share_slot *share_slot(struct share_cpu *cpu,
				     const struct pcinspect_ledger *ledger)
{
	return &cpu->slots[hash_ptr(ledger, SHARE_BITS)];
}

/* A slot is empty; what it had is its ledger's, or (@drop) nobody's. Under the CPU's lock. */
static void share_empty(struct share_slot *slot, bool drop)
{
	struct pcinspect_ledger *ledger = slot->ledger;

	if (!ledger)
		return;
	if (!drop)
		pcinspect_ledger_did(ledger, &slot->task);
	slot->ledger = NULL;
	atomic_dec(&ledger->held);
}

/**
 * pcinspect_ledger_share() - add to the running process's line
 * @ledger: which
 * @share: what it did; not who
 *
 * Context: any but NMI, never sleeps.
 */
void pcinspect_ledger_share(struct pcinspect_ledger *ledger,
			    const struct pcinspect_task *share)
{
	/* Of some CPU, if the task is moved from here on: its lock is taken. */
	struct share_cpu *cpu = raw_cpu_ptr(&share_cpus);
	struct share_slot *slot = share_slot(cpu, ledger);
	struct pcinspect_task *task = &slot->task;
	unsigned long flags;

	raw_spin_lock_irqsave(&cpu->lock, flags);
	/* exec changes the name, and what happens from then on. */
	if (slot->ledger != ledger || task->pid != current->tgid ||
	    strcmp(task->comm, pcinspect_comm())) {
		share_empty(slot, false);
		*task = (struct pcinspect_task){ .pid = current->tgid };
		strscpy(task->comm, pcinspect_comm(), sizeof(task->comm));
		slot->ledger = ledger;
		atomic_inc(&ledger->held);
	}
	pcinspect_task_add(task, share);
	raw_spin_unlock_irqrestore(&cpu->lock, flags);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_ledger_share);

/**
 * pcinspect_ledger_collect() - a ledger gets what CPUs have added up for it
 * @ledger: nobody frees it meanwhile
 * @drop: it gets nothing: it is to be freed, and nobody counts in it any more
 *
 * Changes by others meanwhile may be in it or not.
 *
 * Context: any but NMI; never sleeps. A CPU's lock is held for one slot.
 */
void pcinspect_ledger_collect(struct pcinspect_ledger *ledger, bool drop)
{
	unsigned long flags;
	int i;

	if (!atomic_read(&ledger->held))
		return;
	for_each_possible_cpu(i) {
		struct share_cpu *cpu = per_cpu_ptr(&share_cpus, i);
		struct share_slot *slot = share_slot(cpu, ledger);

		raw_spin_lock_irqsave(&cpu->lock, flags);
		if (slot->ledger == ledger)
			share_empty(slot, drop);
		raw_spin_unlock_irqrestore(&cpu->lock, flags);
	}
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_ledger_collect);
