/* SPDX-License-Identifier: GPL-2.0 */
/*
 * bio.h - for whom a bio is. Called by the hook of submit_bio().
 */
#ifndef PCINSPECT_BIO_H
#define PCINSPECT_BIO_H

#include <linux/fs.h>
#include <linux/iomap.h>
#include <linux/types.h>

struct bio;

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

void pcinspect_bio(struct bio *bio);

#endif /* PCINSPECT_BIO_H */
