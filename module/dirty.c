// SPDX-License-Identifier: GPL-2.0
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
 * with its last time: 4.6 bytes a page in runs, 320 for one alone. At most
 * PCINSPECT_DIRTY_MAX bytes of chunks.
 *
 * Context of the hooks: i_pages lock held and irqs off, or the flusher. Locks:
 * pcinspect_dirty.lock > dirty_table_lock, raw leaf spinlocks, irqs saved;
 * nothing is allocated or freed under them. A chain of the table is as long as
 * memory for chunks over buckets: 14 on average when all of it is used.
 */
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/time64.h>

#include "dirty.h"
#include "kunit_visible.h"

#define PCINSPECT_DIRTY_MAX (64L << 20)
#define DIRTY_TABLE_BITS 14

static struct hlist_head *dirty_table;
static DEFINE_RAW_SPINLOCK(dirty_table_lock);
static struct kmem_cache *dirty_cache;
static atomic_t dirty_nr_chunks = ATOMIC_INIT(0);
static atomic64_t dirty_lost = ATOMIC64_INIT(0);

/**
 * pcinspect_dirty_bucket() - which bucket an age belongs to
 * @age_ns: the age
 *
 * A bound belongs to the bucket below it: exactly 10 ms is in the first.
 *
 * Context: any; pure.
 * Return: 0 to PCINSPECT_NR_AGES - 1.
 */
unsigned int pcinspect_dirty_bucket(u64 age_ns)
{
	static const u32 bounds_ms[PCINSPECT_NR_AGES - 1] = {
		10, 100, 500, 1000, 2000, 5000, 10000, 30000, 60000,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bounds_ms); i++)
		if (age_ns <= (u64)bounds_ms[i] * NSEC_PER_MSEC)
			break;
	return i;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_dirty_bucket);

/**
 * pcinspect_dirty_since() - how long ago was a time
 * @time: from pcinspect_dirty_forget()
 *
 * Context: any.
 * Return: nanoseconds, in whole ticks.
 */
u64 pcinspect_dirty_since(u32 time)
{
	return (u64)(pcinspect_dirty_now() - time) * TICK_NSEC;
}

/**
 * pcinspect_dirty_alloc() - no times yet
 * @gfp: how to allocate
 *
 * Context: any that @gfp allows.
 * Return: the times of an inode, or NULL.
 */
struct pcinspect_dirty *pcinspect_dirty_alloc(gfp_t gfp)
{
	struct pcinspect_dirty *dirty = kzalloc(sizeof(*dirty), gfp);

	if (dirty)
		raw_spin_lock_init(&dirty->lock);
	return dirty;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_dirty_alloc);

/**
 * pcinspect_dirty_begin() - forget all times: events may have been missed
 * @dirty: an inode's times
 *
 * What is dirty now is of unknown age from here on.
 *
 * Context: any but NMI; never sleeps.
 */
void pcinspect_dirty_begin(struct pcinspect_dirty *dirty)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&dirty->lock, flags);
	dirty->epoch++;
	dirty->last = NULL;
	dirty->pages = 0;
	raw_spin_unlock_irqrestore(&dirty->lock, flags);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_dirty_begin);

static struct hlist_head *dirty_bucket(const struct pcinspect_dirty *dirty,
				       u64 base)
{
	return &dirty_table[hash_64((unsigned long)dirty + base, DIRTY_TABLE_BITS)];
}

/* Caller holds dirty->lock. */
static struct pcinspect_dirty_chunk *dirty_lookup(struct pcinspect_dirty *dirty,
						  u64 base)
{
	struct pcinspect_dirty_chunk *chunk;

	if (!dirty->nr_chunks)
		return NULL;
	raw_spin_lock(&dirty_table_lock);
	hlist_for_each_entry(chunk, dirty_bucket(dirty, base), node)
		if (chunk->owner == dirty && chunk->base == base)
			break;
	raw_spin_unlock(&dirty_table_lock);
	if (!chunk)
		return NULL;
	if (chunk->epoch != dirty->epoch) {
		chunk->epoch = dirty->epoch;
		chunk->nr = 0;
		memset(chunk->times, 0, sizeof(chunk->times));
	}
	dirty->last = chunk;
	return chunk;
}

/* The chunk of a page, or NULL. Caller holds dirty->lock. */
static struct pcinspect_dirty_chunk *dirty_find(struct pcinspect_dirty *dirty,
						u64 index)
{
	struct pcinspect_dirty_chunk *chunk = dirty->last;
	u64 base = index >> DIRTY_CHUNK_BITS;

	return chunk && chunk->base == base ? chunk : dirty_lookup(dirty, base);
}

/* Put a chunk in the table. Caller holds dirty->lock. */
static void dirty_link(struct pcinspect_dirty *dirty,
		       struct pcinspect_dirty_chunk *chunk, u64 base)
{
	chunk->owner = dirty;
	chunk->base = base;
	chunk->epoch = dirty->epoch;
	raw_spin_lock(&dirty_table_lock);
	hlist_add_head(&chunk->node, dirty_bucket(dirty, base));
	raw_spin_unlock(&dirty_table_lock);
	hlist_add_head(&chunk->sibling, &dirty->chunks);
	dirty->nr_chunks++;
	dirty->last = chunk;
}

/* Take a chunk out of the table. Caller holds dirty->lock. */
static void dirty_unlink(struct pcinspect_dirty *dirty,
			 struct pcinspect_dirty_chunk *chunk)
{
	raw_spin_lock(&dirty_table_lock);
	hlist_del(&chunk->node);
	raw_spin_unlock(&dirty_table_lock);
	hlist_del(&chunk->sibling);
	dirty->nr_chunks--;
	if (dirty->last == chunk)
		dirty->last = NULL;
}

static struct pcinspect_dirty_chunk *dirty_alloc_chunk(void)
{
	struct pcinspect_dirty_chunk *chunk;

	if (atomic_read(&dirty_nr_chunks) >=
	    PCINSPECT_DIRTY_MAX / (long)sizeof(*chunk))
		return NULL;
	chunk = kmem_cache_zalloc(dirty_cache, GFP_NOWAIT | __GFP_NOWARN);
	if (chunk)
		atomic_inc(&dirty_nr_chunks);
	return chunk;
}

static void dirty_free_chunk(struct pcinspect_dirty_chunk *chunk)
{
	if (!chunk)
		return;
	kmem_cache_free(dirty_cache, chunk);
	atomic_dec(&dirty_nr_chunks);
}

/**
 * pcinspect_dirty_free() - free an inode's times
 * @dirty: which, or NULL; nobody uses them any more
 *
 * Context: any but hard interrupts; never sleeps.
 */
void pcinspect_dirty_free(struct pcinspect_dirty *dirty)
{
	struct pcinspect_dirty_chunk *chunk;
	struct hlist_node *next;
	unsigned long flags;

	if (!dirty)
		return;
	hlist_for_each_entry_safe(chunk, next, &dirty->chunks, sibling) {
		raw_spin_lock_irqsave(&dirty_table_lock, flags);
		hlist_del(&chunk->node);
		raw_spin_unlock_irqrestore(&dirty_table_lock, flags);
		dirty_free_chunk(chunk);
	}
	kfree(dirty);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_dirty_free);

/**
 * pcinspect_dirty_set() - a folio became dirty
 * @dirty: its inode's times
 * @index: of the folio
 * @nr: its pages
 *
 * Context: any but NMI; never sleeps.
 * Return: what became of its time.
 */
enum pcinspect_dirty_set pcinspect_dirty_set(struct pcinspect_dirty *dirty,
					     u64 index, unsigned int nr)
{
	struct pcinspect_dirty_chunk *chunk, *spare = NULL;
	enum pcinspect_dirty_set done = DIRTY_LOST;
	unsigned long flags;

	raw_spin_lock_irqsave(&dirty->lock, flags);
	chunk = dirty_find(dirty, index);
	if (unlikely(!chunk)) {
		raw_spin_unlock_irqrestore(&dirty->lock, flags);
		spare = dirty_alloc_chunk();
		raw_spin_lock_irqsave(&dirty->lock, flags);
		chunk = dirty_find(dirty, index);
		if (!chunk && spare) {
			chunk = spare;
			spare = NULL;
			dirty_link(dirty, chunk, index >> DIRTY_CHUNK_BITS);
		}
	}
	if (likely(chunk))
		done = pcinspect_dirty_set_in(dirty, chunk, index, nr);
	raw_spin_unlock_irqrestore(&dirty->lock, flags);
	dirty_free_chunk(spare);
	if (done == DIRTY_LOST)
		atomic64_inc(&dirty_lost);
	return done;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_dirty_set);

/**
 * pcinspect_dirty_forget() - a folio is clean, or gone
 * @dirty: its inode's times
 * @index: of the folio
 * @nr: its pages
 *
 * Context: any but NMI; never sleeps.
 * Return: its time, 0 if it had none.
 */
u32 pcinspect_dirty_forget(struct pcinspect_dirty *dirty, u64 index,
			   unsigned int nr)
{
	struct pcinspect_dirty_chunk *chunk, *empty = NULL;
	unsigned long flags;
	u32 time = 0;

	if (!READ_ONCE(dirty->nr_chunks))
		return 0;
	raw_spin_lock_irqsave(&dirty->lock, flags);
	chunk = dirty_find(dirty, index);
	if (chunk) {
		swap(time, chunk->times[index & (DIRTY_CHUNK_PAGES - 1)]);
		if (time) {
			/* A large folio may have been split meanwhile. */
			dirty->pages -= min_t(u64, nr, dirty->pages);
			if (!--chunk->nr) {
				dirty_unlink(dirty, chunk);
				empty = chunk;
			}
		}
	}
	raw_spin_unlock_irqrestore(&dirty->lock, flags);
	dirty_free_chunk(empty);
	return time;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_dirty_forget);

/**
 * pcinspect_dirty_count() - count a dirty folio by its age
 * @dirty: its inode's times, or NULL
 * @index: of the folio
 * @nr: its pages
 * @ages: added to
 *
 * Context: under rcu_read_lock().
 */
void pcinspect_dirty_count(struct pcinspect_dirty *dirty, u64 index, u64 nr,
			   struct pcinspect_ages *ages)
{
	struct pcinspect_dirty_chunk *chunk;
	unsigned long flags;
	u32 time = 0;
	u64 age;

	if (dirty) {
		raw_spin_lock_irqsave(&dirty->lock, flags);
		chunk = dirty_find(dirty, index);
		if (chunk)
			time = chunk->times[index & (DIRTY_CHUNK_PAGES - 1)];
		raw_spin_unlock_irqrestore(&dirty->lock, flags);
	}
	if (!time) {
		ages->unknown_pages += nr;
		return;
	}
	age = pcinspect_dirty_since(time);
	ages->pages[pcinspect_dirty_bucket(age)] += nr;
	/* Of known age, however young: 0 says that nothing is. */
	ages->oldest_ns = max3(ages->oldest_ns, age, 1ULL);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_dirty_count);

/**
 * pcinspect_dirty_lost() - times that found no memory
 *
 * Context: any.
 * Return: how many since load.
 */
u64 pcinspect_dirty_lost(void)
{
	return atomic64_read(&dirty_lost);
}

/**
 * pcinspect_dirty_memory() - what all times take
 *
 * Context: any.
 * Return: bytes.
 */
size_t pcinspect_dirty_memory(void)
{
	return (sizeof(struct hlist_head) << DIRTY_TABLE_BITS) +
	       atomic_read(&dirty_nr_chunks) *
		       sizeof(struct pcinspect_dirty_chunk);
}

/**
 * pcinspect_dirty_init() - make the empty table
 *
 * Context: process context.
 * Return: 0 or -ENOMEM.
 */
int pcinspect_dirty_init(void)
{
	dirty_table = kvcalloc(1U << DIRTY_TABLE_BITS, sizeof(*dirty_table),
			       GFP_KERNEL);
	dirty_cache = KMEM_CACHE(pcinspect_dirty_chunk, 0);
	if (dirty_table && dirty_cache)
		return 0;
	pcinspect_dirty_exit();
	return -ENOMEM;
}

/**
 * pcinspect_dirty_exit() - undo it
 *
 * Context: process context; no times are left.
 */
void pcinspect_dirty_exit(void)
{
	kmem_cache_destroy(dirty_cache);
	kvfree(dirty_table);
	dirty_cache = NULL;
	dirty_table = NULL;
}
