// SPDX-License-Identifier: GPL-2.0
/*
 * unused.c - the sparse bitmap behind wasted_pages.
 *
 * Why not page flags: reclaim clears PG_referenced before it removes a page
 * (shrink_folio_list()), so at removal the flags cannot tell a page that was
 * read from one that was not.
 *
 * Memory: 136 bytes and an xarray slot for 4 MiB of a file that readahead
 * touched, at most PCINSPECT_USED_MAX in all. Pages without a chunk are of
 * unknown use. Chunks live as long as their inode's record.
 */
#include <linux/bitmap.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include "kunit_visible.h"
#include "records/unused.h"

/* Bytes of chunks at most: 1 GiB of 4 KiB pages takes 34 KiB. */
#define PCINSPECT_USED_MAX (64L << 20)

static struct kmem_cache *used_cache;
static atomic64_t used_bytes = ATOMIC64_INIT(0);

static struct pcinspect_used_chunk *used_find(struct pcinspect_used *used,
					      u64 base)
{
	struct pcinspect_used_chunk *chunk = READ_ONCE(used->last);

	if (chunk && chunk->base == base)
		return chunk;
	chunk = xa_load(&used->chunks, base);
	if (chunk)
		WRITE_ONCE(used->last, chunk);
	return chunk;
}

static struct pcinspect_used_chunk *used_make(struct pcinspect_used *used,
					      u64 base)
{
	struct pcinspect_used_chunk *chunk, *old;
	unsigned long flags;

	if (atomic64_read(&used_bytes) >= PCINSPECT_USED_MAX)
		return NULL;
	chunk = kmem_cache_zalloc(used_cache, GFP_NOWAIT | __GFP_NOWARN);
	if (!chunk)
		return NULL;
	chunk->base = base;
	xa_lock_irqsave(&used->chunks, flags);
	old = __xa_cmpxchg(&used->chunks, base, NULL, chunk,
			   GFP_NOWAIT | __GFP_NOWARN);
	xa_unlock_irqrestore(&used->chunks, flags);
	if (old) {
		/* Another CPU was first, or there was no memory for the slot. */
		kmem_cache_free(used_cache, chunk);
		return xa_is_err(old) ? NULL : old;
	}
	atomic64_add(sizeof(*chunk), &used_bytes);
	return chunk;
}

/* Bits of one word: @nr from @offset on. */
static unsigned long used_mask(unsigned int offset, unsigned int nr)
{
	return (~0UL >> (BITS_PER_LONG - nr)) << offset;
}

/**
 * pcinspect_used_set() - readahead brought pages in
 * @used: the inode's bits
 * @index: first page
 * @nr: how many, a folio's
 *
 * Context: any but NMI; never sleeps.
 * Return: how many of them found no memory.
 */
unsigned int pcinspect_used_set(struct pcinspect_used *used, u64 index,
				unsigned int nr)
{
	struct pcinspect_used_chunk *chunk;
	unsigned int lost = 0;

	while (nr) {
		unsigned int at = index & (USED_CHUNK_PAGES - 1);
		unsigned int bit = at % BITS_PER_LONG;
		unsigned int n = min_t(unsigned int, nr, BITS_PER_LONG - bit);

		chunk = used_find(used, index >> USED_CHUNK_BITS);
		if (!chunk)
			chunk = used_make(used, index >> USED_CHUNK_BITS);
		if (chunk)
			atomic_long_or(used_mask(bit, n),
				       (atomic_long_t *)&chunk
					       ->bits[at / BITS_PER_LONG]);
		else
			lost += n;
		index += n;
		nr -= n;
	}
	return lost;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_used_set);

/**
 * pcinspect_used_clear() - pages were used, or left
 * @used: the inode's bits
 * @first: first page
 * @last: last page
 *
 * The chunks of the range are visited, not its pages: bounded by what
 * readahead made, however large the range.
 *
 * Context: any but NMI; never sleeps.
 * Return: how many of them were unused until now.
 */
u64 pcinspect_used_clear(struct pcinspect_used *used, u64 first, u64 last)
{
	struct pcinspect_used_chunk *chunk;
	unsigned long base = first >> USED_CHUNK_BITS;
	u64 cleared = 0;

	chunk = used_find(used, base);
	if (!chunk && base != last >> USED_CHUNK_BITS)
		chunk = xa_find_after(&used->chunks, &base,
				      last >> USED_CHUNK_BITS, XA_PRESENT);
	while (chunk) {
		u64 start = chunk->base << USED_CHUNK_BITS;
		unsigned int at = max(first, start) - start;
		unsigned int end =
			min_t(u64, last - start, USED_CHUNK_PAGES - 1) + 1;

		while (at < end) {
			unsigned int bit = at % BITS_PER_LONG;
			unsigned int n = min_t(unsigned int, end - at,
					       BITS_PER_LONG - bit);
			unsigned long mask = used_mask(bit, n);
			atomic_long_t *word;

			word = (atomic_long_t *)&chunk->bits[at / BITS_PER_LONG];
			if (atomic_long_read(word) & mask) {
				mask &= atomic_long_fetch_andnot(mask, word);
				cleared += hweight_long(mask);
			}
			at += n;
		}
		base = chunk->base;
		if (base >= last >> USED_CHUNK_BITS)
			break;
		chunk = xa_find_after(&used->chunks, &base,
				      last >> USED_CHUNK_BITS, XA_PRESENT);
	}
	return cleared;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_used_clear);

/**
 * pcinspect_used_alloc() - no bits yet
 * @gfp: how to allocate
 *
 * Context: any that @gfp allows.
 * Return: the bits of an inode, or NULL.
 */
struct pcinspect_used *pcinspect_used_alloc(gfp_t gfp)
{
	struct pcinspect_used *used = kzalloc(sizeof(*used), gfp);

	if (used)
		xa_init_flags(&used->chunks, XA_FLAGS_LOCK_IRQ);
	return used;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_used_alloc);

/**
 * pcinspect_used_free() - free an inode's bits
 * @used: which, or NULL; nobody uses them any more
 *
 * Context: any but hard interrupts; never sleeps.
 */
void pcinspect_used_free(struct pcinspect_used *used)
{
	struct pcinspect_used_chunk *chunk;
	unsigned long base;

	if (!used)
		return;
	xa_for_each(&used->chunks, base, chunk) {
		kmem_cache_free(used_cache, chunk);
		atomic64_sub(sizeof(*chunk), &used_bytes);
	}
	xa_destroy(&used->chunks);
	kfree(used);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_used_free);

/**
 * pcinspect_used_memory() - what all bits take
 *
 * Context: any.
 * Return: bytes.
 */
size_t pcinspect_used_memory(void)
{
	return atomic64_read(&used_bytes);
}

/**
 * pcinspect_used_init() - prepare
 *
 * Context: process context.
 * Return: 0 or -ENOMEM.
 */
int pcinspect_used_init(void)
{
	used_cache = KMEM_CACHE(pcinspect_used_chunk, 0);
	return used_cache ? 0 : -ENOMEM;
}

/**
 * pcinspect_used_exit() - undo it
 *
 * Context: process context; no bits are left.
 */
void pcinspect_used_exit(void)
{
	kmem_cache_destroy(used_cache);
}
