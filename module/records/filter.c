// SPDX-License-Identifier: GPL-2.0-only
/*
 * filter.c - the number of ledgers behind each bit of the filter.
 *
 * May touch: nothing but its bitmap and its counts.
 *
 * Locks: the caller holds pcinspect_track.lock; readers take none.
 */
#include "records/filter.h"

DECLARE_BITMAP(pcinspect_track_filter, 1 << PCINSPECT_FILTER_BITS)
__read_mostly;

/* Ledgers by bit of the filter, which is cleared with the last. */
static unsigned int filter_counts[1 << PCINSPECT_FILTER_BITS];

/* Note one ledger more or less of an inode, which is not followed. */
void pcinspect_filter_count(const struct inode *inode, int by)
{
	unsigned long bit = pcinspect_filter_bit(inode);

	filter_counts[bit] += by;
	if (!filter_counts[bit])
		clear_bit(bit, pcinspect_track_filter);
	else if (!test_bit(bit, pcinspect_track_filter))
		set_bit(bit, pcinspect_track_filter);
}
