/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * writes.h - the write ledger's rules: who made pages dirty, why and for how
 * long they were written back, who had to wait. Called by the hooks.
 */
#ifndef PCINSPECT_WRITES_H
#define PCINSPECT_WRITES_H

#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/percpu.h>
#include <linux/types.h>

#include "records/dirty.h"
#include "records/ledger.h"
#include "records/operation.h"
#include "records/track.h"
#include "records/unused.h"

struct bdi_writeback;
struct writeback_control;

/**
 * struct pcinspect_throttle - a task has to wait before it dirties more
 * @thresh: the threshold it is held against, in pages
 * @bg_thresh: the background threshold beside it
 * @dirty: dirty pages of that domain
 * @wb_thresh: the device's share of @thresh
 * @wb_dirty: the device's dirty pages
 * @pause: for how long, in jiffies; nothing to wait for if not positive
 * @limit: whose limit, if the kernel says so
 */
struct pcinspect_throttle {
	unsigned long thresh;
	unsigned long bg_thresh;
	unsigned long dirty;
	unsigned long wb_thresh;
	unsigned long wb_dirty;
	long pause;
	enum pcinspect_limit limit;
};

void pcinspect_writes_dirtied(struct folio *folio,
			      struct address_space *mapping);
void pcinspect_writes_dirtied_far(struct pcinspect_dirty *dirty, u64 index,
				  struct pcinspect_operation *op);

/* Interrupts are off already, but on PREEMPT_RT. */
static __always_inline unsigned long writes_lock(struct pcinspect_dirty *dirty)
{
	unsigned long flags = 0;

	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		local_irq_save(flags);
	raw_spin_lock(&dirty->at.lock);
	return flags;
}

static __always_inline void writes_unlock(struct pcinspect_dirty *dirty,
					  unsigned long flags)
{
	raw_spin_unlock(&dirty->at.lock);
	if (IS_ENABLED(CONFIG_PREEMPT_RT))
		local_irq_restore(flags);
}

/**
 * pcinspect_writes_dirty() - a folio became dirty
 * @folio: which, locked or its i_pages lock held
 * @mapping: its mapping
 * @inode: its inode
 *
 * The next page of a write(2) to a file with a ledger, which most are unless
 * folios are large, costs no call but the lock's, around which little is kept.
 *
 * Context: probe of writeback_dirty_folio: preemption off; irqs as well, but on
 * PREEMPT_RT.
 */
static __always_inline void pcinspect_writes_dirty(struct folio *folio,
						   struct address_space *mapping,
						   const struct inode *inode)
{
	struct pcinspect_ledger *ledger =
		pcinspect_record_ledger(pcinspect_track_find(inode));
	struct pcinspect_dirty_chunk *chunk;
	struct pcinspect_dirty *dirty;
	struct pcinspect_operation *top;
	unsigned long flags;
	u64 index;

	if (!ledger)
		return;
	dirty = ledger->dirty;
	top = pcinspect_operation_top();
	if (unlikely(!top || top->kind != OP_WRITE || top->mapping != mapping ||
		     folio_test_large(folio) || folio_test_writeback(folio) ||
		     pcinspect_unused_any(ledger->unused))) {
		pcinspect_writes_dirtied(folio, mapping);
		return;
	}
	index = folio->index;
	flags = writes_lock(dirty);
	chunk = dirty->last;
	if (likely(chunk && chunk->at.base == index >> DIRTY_CHUNK_BITS)) {
		/* Handed in when the write returns. */
		if (pcinspect_dirty_set_in(dirty, chunk, index, 1) == DIRTY_NEW)
			top->dirtied++;
		writes_unlock(dirty, flags);
		return;
	}
	writes_unlock(dirty, flags);
	pcinspect_writes_dirtied_far(dirty, index, top);
}

void pcinspect_writes_truncated(const struct inode *inode);
void pcinspect_writes_begin(struct folio *folio);
void pcinspect_writes_end(struct folio *folio);

DECLARE_PER_CPU(u64[2], pcinspect_writes_pages);

/* As pcinspect_writes_end(), of a file that certainly has no ledger. */
static __always_inline void pcinspect_writes_end_other(struct folio *folio)
{
	this_cpu_add(pcinspect_writes_pages[0], folio_nr_pages(folio));
}

void pcinspect_writes_forgive(struct pcinspect_ledger *ledger);
void pcinspect_writes_settle(const struct pcinspect_operation *op, s64 done);
void pcinspect_writes_throttled(const struct bdi_writeback *wb,
				const struct pcinspect_throttle *throttle);
bool pcinspect_writes_sleeps(void);
void pcinspect_writes_slept(u64 ns);
enum pcinspect_reason
pcinspect_writes_reason(const struct address_space *mapping,
			const struct writeback_control *wbc);
u64 pcinspect_writes_ended(bool file);
void pcinspect_writes_reset(void);

#endif /* PCINSPECT_WRITES_H */
