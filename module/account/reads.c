// SPDX-License-Identifier: GPL-2.0
/*
 * reads.c - the rules of the read ledger, as docs/numbers.md states them.
 *
 * Everything here runs inside probes: preemption off (by the hook), perhaps
 * with interrupts off and the i_pages lock held. No sleeping, no lock but the
 * ledger's and the bitmap's leaf locks, no following of anything but the inode
 * and folio that the kernel function itself is working on.
 */
#include <linux/bio.h>
#include <linux/blk_types.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/sched.h>
#include <linux/swap.h>

#include "account/devices.h"
#include "account/evictor.h"
#include "account/reads.h"
#include "account/writes.h"
#include "control/run.h"
#include "records/unused.h"
#include "trace.h"

/* The read-side hooks are attached. */
bool pcinspect_reads_on;

/* A folio of a window, perhaps not the next; returns the window's cause. */
static enum pcinspect_cause reads_window(struct pcinspect_frame *frame,
					 const struct folio *folio,
					 unsigned long nr)
{
	if (folio->index != frame->run + frame->run_pages) {
		pcinspect_reads_flush_run(frame);
		frame->run = folio->index;
	}
	pcinspect_reads_window(frame, folio, nr);
	return frame->cause;
}

/*
 * A page that is not the next of a window: which frame is it for? *@later is
 * set if that frame hands it in when it ends, as its task's.
 */
static enum pcinspect_cause reads_cause(struct folio *folio, unsigned long nr,
					bool *later)
{
	struct pcinspect_frame *top = pcinspect_frame_top();

	*later = false;
	if (!top || top->mapping != folio->mapping)
		return PCINSPECT_CAUSE_OTHER;
	switch (top->kind) {
	case FRAME_READ_PAGES:
		/* ->readahead works for the frame around it. */
		top[-1].expanded += nr;
		*later = true;
		return reads_window(top - 1, folio, nr);
	case FRAME_READAHEAD:
		*later = true;
		return reads_window(top, folio, nr);
	case FRAME_WRITE:
		top->inserted += nr;
		*later = true;
		return PCINSPECT_CAUSE_WRITE;
	case FRAME_READ:
	case FRAME_FAULT:
		/* One page, with no readahead. */
		top->inserted += nr;
		break;
	}
	return PCINSPECT_CAUSE_OTHER;
}

/**
 * pcinspect_reads_inserted() - a folio was inserted, but not as usual
 * @rec: the record of its inode, or NULL
 * @folio: in the page cache, locked
 * @nr: its pages
 *
 * All that pcinspect_reads_insert() leaves.
 *
 * Context: probe of mm_filemap_add_to_page_cache, preemption off.
 */
void pcinspect_reads_inserted(struct pcinspect_record *rec, struct folio *folio,
			      unsigned long nr)
{
	bool later;
	enum pcinspect_cause cause = reads_cause(folio, nr, &later);
	struct address_space *mapping = folio->mapping;
	struct pcinspect_ledger *ledger;

	ledger = pcinspect_record_ledger(rec);
	if (!ledger && READ_ONCE(pcinspect_run_active))
		ledger = pcinspect_track_admit(mapping->host);
	if (!ledger)
		return;
	ledger_add(ledger, pcinspect_inserted(cause), nr);
	/* It may have begun just now, with this folio in the cache. */
	if (unlikely(READ_ONCE(ledger->recheck))) {
		rec = pcinspect_track_find(mapping->host);
		if (rec)
			pcinspect_ledger_settle(ledger, rec, mapping, false);
	}
	if (!later) {
		struct pcinspect_share share = { .inserted_pages = nr };

		pcinspect_ledger_share(ledger, &share);
	}
}

/**
 * pcinspect_reads_flush_run() - mark what a window has inserted as not used yet
 * @frame: of the window
 *
 * Done for a whole run of pages when ->readahead begins, while the pages are
 * still locked and nobody can have used them; what the filesystem adds after
 * that, when it ends.
 *
 * Context: preemption off, never sleeps.
 */
void pcinspect_reads_flush_run(struct pcinspect_frame *frame)
{
	struct pcinspect_ledger *ledger;
	unsigned int lost;

	if (!frame->run_pages || frame->cause > PCINSPECT_CAUSE_FORCED)
		goto out;
	ledger = pcinspect_track_ledger_id(&frame->file);
	if (!ledger)
		goto out;
	lost = pcinspect_unused_set(ledger->unused, frame->run,
				    frame->run_pages);
	if (lost)
		ledger_add(ledger, PCINSPECT_UNUSED_UNKNOWN_PAGES, lost);
out:
	frame->run_pages = 0;
}

/* What the running task is doing that removes pages of @mapping. */
static enum pcinspect_remover_op reads_how(const struct pcinspect_frames *frames,
					   const struct address_space *mapping,
					   enum pcinspect_removal *removal)
{
	const struct pcinspect_frame *frame;
	int i;

	*removal = PCINSPECT_REMOVAL_OTHER;
	for (i = frames ? frames->depth - 1 : -1; i >= 0; i--) {
		frame = &frames->stack[i];
		if (frame->kind == FRAME_DROP_CACHES)
			return PCINSPECT_REMOVER_DROP_CACHES;
		if (frame->mapping != mapping)
			continue;
		switch (frame->kind) {
		case FRAME_TRUNCATE:
			*removal = PCINSPECT_REMOVAL_TRUNCATE;
			break;
		case FRAME_INVALIDATE:
			*removal = PCINSPECT_REMOVAL_INVALIDATE;
			break;
		case FRAME_READ_PAGES:
			*removal = PCINSPECT_REMOVAL_TRIM;
			return PCINSPECT_REMOVER_OTHER;
		case FRAME_FADVISE:
			return PCINSPECT_REMOVER_FADVISE;
		case FRAME_DIRECT:
			return PCINSPECT_REMOVER_DIRECT;
		}
	}
	return *removal == PCINSPECT_REMOVAL_TRUNCATE ?
		       PCINSPECT_REMOVER_TRUNCATE :
		       PCINSPECT_REMOVER_OTHER;
}

/* Reclaim by the running task or, for others, by kswapd. */
static void reads_evicted(struct pcinspect_ledger *ledger, unsigned long nr,
			  struct pcinspect_culprit *by)
{
	const struct pcinspect_frame *frame;

	if (current_is_kswapd()) {
		pcinspect_evictor_infer(nr, by);
		pcinspect_ledger_evicted(ledger, by);
		return;
	}
	/* A fault knows the file only if no readahead is in it, and so on. */
	frame = pcinspect_frame_find(pcinspect_frames_of(),
				     BIT(FRAME_READAHEAD) | BIT(FRAME_WRITE) |
					     BIT(FRAME_FAULT) | BIT(FRAME_READ));
	pcinspect_ledger_culprit(by, frame ? &frame->file : NULL, current->tgid,
				 current->comm);
	by->pages = nr;
	pcinspect_ledger_evicted(ledger, by);
}

/**
 * pcinspect_reads_removed() - a folio is leaving
 * @rec: the record of its inode
 * @folio: still in the page cache
 * @nr: its pages
 *
 * Context: probe of mm_filemap_delete_from_page_cache: i_pages lock held,
 * interrupts off.
 */
void pcinspect_reads_removed(struct pcinspect_record *rec, struct folio *folio,
			     unsigned long nr)
{
	struct address_space *mapping = folio->mapping;
	struct pcinspect_ledger *ledger = pcinspect_record_ledger(rec);
	enum pcinspect_removal removal;
	struct pcinspect_culprit by;
	struct pcinspect_frames *frames;
	enum pcinspect_remover_op how;
	s64 unused;

	if (!ledger)
		return;
	if (inode_state_read_once(mapping->host) & I_FREEING) {
		removal = PCINSPECT_REMOVAL_EVICT;
	} else if (current->reclaim_state) {
		removal = PCINSPECT_REMOVAL_RECLAIM;
		reads_evicted(ledger, nr, &by);
	} else {
		frames = pcinspect_frames_of();
		how = reads_how(frames, mapping, &removal);
		if (removal == PCINSPECT_REMOVAL_OTHER &&
		    how == PCINSPECT_REMOVER_DROP_CACHES)
			removal = PCINSPECT_REMOVAL_INVALIDATE;
		if (removal != PCINSPECT_REMOVAL_TRIM)
			pcinspect_ledger_removed_by(ledger, how, nr);
		if (how == PCINSPECT_REMOVER_DIRECT)
			ledger_add(ledger, PCINSPECT_DIRECT_INVALIDATED_PAGES,
				   nr);
	}
	/* Before it is counted: a batch leaves nrpages after its last probe. */
	if (unlikely(READ_ONCE(ledger->recheck)))
		pcinspect_ledger_settle(ledger, rec, mapping, false);
	ledger_add(ledger, pcinspect_removed(removal), nr);
	pcinspect_dirty_forget(ledger->dirty, folio->index, nr);
	unused = pcinspect_unused_clear(ledger->unused, folio->index,
					folio->index + nr - 1);
	if (unused)
		ledger_add(ledger, PCINSPECT_WASTED_PAGES, unused);
	if (trace_pcinspect_evicted_enabled()) {
		if (removal != PCINSPECT_REMOVAL_RECLAIM)
			pcinspect_ledger_culprit(&by, NULL, current->tgid,
						 current->comm);
		trace_pcinspect_evicted(mapping->host, folio->index, nr, unused,
					removal, &by);
	}
}

/**
 * pcinspect_reads_refault() - an inserted folio had been evicted before
 * @folio: in the page cache, locked
 *
 * Context: kprobe of workingset_refault(), preemption off.
 */
void pcinspect_reads_refault(struct folio *folio)
{
	struct address_space *mapping = folio_mapping(folio);
	struct pcinspect_ledger *ledger;

	if (!mapping || !mapping->host || folio_test_swapbacked(folio))
		return;
	ledger = pcinspect_track_ledger(mapping->host);
	if (!ledger)
		return;
	ledger_add(ledger, PCINSPECT_REFAULT_PAGES, folio_nr_pages(folio));
	trace_pcinspect_refault(mapping->host, folio->index,
				folio_nr_pages(folio));
}

/**
 * pcinspect_reads_used() - pages were read, written or mapped
 * @inode: of which inode
 * @first: first page
 * @last: last page
 * @observable: they certainly were; otherwise they may be from now on,
 *	without anybody seeing it
 *
 * Context: preemption off, perhaps interrupts off; never sleeps.
 */
void pcinspect_reads_used(struct inode *inode, u64 first, u64 last,
			  bool observable)
{
	struct pcinspect_ledger *ledger =
		pcinspect_record_ledger(pcinspect_track_find(inode));
	u64 cleared;

	if (!ledger)
		return;
	cleared = pcinspect_unused_clear(ledger->unused, first, last);
	if (cleared && !observable)
		ledger_add(ledger, PCINSPECT_UNUSED_UNKNOWN_PAGES, cleared);
}

/* Count the pages of a read bio that are @frame's own. */
static void reads_count_io(struct pcinspect_frame *frame, struct bio *bio)
{
	struct bio_vec bv;
	struct bvec_iter iter;

	bio_for_each_segment(bv, bio, iter) {
		struct folio *folio = page_folio(bv.bv_page);
		u64 index;

		if (folio_mapping(folio) != frame->mapping)
			continue;
		index = folio->index + folio_page_idx(folio, bv.bv_page) + 1;
		if (index != frame->last_io)
			frame->io_pages++;
		frame->last_io = index;
	}
}

/*
 * Is this bio, submitted inside of direct I/O, the direct I/O itself? Faulting
 * its buffer in may read another file into the cache, and flushing may write
 * this one back; the pages of those are locked or under writeback.
 */
static bool reads_is_direct(struct bio *bio)
{
	struct folio *folio = page_folio(bio_iovec(bio).bv_page);

	return !folio_mapping(folio) ||
	       (folio_test_uptodate(folio) && !folio_test_writeback(folio));
}

static void reads_direct(struct bio *bio, struct pcinspect_frame *frame)
{
	struct pcinspect_ledger *ledger;
	u64 bytes = bio->bi_iter.bi_size;

	ledger = pcinspect_track_admit((struct inode *)frame->file.inode);
	if (op_is_write(bio_op(bio))) {
		if (bio_op(bio) != REQ_OP_WRITE)
			return;
		if (ledger)
			ledger_add(ledger, PCINSPECT_DIRECT_WRITE_BYTES, bytes);
		pcinspect_devices_add(bio->bi_bdev->bd_dev, DEVICE_WRITE_DIRECT,
				      bytes);
		return;
	}
	if (ledger)
		ledger_add(ledger, PCINSPECT_DIRECT_READ_BYTES, bytes);
	pcinspect_devices_add(bio->bi_bdev->bd_dev, DEVICE_DIRECT, bytes);
}

/* Is the running task reading, mapping or advising this inode itself? */
static bool reads_as_file(const struct pcinspect_frames *frames,
			  const struct inode *inode)
{
	int i;

	for (i = frames ? frames->depth - 1 : -1; i >= 0; i--) {
		const struct pcinspect_frame *frame = &frames->stack[i];

		if (frame->file.inode == inode &&
		    (frame->kind == FRAME_READ || frame->kind == FRAME_FAULT ||
		     frame->kind == FRAME_FADVISE))
			return true;
	}
	return false;
}

/* The inode a read bio is for; NULL and *@use say what else it is for. */
static struct inode *reads_bio_inode(struct bio *bio,
				     const struct pcinspect_frames *frames,
				     struct pcinspect_frame *frame,
				     bool *bounced,
				     enum pcinspect_device_use *use)
{
	struct folio *folio = page_folio(bio_iovec(bio).bv_page);
	struct address_space *mapping = folio_mapping(folio);
	struct inode *host =
		mapping && !folio_test_swapbacked(folio) ? mapping->host : NULL;

	*bounced = false;
	*use = DEVICE_METADATA;
	if (bio->bi_opf & REQ_META)
		return NULL;
	if (host && S_ISREG(host->i_mode))
		return host;
	/*
	 * The device's own cache: read as a file, or by the filesystem, which
	 * may well use readahead (ext4_readdir()).
	 */
	if (host && S_ISBLK(host->i_mode))
		return reads_as_file(frames, host) ? host : NULL;
	if (frame) {
		*bounced = true;
		return (struct inode *)frame->file.inode;
	}
	*use = host ? DEVICE_METADATA : DEVICE_UNATTRIBUTED;
	return NULL;
}

/**
 * pcinspect_reads_bio() - a bio is being submitted
 * @bio: which
 *
 * Frames are of functions that the running task is inside of, so their inode
 * is alive.
 *
 * Context: kprobe of submit_bio(), preemption off.
 */
void pcinspect_reads_bio(struct bio *bio)
{
	struct pcinspect_frames *frames = pcinspect_frames_of();
	struct pcinspect_frame *frame, *direct;
	enum pcinspect_device_use use;
	struct pcinspect_ledger *ledger;
	u64 bytes = bio->bi_iter.bi_size;
	struct inode *inode;
	bool bounced;

	if (!bytes)
		return;
	if (!bio_has_data(bio)) {
		if (op_is_write(bio_op(bio)))
			pcinspect_writes_bio(bio);
		return;
	}
	frame = pcinspect_frame_find(frames, BIT(FRAME_READAHEAD) |
						     BIT(FRAME_READ) |
						     BIT(FRAME_FAULT) |
						     BIT(FRAME_WRITE) |
						     BIT(FRAME_DIRECT));
	direct = frame && frame->kind == FRAME_DIRECT ? frame : NULL;
	if (direct && !(bio->bi_opf & REQ_META) && reads_is_direct(bio)) {
		reads_direct(bio, direct);
		return;
	}
	if (bio_op(bio) != REQ_OP_READ) {
		if (op_is_write(bio_op(bio)))
			pcinspect_writes_bio(bio);
		return;
	}
	inode = reads_bio_inode(bio, frames, direct ? NULL : frame, &bounced,
				&use);
	if (!inode) {
		pcinspect_devices_add(bio->bi_bdev->bd_dev, use, bytes);
		return;
	}
	if (frame && frame->file.inode == inode) {
		frame->device_bytes += bytes;
		if (frame->kind != FRAME_WRITE)
			reads_count_io(frame, bio);
	}
	ledger = pcinspect_track_admit(inode);
	pcinspect_devices_add(bio->bi_bdev->bd_dev,
			      ledger ? DEVICE_FILE : DEVICE_OTHER_FILE, bytes);
	if (!ledger)
		return;
	ledger_add(ledger, PCINSPECT_DEVICE_BYTES, bytes);
	if (bounced)
		ledger->bounced = true;
	if (!frame || frame->file.inode != inode) {
		struct pcinspect_share share = { .device_bytes = bytes };

		pcinspect_ledger_share(ledger, &share);
	}
}
