// SPDX-License-Identifier: GPL-2.0
/*
 * ledger.c - ledgers: their memory, and the rings of windows and fsync calls.
 *
 * May touch: ledgers. Locks: ledger->lock only, a leaf.
 */
#include <linux/dax.h>
#include <linux/magic.h>
#include <linux/pagemap.h>
#include <linux/sched.h>
#include <linux/shmem_fs.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/timekeeping.h>

#include "kunit_visible.h"
#include "records/ledger.h"

static struct kmem_cache *ledger_cache;
static struct kmem_cache *ledger_chunk_cache;
static atomic64_t ledger_nr_lost = ATOMIC64_INIT(0);
static atomic64_t ledger_windows_lost = ATOMIC64_INIT(0);
static atomic_t ledger_nr = ATOMIC_INIT(0);
static atomic_t ledger_nr_chunks = ATOMIC_INIT(0);
static atomic_t ledger_nr_rings = ATOMIC_INIT(0);

/* Chunks of windows at most, over all inodes: 37 MiB. */
#define LEDGER_MAX_CHUNKS 65536

/* A ring of fsync calls, of which there are so many at most: 64 MiB. */
#define LEDGER_RING_BYTES (PCINSPECT_NR_FSYNCS * sizeof(struct pcinspect_fsync))
#define LEDGER_MAX_RINGS 8192

/**
 * pcinspect_ledger_wanted() - can there be a ledger of this inode
 * @inode: which
 *
 * Not where pages come and go without events (shmem), or are none (DAX).
 *
 * Context: any.
 * Return: true if there can.
 */
bool pcinspect_ledger_wanted(const struct inode *inode)
{
	if (!S_ISREG(inode->i_mode) && !S_ISBLK(inode->i_mode))
		return false;
	return inode->i_sb->s_magic != HUGETLBFS_MAGIC && !IS_DAX(inode) &&
	       !shmem_mapping(inode->i_mapping);
}

/**
 * pcinspect_ledger_on_device() - does a filesystem read from a block device
 * @sb: its superblock
 *
 * fuseblk has a device that its server reads, not the kernel.
 *
 * Context: any.
 * Return: true if it does.
 */
bool pcinspect_ledger_on_device(const struct super_block *sb)
{
	if (!strcmp(sb->s_type->name, "bdev"))
		return true;
	return (sb->s_type->fs_flags & FS_REQUIRES_DEV) &&
	       strcmp(sb->s_type->name, "fuseblk");
}

/*
 * Filesystems whose read bios hold the file's own pages, all of those that
 * need I/O: what is not in a bio was a hole. Not btrfs (compressed and inline
 * extents), squashfs or erofs (their own buffers).
 */
static bool ledger_knows_holes(const struct super_block *sb)
{
	static const char *const plain[] = { "ext2", "ext3", "ext4", "xfs" };

	return match_string(plain, ARRAY_SIZE(plain), sb->s_type->name) >= 0;
}

/* Filesystems whose function for fsync(2) has a probe (hook_fsync.c). */
static bool ledger_knows_fsync(const struct super_block *sb)
{
	static const char *const probed[] = { "ext2", "ext3",  "ext4",
					      "xfs",  "btrfs", "bdev" };

	return match_string(probed, ARRAY_SIZE(probed), sb->s_type->name) >= 0;
}

/**
 * pcinspect_ledger_alloc() - memory for a ledger
 * @gfp: how to allocate
 *
 * Context: any that @gfp allows.
 * Return: the ledger, or NULL (counted).
 */
struct pcinspect_ledger *pcinspect_ledger_alloc(gfp_t gfp)
{
	struct pcinspect_ledger *ledger = kmem_cache_zalloc(ledger_cache, gfp);

	if (!ledger) {
		atomic64_inc(&ledger_nr_lost);
		return NULL;
	}
	atomic_inc(&ledger_nr);
	raw_spin_lock_init(&ledger->lock);
	ledger->since_ns = ktime_get_ns();
	return ledger;
}

/**
 * pcinspect_ledger_begin() - begin the ledger of an inode
 * @ledger: fresh
 * @inode: alive
 *
 * Context: any.
 */
void pcinspect_ledger_begin(struct pcinspect_ledger *ledger,
			    const struct inode *inode)
{
	struct address_space *mapping = inode->i_mapping;

	ledger->on_device = pcinspect_ledger_on_device(inode->i_sb);
	ledger->knows_holes = ledger_knows_holes(inode->i_sb);
	ledger->knows_writes = ledger->knows_holes && !IS_ENCRYPTED(inode);
	ledger->knows_fsync = ledger_knows_fsync(inode->i_sb);
	ledger->in_flight = mapping_tagged(mapping, PAGECACHE_TAG_WRITEBACK);
	/* With nothing dirty, all there is has been written. */
	ledger->knows_end = !ledger->in_flight &&
			    !mapping_tagged(mapping, PAGECACHE_TAG_DIRTY);
	if (ledger->knows_end)
		ledger->written_end =
			DIV_ROUND_UP(i_size_read(inode), PAGE_SIZE);
}

/**
 * pcinspect_ledger_succeed() - begin a ledger in the place of another
 * @ledger: fresh
 * @old: of the same inode; still being counted in. It is @ledger's now, until
 *	pcinspect_ledger_inherit()
 *
 * Context: any, never sleeps.
 */
void pcinspect_ledger_succeed(struct pcinspect_ledger *ledger,
			      struct pcinspect_ledger *old)
{
	ledger->since_ns = ktime_get_ns();
	ledger->on_device = old->on_device;
	ledger->knows_holes = old->knows_holes;
	ledger->bounced = old->bounced;
	ledger->knows_writes = old->knows_writes;
	ledger->knows_fsync = old->knows_fsync;
	ledger->knows_end = old->knows_end;
	ledger->written_end = READ_ONCE(old->written_end);
	ledger->in_flight = old->in_flight ||
			    READ_ONCE(old->written) != READ_ONCE(old->ended);
	ledger->looks = old->looks;
	ledger->old = old;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_ledger_succeed);

static void ledger_free_ring(struct pcinspect_fsync *ring)
{
	if (!ring)
		return;
	kfree(ring);
	atomic_dec(&ledger_nr_rings);
}

static void ledger_free_chunk(struct pcinspect_window_chunk *chunk)
{
	if (!chunk)
		return;
	kmem_cache_free(ledger_chunk_cache, chunk);
	atomic_dec(&ledger_nr_chunks);
}

/**
 * pcinspect_ledger_free() - end a ledger that nobody can find any more
 * @ledger: which, or NULL
 *
 * Context: any but hard interrupts.
 */
void pcinspect_ledger_free(struct pcinspect_ledger *ledger)
{
	unsigned int i;

	if (!ledger)
		return;
	/* Resets take turns: there is no older one. */
	pcinspect_ledger_free(ledger->old);
	for (i = 0; i < LEDGER_NR_CHUNKS; i++)
		ledger_free_chunk(ledger->chunks[i]);
	ledger_free_ring(ledger->fsyncs);
	kmem_cache_free(ledger_cache, ledger);
	atomic_dec(&ledger_nr);
}

static void ledger_free_callback(struct rcu_head *rcu)
{
	pcinspect_ledger_free(container_of(rcu, struct pcinspect_ledger, rcu));
}

/**
 * pcinspect_ledger_free_rcu() - end a ledger that probes may still be using
 * @ledger: which, or NULL; its record does not lead to it any more
 *
 * Context: any.
 */
void pcinspect_ledger_free_rcu(struct pcinspect_ledger *ledger)
{
	if (ledger)
		call_rcu(&ledger->rcu, ledger_free_callback);
}

/*
 * The slot of the next window, or NULL. Caller holds the lock; *@spare is taken
 * where a chunk is wanted.
 */
static struct pcinspect_window *
ledger_next_window(struct pcinspect_ledger *ledger,
		   struct pcinspect_window_chunk **spare)
{
	u64 nr = ledger->nr_windows++;
	unsigned int slot = (nr / LEDGER_CHUNK_WINDOWS) % LEDGER_NR_CHUNKS;
	unsigned int at = nr % LEDGER_CHUNK_WINDOWS;

	if (!at && nr >= PCINSPECT_NR_WINDOWS)
		ledger->first = nr - PCINSPECT_NR_WINDOWS + LEDGER_CHUNK_WINDOWS;
	if (!ledger->chunks[slot] && !at)
		swap(ledger->chunks[slot], *spare);
	if (ledger->chunks[slot])
		return &ledger->chunks[slot]->windows[at];
	atomic64_inc(&ledger_windows_lost);
	return NULL;
}

/* A chunk, if the next window is likely to need one. */
static struct pcinspect_window_chunk *
ledger_spare(const struct pcinspect_ledger *ledger)
{
	u64 nr = READ_ONCE(ledger->nr_windows);
	struct pcinspect_window_chunk *chunk;

	if (nr % LEDGER_CHUNK_WINDOWS || nr >= PCINSPECT_NR_WINDOWS ||
	    atomic_read(&ledger_nr_chunks) >= LEDGER_MAX_CHUNKS)
		return NULL;
	chunk = kmem_cache_alloc(ledger_chunk_cache, GFP_NOWAIT | __GFP_NOWARN);
	if (chunk)
		atomic_inc(&ledger_nr_chunks);
	return chunk;
}

/**
 * pcinspect_ledger_window() - a readahead window has ended
 * @ledger: of which inode
 * @frame: of the outermost readahead function
 *
 * Context: preemption off, never sleeps.
 */
void pcinspect_ledger_window(struct pcinspect_ledger *ledger,
			     const struct pcinspect_frame *frame)
{
	struct pcinspect_window_chunk *spare = ledger_spare(ledger);
	struct pcinspect_window *window;
	unsigned long flags;

	raw_spin_lock_irqsave(&ledger->lock, flags);
	window = ledger_next_window(ledger, &spare);
	if (window) {
		window->time_ns = frame->time_ns;
		window->index = frame->index;
		window->pid = current->tgid;
		window->cause = frame->cause;
		window->requested_pages = frame->requested;
		window->planned_pages = frame->planned;
		window->async_pages = frame->async;
		window->inserted_pages = frame->inserted;
		window->expanded_pages = frame->expanded;
		window->order = frame->order;
		window->ra_pages = frame->ra_pages;
		window->pad = 0;
		memcpy(window->comm, current->comm, sizeof(window->comm));
		window->comm[sizeof(window->comm) - 1] = '\0';
	}
	raw_spin_unlock_irqrestore(&ledger->lock, flags);
	ledger_free_chunk(spare);
}

static struct pcinspect_fsync *ledger_alloc_ring(void)
{
	struct pcinspect_fsync *ring;

	if (atomic_read(&ledger_nr_rings) >= LEDGER_MAX_RINGS)
		return NULL;
	ring = kzalloc(LEDGER_RING_BYTES, GFP_NOWAIT | __GFP_NOWARN);
	if (ring)
		atomic_inc(&ledger_nr_rings);
	return ring;
}

/**
 * pcinspect_ledger_fsync() - an fsync call has ended
 * @ledger: of which inode
 * @call: what there is to keep, or NULL: it is only counted
 *
 * Without memory for the ring calls are only counted as well.
 *
 * Context: preemption off, never sleeps.
 */
void pcinspect_ledger_fsync(struct pcinspect_ledger *ledger,
			    const struct pcinspect_fsync *call)
{
	struct pcinspect_fsync *ring = NULL;
	unsigned long flags;

	if (call && !READ_ONCE(ledger->fsyncs))
		ring = ledger_alloc_ring();
	raw_spin_lock_irqsave(&ledger->lock, flags);
	if (!ledger->fsyncs)
		swap(ledger->fsyncs, ring);
	if (call && ledger->fsyncs)
		ledger->fsyncs[ledger->nr_kept++ % PCINSPECT_NR_FSYNCS] = *call;
	ledger->nr_fsyncs++;
	raw_spin_unlock_irqrestore(&ledger->lock, flags);
	ledger_free_ring(ring);
}

/**
 * pcinspect_ledger_inserted() - insertions by all causes
 * @ledger: of which inode
 *
 * Context: any.
 * Return: pages.
 */
u64 pcinspect_ledger_inserted(const struct pcinspect_ledger *ledger)
{
	u64 sum = 0;
	int i;

	for (i = 0; i < PCINSPECT_NR_CAUSES; i++)
		sum += ledger_read(ledger, pcinspect_inserted(i));
	return sum;
}

/**
 * pcinspect_ledger_removed() - removals by all causes
 * @ledger: of which inode
 *
 * Context: any.
 * Return: pages.
 */
u64 pcinspect_ledger_removed(const struct pcinspect_ledger *ledger)
{
	u64 sum = 0;
	int i;

	for (i = 0; i < PCINSPECT_NR_REMOVALS; i++)
		sum += ledger_read(ledger, pcinspect_removed(i));
	return sum;
}

/**
 * pcinspect_ledger_lost() - what found no memory since load
 * @windows: windows; otherwise ledgers
 *
 * Context: any.
 * Return: how many.
 */
u64 pcinspect_ledger_lost(bool windows)
{
	return atomic64_read(windows ? &ledger_windows_lost : &ledger_nr_lost);
}

/**
 * pcinspect_ledger_memory() - what all ledgers take
 *
 * Context: any.
 * Return: bytes.
 */
size_t pcinspect_ledger_memory(void)
{
	return atomic_read(&ledger_nr) * sizeof(struct pcinspect_ledger) +
	       atomic_read(&ledger_nr_chunks) *
		       sizeof(struct pcinspect_window_chunk) +
	       atomic_read(&ledger_nr_rings) * LEDGER_RING_BYTES;
}

/**
 * pcinspect_ledger_init() - prepare
 *
 * Context: process context.
 * Return: 0 or -ENOMEM.
 */
int pcinspect_ledger_init(void)
{
	ledger_cache = KMEM_CACHE(pcinspect_ledger, SLAB_HWCACHE_ALIGN);
	ledger_chunk_cache = KMEM_CACHE(pcinspect_window_chunk, 0);
	if (ledger_cache && ledger_chunk_cache)
		return 0;
	pcinspect_ledger_exit();
	return -ENOMEM;
}

/**
 * pcinspect_ledger_exit() - undo it
 *
 * Context: process context; no ledger is left but on its way through RCU.
 */
void pcinspect_ledger_exit(void)
{
	rcu_barrier();
	kmem_cache_destroy(ledger_chunk_cache);
	kmem_cache_destroy(ledger_cache);
}
