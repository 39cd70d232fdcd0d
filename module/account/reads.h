/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * reads.h - the read ledger's rules: why a page was inserted, why it left, for
 * whom the device was read. Called by the hooks.
 */
#ifndef PCINSPECT_READS_H
#define PCINSPECT_READS_H

#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/types.h>

#include "records/ledger.h"
#include "records/operation.h"
#include "records/scope.h"
#include "records/track.h"

void pcinspect_reads_inserted(struct pcinspect_record *rec, struct folio *folio,
			      unsigned long nr);
void pcinspect_reads_flush_run(struct pcinspect_operation *op);

/* Add a folio to a window. */
static __always_inline void
pcinspect_reads_window(struct pcinspect_operation *op,
		       const struct folio *folio, unsigned int nr)
{
	op->inserted += nr;
	op->run_pages += nr;
	if (unlikely(nr > 1) && nr >> op->order > 1)
		op->order = folio_order((struct folio *)folio);
}

/**
 * pcinspect_reads_insert() - a folio was inserted
 * @rec: the record of its inode
 * @folio: in the page cache, locked
 * @nr: its pages
 *
 * The next page of plain readahead, which most are, costs no call: the probe
 * need not save registers.
 *
 * Context: probe of mm_filemap_add_to_page_cache, preemption off.
 */
static __always_inline void pcinspect_reads_insert(struct pcinspect_record *rec,
						   struct folio *folio,
						   unsigned int nr)
{
	struct pcinspect_operation *top = pcinspect_operation_top();
	struct pcinspect_ledger *ledger = pcinspect_record_ledger(rec);

	if (likely(top && top->kind == OP_READAHEAD &&
		   top->mapping == folio->mapping &&
		   top->run + top->run_pages == folio->index) &&
	    (ledger || !pcinspect_scope_run())) {
		pcinspect_reads_window(top, folio, nr);
		if (!ledger)
			return;
		ledger_add(ledger, pcinspect_inserted(top->cause), nr);
		if (unlikely(READ_ONCE(ledger->recheck)))
			pcinspect_ledger_settle(ledger, rec, folio->mapping,
						false);
		return;
	}
	pcinspect_reads_inserted(rec, folio, nr);
}

void pcinspect_reads_removed(struct pcinspect_record *rec, struct folio *folio,
			     unsigned long nr);
void pcinspect_reads_refault(struct folio *folio);
void pcinspect_reads_used(struct inode *inode, u64 first, u64 last,
			  bool observable);

#endif /* PCINSPECT_READS_H */
