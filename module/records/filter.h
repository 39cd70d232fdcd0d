/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * filter.h - a bitmap that answers for most inodes that they have no ledger.
 */
#ifndef PCINSPECT_FILTER_H
#define PCINSPECT_FILTER_H

#include <linux/bitmap.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/types.h>

/* Of 32,768, 1,024 explicit records have 3 %: so few other files are looked up. */
#define PCINSPECT_FILTER_BITS 15

/* By hash of the inode: may it have a ledger? */
extern DECLARE_BITMAP(pcinspect_track_filter, 1 << PCINSPECT_FILTER_BITS);

void pcinspect_filter_count(const struct inode *inode, int by);

/* By the low half of the address, so that one multiplication does it. */
static __always_inline u32 pcinspect_filter_bit(const struct inode *inode)
{
	return hash_32((u32)(unsigned long)inode, PCINSPECT_FILTER_BITS);
}

/* False if an inode certainly has no ledger, as most. Context: any. */
static inline bool pcinspect_track_may_have_ledger(const struct inode *inode)
{
	return test_bit(pcinspect_filter_bit(inode), pcinspect_track_filter);
}

#endif /* PCINSPECT_FILTER_H */
