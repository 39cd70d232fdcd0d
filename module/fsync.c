// SPDX-License-Identifier: GPL-2.0
/*
 * fsync.c - what each fsync(2)-like call wrote, in which requests.
 *
 * Why a table of open calls: block requests are issued by some kernel worker
 * (XFS: every one of them), so the task says nothing. The request's first page
 * still names the mapping, and a request belongs to the oldest call that is
 * open on it. Requests without a file's page that go to the same disk meanwhile
 * are counted apart: during the call, not because of it.
 *
 * Locks: fsync_lock, a leaf raw spinlock, irqs saved, before no other but the
 * ledger's. Work under it is bound by the size of the table.
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

#include "dirty.h"
#include "frame.h"
#include "fsync.h"
#include "ledger.h"
#include "reads.h"
#include "track.h"

#define FSYNC_OPEN 32

/*
 * struct fsync_open - a call under way
 * @mapping: of the file; compared, never followed; NULL: slot unused
 * @disk: the filesystem's disk if requests go to it; compared only
 * @call: so far
 */
struct fsync_open {
	const struct address_space *mapping;
	const struct gendisk *disk;
	struct pcinspect_fsync call;
};

static struct fsync_open fsync_open[FSYNC_OPEN];
static unsigned int fsync_nr_open;
static DEFINE_RAW_SPINLOCK(fsync_lock);

/* The disk that the filesystem's requests go to, if it takes requests. */
static const struct gendisk *fsync_disk(const struct super_block *sb)
{
	const struct gendisk *disk = sb->s_bdev ? sb->s_bdev->bd_disk : NULL;

	return disk && !disk->fops->submit_bio ? disk : NULL;
}

/**
 * pcinspect_fsync_begin() - the running task begins to synchronize a file
 * @file: which
 * @depth: set to what pcinspect_fsync_end() wants
 *
 * Context: preemption off, never sleeps.
 * Return: 0, or 1 if nobody wants to know.
 */
int pcinspect_fsync_begin(const struct file *file, u8 *depth)
{
	struct address_space *mapping = file->f_mapping;
	struct pcinspect_frame *frame = pcinspect_frame_top();
	struct fsync_open *open = NULL;
	struct pcinspect_record *rec;
	unsigned long flags;
	int i;

	/* vfs_fsync_range() and the filesystem's own: one call. */
	if (frame && frame->kind == FRAME_FSYNC && frame->mapping == mapping)
		return 1;
	if (!pcinspect_reads_ledger(mapping->host))
		return 1;
	frame = pcinspect_frame_push(FRAME_FSYNC, mapping, depth);
	if (!frame)
		return 1;
	rec = pcinspect_track_find(mapping->host);
	frame->cookie = NULL;
	raw_spin_lock_irqsave(&fsync_lock, flags);
	for (i = 0; i < FSYNC_OPEN; i++) {
		if (!fsync_open[i].mapping && !open)
			open = &fsync_open[i];
		else if (fsync_open[i].mapping == mapping)
			fsync_open[i].call.flags |= PCINSPECT_FSYNC_SHARED;
	}
	if (open) {
		memset(open, 0, sizeof(*open));
		open->mapping = mapping;
		open->disk = fsync_disk(mapping->host->i_sb);
		open->call.time_ns = ktime_get_ns();
		open->call.pid = current->tgid;
		memcpy(open->call.comm, current->comm, sizeof(open->call.comm));
		if (open->disk)
			open->call.flags |= PCINSPECT_FSYNC_LOG;
		if (rec && rec->dirty) {
			open->call.dirty_at_entry_pages =
				atomic64_read(&rec->dirty->pages);
			open->call.flags |= PCINSPECT_FSYNC_DIRTY;
		}
		frame->cookie = open;
		WRITE_ONCE(fsync_nr_open, fsync_nr_open + 1);
	}
	raw_spin_unlock_irqrestore(&fsync_lock, flags);
	return 0;
}

/**
 * pcinspect_fsync_end() - the running task has done so
 * @depth: from pcinspect_fsync_begin()
 *
 * Context: preemption off, never sleeps.
 */
void pcinspect_fsync_end(u8 depth)
{
	struct pcinspect_frame *frame = pcinspect_frame_pop(depth);
	struct pcinspect_fsync *ring = NULL, call;
	struct pcinspect_ledger *ledger;
	struct pcinspect_record *rec;
	struct fsync_open *open;
	unsigned long flags;

	if (!frame || !frame->cookie)
		return;
	open = frame->cookie;
	raw_spin_lock_irqsave(&fsync_lock, flags);
	call = open->call;
	open->mapping = NULL;
	WRITE_ONCE(fsync_nr_open, fsync_nr_open - 1);
	raw_spin_unlock_irqrestore(&fsync_lock, flags);
	call.duration_ns = ktime_get_ns() - call.time_ns;
	call.written_pages = frame->inserted;

	rec = pcinspect_track_find_id(&frame->file);
	ledger = rec ? rcu_dereference_raw(rec->ledger) : NULL;
	if (!ledger)
		return;
	if (!READ_ONCE(ledger->fsyncs))
		ring = kcalloc(PCINSPECT_NR_FSYNCS, sizeof(*ring),
			       GFP_NOWAIT | __GFP_NOWARN);
	raw_spin_lock_irqsave(&ledger->lock, flags);
	if (!ledger->fsyncs)
		swap(ledger->fsyncs, ring);
	if (ledger->fsyncs)
		ledger->fsyncs[ledger->nr_fsyncs % PCINSPECT_NR_FSYNCS] = call;
	ledger->nr_fsyncs++;
	raw_spin_unlock_irqrestore(&ledger->lock, flags);
	kfree(ring);
}

/**
 * pcinspect_fsync_written() - a folio is handed to writeback
 * @folio: locked
 *
 * Context: kprobe of __folio_start_writeback(), preemption off.
 */
void pcinspect_fsync_written(struct folio *folio)
{
	struct pcinspect_frame *frame;

	frame = pcinspect_frame_find(pcinspect_frames_of(), BIT(FRAME_FSYNC));
	if (frame && frame->mapping == folio->mapping)
		frame->inserted += folio_nr_pages(folio);
}

/* The file mapping that a write bio's data belongs to, or NULL. */
static const struct address_space *fsync_mapping(struct bio *bio)
{
	struct address_space *mapping;
	struct folio *folio;

	if (!bio || !bio_has_data(bio) || !bio->bi_iter.bi_size ||
	    bio->bi_opf & REQ_META)
		return NULL;
	folio = page_folio(bio_iovec(bio).bv_page);
	mapping = folio_mapping(folio);
	return mapping && mapping->host && S_ISREG(mapping->host->i_mode) ?
		       mapping :
		       NULL;
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
		if (!found || open->call.time_ns < found->call.time_ns)
			found = open;
	}
	return found;
}

static void fsync_count_size(struct pcinspect_fsync *call, u64 bytes)
{
	struct pcinspect_size *size = NULL;
	int i;

	call->requests++;
	call->request_bytes += bytes;
	for (i = 0; i < PCINSPECT_NR_SIZES; i++) {
		size = &call->sizes[i];
		if (!size->requests || size->bytes == bytes)
			break;
	}
	if (!size->requests)
		size->bytes = bytes;
	else if (size->bytes != bytes)
		size->bytes = 0; /* the last is for all further sizes */
	size->requests++;
}

/**
 * pcinspect_fsync_request() - a request goes to a disk
 * @rq: which
 *
 * Context: probe of block_rq_issue: any, irqs perhaps off.
 */
void pcinspect_fsync_request(struct request *rq)
{
	const struct address_space *mapping;
	struct fsync_open *open;
	u64 bytes = blk_rq_bytes(rq);
	unsigned long flags;

	if (!READ_ONCE(fsync_nr_open) || req_op(rq) != REQ_OP_WRITE || !bytes)
		return;
	mapping = fsync_mapping(rq->bio);
	raw_spin_lock_irqsave(&fsync_lock, flags);
	open = fsync_find(mapping, rq->q->disk);
	if (open && mapping) {
		fsync_count_size(&open->call, bytes);
		open->call.max_sectors_bytes = (u64)queue_max_sectors(rq->q)
					       << SECTOR_SHIFT;
	} else if (open) {
		open->call.log_requests++;
		open->call.log_bytes += bytes;
	}
	raw_spin_unlock_irqrestore(&fsync_lock, flags);
}

/**
 * pcinspect_fsync_split() - a bio was too large for its queue
 * @bio: the first part
 *
 * Context: probe of block_split, preemption off.
 */
void pcinspect_fsync_split(struct bio *bio)
{
	const struct address_space *mapping;
	struct fsync_open *open;
	unsigned long flags;

	if (!READ_ONCE(fsync_nr_open) || bio_op(bio) != REQ_OP_WRITE)
		return;
	mapping = fsync_mapping(bio);
	if (!mapping)
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

/**
 * pcinspect_fsync_reset() - forget calls whose end will not be seen
 *
 * Context: process context; no hook is attached.
 */
void pcinspect_fsync_reset(void)
{
	memset(fsync_open, 0, sizeof(fsync_open));
	fsync_nr_open = 0;
}
