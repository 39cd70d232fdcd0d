/* SPDX-License-Identifier: GPL-2.0 */
/*
 * unused.h - which pages readahead brought in and nobody has used yet.
 *
 * One bit a page, in chunks made when first needed. All operations are atomic
 * on words, so that probes in any context may meet here without a lock.
 */
#ifndef PCINSPECT_USED_H
#define PCINSPECT_USED_H

#include <linux/bits.h>
#include <linux/types.h>
#include <linux/xarray.h>

#define USED_CHUNK_BITS 10
#define USED_CHUNK_PAGES BIT(USED_CHUNK_BITS)

/**
 * struct pcinspect_used_chunk - bits of 1,024 pages
 * @base: number of its first page >> USED_CHUNK_BITS
 * @bits: set: brought in by readahead, not used so far
 */
struct pcinspect_used_chunk {
	u64 base;
	unsigned long bits[USED_CHUNK_PAGES / BITS_PER_LONG];
};

/**
 * struct pcinspect_used - the bits of one inode
 * @chunks: by number
 * @last: the one used last, to save a lookup a page
 */
struct pcinspect_used {
	struct xarray chunks;
	struct pcinspect_used_chunk *last;
};

int pcinspect_used_init(void);
void pcinspect_used_exit(void);
struct pcinspect_used *pcinspect_used_alloc(gfp_t gfp);
void pcinspect_used_free(struct pcinspect_used *used);

/**
 * pcinspect_used_any() - may any bit be set
 * @used: the inode's bits
 *
 * Context: any.
 * Return: false if none is.
 */
static inline bool pcinspect_used_any(const struct pcinspect_used *used)
{
	return !xa_empty(&used->chunks);
}

unsigned int pcinspect_used_set(struct pcinspect_used *used, u64 index,
				unsigned int nr);
u64 pcinspect_used_clear(struct pcinspect_used *used, u64 first, u64 last);
size_t pcinspect_used_memory(void);

#endif /* PCINSPECT_USED_H */
