// SPDX-License-Identifier: GPL-2.0-only
/*
 * sparse.c - the table of chunks of all inodes: times of dirty pages (dirty.c),
 * bits of unused ones (unused.c).
 *
 * Why not an xarray per inode: its nodes, 576 bytes each, would be nobody's
 * budget, and the chunks lie far apart where memory is short.
 *
 * Sized from what both may take: a chain is 4 to 8 long when all of it is used.
 * Each bucket has a lock of its own, in its first bit.
 *
 * Context: any, irqs off by the caller or here. Locks: pcinspect_sparse.lock >
 * a bucket's; nothing is allocated or freed under them.
 */
#include <linux/hash.h>
#include <linux/irqflags.h>
#include <linux/limits.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "kunit_visible.h"
#include "records/sparse.h"

static struct hlist_bl_head *
	sparse_table __read_mostly __aligned(SMP_CACHE_BYTES);
static unsigned int sparse_bits __read_mostly;

/*
 * Owners lie some bytes apart, and bases are consecutive: added up, many pairs
 * would be one number. Return: the hash of a chunk, of so many bits.
 */
u32 pcinspect_sparse_hash(const struct pcinspect_sparse *of, u64 base,
			  unsigned int bits)
{
	return hash_64((unsigned long)of ^ (base * GOLDEN_RATIO_64), bits);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_sparse_hash);

static struct hlist_bl_head *sparse_bucket(const struct pcinspect_sparse *of,
					   u64 base)
{
	return &sparse_table[pcinspect_sparse_hash(of, base, sparse_bits)];
}

/* A chunk, or NULL. It stays while the caller keeps it from being removed. */
struct pcinspect_chunk *pcinspect_sparse_find(const struct pcinspect_sparse *of,
					      u64 base)
{
	struct hlist_bl_head *bucket = sparse_bucket(of, base);
	struct pcinspect_chunk *chunk, *found = NULL;
	struct hlist_bl_node *node;
	unsigned long flags;

	if (!READ_ONCE(of->nr))
		return NULL;
	local_irq_save(flags);
	hlist_bl_lock(bucket);
	hlist_bl_for_each_entry(chunk, node, bucket, node) {
		if (chunk->owner != of || chunk->base != base)
			continue;
		found = chunk;
		break;
	}
	hlist_bl_unlock(bucket);
	local_irq_restore(flags);
	return found;
}

/* Caller holds @to->lock, irqs off, and has looked whether it is there. */
void pcinspect_sparse_add(struct pcinspect_sparse *to,
			  struct pcinspect_chunk *chunk, u64 base)
{
	struct hlist_bl_head *bucket = sparse_bucket(to, base);

	chunk->owner = to;
	chunk->base = base;
	hlist_add_head(&chunk->sibling, &to->chunks);
	WRITE_ONCE(to->nr, to->nr + 1);
	hlist_bl_lock(bucket);
	hlist_bl_add_head(&chunk->node, bucket);
	hlist_bl_unlock(bucket);
}

/* Caller holds @from->lock, irqs off. */
void pcinspect_sparse_remove(struct pcinspect_sparse *from,
			     struct pcinspect_chunk *chunk)
{
	struct hlist_bl_head *bucket = sparse_bucket(from, chunk->base);

	hlist_del(&chunk->sibling);
	WRITE_ONCE(from->nr, from->nr - 1);
	hlist_bl_lock(bucket);
	hlist_bl_del(&chunk->node);
	hlist_bl_unlock(bucket);
}

/* Any chunk, taken out, or NULL: there is none. For the last user of @from. */
static struct pcinspect_chunk *sparse_pop(struct pcinspect_sparse *from)
{
	struct pcinspect_chunk *chunk;
	unsigned long flags;

	chunk = hlist_entry_safe(from->chunks.first, struct pcinspect_chunk,
				 sibling);
	if (chunk) {
		raw_spin_lock_irqsave(&from->lock, flags);
		pcinspect_sparse_remove(from, chunk);
		raw_spin_unlock_irqrestore(&from->lock, flags);
	}
	return chunk;
}

/* Nothing is remembered yet; NULL without memory. Context: any that @gfp allows. */
void *pcinspect_sparse_alloc(struct pcinspect_sparse_kind *kind, gfp_t gfp)
{
	struct pcinspect_sparse *of = pcinspect_cache_alloc(&kind->heads, gfp);

	if (of)
		raw_spin_lock_init(&of->lock);
	return of;
}

/*
 * Forget all of an inode. @of: which, or NULL; nobody uses it any more.
 * Context: process context, may sleep: there may be millions of chunks.
 */
void pcinspect_sparse_free(struct pcinspect_sparse_kind *kind,
			   struct pcinspect_sparse *of)
{
	struct pcinspect_chunk *chunk;

	if (!of)
		return;
	while ((chunk = sparse_pop(of))) {
		pcinspect_cache_free(&kind->chunks, chunk);
		cond_resched();
	}
	pcinspect_cache_free(&kind->heads, of);
}

/* Context: process context. Return: 0 or -ENOMEM. */
int pcinspect_sparse_kind_init(struct pcinspect_sparse_kind *kind,
			       const char *name, size_t size,
			       const char *chunk_name, size_t chunk_size,
			       long max_chunks)
{
	int err =
		pcinspect_cache_init(&kind->heads, name, size, false, LONG_MAX);

	if (!err)
		err = pcinspect_cache_init(&kind->chunks, chunk_name,
					   chunk_size, false, max_chunks);
	if (err)
		pcinspect_sparse_kind_exit(kind);
	return err;
}

/* Context: process context; nothing is remembered any more. */
void pcinspect_sparse_kind_exit(struct pcinspect_sparse_kind *kind)
{
	pcinspect_cache_exit(&kind->chunks);
	pcinspect_cache_exit(&kind->heads);
}

/* The memory of all of it, in bytes. */
size_t pcinspect_sparse_kind_memory(const struct pcinspect_sparse_kind *kind)
{
	return pcinspect_cache_memory(&kind->heads) +
	       pcinspect_cache_memory(&kind->chunks);
}

int pcinspect_sparse_init(unsigned long max_chunks)
{
	sparse_bits = max(order_base_2(max_chunks / 8), 4);
	sparse_table =
		kvcalloc(1UL << sparse_bits, sizeof(*sparse_table), GFP_KERNEL);
	return sparse_table ? 0 : -ENOMEM;
}

void pcinspect_sparse_exit(void)
{
	kvfree(sparse_table);
}

/* Bytes of the table; its chunks are in their own caches. */
size_t pcinspect_sparse_memory(void)
{
	return sizeof(*sparse_table) << sparse_bits;
}
