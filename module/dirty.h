/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dirty.h - when each dirty folio became dirty.
 */
#ifndef PCINSPECT_DIRTY_H
#define PCINSPECT_DIRTY_H

#include <linux/types.h>
#include <linux/xarray.h>

#include "../include/uapi/pcinspect.h"

struct address_space;
struct folio;
struct inode;
struct pcinspect_record;

/**
 * struct pcinspect_dirty - the times of one inode
 * @times: by index of the folio: a value entry, nanoseconds >> 1
 * @pages: pages in it
 */
struct pcinspect_dirty {
	struct xarray times;
	atomic64_t pages;
};

unsigned int pcinspect_dirty_bucket(u64 age_ns);
struct pcinspect_dirty *pcinspect_dirty_alloc(gfp_t gfp);
void pcinspect_dirty_free(struct pcinspect_dirty *dirty);
void pcinspect_dirty_dirtied(struct folio *folio, struct address_space *mapping);
void pcinspect_dirty_written(struct folio *folio);
void pcinspect_dirty_removed(struct pcinspect_record *rec, struct folio *folio);
void pcinspect_dirty_age(const struct inode *inode, u64 index, u64 nr, u64 now,
			 struct pcinspect_ages *ages);
u64 pcinspect_dirty_lost(void);
size_t pcinspect_dirty_memory(void);

#endif /* PCINSPECT_DIRTY_H */
