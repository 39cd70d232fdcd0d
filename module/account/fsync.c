// SPDX-License-Identifier: GPL-2.0-only
/*
 * fsync.c - the pages and requests of each fsync(2)-like call.
 *
 * Why a table of open calls: block requests are issued by some kernel worker
 * (XFS: every one of them), so the task says nothing. The pages of a request
 * still name their mapping: what it has of a mapping belongs to the oldest call
 * that is open on it (an I/O scheduler makes one request of neighbours on disk,
 * whatever files they are of). Requests to the same disk for no file's page are
 * counted apart: during the call, not because of it.
 *
 * Locks: fsync_lock, a leaf raw spinlock, irqs saved. Work under it is bound by
 * the size of the table.
 */
#include <linux/bio.h>
#include <linux/blk-mq.h>
#include <linux/blkdev.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "account/fsync.h"
#include "records/dirty.h"
#include "records/ledger.h"
#include "records/operation.h"
#include "records/scope.h"
#include "records/track.h"
#include "trace.h"

#define FSYNC_OPEN 32

/*
 * struct fsync_open - a call under way
 * @mapping: of the file; compared, never followed; NULL: slot unused
 * @disk: the filesystem's disk if requests go to it; compared only
 * @number: of the call, from 1
 * @call: so far
 */
struct fsync_open {
	const struct address_space *mapping;
	const struct gendisk *disk;
	u64 number;
	struct pcinspect_fsync call;
};

/*
 * Every request of every disk is held against these while a call is open; the
 * same as in the calls, but in a row, and written only when one begins or ends.
 */
static struct fsync_key {
	const struct address_space *mapping;
	const struct gendisk *disk;
} fsync_keys[FSYNC_OPEN] ____cacheline_aligned_in_smp;
static unsigned int fsync_nr_open ____cacheline_aligned_in_smp;
static u64 fsync_number; /* of the call that began last */

static struct fsync_open fsync_open[FSYNC_OPEN] ____cacheline_aligned_in_smp;
static DEFINE_RAW_SPINLOCK(fsync_lock);

/* Calls that have ended, whoever has them in a ledger. */
static atomic64_t fsync_nr_calls = ATOMIC64_INIT(0);

/* Under the lock. */
static void fsync_set_key(const struct fsync_open *open)
{
	struct fsync_key *key = &fsync_keys[open - fsync_open];

	WRITE_ONCE(key->mapping, open->mapping);
	WRITE_ONCE(key->disk, open->mapping ? open->disk : NULL);
}

/* The disk that the filesystem's requests go to, if it takes requests. */
static const struct gendisk *fsync_disk(const struct super_block *sb)
{
	const struct gendisk *disk = sb->s_bdev ? sb->s_bdev->bd_disk : NULL;

	return disk && !disk->fops->submit_bio ? disk : NULL;
}

/* Work at the beginning of a call. */
static void fsync_state(const struct pcinspect_ledger *ledger,
			struct address_space *mapping,
			struct pcinspect_fsync *call)
{
	s64 writeback = 0;

	/* An end may have been missed: the tag decides whether there is any. */
	if (mapping_tagged(mapping, PAGECACHE_TAG_WRITEBACK)) {
		writeback = atomic64_read(&ledger->written) -
			    atomic64_read(&ledger->ended);
		if (ledger->in_flight)
			writeback = -1;
	}
	if (writeback >= 0) {
		call->writeback_at_entry_pages = writeback;
		call->flags |= PCINSPECT_FSYNC_WRITEBACK;
	}
	if (ledger->knows_end)
		call->flags |= PCINSPECT_FSYNC_TAIL;
}

/**
 * pcinspect_fsync_begin() - the running task begins to synchronize a file
 * @file: which
 * @kind: PCINSPECT_FSYNC_DATASYNC, _RANGE or 0
 * @depth: set to what pcinspect_fsync_end() wants
 *
 * Context: preemption off, never sleeps.
 * Return: 0, or 1 if nobody wants to know.
 */
int pcinspect_fsync_begin(const struct file *file, u32 kind, u8 *depth)
{
	struct address_space *mapping = file->f_mapping;
	struct pcinspect_operation *op = pcinspect_operation_top();
	struct fsync_open *open = NULL;
	struct pcinspect_ledger *ledger;
	unsigned long flags;
	u64 dirty;
	int i;

	/* vfs_fsync_range() and the filesystem's own: one call. */
	if (op && op->kind == OP_FSYNC && op->mapping == mapping)
		return 1;
	ledger = pcinspect_track_admit(mapping->host);
	if (!ledger)
		return 1;
	op = pcinspect_operation_push(OP_FSYNC, mapping, depth);
	if (!op)
		return 1;
	if (pcinspect_dirty_total(ledger->dirty, mapping, &dirty))
		kind |= PCINSPECT_FSYNC_DIRTY;
	op->cookie = NULL;
	op->count = ledger_read(ledger, PCINSPECT_BY_OTHER);
	raw_spin_lock_irqsave(&fsync_lock, flags);
	for (i = 0; i < FSYNC_OPEN; i++) {
		if (!fsync_open[i].mapping && !open) {
			open = &fsync_open[i];
		} else if (fsync_open[i].mapping == mapping) {
			fsync_open[i].call.flags |= PCINSPECT_FSYNC_SHARED;
			kind |= PCINSPECT_FSYNC_SHARED;
		}
	}
	if (open) {
		memset(open, 0, sizeof(*open));
		open->mapping = mapping;
		open->disk = fsync_disk(mapping->host->i_sb);
		open->call.time_ns = ktime_get_ns();
		open->call.pid = current->tgid;
		strscpy(open->call.comm, current->comm, sizeof(open->call.comm));
		open->call.flags = kind;
		if (kind & PCINSPECT_FSYNC_DIRTY)
			open->call.dirty_at_entry_pages = dirty;
		if (open->disk)
			open->call.flags |= PCINSPECT_FSYNC_LOG;
		fsync_state(ledger, mapping, &open->call);
		open->number = fsync_number + 1;
		WRITE_ONCE(fsync_number, open->number);
		fsync_set_key(open);
		op->cookie = open;
		WRITE_ONCE(fsync_nr_open, fsync_nr_open + 1);
	}
	raw_spin_unlock_irqrestore(&fsync_lock, flags);
	return 0;
}

/*
 * The running task has done so. @depth: from pcinspect_fsync_begin(). Context:
 * preemption off, never sleeps.
 */
void pcinspect_fsync_end(u8 depth)
{
	struct pcinspect_operation *op = pcinspect_operation_pop(depth);
	struct pcinspect_fsync call = {};
	struct pcinspect_ledger *ledger;
	struct fsync_open *open;
	unsigned long flags;
	u64 dirty;

	if (!op)
		return;
	open = op->cookie;
	if (open) {
		raw_spin_lock_irqsave(&fsync_lock, flags);
		call = open->call;
		open->mapping = NULL;
		fsync_set_key(open);
		WRITE_ONCE(fsync_nr_open, fsync_nr_open - 1);
		raw_spin_unlock_irqrestore(&fsync_lock, flags);
	}
	atomic64_inc(&fsync_nr_calls);
	ledger = pcinspect_track_ledger_id(&op->file);
	if (!ledger)
		return;
	/* Perhaps nothing is dirty now; the caller holds the file. */
	pcinspect_dirty_total(ledger->dirty, op->mapping, &dirty);
	call.duration_ns = ktime_get_ns() - call.time_ns;
	call.written_pages = op->inserted;
	call.rewritten_tail_pages = op->tail;
	call.data_wait_ns = op->data_wait_ns;
	call.log_wait_ns = op->log_wait_ns;
	/*
	 * A worker handed some over meanwhile, and it is not known for whom. It
	 * is what this call left to it where the filesystem compresses (btrfs),
	 * and its bios may have no page of the file.
	 */
	if (op->count != ledger_read(ledger, PCINSPECT_BY_OTHER)) {
		call.flags |= PCINSPECT_FSYNC_NO_WRITTEN;
		call.flags &= ~PCINSPECT_FSYNC_TAIL;
	}
	/* Compressed or encrypted data is in no page of the file. */
	if (call.flags & PCINSPECT_FSYNC_NO_WRITTEN)
		call.flags &= ~PCINSPECT_FSYNC_REQUESTS;
	else if (ledger->knows_writes ? call.requests || !call.written_pages :
					call.requests)
		call.flags |= PCINSPECT_FSYNC_REQUESTS;
	call.flags &= ~(ledger->fsync_unknown &
			(PCINSPECT_FSYNC_REQUESTS | PCINSPECT_FSYNC_LOG));
	call.flags |= ledger->fsync_unknown & (PCINSPECT_FSYNC_NO_SPLITS |
					       PCINSPECT_FSYNC_NO_DATA_WAIT |
					       PCINSPECT_FSYNC_NO_LOG_WAIT);
	pcinspect_ledger_fsync(ledger, open ? &call : NULL);
	if (open)
		trace_pcinspect_fsync(&op->file, &call);
}

/*
 * Is the running task in such a call, so that what it waits for now is to be
 * added to it? @mapping: of which file, or NULL: any. Context: preemption off.
 */
bool pcinspect_fsync_waits(const struct address_space *mapping)
{
	const struct pcinspect_operation *op;

	op = pcinspect_operation_find(pcinspect_operations_of(), BIT(OP_FSYNC));
	return op && (!mapping || op->mapping == mapping);
}

/*
 * The running task has waited, for the log or the disk's cache (@log) or for
 * its data. Context: preemption off.
 */
void pcinspect_fsync_waited(u64 ns, bool log)
{
	struct pcinspect_operation *op;

	op = pcinspect_operation_find(pcinspect_operations_of(), BIT(OP_FSYNC));
	if (op && log)
		op->log_wait_ns += ns;
	else if (op)
		op->data_wait_ns += ns;
}

/* The file mapping that a page of a write bio belongs to, or NULL. */
static const struct address_space *fsync_mapping(const struct bio *bio,
						 struct page *page)
{
	struct address_space *mapping;

	if (bio->bi_opf & REQ_META)
		return NULL;
	mapping = folio_mapping(page_folio(page));
	return mapping && mapping->host && S_ISREG(mapping->host->i_mode) ?
		       mapping :
		       NULL;
}

/*
 * The slot that a request or bio can belong to: one with that mapping or, with
 * none, that disk; -1: none. Without the lock: a call that begins or ends just
 * now gets none.
 */
static int fsync_slot(const struct address_space *mapping,
		      const struct gendisk *disk)
{
	int i;

	for (i = 0; i < FSYNC_OPEN; i++)
		if (mapping ? READ_ONCE(fsync_keys[i].mapping) == mapping :
			      READ_ONCE(fsync_keys[i].disk) == disk)
			return i;
	return -1;
}

/* The oldest open call on a mapping, or, with none, on a disk. Under the lock. */
static struct fsync_open *fsync_find(const struct address_space *mapping,
				     const struct gendisk *disk)
{
	struct fsync_open *found = NULL;
	int i;

	for (i = 0; i < FSYNC_OPEN; i++) {
		struct fsync_open *open = &fsync_open[i];

		if (!open->mapping ||
		    (mapping ? open->mapping != mapping : open->disk != disk))
			continue;
		/* A layer of requests issues each again below (dm-multipath). */
		if (mapping && open->disk && disk && open->disk != disk)
			continue;
		if (!found || open->call.time_ns < found->call.time_ns)
			found = open;
	}
	return found;
}

/* Count a request, or (@n is -1) take one back that will be issued again. */
static void fsync_count_size(struct pcinspect_fsync *call, u64 bytes, int n)
{
	struct pcinspect_size *size = NULL;
	int i;

	for (i = 0; i < PCINSPECT_NR_SIZES; i++) {
		size = &call->sizes[i];
		if (!size->requests || size->bytes == bytes)
			break;
	}
	/* Issued before the call began: nothing to take back. */
	if (n < 0 && !size->requests)
		return;
	call->requests += n;
	call->request_bytes += n * (s64)bytes;
	if (!size->requests)
		size->bytes = bytes;
	else if (size->bytes != bytes)
		size->bytes = 0; /* the last is for all further sizes */
	size->requests += n;
	if (size->requests)
		return;
	/* No gap among those that are used. */
	for (i = PCINSPECT_NR_SIZES - 1; !call->sizes[i].requests && i; i--)
		;
	if (&call->sizes[i] > size)
		swap(call->sizes[i], *size);
}

/* Does it write data? On a zoned device it may say where only afterwards. */
static bool fsync_writes(enum req_op op)
{
	return op == REQ_OP_WRITE || op == REQ_OP_ZONE_APPEND;
}

/*
 * Add up the bytes of a request: by slot of the mapping, and (returned) those
 * that are no file's.
 */
static u32 fsync_parts(struct request *rq, u32 bytes[FSYNC_OPEN])
{
	const struct address_space *mapping;
	struct req_iterator iter;
	struct folio *last = NULL;
	struct bio_vec part;
	u32 none = 0;
	int slot = -1;

	rq_for_each_segment(part, rq, iter) {
		if (page_folio(part.bv_page) != last) {
			last = page_folio(part.bv_page);
			mapping = fsync_mapping(iter.bio, part.bv_page);
			slot = mapping ? fsync_slot(mapping, NULL) : FSYNC_OPEN;
		}
		if (slot == FSYNC_OPEN)
			none += part.bv_len;
		else if (slot >= 0)
			bytes[slot] += part.bv_len;
	}
	return none;
}

/*
 * A request goes to a disk, or (@back) comes back and will be issued again.
 * Context: probe of block_rq_issue or block_rq_requeue: any, irqs perhaps off.
 */
void pcinspect_fsync_request(struct request *rq, bool back)
{
	u64 number = READ_ONCE(fsync_number);
	u32 bytes[FSYNC_OPEN] = {};
	struct fsync_open *open;
	int n = back ? -1 : 1;
	unsigned long flags;
	u32 none;
	int i;

	if (!READ_ONCE(fsync_nr_open) || !fsync_writes(req_op(rq)) ||
	    !blk_rq_bytes(rq))
		return;
	/* It may come back before it was counted as issued. */
	if (back && !blk_mq_request_started(rq))
		return;
	none = fsync_parts(rq, bytes);
	if (none && fsync_slot(NULL, rq->q->disk) < 0)
		none = 0;
	if (!none && !memchr_inv(bytes, 0, sizeof(bytes)))
		return;
	raw_spin_lock_irqsave(&fsync_lock, flags);
	for (i = 0; i < FSYNC_OPEN; i++) {
		/* The slot was another call's when it was looked up. */
		if (!bytes[i] || fsync_open[i].number > number)
			continue;
		open = fsync_open[i].mapping ?
			       fsync_find(fsync_open[i].mapping, rq->q->disk) :
			       NULL;
		if (!open)
			continue;
		fsync_count_size(&open->call, bytes[i], n);
		open->call.max_sectors_bytes = (u64)queue_max_sectors(rq->q)
					       << SECTOR_SHIFT;
	}
	open = none ? fsync_find(NULL, rq->q->disk) : NULL;
	if (open && (!back || open->call.log_bytes >= none)) {
		open->call.log_requests += n;
		open->call.log_bytes += n * (s64)none;
	}
	raw_spin_unlock_irqrestore(&fsync_lock, flags);
}

/*
 * A bio was too large for its queue. @bio: the first part. Context: probe of
 * block_split, preemption off.
 */
void pcinspect_fsync_split(struct bio *bio)
{
	const struct address_space *mapping;
	struct fsync_open *open;
	unsigned long flags;

	if (!READ_ONCE(fsync_nr_open) || !fsync_writes(bio_op(bio)))
		return;
	if (!bio_has_data(bio))
		return;
	mapping = fsync_mapping(bio, bio_page(bio));
	if (!mapping || fsync_slot(mapping, NULL) < 0)
		return;
	raw_spin_lock_irqsave(&fsync_lock, flags);
	open = fsync_find(mapping, NULL);
	if (open) {
		open->call.splits++;
		if (bio_sectors(bio) ==
		    queue_max_sectors(bdev_get_queue(bio->bi_bdev)))
			open->call.splits_at_limit++;
	}
	raw_spin_unlock_irqrestore(&fsync_lock, flags);
}

/* Calls that have ended, on files that had a ledger, since load. Context: any. */
u64 pcinspect_fsync_calls(void)
{
	return atomic64_read(&fsync_nr_calls);
}

/* Forget calls whose end will not be seen. Context: no hook is attached. */
void pcinspect_fsync_reset(void)
{
	memset(fsync_open, 0, sizeof(fsync_open));
	memset(fsync_keys, 0, sizeof(fsync_keys));
	fsync_nr_open = 0;
}
