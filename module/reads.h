/* SPDX-License-Identifier: GPL-2.0 */
/*
 * reads.h - the read ledger's rules: why a page was inserted, why it left, for
 * whom the device was read. Called by the hooks.
 */
#ifndef PCINSPECT_READS_H
#define PCINSPECT_READS_H

#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/types.h>

#include "frame.h"
#include "ledger.h"
#include "track.h"

struct bio;

extern bool pcinspect_reads_on;

struct pcinspect_ledger *pcinspect_reads_ledger(struct inode *inode);
void pcinspect_reads_inserted(struct pcinspect_record *rec, struct folio *folio,
			      unsigned long nr);
void pcinspect_reads_flush_run(struct pcinspect_frame *frame);
void pcinspect_reads_removed(struct pcinspect_ledger *ledger,
			     struct folio *folio, unsigned long nr);
void pcinspect_reads_refault(struct folio *folio);
void pcinspect_reads_flushed(struct folio *folio);
void pcinspect_reads_used(struct inode *inode, u64 first, u64 last,
			  bool observable);
void pcinspect_reads_demanded(struct inode *inode, u64 bytes);
void pcinspect_reads_bio(struct bio *bio);

#endif /* PCINSPECT_READS_H */
