/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sparse.h - where something is remembered of a file's pages, in chunks of
 * pages in a row.
 */
#ifndef PCINSPECT_SPARSE_H
#define PCINSPECT_SPARSE_H

#include <linux/list.h>
#include <linux/list_bl.h>
#include <linux/spinlock.h>
#include <linux/types.h>

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

struct pcinspect_chunk *pcinspect_sparse_find(const struct pcinspect_sparse *of,
					      u64 base);
void pcinspect_sparse_add(struct pcinspect_sparse *to,
			  struct pcinspect_chunk *chunk, u64 base);
void pcinspect_sparse_remove(struct pcinspect_sparse *from,
			     struct pcinspect_chunk *chunk);
struct pcinspect_chunk *pcinspect_sparse_pop(struct pcinspect_sparse *from);
int pcinspect_sparse_init(unsigned long max_chunks);
void pcinspect_sparse_exit(void);
size_t pcinspect_sparse_memory(void);

#endif /* PCINSPECT_SPARSE_H */
