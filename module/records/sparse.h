/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * sparse.h - data about pages of a file, in chunks of
 * pages in a row.
 */
#ifndef PCINSPECT_SPARSE_H
#define PCINSPECT_SPARSE_H

#include <linux/list.h>
#include <linux/list_bl.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "records/memory.h"

/**
 * struct pcinspect_chunk - some pages in a row; what is remembered follows
 * @node: in the table, by @owner and @base
 * @sibling: in @owner's chunks
 * @base: number of the chunk within the file
 */
struct pcinspect_chunk {
	struct hlist_bl_node node;
	struct hlist_node sibling;
	const struct pcinspect_sparse *owner;
	u64 base;
};

/*
 * struct pcinspect_sparse - the chunks of one inode
 * @lock: around changes of all that follows; a leaf but for a bucket's lock
 */
struct pcinspect_sparse {
	raw_spinlock_t lock;
	unsigned long nr;
	struct hlist_head chunks;
};

/*
 * struct pcinspect_sparse_kind - one thing that is remembered, of all inodes
 * @heads: begin with a struct pcinspect_sparse
 * @chunks: begin with a struct pcinspect_chunk
 */
struct pcinspect_sparse_kind {
	struct pcinspect_cache heads;
	struct pcinspect_cache chunks;
};

int pcinspect_sparse_kind_init(struct pcinspect_sparse_kind *kind,
			       const char *name, size_t size,
			       const char *chunk_name, size_t chunk_size,
			       long max_chunks);
void pcinspect_sparse_kind_exit(struct pcinspect_sparse_kind *kind);
size_t pcinspect_sparse_kind_memory(const struct pcinspect_sparse_kind *kind);
void *pcinspect_sparse_alloc(struct pcinspect_sparse_kind *kind, gfp_t gfp);
void pcinspect_sparse_free(struct pcinspect_sparse_kind *kind,
			   struct pcinspect_sparse *of);
u32 pcinspect_sparse_hash(const struct pcinspect_sparse *of, u64 base,
			  unsigned int bits);
struct pcinspect_chunk *pcinspect_sparse_find(const struct pcinspect_sparse *of,
					      u64 base);
void pcinspect_sparse_add(struct pcinspect_sparse *to,
			  struct pcinspect_chunk *chunk, u64 base);
void pcinspect_sparse_remove(struct pcinspect_sparse *from,
			     struct pcinspect_chunk *chunk);
int pcinspect_sparse_init(unsigned long max_chunks);
void pcinspect_sparse_exit(void);
size_t pcinspect_sparse_memory(void);

#endif /* PCINSPECT_SPARSE_H */
