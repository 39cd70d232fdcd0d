/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * dirty.h - when each dirty folio became dirty.
 */
#ifndef PCINSPECT_DIRTY_H
#define PCINSPECT_DIRTY_H

#include <linux/jiffies.h>
#include <linux/types.h>

#include "uapi/pcinspect.h"
#include "records/sparse.h"

struct address_space;

#define DIRTY_CHUNK_BITS 6 /* of DIRTY_CHUNK_PAGES */
#define DIRTY_CHUNK_PAGES 64

/*
 * struct pcinspect_dirty_chunk - the times of 64 pages in a row
 * @nr: times that are set
 * @times: by page, see pcinspect_dirty_now(); 0: not set
 */
struct pcinspect_dirty_chunk {
	struct pcinspect_chunk at;
	unsigned int nr;
	u32 times[DIRTY_CHUNK_PAGES];
};

/*
 * struct pcinspect_dirty - the times of one inode, under @at.lock
 * @folios: with a time
 * @pages: theirs when they became dirty; what is split since counts whole
 * @complete: whatever is dirty has a time, and @pages is how much that is
 * @watched: no event is missed from now on, or, if @waits, from the end of
 *	@grace on
 * @waits: who has missed an event may not have tagged its folio so far
 * @grace: the grace period that such folios are tagged after
 * @redirtied: index + 1 of the folio that was redirtied last; without the lock
 */
struct pcinspect_dirty {
	struct pcinspect_sparse at;
	struct pcinspect_dirty_chunk *last;
	u64 folios;
	u64 pages;
	bool complete;
	bool watched;
	bool waits;
	unsigned long grace;
	u64 redirtied;
};

/*
 * Was this folio redirtied on its way to writeback, as one that cannot be written
 * yet (folio_redirty_for_writepage())? Asked once. Context: the folio is locked.
 */
static inline bool
pcinspect_dirty_test_clear_redirtied(struct pcinspect_dirty *dirty, u64 index)
{
	if (READ_ONCE(dirty->redirtied) != index + 1)
		return false;
	WRITE_ONCE(dirty->redirtied, 0);
	return true;
}

/*
 * The time as it is kept. Ticks: reading the clock would cost more than all the
 * rest of a page. It wraps after 49 days of 1000 ticks a second, 198 of 250.
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
};

struct pcinspect_dirty *pcinspect_dirty_alloc(gfp_t gfp);
void pcinspect_dirty_free(struct pcinspect_dirty *dirty);
void pcinspect_dirty_watch(struct pcinspect_dirty *dirty, bool clean,
			   bool waits);
void pcinspect_dirty_doubt(struct pcinspect_dirty *dirty);
bool pcinspect_dirty_total(struct pcinspect_dirty *dirty,
			   const struct address_space *mapping, u64 *pages);
enum pcinspect_dirty_set pcinspect_dirty_set(struct pcinspect_dirty *dirty,
					     u64 index, unsigned int nr);
u32 pcinspect_dirty_forget(struct pcinspect_dirty *dirty, u64 index,
			   unsigned int nr);
u32 pcinspect_dirty_time(struct pcinspect_dirty *dirty, u64 index);

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
	dirty->folios++;
	dirty->pages += nr;
	return DIRTY_NEW;
}

unsigned int pcinspect_dirty_bucket(u64 age_ns);
u64 pcinspect_dirty_since(u32 time);
void pcinspect_dirty_count(struct pcinspect_dirty *dirty, u64 index, u64 nr,
			   u64 *numbers);
u64 pcinspect_dirty_lost(void);
size_t pcinspect_dirty_memory(void);
unsigned long pcinspect_dirty_max(void);
unsigned long pcinspect_dirty_max_chunks(void);
int pcinspect_dirty_init(unsigned long max_bytes);
void pcinspect_dirty_exit(void);

#endif /* PCINSPECT_DIRTY_H */
