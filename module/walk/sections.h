/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sections.h - the known numbers of an inode, and its ledger as user
 * space gets it.
 */
#ifndef PCINSPECT_SECTIONS_H
#define PCINSPECT_SECTIONS_H

#include <linux/types.h>

struct inode;
struct pcinspect_ledger;
struct pcinspect_record;
struct pcinspect_snapshot;
struct pcinspect_tries;

void pcinspect_sections_know(struct pcinspect_snapshot *snap);
size_t pcinspect_sections_emit(struct pcinspect_ledger *ledger,
			       const struct pcinspect_record *rec,
			       const struct inode *inode,
			       struct pcinspect_snapshot *snap, void *to,
			       struct pcinspect_tries *tries);
size_t pcinspect_sections_deleted(const struct pcinspect_record *rec,
				  struct pcinspect_snapshot *snap, void *to);

#endif /* PCINSPECT_SECTIONS_H */
