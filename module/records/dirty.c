// SPDX-License-Identifier: GPL-2.0-only
/*
 * dirty.c - first-dirtied times.
 *
 * Why: the kernel keeps one time for a whole inode and resets it on requeue
 * (redirty_tail_locked(), fs/fs-writeback.c). Here every folio has its own,
 * from the event that it became dirty until writeback really starts: redirtying
 * it meanwhile fires the event again and changes nothing.
 *
 * The times are joined with the dirty tags when somebody looks (lru.c), so what
 * is dirty without a time is of unknown age, never young.
 *
 * Memory: a time is 4 bytes in a chunk for 64 pages in a row, which is freed
 * with its last time: 5 bytes a page in runs, 312 for one alone. At most
 * max_dirty_bytes of chunks.
 *
 * Context of the hooks: i_pages lock held and irqs off, or the flusher. Locks:
 * that of the inode's times, a leaf but for a bucket's of sparse.c, irqs saved;
 * nothing is allocated or freed under it.
 */
#include <linux/math64.h>
#include <linux/pagemap.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/time64.h>

#include "kunit_visible.h"
#include "records/dirty.h"
#include "records/memory.h"

static struct pcinspect_sparse_kind dirty_kind;
static atomic64_t dirty_lost = ATOMIC64_INIT(0);

/*
 * Which bucket an age belongs to. A bound belongs to the bucket below it:
 * exactly 10 ms is in the first. Return: 0 to PCINSPECT_NR_AGES - 1.
 */
unsigned int pcinspect_dirty_bucket(u64 age_ns)
{
	unsigned int i;

	for (i = 0; i < PCINSPECT_NR_AGES - 1; i++)
		if (age_ns <= (u64)pcinspect_age_bounds_ms[i] * NSEC_PER_MSEC)
			break;
	return i;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_dirty_bucket);

/*
 * How long ago was a time. @time: from pcinspect_dirty_forget(). Return:
 * nanoseconds, in whole ticks.
 */
u64 pcinspect_dirty_since(u32 time)
{
	return (u64)(pcinspect_dirty_now() - time) * TICK_NSEC;
}

/* No times yet; NULL without memory. Context: any that @gfp allows. */
struct pcinspect_dirty *pcinspect_dirty_alloc(gfp_t gfp)
{
	return pcinspect_sparse_alloc(&dirty_kind, gfp);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_dirty_alloc);

/**
 * pcinspect_dirty_watch() - from now on no event is missed
 * @dirty: an inode's times; its record has the ledger, the hooks are attached
 * @clean: nothing was dirty at some moment since then
 * @waits: who looked for the ledger in vain may still be about to tag its
 *	folio: the event comes before the tag, in one section with irqs off
 *
 * Context: any but NMI; never sleeps.
 */
void pcinspect_dirty_watch(struct pcinspect_dirty *dirty, bool clean, bool waits)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&dirty->at.lock, flags);
	dirty->complete = clean;
	dirty->watched = true;
	dirty->waits = waits;
	if (waits)
		dirty->grace = get_state_synchronize_rcu();
	raw_spin_unlock_irqrestore(&dirty->at.lock, flags);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_dirty_watch);

/*
 * Something may be dirty without a time. Until nothing is dirty again. Context:
 * any but NMI; never sleeps.
 */
void pcinspect_dirty_doubt(struct pcinspect_dirty *dirty)
{
	unsigned long flags;

	if (!READ_ONCE(dirty->complete))
		return;
	raw_spin_lock_irqsave(&dirty->at.lock, flags);
	dirty->complete = false;
	raw_spin_unlock_irqrestore(&dirty->at.lock, flags);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_dirty_doubt);

/*
 * How much of an inode is dirty. @pages: set to the number, if it is known.
 * Once nothing is dirty, and no event is missed from then on, whatever becomes
 * dirty has a time. Pages without a time that are left then are of a folio that
 * was split. A time that is left then is of a folio that was cleaned without
 * being written: the sum would be too high.
 * Context: any but NMI; never sleeps. Return: true if it is known.
 */
bool pcinspect_dirty_total(struct pcinspect_dirty *dirty,
			   const struct address_space *mapping, u64 *pages)
{
	unsigned long flags;
	bool tagged, known;

	raw_spin_lock_irqsave(&dirty->at.lock, flags);
	/* First: then the tags of those it waited for are there. */
	if (dirty->waits && poll_state_synchronize_rcu(dirty->grace))
		dirty->waits = false;
	tagged = mapping_tagged((struct address_space *)mapping,
				PAGECACHE_TAG_DIRTY);
	if (!tagged && !dirty->folios)
		dirty->pages = 0;
	if (!tagged && dirty->watched && !dirty->waits)
		dirty->complete = !dirty->folios;
	*pages = tagged ? dirty->pages : 0;
	/* A tag and no time: an event was missed, or its folio is handed over. */
	known = !tagged || (dirty->complete && dirty->pages);
	raw_spin_unlock_irqrestore(&dirty->at.lock, flags);
	return known;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_dirty_total);

/* The chunk of a page, or NULL. Caller holds the lock. */
static struct pcinspect_dirty_chunk *dirty_find(struct pcinspect_dirty *dirty,
						u64 index)
{
	struct pcinspect_dirty_chunk *chunk = dirty->last;
	u64 base = index >> DIRTY_CHUNK_BITS;

	if (chunk && chunk->at.base == base)
		return chunk;
	chunk = (void *)pcinspect_sparse_find(&dirty->at, base);
	if (chunk)
		dirty->last = chunk;
	return chunk;
}

/*
 * Free an inode's times. @dirty: which, or NULL; nobody uses them any more.
 * Context: process context, may sleep.
 */
void pcinspect_dirty_free(struct pcinspect_dirty *dirty)
{
	pcinspect_sparse_free(&dirty_kind, dirty ? &dirty->at : NULL);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_dirty_free);

/*
 * A folio became dirty. Context: any but NMI; never sleeps. Return: what became
 * of its time.
 */
enum pcinspect_dirty_set pcinspect_dirty_set(struct pcinspect_dirty *dirty,
					     u64 index, unsigned int nr)
{
	struct pcinspect_dirty_chunk *chunk, *spare = NULL;
	enum pcinspect_dirty_set done = DIRTY_LOST;
	unsigned long flags;

	raw_spin_lock_irqsave(&dirty->at.lock, flags);
	chunk = dirty_find(dirty, index);
	if (unlikely(!chunk)) {
		raw_spin_unlock_irqrestore(&dirty->at.lock, flags);
		spare = pcinspect_cache_alloc(&dirty_kind.chunks,
					      PCINSPECT_GFP_PROBE);
		raw_spin_lock_irqsave(&dirty->at.lock, flags);
		chunk = dirty_find(dirty, index);
		if (!chunk && spare) {
			chunk = spare;
			spare = NULL;
			pcinspect_sparse_add(&dirty->at, &chunk->at,
					     index >> DIRTY_CHUNK_BITS);
			dirty->last = chunk;
		}
	}
	if (likely(chunk)) {
		done = pcinspect_dirty_set_in(dirty, chunk, index, nr);
	} else {
		/* The tag comes after this event. */
		dirty->complete = false;
		dirty->waits = true;
		dirty->grace = get_state_synchronize_rcu();
	}
	raw_spin_unlock_irqrestore(&dirty->at.lock, flags);
	pcinspect_cache_free(&dirty_kind.chunks, spare);
	if (done == DIRTY_LOST)
		atomic64_inc(&dirty_lost);
	return done;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_dirty_set);

/*
 * A folio is clean, or gone. Context: any but NMI; never sleeps. Return: its
 * time, 0 if it had none.
 */
u32 pcinspect_dirty_forget(struct pcinspect_dirty *dirty, u64 index,
			   unsigned int nr)
{
	struct pcinspect_dirty_chunk *chunk, *empty = NULL;
	unsigned long flags;
	u32 time = 0;

	if (!READ_ONCE(dirty->at.nr))
		return 0;
	raw_spin_lock_irqsave(&dirty->at.lock, flags);
	chunk = dirty_find(dirty, index);
	if (chunk) {
		swap(time, chunk->times[index & (DIRTY_CHUNK_PAGES - 1)]);
		if (time) {
			dirty->folios--;
			/* A large folio may have been split meanwhile. */
			dirty->pages -= min_t(u64, nr, dirty->pages);
			if (!--chunk->nr) {
				pcinspect_sparse_remove(&dirty->at, &chunk->at);
				dirty->last = NULL;
				empty = chunk;
			}
		}
	}
	raw_spin_unlock_irqrestore(&dirty->at.lock, flags);
	pcinspect_cache_free(&dirty_kind.chunks, empty);
	return time;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_dirty_forget);

/* The time of a dirty folio, 0 if it has none. Context: any but NMI; never sleeps. */
u32 pcinspect_dirty_time(struct pcinspect_dirty *dirty, u64 index)
{
	struct pcinspect_dirty_chunk *chunk;
	unsigned long flags;
	u32 time = 0;

	raw_spin_lock_irqsave(&dirty->at.lock, flags);
	chunk = dirty_find(dirty, index);
	if (chunk)
		time = chunk->times[index & (DIRTY_CHUNK_PAGES - 1)];
	raw_spin_unlock_irqrestore(&dirty->at.lock, flags);
	return time;
}

/*
 * Count a dirty folio by its age. @dirty: its inode's times, or NULL. @numbers:
 * added to, by enum pcinspect_number. Context: under rcu_read_lock().
 */
void pcinspect_dirty_count(struct pcinspect_dirty *dirty, u64 index, u64 nr,
			   u64 *numbers)
{
	u32 time = dirty ? pcinspect_dirty_time(dirty, index) : 0;
	u64 age;

	if (!time) {
		numbers[PCINSPECT_UNKNOWN_AGE_PAGES] += nr;
		return;
	}
	age = pcinspect_dirty_since(time);
	numbers[PCINSPECT_LE_10_MS + pcinspect_dirty_bucket(age)] += nr;
	numbers[PCINSPECT_OLDEST_MS] = max_t(u64, numbers[PCINSPECT_OLDEST_MS],
					     div_u64(age, NSEC_PER_MSEC));
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_dirty_count);

/* Times that found no memory, since load. */
u64 pcinspect_dirty_lost(void)
{
	return atomic64_read(&dirty_lost);
}

/* max_dirty_bytes, in whole chunks. */
unsigned long pcinspect_dirty_max(void)
{
	return dirty_kind.chunks.max * dirty_kind.chunks.size;
}

unsigned long pcinspect_dirty_max_chunks(void)
{
	return dirty_kind.chunks.max;
}

/* The memory of all times, in bytes. */
size_t pcinspect_dirty_memory(void)
{
	return pcinspect_sparse_kind_memory(&dirty_kind);
}

/*
 * Prepare. @max_bytes: of memory for times; what finds no room is of unknown
 * age.
 */
int pcinspect_dirty_init(unsigned long max_bytes)
{
	const size_t size = sizeof(struct pcinspect_dirty_chunk);

	return pcinspect_sparse_kind_init(&dirty_kind, "pcinspect_dirty",
					  sizeof(struct pcinspect_dirty),
					  "pcinspect_dirty_chunk", size,
					  max_bytes /
						  ALIGN(size, sizeof(void *)));
}

/* Context: process context; no times are left. */
void pcinspect_dirty_exit(void)
{
	pcinspect_sparse_kind_exit(&dirty_kind);
}
