/* SPDX-License-Identifier: GPL-2.0 */
/*
 * bio.h - for whom a bio is. Called by the hook of submit_bio().
 */
#ifndef PCINSPECT_BIO_H
#define PCINSPECT_BIO_H

struct bio;

void pcinspect_bio(struct bio *bio);

#endif /* PCINSPECT_BIO_H */
