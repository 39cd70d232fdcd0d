// SPDX-License-Identifier: GPL-2.0-only
/*
 * bio.c - the owner of a bio that a filesystem submits: a file, direct I/O,
 * metadata, or unknown.
 *
 * Runs inside the probe of submit_bio(), preemption off: no sleeping, no lock
 * but the ledger's, no following of anything but what the bio holds and the
 * inodes of the functions that the running task is inside of.
 */
#include <linux/bio.h>
#include <linux/blk_types.h>
#include <linux/fs.h>
#include <linux/iomap.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/sched.h>

#include "account/bio.h"
#include "account/devices.h"
#include "records/ledger.h"
#include "records/memory.h"
#include "records/operation.h"
#include "records/scope.h"
#include "records/track.h"

/* Count the pages of a read bio that are @op's own. */
static void bio_count_pages(struct pcinspect_operation *op, struct bio *bio)
{
	struct bio_vec bv;
	struct bvec_iter iter;

	bio_for_each_segment(bv, bio, iter) {
		struct folio *folio = page_folio(bv.bv_page);
		u64 index;

		if (folio_mapping(folio) != op->mapping)
			continue;
		index = folio->index + folio_page_idx(folio, bv.bv_page) + 1;
		if (index != op->last_io)
			op->io_pages++;
		op->last_io = index;
	}
}

/*
 * Is this bio, submitted inside of direct I/O, the direct I/O itself? Faulting
 * its buffer in may read another file into the cache, and flushing may write
 * this one back; the pages of those are locked or under writeback. So are those
 * of a filesystem on a loop device that passes them on, but its thread faults
 * nothing in; and of others' pages, direct I/O writes back none, reclaim does.
 */
static bool bio_is_direct(struct bio *bio, const struct pcinspect_operation *op)
{
	struct folio *folio;
	struct address_space *mapping;

	if (bio->bi_opf & REQ_META)
		return false;
	folio = page_folio(bio_iovec(bio).bv_page);
	mapping = folio_mapping(folio);
	if (!mapping)
		return true;
	if (mapping != op->mapping && mapping->host &&
	    !folio_test_swapbacked(folio) && !pcinspect_in_reclaim() &&
	    (op_is_write(bio_op(bio)) || current->flags & PF_KTHREAD) &&
	    (!S_ISBLK(mapping->host->i_mode) ||
	     mapping->host->i_rdev != bio->bi_bdev->bd_dev))
		return true;
	return folio_test_uptodate(folio) && !folio_test_writeback(folio);
}

/* Of direct I/O; @bytes are negative to take them back. @ledger: or NULL. */
static void bio_direct_add(bool write, struct pcinspect_ledger *ledger, u32 dev,
			   u64 bytes)
{
	if (ledger)
		ledger_add(ledger,
			   write ? PCINSPECT_DIRECT_WRITE_BYTES :
				   PCINSPECT_DIRECT_READ_BYTES,
			   bytes);
	pcinspect_devices_add(dev, write ? DEVICE_WRITE_DIRECT : DEVICE_DIRECT,
			      bytes);
}

/* @op: of a file that is followed, or NULL. */
static void bio_direct(struct bio *bio, struct pcinspect_operation *op)
{
	const bool write = op_is_write(bio_op(bio));
	struct pcinspect_ledger *ledger = NULL;
	u64 bytes = bio->bi_iter.bi_size;

	if (op)
		ledger = pcinspect_track_admit((struct inode *)op->file.inode);
	/* So that it has a line. */
	if (ledger)
		pcinspect_ledger_share(ledger, &(struct pcinspect_task){});
	if (write)
		pcinspect_scope_add_run(true, bytes);
	bio_direct_add(write, ledger, bio->bi_bdev->bd_dev, bytes);
	if (op && bio->bi_opf & REQ_NOWAIT) {
		op->nowait_bio = bio;
		op->nowait_dev = bio->bi_bdev->bd_dev;
		op->nowait_ledger = ledger;
		op->refused_below = false;
	}
}

/* Is the running task reading, mapping or advising this inode itself? */
static bool bio_as_file(const struct pcinspect_operations *ops,
			const struct inode *inode)
{
	int i;

	for (i = ops ? ops->depth - 1 : -1; i >= 0; i--) {
		const struct pcinspect_operation *op = &ops->stack[i];

		if (op->file.inode == inode &&
		    (op->kind == OP_READ || op->kind == OP_FAULT ||
		     op->kind == OP_FADVISE))
			return true;
	}
	return false;
}

/* Can an operation's filesystem have buffers of its own in this bio? */
static bool bio_may_bounce(const struct bio *bio,
			   const struct pcinspect_operation *op)
{
	const struct block_device *bdev = op->file.inode->i_sb->s_bdev;

	/* Some have several devices, and say none (btrfs). */
	return !bdev || bdev == bio->bi_bdev;
}

/* The inode a read bio is for; NULL and *@use say what else it is for. */
static struct inode *bio_inode(struct bio *bio,
			       const struct pcinspect_operations *ops,
			       struct pcinspect_operation *op, bool *bounced,
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
		return bio_as_file(ops, host) ? host : NULL;
	if (op && bio_may_bounce(bio, op)) {
		*bounced = true;
		return (struct inode *)op->file.inode;
	}
	*use = host ? DEVICE_METADATA : DEVICE_UNATTRIBUTED;
	return NULL;
}

/*
 * A page of a program that is read back from swap: no file is read, whatever
 * the task is in the middle of. Buffers of direct I/O are up to date.
 */
static bool bio_is_swap_in(struct bio *bio)
{
	struct folio *folio = page_folio(bio_iovec(bio).bv_page);

	return folio_test_swapbacked(folio) && !folio_test_uptodate(folio);
}

/* A bio that reads, but not past the cache. */
static void bio_read(struct bio *bio, const struct pcinspect_operations *ops,
		     struct pcinspect_operation *op, bool direct)
{
	enum pcinspect_device_use use;
	struct pcinspect_ledger *ledger;
	u64 bytes = bio->bi_iter.bi_size;
	struct inode *inode;
	bool bounced;

	inode = bio_inode(bio, ops, direct ? NULL : op, &bounced, &use);
	if (!inode) {
		pcinspect_devices_add(bio->bi_bdev->bd_dev, use, bytes);
		return;
	}
	if (op && op->file.inode == inode) {
		op->device_bytes += bytes;
		if (op->kind != OP_WRITE)
			bio_count_pages(op, bio);
	}
	ledger = pcinspect_track_admit(inode);
	pcinspect_devices_add(bio->bi_bdev->bd_dev,
			      ledger ? DEVICE_FILE : DEVICE_OTHER_FILE, bytes);
	if (!ledger)
		return;
	ledger_add(ledger, PCINSPECT_DEVICE_BYTES, bytes);
	if (bounced && !READ_ONCE(ledger->bounced))
		WRITE_ONCE(ledger->bounced, true);
	if (!op || op->file.inode != inode) {
		struct pcinspect_task share = { .device_bytes = bytes };

		pcinspect_ledger_share(ledger, &share);
	}
}

/* A bio that writes through the cache, or writes what has no file. */
static void bio_write(struct bio *bio)
{
	struct pcinspect_ledger *ledger = NULL;
	enum pcinspect_device_use use = DEVICE_WRITE_LOG;
	u64 bytes = bio->bi_iter.bi_size;
	struct address_space *mapping;
	struct folio *folio;

	if (bio_op(bio) == REQ_OP_DISCARD)
		return; /* counted apart by the disk as well (op_stat_group()) */
	if (bio_has_data(bio) && !(bio->bi_opf & REQ_META)) {
		folio = page_folio(bio_iovec(bio).bv_page);
		mapping = folio_mapping(folio);
		if (mapping && !folio_test_swapbacked(folio) && mapping->host &&
		    S_ISREG(mapping->host->i_mode)) {
			ledger = pcinspect_track_admit(mapping->host);
			use = ledger ? DEVICE_WRITE_FILE :
				       DEVICE_WRITE_OTHER_FILE;
		} else if (folio_test_swapcache(folio)) {
			use = DEVICE_WRITE_SWAP;
		}
	}
	if (ledger)
		ledger_add(ledger, PCINSPECT_DEVICE_WRITE_BYTES, bytes);
	pcinspect_devices_add(bio->bi_bdev->bd_dev, use, bytes);
}

/* The operation that a bio is submitted in, if it is one that has bios; or NULL. */
static struct pcinspect_operation *
bio_operation(const struct pcinspect_operations *ops)
{
	return pcinspect_operation_find(ops, BIT(OP_READAHEAD) | BIT(OP_READ) |
						     BIT(OP_FAULT) |
						     BIT(OP_WRITE) |
						     BIT(OP_DIRECT));
}

/* A bio of which one must look at who submits it, and what is in it. */
static noinline void bio_of_any(struct bio *bio,
				const struct pcinspect_operations *ops)
{
	struct pcinspect_operation *op;
	bool direct;

	if (!bio->bi_iter.bi_size)
		return;
	if (unlikely(pcinspect_scope_run()) && bio_op(bio) == REQ_OP_READ)
		pcinspect_scope_add_run(false, bio->bi_iter.bi_size);
	if (bio_has_data(bio) && !bio_is_swap_in(bio)) {
		op = bio_operation(ops);
		direct = op && op->kind == OP_DIRECT;
		if (direct ? bio_is_direct(bio, op) :
			     pcinspect_bio_is_marked_direct(bio)) {
			bio_direct(bio, direct ? op : NULL);
		} else if (bio_op(bio) == REQ_OP_READ) {
			bio_read(bio, ops, op, direct);
		} else if (op_is_write(bio_op(bio))) {
			bio_write(bio);
		}
	} else if (op_is_write(bio_op(bio))) {
		bio_write(bio);
	} else if (bio_has_data(bio) && bio_op(bio) == REQ_OP_READ) {
		pcinspect_devices_add(bio->bi_bdev->bd_dev, DEVICE_SWAP,
				      bio->bi_iter.bi_size);
	}
}

/*
 * Is it direct I/O of a file that nobody asked about, by a task that is in
 * nothing that is followed? Then bio_of_any() would do no more than count it.
 */
static __always_inline bool bio_is_others(struct bio *bio,
					  const struct pcinspect_operations *ops)
{
	return pcinspect_bio_is_marked_direct(bio) && (!ops || !ops->depth) &&
	       (__force u32)bio_op(bio) <= (__force u32)REQ_OP_WRITE &&
	       !pcinspect_scope_run();
}

/**
 * pcinspect_bio() - a bio is being submitted
 * @bio: which
 *
 * Operations are of functions that the running task is inside of, so their
 * inode is alive.
 *
 * Context: call of submit_bio(), preemption off.
 */
void pcinspect_bio(struct bio *bio)
{
	const struct pcinspect_operations *ops = pcinspect_operations_of();

	if (bio_is_others(bio, ops))
		pcinspect_devices_add(bio->bi_bdev->bd_dev,
				      pcinspect_bio_direct_use(bio),
				      bio->bi_iter.bi_size);
	else
		bio_of_any(bio, ops);
}

/**
 * pcinspect_bio_refused() - a bio that must not wait has ended, and would have
 * had to
 * @bio: which
 * @accounted: its device counts what it clones, from when it does
 *
 * Of io_uring and RWF_NOWAIT on a block device: too large to go in one piece
 * (bio_split_rw(), block/blk-merge.c), or there is no tag. The device has not
 * counted it; it will be submitted again, by a worker, and was counted. The
 * kernel accounts both, to the tasks and to the machine
 * (task_io_account_read(), PGPGIN in submit_bio()), as do the sums that are
 * held against that.
 *
 * Nearly always it ends inside of submit_bio(), in the task, and is known by
 * that it was the last one that was counted there. Clones made before
 * that were counted by its device (dm_start_io_acct(), md_account_bio()).
 *
 * Context: any, preemption off.
 */
void pcinspect_bio_refused(struct bio *bio, bool accounted)
{
	struct pcinspect_ledger *ledger;
	struct pcinspect_operation *op;
	u64 bytes = bio->bi_iter.bi_size;
	bool write;

	if (!in_task())
		return;
	op = bio_operation(pcinspect_operations_of());
	if (!op || op->kind != OP_DIRECT || !op->nowait_bio)
		return;
	if (op->nowait_bio != bio) {
		op->refused_below = true;
		return;
	}
	op->nowait_bio = NULL;
	if (accounted && op->refused_below)
		return;
	write = op_is_write(bio_op(bio));
	ledger = pcinspect_track_admit((struct inode *)op->file.inode);
	/* Another one began anew, without it. */
	if (ledger != op->nowait_ledger)
		ledger = NULL;
	bio_direct_add(write, ledger, op->nowait_dev, -bytes);
	if (!write)
		pcinspect_devices_refuse(bytes);
}
