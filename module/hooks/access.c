// SPDX-License-Identifier: GPL-2.0-only
/*
 * access.c - probes on what programs do to files: read, fault, write,
 * direct I/O.
 *
 * Why: requested bytes are those of the system call, not of the page cache
 * (mm_filemap_get_pages repeats the rest of a range); and insertions and bios
 * get their cause from the operations of these calls.
 *
 * Context: task, preemption off, irqs on. May touch: operations, ledgers.
 */
#include <linux/fs.h>
#include <linux/kprobes.h>
#include <linux/mm.h>
#include <linux/mm_inline.h>
#include <linux/pagemap.h>
#include <linux/uio.h>

#include "account/bio.h"
#include "account/evictor.h"
#include "account/reads.h"
#include "account/writes.h"
#include "hooks/table.h"
#include "records/scope.h"
#include "records/track.h"
#include "records/unused.h"

/* Pages that a read or fault inserted one by one, and no bio was for. */
static void access_settle_holes(struct pcinspect_ledger *ledger,
				const struct pcinspect_operation *op)
{
	if (op->inserted > op->io_pages)
		ledger_add(ledger, PCINSPECT_HOLE_PAGES,
			   op->inserted - op->io_pages);
}

/* --- read ---------------------------------------------------------------- */

/* Most reads and writes are of files that nobody asked about. */
static int kiocb_filter(struct kprobe *kp, struct pt_regs *regs)
{
	const struct kiocb *iocb = (void *)regs_get_kernel_argument(regs, 0);
	const struct inode *inode = iocb->ki_filp->f_mapping->host;

	return hook_enter_if(pcinspect_scope_concerns(inode), kp, regs);
}

static int read_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct kiocb *iocb = (void *)regs_get_kernel_argument(regs, 0);
	const struct iov_iter *iter = (void *)regs_get_kernel_argument(regs, 1);
	struct address_space *mapping = iocb->ki_filp->f_mapping;
	struct pcinspect_operation *op;
	u64 count, size;

	if (!pcinspect_track_admit(mapping->host))
		return 1;
	op = pcinspect_operation_push(OP_READ, mapping, (u8 *)ri->data);
	if (!op)
		return 1;
	op->pos = iocb->ki_pos;
	/* filemap_read() returns what was read before it as well. */
	op->cookie = (void *)regs_get_kernel_argument(regs, 2);
	op->count = U64_MAX;
	if (iocb->ki_flags & (IOCB_NOWAIT | IOCB_WAITQ))
		return 0; /* will be repeated: what it returns counts */
	count = iov_iter_count(iter);
	size = i_size_read(mapping->host);
	op->count = op->pos < size ? min(count, size - op->pos) : 0;
	return 0;
}

static void read_settle(struct pcinspect_operation *op, ssize_t done)
{
	struct pcinspect_ledger *ledger = pcinspect_track_ledger_id(&op->file);
	struct pcinspect_task share = { .device_bytes = op->device_bytes };

	if (!ledger)
		return;
	done = max_t(ssize_t, done, 0);
	if (done)
		pcinspect_unused_clear(ledger->unused, op->pos >> PAGE_SHIFT,
				       (op->pos + done - 1) >> PAGE_SHIFT);
	share.demanded_bytes = op->count == U64_MAX ? done : op->count;
	if (share.demanded_bytes || share.device_bytes)
		pcinspect_ledger_share(ledger, &share);
	access_settle_holes(ledger, op);
}

HOOK_END(read_end)
{
	struct pcinspect_operation *op =
		pcinspect_operation_pop(*(u8 *)ri->data);

	if (op)
		read_settle(op, (ssize_t)regs_return_value(regs) -
					(ssize_t)op->cookie);
	return 0;
}

static int splice_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct file *file = (void *)regs_get_kernel_argument(regs, 0);
	const loff_t *pos = (void *)regs_get_kernel_argument(regs, 1);
	struct pcinspect_operation *op;

	if (!pcinspect_track_admit(file->f_mapping->host))
		return 1;
	op = pcinspect_operation_push(OP_READ, file->f_mapping, (u8 *)ri->data);
	if (!op)
		return 1;
	op->pos = *pos;
	/* The pipe limits it: only what was spliced was asked for. */
	op->count = U64_MAX;
	return 0;
}

/* --- fault --------------------------------------------------------------- */

static int fault_filter(struct kprobe *kp, struct pt_regs *regs)
{
	const struct vm_fault *vmf = (void *)regs_get_kernel_argument(regs, 0);
	const struct inode *inode = vmf->vma->vm_file->f_mapping->host;

	return hook_enter_if(pcinspect_scope_concerns(inode), kp, regs);
}

static int fault_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	const struct vm_fault *vmf = (void *)regs_get_kernel_argument(regs, 0);
	struct address_space *mapping = vmf->vma->vm_file->f_mapping;
	struct pcinspect_ledger *ledger = pcinspect_track_admit(mapping->host);
	struct pcinspect_operation *op;

	if (!ledger)
		return 1;
	op = pcinspect_operation_push(OP_FAULT, mapping, (u8 *)ri->data);
	if (!op)
		return 1;
	op->index = vmf->pgoff;
	if (!(vmf->flags & FAULT_FLAG_TRIED)) {
		ledger_add(ledger, PCINSPECT_FAULTS, 1);
		if (!vma_has_recency(vmf->vma))
			ledger_add(ledger, PCINSPECT_UNPROTECTED_FAULTS, 1);
	}
	return 0;
}

HOOK_END(fault_end)
{
	struct pcinspect_operation *op =
		pcinspect_operation_pop(*(u8 *)ri->data);
	struct pcinspect_task share = {};
	struct pcinspect_ledger *ledger;

	if (!op)
		return 0;
	/* On VM_FAULT_RETRY the file may be gone by now: values only. */
	ledger = pcinspect_track_ledger_id(&op->file);
	if (!ledger)
		return 0;
	if (!((__force vm_fault_t)regs_return_value(regs) & VM_FAULT_ERROR))
		pcinspect_unused_clear(ledger->unused, op->index, op->index);
	share.device_bytes = op->device_bytes;
	if (share.device_bytes)
		pcinspect_ledger_share(ledger, &share);
	access_settle_holes(ledger, op);
	return 0;
}

static int map_pages_entry(struct kprobe *kp, struct pt_regs *regs)
{
	const struct vm_fault *vmf = (void *)regs_get_kernel_argument(regs, 0);
	struct inode *inode = vmf->vma->vm_file->f_mapping->host;

	/* A page that is mapped from the cache makes no other event. */
	if (pcinspect_scope_run())
		pcinspect_track_admit(inode);
	pcinspect_reads_used(inode, regs_get_kernel_argument(regs, 1),
			     regs_get_kernel_argument(regs, 2), false);
	return 0;
}

/* --- buffered write and direct I/O --------------------------------------- */

static int io_entry(struct kretprobe_instance *ri, struct pt_regs *regs,
		    enum pcinspect_operation_kind kind)
{
	const struct kiocb *iocb = (void *)regs_get_kernel_argument(regs, 0);
	struct address_space *mapping = iocb->ki_filp->f_mapping;
	struct pcinspect_ledger *ledger = pcinspect_track_admit(mapping->host);

	if (ledger && unlikely(READ_ONCE(ledger->uncounted_pages)))
		pcinspect_writes_forgive(ledger);
	return pcinspect_operation_push(kind, mapping, (u8 *)ri->data) ? 0 : 1;
}

static int write_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return io_entry(ri, regs, OP_WRITE);
}

HOOK_END(write_end)
{
	struct pcinspect_operation *op =
		pcinspect_operation_pop(*(u8 *)ri->data);

	if (!op)
		return 0;
	/* The caller holds the file. */
	if (op->inserted)
		pcinspect_evictor_filled(op->file.inode, op->inserted);
	pcinspect_writes_settle(op, (ssize_t)regs_return_value(regs));
	return 0;
}

/* Of other files only where their bios do not say what they are. */
static int iomap_filter(struct kprobe *kp, struct pt_regs *regs)
{
	const struct kiocb *iocb = (void *)regs_get_kernel_argument(regs, 0);
	const struct inode *inode = iocb->ki_filp->f_mapping->host;

	if (!pcinspect_scope_concerns(inode) &&
	    !pcinspect_bio_hides(inode,
				 (void *)regs_get_kernel_argument(regs, 3)))
		return 0;
	return pcinspect_hook_enter_all(kp, regs);
}

/*
 * Of all files: only the call around it tells a bio of direct I/O, whose pages
 * are no file's, from one that is for nobody.
 */
static int direct_filter(struct kprobe *kp, struct pt_regs *regs)
{
	return pcinspect_hook_enter_all(kp, regs);
}

static int direct_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return io_entry(ri, regs, OP_DIRECT);
}

/* A block device: its own direct_IO function is inlined (6.1). */
static bool bdev_is_direct(struct pt_regs *regs)
{
	const struct kiocb *iocb = (void *)regs_get_kernel_argument(regs, 0);

	return iocb->ki_flags & IOCB_DIRECT;
}

static int bdev_filter(struct kprobe *kp, struct pt_regs *regs)
{
	return bdev_is_direct(regs) ? pcinspect_hook_enter_all(kp, regs) : 0;
}

static int bdev_entry(struct kretprobe_instance *ri, struct pt_regs *regs)
{
	return bdev_is_direct(regs) ? io_entry(ri, regs, OP_DIRECT) : 1;
}

HOOK_END(direct_end)
{
	pcinspect_operation_pop(*(u8 *)ri->data);
	return 0;
}

#define WRITES_ONLY                                               \
	NUMBERS(ONE(INSERTED_WRITE), ONE(WRITE_BYTES),            \
		ONE(MAPPED_DIRTIED_PAGES), THROTTLED, THRESHOLDS, \
		ONE(UNCOUNTED_WRITE_PAGES))
#define WRITES                                                                  \
	NUMBERS(INSERTED_BY_WRITE, ONE(WRITE_BYTES), ONE(MAPPED_DIRTIED_PAGES), \
		THROTTLED, THRESHOLDS, ONE(UNCOUNTED_WRITE_PAGES))

/*
 * Filesystems whose buffered writes all go through generic_perform_write(), or
 * on newer kernels through the function of a row below, and those that nobody
 * can write to; by what their modules import, 6.1, 6.12 and 7.2. Not Ceph, ntfs3
 * and ntfs (7.2), which have a way around it (ceph_sync_write(),
 * ntfs_compress_write()), FUSE, and what is not known: a 0 would be wrong there.
 */
#define WRITES_BY_GENERIC                                                 \
	"ext4 tmpfs nfs4 nfs vfat ext2 ext3 9p adfs affs afs bdev befs "  \
	"bfs cifs cramfs devtmpfs ecryptfs efs erofs exfat f2fs hfs "     \
	"hfsplus hpfs iso9660 jffs2 jfs minix msdos nilfs2 ocfs2 omfs "   \
	"pvfs2 qnx4 qnx6 ramfs reiserfs romfs rootfs smb3 squashfs sysv " \
	"ubifs udf ufs v7 vboxsf vxfs"
/* exfat: 7.2. */
#define WRITES_BY_IOMAP "xfs bdev exfat gfs2 gfs2meta zonefs"

static struct pcinspect_hook hooks[] = {
	HOOK_RETURN("filemap_read", read_entry, read_end, "demanded_bytes",
		    .many = true, .pre = kiocb_filter,
		    .group = &pcinspect_group_kiocb,
		    .numbers = NUMBERS(ONE(DEMANDED_BYTES), ONE(HOLE_PAGES),
				       WASTED_AND_UNKNOWN)),
	/* Before 6.5 splice goes through filemap_read(). */
	HOOK_RETURN("filemap_splice_read", splice_entry, read_end,
		    "demanded_bytes of splice and sendfile",
		    .pre = hook_file_filter, .optional = true,
		    .numbers = NUMBERS(ONE(DEMANDED_BYTES), ONE(HOLE_PAGES),
				       WASTED_AND_UNKNOWN)),
	HOOK_RETURN("filemap_fault", fault_entry, fault_end, "faults",
		    .many = true, .pre = fault_filter,
		    .group = &pcinspect_group_fault,
		    .numbers = NUMBERS(ONE(FAULTS), ONE(UNPROTECTED_FAULTS),
				       ONE(HOLE_PAGES), WASTED_AND_UNKNOWN)),
	HOOK_CALL("filemap_map_pages", map_pages_entry,
		  "unused_unknown_pages (wasted_pages is too high)",
		  .group = &pcinspect_group_fault,
		  .numbers = NUMBERS(WASTED_AND_UNKNOWN)),
	HOOK_RETURN("generic_perform_write", write_entry, write_end,
		    "pages inserted by writes", .fs = WRITES_BY_GENERIC,
		    .many = true, .pre = kiocb_filter,
		    .group = &pcinspect_group_kiocb, .numbers = WRITES,
		    .only = WRITES_ONLY),
	HOOK_RETURN("iomap_file_buffered_write", write_entry, write_end,
		    "pages inserted by writes by way of iomap", .many = true,
		    .pre = kiocb_filter, .group = &pcinspect_group_kiocb,
		    .fs = WRITES_BY_IOMAP, .numbers = WRITES,
		    .only = WRITES_ONLY, .args = "kiocb"),
	HOOK_RETURN("btrfs_buffered_write", write_entry, write_end,
		    "pages inserted by writes on btrfs", .fs = "btrfs",
		    .many = true, .pre = kiocb_filter,
		    .group = &pcinspect_group_kiocb, .numbers = WRITES,
		    .only = WRITES_ONLY, .args = "btrfs:kiocb"),
	HOOK_RETURN("netfs_perform_write", write_entry, write_end,
		    "pages inserted by writes on network filesystems",
		    .pre = kiocb_filter, .group = &pcinspect_group_kiocb,
		    .fs = "9p afs cifs smb3", .optional = true, .numbers = WRITES,
		    .only = WRITES_ONLY, .args = "netfs:kiocb"),
	HOOK_RETURN("__iomap_dio_rw", direct_entry, direct_end, "direct I/O",
		    .many = true, .all = true, .pre = iomap_filter,
		    .group = &pcinspect_group_iomap,
		    .numbers = NUMBERS(DIRECT_ALL, ONE(BY_DIRECT),
				       REASONS_NOT_SEEN),
		    .args = "kiocb - - iomap_dio_ops"),
	HOOK_RETURN("__blockdev_direct_IO", direct_entry, direct_end,
		    "direct I/O of older filesystems", .optional = true,
		    .all = true, .pre = direct_filter,
		    .group = &pcinspect_group_direct,
		    .not_fs = "ext3 ext4 xfs btrfs",
		    .numbers = NUMBERS(DIRECT_ALL, ONE(BY_DIRECT),
				       REASONS_NOT_SEEN),
		    .args = "kiocb"),
	HOOK_RETURN("generic_file_direct_write", direct_entry, direct_end,
		    "pages invalidated by direct writes of older filesystems",
		    .optional = true, .all = true, .pre = direct_filter,
		    .group = &pcinspect_group_direct,
		    .not_fs = "ext3 ext4 xfs btrfs",
		    .numbers = NUMBERS(DIRECT_ALL, ONE(BY_DIRECT),
				       REASONS_NOT_SEEN)),
	HOOK_RETURN("blkdev_read_iter", bdev_entry, direct_end,
		    "direct reads of block devices", .many = true, .all = true,
		    .group = &pcinspect_group_direct, .pre = bdev_filter,
		    .fs = "bdev",
		    .numbers = NUMBERS(DIRECT_ALL, ONE(BY_DIRECT),
				       REASONS_NOT_SEEN),
		    .args = "kiocb"),
	HOOK_RETURN("blkdev_write_iter", bdev_entry, direct_end,
		    "direct writes to block devices", .many = true, .all = true,
		    .group = &pcinspect_group_direct, .pre = bdev_filter,
		    .fs = "bdev",
		    .numbers = NUMBERS(DIRECT_ALL, ONE(BY_DIRECT),
				       REASONS_NOT_SEEN),
		    .args = "kiocb"),
};

const struct pcinspect_hook_set pcinspect_hooks_access = {
	.hooks = hooks,
	.nr = ARRAY_SIZE(hooks),
};
