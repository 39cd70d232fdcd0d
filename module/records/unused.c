// SPDX-License-Identifier: GPL-2.0-only
/*
 * unused.c - the sparse bitmap behind wasted_pages.
 *
 * Why not page flags: reclaim clears PG_referenced before it removes a page
 * (shrink_folio_list()), so at removal the flags cannot tell a page that was
 * read from one that was not.
 *
 * Memory: 176 bytes for 4 MiB of a file that readahead touched, at most
 * UNUSED_MAX_BYTES in all. Pages without a chunk are of unknown use. Chunks
 * live as long as their inode's ledger.
 */
#include <linux/bitops.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/sched.h>

#include "kunit_visible.h"
#include "records/memory.h"
#include "records/unused.h"

/* 1 GiB of 4 KiB pages takes 44 KiB. */
#define UNUSED_MAX_BYTES (64L << 20)

static struct pcinspect_sparse_kind unused_kind;

static struct pcinspect_unused_chunk *
unused_find(struct pcinspect_unused *unused, u64 base)
{
	struct pcinspect_unused_chunk *chunk = READ_ONCE(unused->last);

	if (chunk && chunk->at.base == base)
		return chunk;
	chunk = (void *)pcinspect_sparse_find(&unused->at, base);
	if (chunk)
		WRITE_ONCE(unused->last, chunk);
	return chunk;
}

static struct pcinspect_unused_chunk *
unused_make(struct pcinspect_unused *unused, u64 base)
{
	struct pcinspect_unused_chunk *chunk, *first;
	unsigned long flags;

	chunk = pcinspect_cache_alloc(&unused_kind.chunks, PCINSPECT_GFP_PROBE);
	if (!chunk)
		return NULL;
	raw_spin_lock_irqsave(&unused->at.lock, flags);
	first = (void *)pcinspect_sparse_find(&unused->at, base);
	if (!first)
		pcinspect_sparse_add(&unused->at, &chunk->at, base);
	raw_spin_unlock_irqrestore(&unused->at.lock, flags);
	if (!first)
		return chunk;
	/* Another CPU was first. */
	pcinspect_cache_free(&unused_kind.chunks, chunk);
	return first;
}

/* Bits of one word: @nr from @offset on. */
static unsigned long unused_mask(unsigned int offset, unsigned int nr)
{
	return (~0UL >> (BITS_PER_LONG - nr)) << offset;
}

/*
 * Readahead brought pages in. Context: any but NMI; never sleeps. Return: how
 * many of them found no memory.
 */
unsigned int pcinspect_unused_set(struct pcinspect_unused *unused, u64 index,
				  unsigned int nr)
{
	struct pcinspect_unused_chunk *chunk;
	unsigned int lost = 0;

	while (nr) {
		unsigned int at = index & (UNUSED_CHUNK_PAGES - 1);
		unsigned int bit = at % BITS_PER_LONG;
		unsigned int n = min_t(unsigned int, nr, BITS_PER_LONG - bit);

		chunk = unused_find(unused, index >> UNUSED_CHUNK_BITS);
		if (!chunk)
			chunk = unused_make(unused, index >> UNUSED_CHUNK_BITS);
		if (chunk)
			atomic_long_or(unused_mask(bit, n),
				       (atomic_long_t *)&chunk
					       ->bits[at / BITS_PER_LONG]);
		else
			lost += n;
		index += n;
		nr -= n;
	}
	return lost;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_unused_set);

/* Clear bits @at to @end - 1 of a chunk; returns how many were set. */
static u64 unused_clear_in(struct pcinspect_unused_chunk *chunk,
			   unsigned int at, unsigned int end)
{
	u64 cleared = 0;

	while (at < end) {
		unsigned int bit = at % BITS_PER_LONG;
		unsigned int n =
			min_t(unsigned int, end - at, BITS_PER_LONG - bit);
		unsigned long mask = unused_mask(bit, n);
		atomic_long_t *word =
			(atomic_long_t *)&chunk->bits[at / BITS_PER_LONG];

		if (atomic_long_read(word) & mask) {
			mask &= atomic_long_fetch_andnot(mask, word);
			cleared += hweight_long(mask);
		}
		at += n;
	}
	return cleared;
}

/*
 * Pages were used, or left. @last: last page; a call asks for 2 GiB at most
 * (MAX_RW_COUNT), which is what bounds the work. Context: any but NMI; never
 * sleeps. Return: how many of them were unused until now.
 */
u64 pcinspect_unused_clear(struct pcinspect_unused *unused, u64 first, u64 last)
{
	struct pcinspect_unused_chunk *chunk;
	u64 base, start, cleared = 0;

	if (!pcinspect_unused_any(unused))
		return 0;
	for (base = first >> UNUSED_CHUNK_BITS;
	     base <= last >> UNUSED_CHUNK_BITS; base++) {
		chunk = unused_find(unused, base);
		if (!chunk)
			continue;
		start = base << UNUSED_CHUNK_BITS;
		cleared += unused_clear_in(chunk, max(first, start) - start,
					   min_t(u64, last - start,
						 UNUSED_CHUNK_PAGES - 1) +
						   1);
	}
	return cleared;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_unused_clear);

/* No bits yet; NULL without memory. Context: any that @gfp allows. */
struct pcinspect_unused *pcinspect_unused_alloc(gfp_t gfp)
{
	return pcinspect_sparse_alloc(&unused_kind, gfp);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_unused_alloc);

/*
 * Free an inode's bits. @unused: which, or NULL; nobody uses them any more.
 * Context: process context, may sleep.
 */
void pcinspect_unused_free(struct pcinspect_unused *unused)
{
	pcinspect_sparse_free(&unused_kind, unused ? &unused->at : NULL);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_unused_free);

/* The memory of all bits, in bytes. */
size_t pcinspect_unused_memory(void)
{
	return pcinspect_sparse_kind_memory(&unused_kind);
}

/* Chunks at most. */
unsigned long pcinspect_unused_max(void)
{
	return unused_kind.chunks.max;
}

/* Context: process context. Return: 0 or -ENOMEM. */
int pcinspect_unused_init(void)
{
	const size_t size = sizeof(struct pcinspect_unused_chunk);

	return pcinspect_sparse_kind_init(&unused_kind, "pcinspect_unused",
					  sizeof(struct pcinspect_unused),
					  "pcinspect_unused_chunk", size,
					  UNUSED_MAX_BYTES / size);
}

/* Context: process context; no bits are left. */
void pcinspect_unused_exit(void)
{
	pcinspect_sparse_kind_exit(&unused_kind);
}
