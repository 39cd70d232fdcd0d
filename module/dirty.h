/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dirty.h - when each dirty folio became dirty.
 */
#ifndef PCINSPECT_DIRTY_H
#define PCINSPECT_DIRTY_H

#include <linux/jiffies.h>
#include <linux/rculist.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "../include/uapi/pcinspect.h"

#define DIRTY_CHUNK_BITS 6 /* of DIRTY_CHUNK_PAGES */
#define DIRTY_CHUNK_PAGES 64

/**
 * struct pcinspect_dirty_chunk - the times of 64 pages in a row
 * @node: in the table, by @owner and @base
 * @sibling: in @owner's chunks
 * @owner: the inode's times; compared only
 * @base: index of the first page >> DIRTY_CHUNK_BITS
 * @epoch: @owner's when the times were set; of another, none of them holds
 * @nr: times that are set
 * @times: by page, see pcinspect_dirty_now(); 0: not set
 */
struct pcinspect_dirty_chunk {
	struct hlist_node node;
	struct hlist_node sibling;
	const struct pcinspect_dirty *owner;
	u64 base;
	unsigned int epoch;
	unsigned int nr;
	u32 times[DIRTY_CHUNK_PAGES];
};

/**
 * struct pcinspect_dirty - the times of one inode
 * @lock: protects the chunks' times and all that follows; a leaf but for the
 * table's lock
 * @last: the chunk used last, of this epoch, or NULL
 * @epoch: a new one begins where events may have been missed
 * @nr_chunks: chunks in the table
 * @chunks: them
 * @pages: pages with a time, whole folios
 */
struct pcinspect_dirty {
	raw_spinlock_t lock;
	struct pcinspect_dirty_chunk *last;
	unsigned int epoch;
	unsigned long nr_chunks;
	struct hlist_head chunks;
	u64 pages;
};

/**
 * pcinspect_dirty_now() - the time as it is kept
 *
 * Ticks: reading the clock would cost more than all the rest of a page. It
 * wraps after 49 days of 1000 ticks a second, 198 of 250.
 *
 * Context: any.
 * Return: the time, never 0.
 */
static inline u32 pcinspect_dirty_now(void)
{
	return (u32)jiffies ?: 1;
}

/* enum pcinspect_dirty_set - what pcinspect_dirty_set() did */
enum pcinspect_dirty_set {
	DIRTY_NEW, /* it has a time now */
	DIRTY_KEPT, /* it had one, which stays */
	DIRTY_LOST, /* no memory: its age is unknown */
	DIRTY_FAR, /* not where the last one was: ask pcinspect_dirty_set() */
};

struct pcinspect_dirty *pcinspect_dirty_alloc(gfp_t gfp);
void pcinspect_dirty_free(struct pcinspect_dirty *dirty);
void pcinspect_dirty_begin(struct pcinspect_dirty *dirty);
enum pcinspect_dirty_set pcinspect_dirty_set(struct pcinspect_dirty *dirty,
					     u64 index, unsigned int nr);
u32 pcinspect_dirty_forget(struct pcinspect_dirty *dirty, u64 index,
			   unsigned int nr);
/* A time in a chunk. Caller holds the lock. */
static __always_inline enum pcinspect_dirty_set
pcinspect_dirty_set_in(struct pcinspect_dirty *dirty,
		       struct pcinspect_dirty_chunk *chunk, u64 index,
		       unsigned int nr)
{
	u32 *time = &chunk->times[index & (DIRTY_CHUNK_PAGES - 1)];

	if (*time)
		return DIRTY_KEPT;
	*time = pcinspect_dirty_now();
	chunk->nr++;
	dirty->pages += nr;
	return DIRTY_NEW;
}

/**
 * pcinspect_dirty_set_near() - a folio became dirty beside the last one
 * @dirty: its inode's times
 * @index: of the folio
 * @nr: its pages
 *
 * Context: irqs off, preemption off.
 * Return: what became of its time; DIRTY_FAR as a rule for one in 64.
 */
static __always_inline enum pcinspect_dirty_set
pcinspect_dirty_set_near(struct pcinspect_dirty *dirty, u64 index,
			 unsigned int nr)
{
	enum pcinspect_dirty_set done = DIRTY_FAR;
	struct pcinspect_dirty_chunk *chunk;

	raw_spin_lock(&dirty->lock);
	chunk = dirty->last;
	if (likely(chunk && chunk->base == index >> DIRTY_CHUNK_BITS))
		done = pcinspect_dirty_set_in(dirty, chunk, index, nr);
	raw_spin_unlock(&dirty->lock);
	return done;
}

unsigned int pcinspect_dirty_bucket(u64 age_ns);
u64 pcinspect_dirty_since(u32 time);
void pcinspect_dirty_count(struct pcinspect_dirty *dirty, u64 index, u64 nr,
			   struct pcinspect_ages *ages);
u64 pcinspect_dirty_lost(void);
size_t pcinspect_dirty_memory(void);
int pcinspect_dirty_init(void);
void pcinspect_dirty_exit(void);

#endif /* PCINSPECT_DIRTY_H */
