// SPDX-License-Identifier: GPL-2.0-only
/*
 * ledger.c - ledgers: their memory, and the rings of windows and fsync calls.
 *
 * May touch: ledgers. Locks: ledger->lock only, a leaf.
 */
#include <linux/backing-dev.h>
#include <linux/dax.h>
#include <linux/limits.h>
#include <linux/magic.h>
#include <linux/pagemap.h>
#include <linux/sched.h>
#include <linux/shmem_fs.h>
#include <linux/string.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "kunit_visible.h"
#include "records/ledger.h"
#include "records/memory.h"
#include "records/scope.h"

static struct pcinspect_cache ledger_cache;
static struct pcinspect_cache ledger_chunk_cache;
static struct pcinspect_cache ledger_ring_cache;
static struct pcinspect_cache ledger_name_cache;
static atomic64_t ledger_nr_lost = ATOMIC64_INIT(0);
static atomic64_t ledger_windows_lost = ATOMIC64_INIT(0);
atomic64_t pcinspect_ledger_stalls = ATOMIC64_INIT(0);
EXPORT_SYMBOL_IF_KUNIT(pcinspect_ledger_stalls);

/* Chunks of windows at most, over all inodes: 37 MiB. */
#define LEDGER_MAX_CHUNKS 65536

/* Rings of fsync calls at most: 64 MiB. */
#define LEDGER_MAX_RINGS 8192

/* Names of deleted files at most: 1 MiB. */
#define LEDGER_MAX_NAMES 2048

/*
 * Can there be a ledger of this inode? Not where pages come and go without
 * events (shmem), or are none (DAX).
 */
bool pcinspect_ledger_wanted(const struct inode *inode)
{
	if (!S_ISREG(inode->i_mode) && !S_ISBLK(inode->i_mode))
		return false;
	return inode->i_sb->s_magic != HUGETLBFS_MAGIC && !IS_DAX(inode) &&
	       !shmem_mapping(inode->i_mapping);
}

/*
 * Does a filesystem read from a block device? fuseblk has a device that its
 * server reads, not the kernel.
 */
bool pcinspect_ledger_on_device(const struct super_block *sb)
{
	if (!strcmp(sb->s_type->name, "bdev"))
		return true;
	/* An erofs may be in a file. */
	return (sb->s_type->fs_flags & FS_REQUIRES_DEV) &&
	       strcmp(sb->s_type->name, "fuseblk") &&
	       (sb->s_bdev || strcmp(sb->s_type->name, "erofs"));
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

/* A ledger to put in the place of another; NULL without memory (counted). */
struct pcinspect_ledger *pcinspect_ledger_alloc(gfp_t gfp)
{
	struct pcinspect_ledger *ledger =
		pcinspect_cache_alloc(&ledger_cache, gfp);

	if (!ledger) {
		atomic64_inc(&ledger_nr_lost);
		return NULL;
	}
	raw_spin_lock_init(&ledger->lock);
	ledger->since_ns = ktime_get_ns();
	return ledger;
}

/*
 * A ledger for an inode that has none, to be begun. Context: any that @gfp
 * allows. Return: the ledger, or NULL: no memory (counted).
 */
struct pcinspect_ledger *pcinspect_ledger_first(gfp_t gfp)
{
	struct pcinspect_ledger *ledger = pcinspect_ledger_alloc(gfp);

	if (!ledger)
		return NULL;
	ledger->dirty = pcinspect_dirty_alloc(gfp);
	ledger->unused = pcinspect_unused_alloc(gfp);
	if (!ledger->dirty || !ledger->unused) {
		atomic64_inc(&ledger_nr_lost);
		pcinspect_ledger_free(ledger);
		return NULL;
	}
	return ledger;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_ledger_first);

/* The counts of an inode begin now. Context: any, never sleeps. */
void pcinspect_ledger_begin(struct pcinspect_ledger *ledger,
			    const struct inode *inode)
{
	struct address_space *mapping = inode->i_mapping;

	ledger->since_ns = ktime_get_ns();
	ledger->on_device = pcinspect_ledger_on_device(inode->i_sb);
	ledger->knows_holes = ledger_knows_holes(inode->i_sb);
	ledger->knows_writes = ledger->knows_holes && !IS_ENCRYPTED(inode);
	ledger->fsync_unknown = pcinspect_scope_calls(inode->i_sb->s_type->name);
	ledger->in_flight = mapping_tagged(mapping, PAGECACHE_TAG_WRITEBACK);
	ledger->writes_back = S_ISBLK(inode->i_mode) ||
			      mapping_can_writeback(mapping);
	/* With nothing dirty, all there is has been written. */
	ledger->knows_end = !ledger->in_flight &&
			    !mapping_tagged(mapping, PAGECACHE_TAG_DIRTY);
	if (ledger->knows_end)
		ledger->written_end =
			DIV_ROUND_UP(i_size_read(inode), PAGE_SIZE);
	ledger->written_last = ledger->written_end;
	ledger->stalls = atomic64_read(&pcinspect_ledger_stalls);
}

/*
 * Begin a ledger in the place of another. @replaced: of the same inode; still
 * being counted in, and @ledger's until pcinspect_ledger_inherit(). Context:
 * any, never sleeps.
 */
void pcinspect_ledger_succeed(struct pcinspect_ledger *ledger,
			      struct pcinspect_ledger *replaced)
{
	ledger->since_ns = ktime_get_ns();
	ledger->on_device = replaced->on_device;
	ledger->knows_holes = replaced->knows_holes;
	ledger->bounced = replaced->bounced;
	ledger->knows_writes = replaced->knows_writes;
	ledger->fsync_unknown = replaced->fsync_unknown;
	ledger->knows_end = replaced->knows_end;
	ledger->written_end = READ_ONCE(replaced->written_end);
	ledger->written_last = READ_ONCE(replaced->written_last);
	ledger->stalls = atomic64_read(&pcinspect_ledger_stalls);
	ledger->in_flight = READ_ONCE(replaced->in_flight) ||
			    atomic64_read(&replaced->written) !=
				    atomic64_read(&replaced->ended);
	ledger->recheck = replaced->recheck;
	ledger->recheck_grace = replaced->recheck_grace;
	ledger->writes_back = replaced->writes_back;
	ledger->deleted = READ_ONCE(replaced->deleted);
	ledger->size_bytes = READ_ONCE(replaced->size_bytes);
	ledger->name = xchg(&replaced->name, NULL);
	ledger->dirty = replaced->dirty;
	ledger->unused = replaced->unused;
	ledger->replaced = replaced;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_ledger_succeed);

/*
 * Free a ledger that nobody can find any more. @ledger: which, or NULL.
 * Context: process context, may sleep; any for one that nobody ever found.
 */
void pcinspect_ledger_free(struct pcinspect_ledger *ledger)
{
	unsigned int i;

	if (!ledger)
		return;
	pcinspect_ledger_collect(ledger, true);
	if (ledger->replaced) {
		/* Resets take turns: there is no older one. */
		pcinspect_ledger_free(pcinspect_ledger_inherit(ledger));
	}
	for (i = 0; i < LEDGER_NR_CHUNKS; i++)
		pcinspect_cache_free(&ledger_chunk_cache, ledger->chunks[i]);
	pcinspect_cache_free(&ledger_ring_cache, ledger->fsyncs);
	pcinspect_ledger_name_free(ledger->name);
	pcinspect_dirty_free(ledger->dirty);
	pcinspect_unused_free(ledger->unused);
	pcinspect_cache_free(&ledger_cache, ledger);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_ledger_free);

/* Ledgers to free: the times and bits of one may be millions of chunks. */
static LLIST_HEAD(ledger_freed);

static void ledger_free_all(struct work_struct *work)
{
	struct llist_node *node = llist_del_all(&ledger_freed);
	struct pcinspect_ledger *ledger;

	while (node) {
		ledger = llist_entry(node, struct pcinspect_ledger, freed);
		node = node->next;
		pcinspect_ledger_free(ledger);
		cond_resched();
	}
}

static DECLARE_WORK(ledger_free_work, ledger_free_all);

/* Free a ledger, or none, that nobody can find any more. Context: any. */
void pcinspect_ledger_free_later(struct pcinspect_ledger *ledger)
{
	if (ledger && llist_add(&ledger->freed, &ledger_freed))
		queue_work(system_dfl_wq, &ledger_free_work);
}

static void ledger_free_callback(struct rcu_head *rcu)
{
	struct pcinspect_ledger *ledger;

	ledger = container_of(rcu, struct pcinspect_ledger, rcu);
	pcinspect_ledger_free_later(ledger);
}

/* Free a ledger, or none, that probes may still be using. Context: any. */
void pcinspect_ledger_free_rcu(struct pcinspect_ledger *ledger)
{
	if (ledger)
		call_rcu(&ledger->rcu, ledger_free_callback);
}

/* Where the chunk of the next window is. Caller holds the lock, or guesses. */
static struct pcinspect_window_chunk **
ledger_next_chunk(struct pcinspect_ledger *ledger)
{
	u64 nr = READ_ONCE(ledger->nr_windows);

	return &ledger->chunks[(nr / LEDGER_CHUNK_WINDOWS) % LEDGER_NR_CHUNKS];
}

/* Does the next window need a chunk? One that begins without has none. */
static bool ledger_needs_chunk(struct pcinspect_ledger *ledger)
{
	return !(READ_ONCE(ledger->nr_windows) % LEDGER_CHUNK_WINDOWS) &&
	       !READ_ONCE(*ledger_next_chunk(ledger));
}

/*
 * The slot of the next window, or NULL. Caller holds the lock; *@spare is taken
 * where a chunk is wanted.
 */
static struct pcinspect_window *
ledger_next_window(struct pcinspect_ledger *ledger,
		   struct pcinspect_window_chunk **spare)
{
	struct pcinspect_window_chunk **chunk = ledger_next_chunk(ledger);
	unsigned int at = ledger->nr_windows % LEDGER_CHUNK_WINDOWS;
	u64 nr = ledger->nr_windows;

	if (!at && nr >= PCINSPECT_NR_WINDOWS)
		ledger->first = nr - PCINSPECT_NR_WINDOWS + LEDGER_CHUNK_WINDOWS;
	if (ledger_needs_chunk(ledger))
		swap(*chunk, *spare);
	WRITE_ONCE(ledger->nr_windows, nr + 1);
	if (*chunk)
		return &(*chunk)->windows[at];
	atomic64_inc(&ledger_windows_lost);
	return NULL;
}

/*
 * A readahead window has ended. @op: of the outermost readahead function.
 * Context: preemption off, never sleeps.
 */
void pcinspect_ledger_window(struct pcinspect_ledger *ledger,
			     const struct pcinspect_operation *op)
{
	struct pcinspect_window_chunk *spare = NULL;
	bool needed = ledger_needs_chunk(ledger);
	struct pcinspect_window *window;
	unsigned long flags;

	if (needed)
		spare = pcinspect_cache_alloc(&ledger_chunk_cache,
					      PCINSPECT_GFP_PROBE);
	raw_spin_lock_irqsave(&ledger->lock, flags);
	if (!needed && ledger_needs_chunk(ledger)) {
		/* Others have come in between: once more, with one. */
		raw_spin_unlock_irqrestore(&ledger->lock, flags);
		spare = pcinspect_cache_alloc(&ledger_chunk_cache,
					      PCINSPECT_GFP_PROBE);
		raw_spin_lock_irqsave(&ledger->lock, flags);
	}
	window = ledger_next_window(ledger, &spare);
	if (window) {
		window->time_ns = op->time_ns;
		window->index = op->index;
		window->pid = current->tgid;
		window->cause = op->cause;
		window->requested_pages = op->requested;
		window->planned_pages = op->planned;
		window->async_pages = op->async;
		window->inserted_pages = op->inserted;
		window->expanded_pages = op->expanded;
		window->order = op->order;
		window->ra_pages = op->ra_pages;
		window->pad = 0;
		strscpy(window->comm, current->comm, sizeof(window->comm));
	}
	raw_spin_unlock_irqrestore(&ledger->lock, flags);
	pcinspect_cache_free(&ledger_chunk_cache, spare);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_ledger_window);

/*
 * An fsync call has ended. @call: what there is to keep, or NULL: it is only
 * counted. Without memory for the ring calls are only counted as well. Context:
 * preemption off, never sleeps.
 */
void pcinspect_ledger_fsync(struct pcinspect_ledger *ledger,
			    const struct pcinspect_fsync *call)
{
	struct pcinspect_fsync *ring = NULL;
	unsigned long flags;

	if (call && !READ_ONCE(ledger->fsyncs))
		ring = pcinspect_cache_alloc(&ledger_ring_cache,
					     PCINSPECT_GFP_PROBE);
	raw_spin_lock_irqsave(&ledger->lock, flags);
	if (!ledger->fsyncs)
		swap(ledger->fsyncs, ring);
	if (call && ledger->fsyncs)
		ledger->fsyncs[ledger->nr_kept++ % PCINSPECT_NR_FSYNCS] = *call;
	ledger->nr_fsyncs++;
	raw_spin_unlock_irqrestore(&ledger->lock, flags);
	pcinspect_cache_free(&ledger_ring_cache, ring);
}

/*
 * Room for the name of a file that is being deleted, PCINSPECT_NAME_BYTES;
 * NULL: there is none. Context: any.
 */
char *pcinspect_ledger_name_alloc(void)
{
	return pcinspect_cache_alloc(&ledger_name_cache, PCINSPECT_GFP_PROBE);
}

/* Context: any. @name: or NULL. */
void pcinspect_ledger_name_free(char *name)
{
	pcinspect_cache_free(&ledger_name_cache, name);
}

/* Insertions by all causes. */
u64 pcinspect_ledger_inserted(const struct pcinspect_ledger *ledger)
{
	u64 sum = 0;
	int i;

	for (i = 0; i < PCINSPECT_NR_CAUSES; i++)
		sum += ledger_read(ledger, pcinspect_inserted(i));
	return sum;
}

/* Removals by all causes. */
u64 pcinspect_ledger_removed(const struct pcinspect_ledger *ledger)
{
	u64 sum = 0;
	int i;

	for (i = 0; i < PCINSPECT_NR_REMOVALS; i++)
		sum += ledger_read(ledger, pcinspect_removed(i));
	return sum;
}

/* An inode got no ledger. */
void pcinspect_ledger_count_lost(void)
{
	atomic64_inc(&ledger_nr_lost);
}

/* Windows, or else ledgers, that found no memory since load. */
u64 pcinspect_ledger_lost(bool windows)
{
	return atomic64_read(windows ? &ledger_windows_lost : &ledger_nr_lost);
}

/* The memory of all ledgers, in bytes. */
size_t pcinspect_ledger_memory(void)
{
	return pcinspect_cache_memory(&ledger_cache) +
	       pcinspect_cache_memory(&ledger_chunk_cache) +
	       pcinspect_cache_memory(&ledger_name_cache) +
	       pcinspect_cache_memory(&ledger_ring_cache);
}

/* Context: process context. Return: 0 or -ENOMEM. */
int pcinspect_ledger_init(void)
{
	int err = pcinspect_cache_init(&ledger_cache, "pcinspect_ledger",
				       sizeof(struct pcinspect_ledger), true,
				       LONG_MAX);

	if (!err)
		err = pcinspect_cache_init(&ledger_chunk_cache,
					   "pcinspect_windows",
					   sizeof(struct pcinspect_window_chunk),
					   false, LEDGER_MAX_CHUNKS);
	if (!err)
		err = pcinspect_cache_init(&ledger_ring_cache,
					   "pcinspect_fsyncs",
					   PCINSPECT_NR_FSYNCS *
						   sizeof(struct pcinspect_fsync),
					   false, LEDGER_MAX_RINGS);
	if (!err)
		err = pcinspect_cache_init(&ledger_name_cache, "pcinspect_names",
					   PCINSPECT_NAME_BYTES, false,
					   LEDGER_MAX_NAMES);
	if (err)
		pcinspect_ledger_exit();
	return err;
}

/* Context: process context; no record has a ledger. */
void pcinspect_ledger_exit(void)
{
	rcu_barrier();
	flush_work(&ledger_free_work);
	pcinspect_cache_exit(&ledger_name_cache);
	pcinspect_cache_exit(&ledger_ring_cache);
	pcinspect_cache_exit(&ledger_chunk_cache);
	pcinspect_cache_exit(&ledger_cache);
}
