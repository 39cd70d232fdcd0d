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
 * max_dirty_bytes of chunks.
 *
 * Context of the hooks: i_pages lock held and irqs off, or the flusher. Locks:
 * pcinspect_dirty.lock > dirty_table_lock, raw leaf spinlocks, irqs saved;
 * nothing is allocated or freed under them. A chain of the table is as long as
 * memory for chunks over buckets: 14 on average when all of the default of
 * max_dirty_bytes is used.
 */
#include <linux/hash.h>
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/time64.h>

#include "kunit_visible.h"
#include "records/dirty.h"

#define DIRTY_TABLE_BITS 14

static struct hlist_head *dirty_table;
static DEFINE_RAW_SPINLOCK(dirty_table_lock);
static struct kmem_cache *dirty_cache;
static unsigned long dirty_max_chunks;
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
	unsigned int i;

	for (i = 0; i < PCINSPECT_NR_AGES - 1; i++)
		if (age_ns <= (u64)pcinspect_age_bounds_ms[i] * NSEC_PER_MSEC)
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
	dirty->folios = 0;
	dirty->pages = 0;
	dirty->complete = false;
	dirty->watched = false;
	raw_spin_unlock_irqrestore(&dirty->lock, flags);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_dirty_begin);

/**
 * pcinspect_dirty_watch() - from now on no event is missed
 * @dirty: an inode's times; its record has a ledger, the hooks are attached
 * @epoch: of @dirty, from before that was so
 * @clean: nothing was dirty at some moment since then
 * @waits: who looked for the ledger in vain may still be about to tag its
 *	folio: the event comes before the tag, in one section with irqs off
 *
 * Context: any but NMI; never sleeps.
 */
void pcinspect_dirty_watch(struct pcinspect_dirty *dirty, unsigned int epoch,
			   bool clean, bool waits)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&dirty->lock, flags);
	if (dirty->epoch == epoch) {
		dirty->complete = clean;
		dirty->watched = true;
		dirty->waits = waits;
		if (waits)
			dirty->grace = get_state_synchronize_rcu();
	}
	raw_spin_unlock_irqrestore(&dirty->lock, flags);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_dirty_watch);

/**
 * pcinspect_dirty_doubt() - something may be dirty without a time
 * @dirty: an inode's times
 *
 * Until nothing is dirty again.
 *
 * Context: any but NMI; never sleeps.
 */
void pcinspect_dirty_doubt(struct pcinspect_dirty *dirty)
{
	unsigned long flags;

	if (!READ_ONCE(dirty->complete))
		return;
	raw_spin_lock_irqsave(&dirty->lock, flags);
	dirty->complete = false;
	raw_spin_unlock_irqrestore(&dirty->lock, flags);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_dirty_doubt);

/**
 * pcinspect_dirty_total() - how much of an inode is dirty
 * @dirty: its times
 * @mapping: its pages, alive
 * @pages: set to the number, if it is known
 *
 * Once nothing is dirty, and no event is missed from then on, whatever becomes
 * dirty has a time. Pages without a time that are left then are of a folio that
 * was split. A time that is left then is of a folio that was cleaned without
 * being written: the sum would be too high.
 *
 * Context: any but NMI; never sleeps.
 * Return: true if it is known.
 */
bool pcinspect_dirty_total(struct pcinspect_dirty *dirty,
			   const struct address_space *mapping, u64 *pages)
{
	unsigned long flags;
	bool tagged, known;

	raw_spin_lock_irqsave(&dirty->lock, flags);
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
	raw_spin_unlock_irqrestore(&dirty->lock, flags);
	return known;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_dirty_total);

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

	if (atomic_read(&dirty_nr_chunks) >= dirty_max_chunks)
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
	if (likely(chunk)) {
		done = pcinspect_dirty_set_in(dirty, chunk, index, nr);
	} else {
		/* The tag comes after this event. */
		dirty->complete = false;
		dirty->waits = true;
		dirty->grace = get_state_synchronize_rcu();
	}
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
			dirty->folios--;
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
 * pcinspect_dirty_max() - what all times may take
 *
 * Context: any.
 * Return: bytes; max_dirty_bytes, in whole chunks.
 */
unsigned long pcinspect_dirty_max(void)
{
	return dirty_max_chunks * sizeof(struct pcinspect_dirty_chunk);
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
 * @max_bytes: of memory for times; what finds no room is of unknown age
 *
 * Context: process context.
 * Return: 0 or -ENOMEM.
 */
int pcinspect_dirty_init(unsigned long max_bytes)
{
	dirty_max_chunks = min(max_bytes / sizeof(struct pcinspect_dirty_chunk),
			       (unsigned long)INT_MAX);
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
