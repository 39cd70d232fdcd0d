/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * bio.h - for whom a bio is. Called by the hooks of hooks/block.c.
 */
#ifndef PCINSPECT_BIO_H
#define PCINSPECT_BIO_H

#include <linux/blk_types.h>
#include <linux/fs.h>
#include <linux/iomap.h>
#include <linux/types.h>

#include "account/devices.h"
#include "records/operation.h"

/*
 * Do bios of this direct I/O not say themselves that they are? What is called
 * when they end does, and a filesystem that puts something else in its place does
 * so in ->submit_io (struct iomap_dio_ops); what is encrypted may be copied before
 * it is submitted (blk_crypto_submit_bio(), 7.2). @dops: of __iomap_dio_rw().
 */
static __always_inline bool pcinspect_bio_hides(const struct inode *inode,
						const struct iomap_dio_ops *dops)
{
	return unlikely(IS_ENCRYPTED(inode) || (dops && dops->submit_io));
}

/*
 * Is it direct I/O of a file that nobody asked about, which is not followed?
 * Then what is called when it ends says so, which is never that of swap.
 */
static __always_inline bool pcinspect_bio_is_marked_direct(const struct bio *bio)
{
	return IS_ENABLED(CONFIG_FS_IOMAP) &&
	       bio->bi_end_io == iomap_dio_bio_end_io;
}

/* Of such a bio that reads or writes. */
static __always_inline enum pcinspect_device_use
pcinspect_bio_direct_use(const struct bio *bio)
{
	static_assert((__force u32)REQ_OP_READ == 0);
	static_assert((__force u32)REQ_OP_WRITE == 1);

	return DEVICE_DIRECT +
	       (__force u32)bio_op(bio) * (DEVICE_WRITE_DIRECT - DEVICE_DIRECT);
}

/*
 * Count a bio, if it is direct I/O of a file that nobody asked about, by a task
 * that certainly is in nothing that is followed: what pcinspect_bio() would do
 * of it. Context: call of submit_bio() while there is no run. Return: was it?
 */
static __always_inline bool pcinspect_bio_others(const struct bio *bio)
{
	return likely(pcinspect_bio_is_marked_direct(bio)) &&
	       (__force u32)bio_op(bio) <= (__force u32)REQ_OP_WRITE &&
	       likely(!pcinspect_operations_may_have(current)) &&
	       pcinspect_devices_count(bio->bi_bdev->bd_dev,
				       pcinspect_bio_direct_use(bio),
				       bio->bi_iter.bi_size);
}

void pcinspect_bio(struct bio *bio);
void pcinspect_bio_refused(struct bio *bio, bool accounted);

#endif /* PCINSPECT_BIO_H */
