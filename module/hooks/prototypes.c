// SPDX-License-Identifier: GPL-2.0-only
/*
 * prototypes.c - the arguments of probed functions, as the kernel's headers
 * have them.
 *
 * Why: a probe relies on the types of arguments at the time of writing. A
 * kernel that changes them must break the build, not the machine. Tracepoints
 * have HOOK_CANARY. Functions that no header declares (static ones, and those
 * of filesystems) are compared as they are attached (btf.c).
 *
 * May touch: nothing; no code is generated.
 */
#include <linux/backing-dev.h>
#include <linux/blkdev.h>
#include <linux/build_bug.h>
#include <linux/fadvise.h>
#include <linux/fs.h>
#include <linux/iomap.h>
#include <linux/jbd2.h>
#include <linux/mm.h>
#include <linux/pagemap.h>
#include <linux/sched.h>
#include <linux/swap.h>
#include <linux/writeback.h>

#define PROTOTYPE(function, returns, ...)                                      \
	static_assert(__same_type(&(function), (returns(*)(__VA_ARGS__))NULL), \
		      "a probed function has another prototype")

PROTOTYPE(filemap_read, ssize_t, struct kiocb *, struct iov_iter *, ssize_t);
PROTOTYPE(filemap_splice_read, ssize_t, struct file *, loff_t *,
	  struct pipe_inode_info *, size_t, unsigned int);
PROTOTYPE(filemap_fault, vm_fault_t, struct vm_fault *);
PROTOTYPE(filemap_map_pages, vm_fault_t, struct vm_fault *, pgoff_t, pgoff_t);
PROTOTYPE(generic_perform_write, ssize_t, struct kiocb *, struct iov_iter *);
PROTOTYPE(generic_file_direct_write, ssize_t, struct kiocb *, struct iov_iter *);
PROTOTYPE(submit_bio, void, struct bio *);
PROTOTYPE(vfs_fsync_range, int, struct file *, loff_t, loff_t, int);
PROTOTYPE(sync_file_range, int, struct file *, loff_t, loff_t, unsigned int);
PROTOTYPE(folio_wait_bit, void, struct folio *, int);
PROTOTYPE(blkdev_issue_flush, int, struct block_device *);
PROTOTYPE(jbd2_log_wait_commit, int, journal_t *, tid_t);
PROTOTYPE(page_cache_sync_ra, void, struct readahead_control *, unsigned long);
PROTOTYPE(page_cache_async_ra, void, struct readahead_control *, struct folio *,
	  unsigned long);
PROTOTYPE(page_cache_ra_unbounded, void, struct readahead_control *,
	  unsigned long, unsigned long);
#ifdef PCINSPECT_HAVE_WORKINGSET_REFAULT /* 7.3: in no header */
PROTOTYPE(workingset_refault, void, struct folio *, void *);
#endif
PROTOTYPE(truncate_inode_pages_range, void, struct address_space *, loff_t,
	  uoff_t);
PROTOTYPE(invalidate_mapping_pages, unsigned long, struct address_space *,
	  pgoff_t, pgoff_t);
PROTOTYPE(invalidate_inode_pages2_range, int, struct address_space *, pgoff_t,
	  pgoff_t);
PROTOTYPE(generic_fadvise, int, struct file *, loff_t, loff_t, int);
PROTOTYPE(d_delete, void, struct dentry *);
PROTOTYPE(d_move, void, struct dentry *, struct dentry *);
PROTOTYPE(do_writepages, int, struct address_space *,
	  struct writeback_control *);
PROTOTYPE(io_schedule_timeout, long, long);
