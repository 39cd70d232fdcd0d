// SPDX-License-Identifier: GPL-2.0-only
/*
 * scope.c - the inodes that are counted now, and their unknown numbers.
 *
 * May touch: nothing; its callers set both.
 *
 * Locks: scope_lock, a leaf raw spinlock, irqs saved.
 */
#include <linux/fs.h>
#include <linux/percpu.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "kunit_visible.h"
#include "records/operation.h"
#include "records/scope.h"

struct pcinspect_scope pcinspect_scope __read_mostly;
EXPORT_SYMBOL_IF_KUNIT(pcinspect_scope);

/*
 * In a run: do files of this filesystem count, because the running task is one
 * of the run's or the filesystem was named? Context: preemption off.
 */
bool pcinspect_scope_wants(const struct super_block *sb)
{
	unsigned int i;

	if (pcinspect_operation_is_member())
		return true;
	for (i = 0; i < READ_ONCE(pcinspect_scope.nr_mounts); i++)
		if (pcinspect_scope.mounts[i] == sb->s_dev)
			return true;
	return false;
}

/* By the tasks of runs: [0] read, [1] made dirty or written past the cache. */
static DEFINE_PER_CPU(u64[2], scope_run_sums);

/*
 * The running task reads, or (@write) writes, bytes; they are counted if it is
 * one of a run's. The kernel's account of a task, of all its files and
 * metadata: a witness that the tasks of a run are known
 * (userspace/cmd/run_audit.c). Context: preemption off.
 */
void pcinspect_scope_add_run(bool write, u64 bytes)
{
	if (pcinspect_scope_run() && pcinspect_operation_is_member())
		this_cpu_add(scope_run_sums[write], bytes);
}

/* Its sums since load, or PCINSPECT_UNKNOWN. Context: any. */
u64 pcinspect_scope_run_bytes(bool write)
{
	u64 sum = 0;
	int cpu;

	if (!pcinspect_scope_knows("", PCINSPECT_DEVICE_BYTES))
		return PCINSPECT_UNKNOWN;
	for_each_possible_cpu(cpu)
		sum += per_cpu(scope_run_sums, cpu)[write];
	return sum;
}

static struct pcinspect_gap scope_gaps[PCINSPECT_NR_GAPS];
static unsigned int scope_nr_gaps;
static DEFINE_RAW_SPINLOCK(scope_lock);

/*
 * Say what cannot be known from now on. @gaps: the first is for all filesystems
 * without a row of their own; PCINSPECT_NR_GAPS at most. Context: any.
 */
void pcinspect_scope_set_gaps(const struct pcinspect_gap *gaps, unsigned int nr)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&scope_lock, flags);
	memcpy(scope_gaps, gaps, nr * sizeof(*gaps));
	scope_nr_gaps = nr;
	raw_spin_unlock_irqrestore(&scope_lock, flags);
}

/*
 * The numbers known on a filesystem. Caller holds the lock. Most names differ
 * in their first letter, which is cheaper to compare than to call a function.
 */
static const struct pcinspect_gap *scope_gap(const char *fs)
{
	unsigned int i;

	for (i = 1; i < scope_nr_gaps; i++)
		if (scope_gaps[i].fs[0] == fs[0] && !strcmp(scope_gaps[i].fs, fs))
			return &scope_gaps[i];
	return &scope_gaps[0];
}

/*
 * The numbers, by bit, that cannot be known on a type of filesystem, because a
 * hook is not attached, or there is none for it. Context: any.
 */
void pcinspect_scope_unknown(const char *fs, u64 unknown[PCINSPECT_SCOPE_WORDS])
{
	unsigned long flags;

	raw_spin_lock_irqsave(&scope_lock, flags);
	memcpy(unknown, scope_gap(fs)->unknown, sizeof(scope_gaps->unknown));
	raw_spin_unlock_irqrestore(&scope_lock, flags);
}

/*
 * The unknown numbers of fsync calls on a type of filesystem:
 * PCINSPECT_FSYNC_*. Context: any.
 */
u32 pcinspect_scope_calls(const char *fs)
{
	unsigned long flags;
	u32 calls;

	raw_spin_lock_irqsave(&scope_lock, flags);
	calls = scope_gap(fs)->calls;
	raw_spin_unlock_irqrestore(&scope_lock, flags);
	return calls;
}

/*
 * Are all hooks attached that a number depends on, on a type of filesystem?
 * Context: any.
 */
bool pcinspect_scope_knows(const char *fs, enum pcinspect_number number)
{
	u64 unknown[PCINSPECT_SCOPE_WORDS];

	pcinspect_scope_unknown(fs, unknown);
	return !(unknown[number / 64] & BIT_ULL(number % 64));
}
