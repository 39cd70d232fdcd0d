// SPDX-License-Identifier: GPL-2.0-only
/*
 * reads.c - the rules of the read ledger, as docs/numbers.md states them.
 *
 * Everything here runs inside probes: preemption off (by the hook), perhaps
 * with interrupts off and the i_pages lock held. No sleeping, no lock but the
 * ledger's and the bitmap's leaf locks, no following of anything but the inode
 * and folio that the kernel function itself is working on.
 */
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/sched.h>
#include <linux/swap.h>

#include "account/evictor.h"
#include "account/reads.h"
#include "records/dirty.h"
#include "records/memory.h"
#include "records/track.h"
#include "records/unused.h"
#include "trace.h"

/* A folio of a window, perhaps not the next; returns the window's cause. */
static enum pcinspect_cause reads_window(struct pcinspect_operation *op,
					 const struct folio *folio,
					 unsigned long nr)
{
	if (folio->index != op->run + op->run_pages) {
		pcinspect_reads_flush_run(op);
		op->run = folio->index;
	}
	pcinspect_reads_window(op, folio, nr);
	return op->cause;
}

/*
 * A page that is not the next of a window: which operation is it for? *@later
 * is set if that operation hands it in when it ends, as its task's.
 */
static enum pcinspect_cause reads_cause(struct folio *folio, unsigned long nr,
					bool *later)
{
	struct pcinspect_operation *top = pcinspect_operation_top();

	*later = false;
	if (!top || top->mapping != folio->mapping)
		return PCINSPECT_CAUSE_OTHER;
	switch (top->kind) {
	case OP_READ_PAGES:
		/* ->readahead works for the operation around it. */
		top[-1].expanded += nr;
		*later = true;
		return reads_window(top - 1, folio, nr);
	case OP_READAHEAD:
		*later = true;
		return reads_window(top, folio, nr);
	case OP_WRITE:
		top->inserted += nr;
		*later = true;
		return PCINSPECT_CAUSE_WRITE;
	case OP_READ:
	case OP_FAULT:
		/* One page, with no readahead. */
		top->inserted += nr;
		break;
	}
	return PCINSPECT_CAUSE_OTHER;
}

/**
 * pcinspect_reads_inserted() - a folio was inserted, but not as usual
 * @rec: the record of its inode, or NULL
 * @folio: in the page cache, locked
 * @nr: its pages
 *
 * All that pcinspect_reads_insert() leaves.
 *
 * Context: probe of mm_filemap_add_to_page_cache, preemption off.
 */
void pcinspect_reads_inserted(struct pcinspect_record *rec, struct folio *folio,
			      unsigned long nr)
{
	bool later;
	enum pcinspect_cause cause = reads_cause(folio, nr, &later);
	struct address_space *mapping = folio->mapping;
	struct pcinspect_ledger *ledger;

	/* Else with all of the operation, when it ends. */
	if (!later)
		pcinspect_evictor_filled(mapping->host, nr);
	ledger = pcinspect_record_ledger(rec);
	if (!ledger && pcinspect_scope_run())
		ledger = pcinspect_track_admit(mapping->host);
	if (!ledger)
		return;
	ledger_add(ledger, pcinspect_inserted(cause), nr);
	/* It may have begun just now, with this folio in the cache. */
	if (unlikely(READ_ONCE(ledger->recheck))) {
		rec = pcinspect_track_find(mapping->host);
		if (rec)
			pcinspect_ledger_settle(ledger, rec, mapping, false);
	}
	if (!later) {
		struct pcinspect_task share = { .inserted_pages = nr };

		pcinspect_ledger_share(ledger, &share);
	}
}

/**
 * pcinspect_reads_flush_run() - mark what a window has inserted as not used yet
 * @op: of the window
 *
 * Done for a whole run of pages when ->readahead begins, while the pages are
 * still locked and nobody can have used them; what the filesystem adds after
 * that, when it ends.
 *
 * Context: preemption off, never sleeps.
 */
void pcinspect_reads_flush_run(struct pcinspect_operation *op)
{
	struct pcinspect_ledger *ledger;
	unsigned int lost;

	if (!op->run_pages || op->cause > PCINSPECT_CAUSE_FORCED)
		goto out;
	ledger = pcinspect_track_ledger_id(&op->file);
	if (!ledger)
		goto out;
	lost = pcinspect_unused_set(ledger->unused, op->run, op->run_pages);
	if (lost)
		ledger_add(ledger, PCINSPECT_UNUSED_UNKNOWN_PAGES, lost);
out:
	op->run_pages = 0;
}

/* The operation of the running task that removes pages of @mapping. */
static enum pcinspect_remover_op
reads_how(const struct pcinspect_operations *ops,
	  const struct address_space *mapping, enum pcinspect_removal *removal)
{
	const struct pcinspect_operation *op;
	int i;

	*removal = PCINSPECT_REMOVAL_OTHER;
	for (i = ops ? ops->depth - 1 : -1; i >= 0; i--) {
		op = &ops->stack[i];
		if (op->kind == OP_DROP_CACHES)
			return PCINSPECT_REMOVER_DROP_CACHES;
		if (op->mapping != mapping)
			continue;
		switch (op->kind) {
		case OP_TRUNCATE:
			*removal = PCINSPECT_REMOVAL_TRUNCATE;
			break;
		case OP_INVALIDATE:
			*removal = PCINSPECT_REMOVAL_INVALIDATE;
			break;
		case OP_READ_PAGES:
			*removal = PCINSPECT_REMOVAL_TRIM;
			return PCINSPECT_REMOVER_OTHER;
		case OP_FADVISE:
			return PCINSPECT_REMOVER_FADVISE;
		case OP_DIRECT:
			return PCINSPECT_REMOVER_DIRECT;
		}
	}
	return *removal == PCINSPECT_REMOVAL_TRUNCATE ?
		       PCINSPECT_REMOVER_TRUNCATE :
		       PCINSPECT_REMOVER_OTHER;
}

/* Reclaim by the running task or, for others, by kswapd. */
static void reads_evicted(struct pcinspect_ledger *ledger, unsigned long nr,
			  struct pcinspect_culprit *by)
{
	const struct pcinspect_operation *op;

	if (current_is_kswapd()) {
		pcinspect_evictor_infer(nr, by);
		pcinspect_ledger_evicted(ledger, by);
		return;
	}
	/* A fault knows the file only if no readahead is in it, and so on. */
	op = pcinspect_operation_find(pcinspect_operations_of(),
				      BIT(OP_READAHEAD) | BIT(OP_WRITE) |
					      BIT(OP_FAULT) | BIT(OP_READ));
	if (op)
		pcinspect_ledger_culprit(by, &op->file, current->tgid,
					 pcinspect_comm());
	else if (current->reclaim_state)
		pcinspect_evictor_own(by);
	else
		/* These pages were asked for (MADV_PAGEOUT): for no file. */
		pcinspect_ledger_culprit(by, NULL, current->tgid,
					 pcinspect_comm());
	by->pages = nr;
	pcinspect_ledger_evicted(ledger, by);
}

/**
 * pcinspect_reads_removed() - a folio is leaving
 * @rec: the record of its inode
 * @folio: still in the page cache
 * @nr: its pages
 *
 * Context: probe of mm_filemap_delete_from_page_cache: i_pages lock held,
 * interrupts off.
 */
void pcinspect_reads_removed(struct pcinspect_record *rec, struct folio *folio,
			     unsigned long nr)
{
	struct pcinspect_ledger *ledger = pcinspect_record_ledger(rec);
	struct address_space *mapping = folio->mapping;
	enum pcinspect_removal removal;
	struct pcinspect_culprit by;
	struct pcinspect_operations *ops;
	enum pcinspect_remover_op how;
	s64 unused;

	if (!ledger)
		return;
	/* Before it is counted: a batch leaves nrpages after its last probe. */
	if (unlikely(READ_ONCE(ledger->recheck)))
		pcinspect_ledger_settle(ledger, rec, mapping, false);
	if (inode_state_read_once(mapping->host) & I_FREEING) {
		removal = PCINSPECT_REMOVAL_EVICT;
		ledger_add(ledger, PCINSPECT_REMOVED_EVICT, nr);
	} else if (pcinspect_in_reclaim()) {
		removal = PCINSPECT_REMOVAL_RECLAIM;
		reads_evicted(ledger, nr, &by);
	} else {
		ops = pcinspect_operations_of();
		how = reads_how(ops, mapping, &removal);
		if (removal == PCINSPECT_REMOVAL_OTHER &&
		    how == PCINSPECT_REMOVER_DROP_CACHES)
			removal = PCINSPECT_REMOVAL_INVALIDATE;
		if (removal != PCINSPECT_REMOVAL_TRIM)
			pcinspect_ledger_removed_by(ledger, removal, how, nr);
		else
			ledger_add(ledger, PCINSPECT_REMOVED_TRIM, nr);
		if (how == PCINSPECT_REMOVER_DIRECT)
			ledger_add(ledger, PCINSPECT_DIRECT_INVALIDATED_PAGES,
				   nr);
	}
	pcinspect_dirty_forget(ledger->dirty, folio->index, nr);
	unused = pcinspect_unused_clear(ledger->unused, folio->index,
					folio->index + nr - 1);
	if (unused)
		ledger_add(ledger, PCINSPECT_WASTED_PAGES, unused);
	if (trace_pcinspect_evicted_enabled()) {
		if (removal != PCINSPECT_REMOVAL_RECLAIM)
			pcinspect_ledger_culprit(&by, NULL, current->tgid,
						 pcinspect_comm());
		trace_pcinspect_evicted(mapping->host, folio->index, nr, unused,
					removal, &by);
	}
}

/**
 * pcinspect_reads_refault() - an inserted folio had been evicted before
 * @folio: in the page cache, locked
 *
 * Context: kprobe of workingset_refault(), preemption off.
 */
void pcinspect_reads_refault(struct folio *folio)
{
	struct address_space *mapping = folio_mapping(folio);
	struct pcinspect_ledger *ledger;

	if (!mapping || !mapping->host || folio_test_swapbacked(folio))
		return;
	ledger = pcinspect_track_ledger(mapping->host);
	if (!ledger)
		return;
	ledger_add(ledger, PCINSPECT_REFAULT_PAGES, folio_nr_pages(folio));
	trace_pcinspect_refault(mapping->host, folio->index,
				folio_nr_pages(folio));
}

/**
 * pcinspect_reads_used() - pages were read, written or mapped
 * @inode: of which inode
 * @first: first page
 * @last: last page
 * @observable: they certainly were; otherwise they may be from now on,
 *	without anybody seeing it
 *
 * Context: preemption off, perhaps interrupts off; never sleeps.
 */
void pcinspect_reads_used(struct inode *inode, u64 first, u64 last,
			  bool observable)
{
	struct pcinspect_ledger *ledger =
		pcinspect_record_ledger(pcinspect_track_find(inode));
	u64 cleared;

	if (!ledger)
		return;
	cleared = pcinspect_unused_clear(ledger->unused, first, last);
	if (cleared && !observable)
		ledger_add(ledger, PCINSPECT_UNUSED_UNKNOWN_PAGES, cleared);
}
