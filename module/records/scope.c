// SPDX-License-Identifier: GPL-2.0
/*
 * scope.c - which inodes are counted now, and what of them cannot be.
 *
 * May touch: nothing; it is told.
 *
 * Locks: scope_lock, a leaf raw spinlock, irqs saved.
 */
#include <linux/fs.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "records/operation.h"
#include "records/scope.h"

struct pcinspect_scope pcinspect_scope __read_mostly;

/**
 * pcinspect_scope_wants() - do files of this filesystem count in the run
 * @sb: which
 *
 * Context: preemption off; there is a run.
 * Return: true if the running task is one of the run's, or the filesystem was
 * named.
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

static struct pcinspect_gap scope_gaps[PCINSPECT_NR_GAPS];
static unsigned int scope_nr_gaps;
static DEFINE_RAW_SPINLOCK(scope_lock);

/**
 * pcinspect_scope_set_gaps() - say what cannot be known from now on
 * @gaps: the first is for all filesystems without a row of their own
 * @nr: how many, PCINSPECT_NR_GAPS at most
 *
 * Context: any.
 */
void pcinspect_scope_set_gaps(const struct pcinspect_gap *gaps, unsigned int nr)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&scope_lock, flags);
	memcpy(scope_gaps, gaps, nr * sizeof(*gaps));
	scope_nr_gaps = nr;
	raw_spin_unlock_irqrestore(&scope_lock, flags);
}

/**
 * pcinspect_scope_unknown() - the numbers that cannot be known on a filesystem
 * @fs: its type
 * @unknown: set to them, by bit
 *
 * Because a hook is not attached, or there is none for it.
 *
 * Context: any.
 */
void pcinspect_scope_unknown(const char *fs, u64 unknown[PCINSPECT_SCOPE_WORDS])
{
	const struct pcinspect_gap *gap = &scope_gaps[0];
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&scope_lock, flags);
	for (i = 1; i < scope_nr_gaps; i++)
		if (!strcmp(scope_gaps[i].fs, fs))
			gap = &scope_gaps[i];
	memcpy(unknown, gap->unknown, sizeof(gap->unknown));
	raw_spin_unlock_irqrestore(&scope_lock, flags);
}

/**
 * pcinspect_scope_knows() - can a number be known on a filesystem
 * @sb: which
 * @number: of a file
 *
 * Context: any.
 * Return: true if all hooks are attached that it depends on.
 */
bool pcinspect_scope_knows(const struct super_block *sb,
			   enum pcinspect_number number)
{
	u64 unknown[PCINSPECT_SCOPE_WORDS];

	pcinspect_scope_unknown(sb->s_type->name, unknown);
	return !(unknown[number / 64] & BIT_ULL(number % 64));
}
