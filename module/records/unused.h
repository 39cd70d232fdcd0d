/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * unused.h - the pages of readahead that are not used yet.
 *
 * One bit a page, in chunks made when first needed. Bits are set and cleared
 * atomically, by the word, so that probes in any context may meet here.
 */
#ifndef PCINSPECT_UNUSED_H
#define PCINSPECT_UNUSED_H

#include <linux/bits.h>
#include <linux/types.h>

#include "records/sparse.h"

#define UNUSED_CHUNK_BITS 10
#define UNUSED_CHUNK_PAGES BIT(UNUSED_CHUNK_BITS)

/*
 * struct pcinspect_unused_chunk - bits of 1,024 pages
 * @bits: set: brought in by readahead, not used so far
 */
struct pcinspect_unused_chunk {
	struct pcinspect_chunk at;
	unsigned long bits[UNUSED_CHUNK_PAGES / BITS_PER_LONG];
};

/*
 * struct pcinspect_unused - the bits of one inode
 * @last: the one used last, to save a lookup a page
 */
struct pcinspect_unused {
	struct pcinspect_sparse at;
	struct pcinspect_unused_chunk *last;
};

unsigned long pcinspect_unused_max(void);
int pcinspect_unused_init(void);
void pcinspect_unused_exit(void);
struct pcinspect_unused *pcinspect_unused_alloc(gfp_t gfp);
void pcinspect_unused_free(struct pcinspect_unused *unused);
unsigned int pcinspect_unused_set(struct pcinspect_unused *unused, u64 index,
				  unsigned int nr);
u64 pcinspect_unused_clear(struct pcinspect_unused *unused, u64 first, u64 last);
size_t pcinspect_unused_memory(void);

/* May any bit be set? */
static inline bool pcinspect_unused_any(const struct pcinspect_unused *unused)
{
	return READ_ONCE(unused->at.nr);
}

#endif /* PCINSPECT_UNUSED_H */
