/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * pcinspect.h - the interface between the module and its program.
 *
 * Why: debugfs is read-only text (so that it survives lockdown); everything
 * that acts, and every state that a program wants exactly, goes through the
 * ioctls of /dev/pcinspect declared here. The module belongs to no mount
 * namespace, so paths in here are those within their filesystem.
 *
 * Versioning: what is added at the end needs no new version: a number, a field of
 * a snapshot's head, a section, a field of a section's struct. Each side takes what
 * both have; a number that is not there is unknown. All else, as a field of an
 * ioctl's argument, changes PCINSPECT_ABI_VERSION, and a program of another version
 * does not go on; the module checks the sizes of arguments.
 */
#ifndef _UAPI_PCINSPECT_H
#define _UAPI_PCINSPECT_H

#include <linux/ioctl.h>
#include <linux/types.h>

#include "pcinspect_lists.h"
#include "pcinspect_next.h"
#include "pcinspect_ranges.h"
#include "pcinspect_readers.h"
#include "pcinspect_reads.h"
#include "pcinspect_writes.h"

#define PCINSPECT_ABI_VERSION	18
/* Version of the debugfs text format, printed as "format" in info. */
#define PCINSPECT_FORMAT_VERSION 1

#define PCINSPECT_NR_GENS	4	/* MAX_NR_GENS in every kernel so far */
#define PCINSPECT_NR_ORDERS	16	/* folio orders 0..15 */
#define PCINSPECT_NR_MEMCGS	4	/* memory cgroups distinguished per inode */
#define PCINSPECT_FS_LEN	16
#define PCINSPECT_BDI_LEN	32	/* as in the kernel's writeback events */
#define PCINSPECT_NR_DEVICES	64	/* devices distinguished */
#define PCINSPECT_NR_MOUNTS	16	/* filesystems a run can name */
#define PCINSPECT_MAX_EXPLICIT	1024	/* records pinned by a mark */

/* enum pcinspect_flags - bits of pcinspect_snapshot.flags */
enum pcinspect_flags {
	PCINSPECT_F_WRITEBACK	= 1 << 0, /* dirty and writeback mean something */
	PCINSPECT_F_EVICTED	= 1 << 1, /* value entries are shadows: evicted counts */
	PCINSPECT_F_GENERATIONS	= 1 << 2, /* ages of all MGLRU pages are known */
	PCINSPECT_F_AGED	= 1 << 3, /* a generation was added during the walk */
	PCINSPECT_F_DELETED	= 1 << 4, /* no name is left; perhaps no inode (LIST in a run) */
	PCINSPECT_F_AUTO	= 1 << 5, /* an automatic record exists */
	PCINSPECT_F_EXPLICIT	= 1 << 6, /* an explicit record exists */
	PCINSPECT_F_REAL_INODE	= 1 << 7, /* the pages belong to another inode than the fd's */
	PCINSPECT_F_MEMCG	= 1 << 8, /* memory cgroups are in use */
	PCINSPECT_F_LRU_GEN	= 1 << 9, /* MGLRU is switched on now */
	PCINSPECT_F_PAGES	= 1 << 10, /* the page counts are valid */
	PCINSPECT_F_PATH	= 1 << 11, /* a path was found */
	PCINSPECT_F_GONE	= 1 << 12, /* the sum of retired records of a filesystem */
	PCINSPECT_F_BLOCK_DEVICE = 1 << 13, /* the cache of a block device */
	PCINSPECT_F_COUNTERS	= 1 << 14, /* inserted and removed pages are known */
	PCINSPECT_F_TOUCHED	= 1 << 15, /* a task of the run touched it */
	PCINSPECT_F_DEVICE	= 1 << 16, /* the filesystem reads from a block device */
	PCINSPECT_F_AGES	= 1 << 17, /* ages of dirty pages are being kept */
	PCINSPECT_F_SKIPPED	= 1 << 18, /* a filesystem that was busy; gone_inodes of it */
	PCINSPECT_F_OLDEST	= 1 << 19, /* some page is dirty, and all have an age */
	PCINSPECT_F_INODE_AGE	= 1 << 20, /* the inode has a time of its own */
	PCINSPECT_F_LEDGER	= 1 << 21, /* it has a ledger, and that was asked for */
	PCINSPECT_F_HOLES	= 1 << 22, /* read straight into its pages */
	PCINSPECT_F_WRITE_DEVICE = 1 << 23, /* written straight from its pages */
	PCINSPECT_F_WRITE_TIME	= 1 << 24, /* every end of writeback was seen */
	PCINSPECT_F_FSYNC	= 1 << 25, /* fsync(2) on this filesystem is seen */
	PCINSPECT_F_BOUNCED	= 1 << 26, /* read through buffers of the filesystem */
	PCINSPECT_F_MAYBE_DELETED = 1 << 27, /* whether a name is left is unknown */
	PCINSPECT_F_THROTTLED	= 1 << 28, /* every sleep of its writers was seen */
	PCINSPECT_F_COUNTED	= 1 << 29, /* no write to it went by uncounted */
};

/* Flags without which a number is unknown: the column of numbers_table.h. */
#define PCINSPECT_NEEDS_WALK		PCINSPECT_F_PAGES
#define PCINSPECT_NEEDS_WRITEBACK	PCINSPECT_F_WRITEBACK
#define PCINSPECT_NEEDS_SHADOWS		PCINSPECT_F_EVICTED
#define PCINSPECT_NEEDS_GENERATIONS	PCINSPECT_F_GENERATIONS
#define PCINSPECT_NEEDS_RECORD		PCINSPECT_F_COUNTERS
#define PCINSPECT_NEEDS_AGES		PCINSPECT_F_AGES
#define PCINSPECT_NEEDS_OLDEST		PCINSPECT_F_OLDEST
#define PCINSPECT_NEEDS_INODE_AGE	PCINSPECT_F_INODE_AGE
#define PCINSPECT_NEEDS_LEDGER		PCINSPECT_F_LEDGER
#define PCINSPECT_NEEDS_DEVICE		(PCINSPECT_F_LEDGER | PCINSPECT_F_DEVICE)
#define PCINSPECT_NEEDS_HOLES		PCINSPECT_F_HOLES
#define PCINSPECT_NEEDS_WRITES		(PCINSPECT_F_LEDGER | PCINSPECT_F_AGES)
#define PCINSPECT_NEEDS_DIRECT_WRITES	(PCINSPECT_NEEDS_WRITES | PCINSPECT_F_DEVICE)
#define PCINSPECT_NEEDS_WRITE_DEVICE	(PCINSPECT_NEEDS_WRITES | PCINSPECT_F_WRITE_DEVICE)
#define PCINSPECT_NEEDS_WRITE_TIME	(PCINSPECT_NEEDS_WRITES | PCINSPECT_F_WRITE_TIME)
#define PCINSPECT_NEEDS_COUNTED_INSERTED (PCINSPECT_F_LEDGER | PCINSPECT_F_COUNTED)
#define PCINSPECT_NEEDS_COUNTED_WRITES	(PCINSPECT_NEEDS_WRITES | PCINSPECT_F_COUNTED)
#define PCINSPECT_NEEDS_THROTTLED	(PCINSPECT_NEEDS_COUNTED_WRITES | PCINSPECT_F_THROTTLED)
#define PCINSPECT_NEEDS_FSYNC		PCINSPECT_F_FSYNC

/* enum pcinspect_refusal - why an inode has no answer (pcinspect_query.refusal) */
enum pcinspect_refusal {
	PCINSPECT_REFUSE_NONE,
	PCINSPECT_REFUSE_DIRECTORY,	/* own mapping never used (ext4, xfs, btrfs) */
	PCINSPECT_REFUSE_SPECIAL,	/* socket, fifo, character device, anon inode */
	PCINSPECT_REFUSE_HUGETLBFS,	/* huge pages are on no LRU list */
	PCINSPECT_REFUSE_DAX,		/* DAX mappings hold PFNs, not cached pages */
	PCINSPECT_REFUSE_LIMIT,		/* too many explicit records */
};

/**
 * struct pcinspect_memcg - pages charged to one memory cgroup
 * @id: inode number of the cgroup's directory (0: slot unused)
 * @pages: pages charged to it
 * @dirty_pages: of those, dirty
 */
struct pcinspect_memcg {
	__u64 id;
	__u64 pages;
	__u64 dirty_pages;
};

#define PCINSPECT_KNOWN_WORDS	4	/* of 64 numbers each */

/**
 * struct pcinspect_snapshot - one inode, its page cache and its numbers now
 * @record_size: bytes from this record to the next, path and sections included
 * @head_size: bytes before @known, as the writer knows them
 * @nr_numbers: of @numbers that are there; all further ones are unknown
 * @path_len: bytes of path that follow them (no final NUL); sections, if any,
 *	begin at the next multiple of 8
 * @flags: PCINSPECT_F_*
 * @dev_major: of the superblock (s_dev), not of stat(2)
 * @dev_minor: likewise
 * @i_generation: tells apart files that reused an inode number
 * @mode: i_mode
 * @nlink: names left
 * @ino: inode number of the inode that owns the pages
 * @id: handle of the explicit record, 0 without one
 * @size_bytes: i_size
 * @time_ns: CLOCK_MONOTONIC when the walk ended
 * @since_ns: when the record's counters began, 0 without a record
 * @ledger_since_ns: when the ledger's began, 0 without one
 * @gone_inodes: with PCINSPECT_F_GONE, how many records were folded in; with
 *	PCINSPECT_F_SKIPPED, how many could not be looked for
 * @fs: name of the filesystem type
 * @orders: pages by order of the folio they are part of
 * @memcgs: the memory cgroups with the most pages
 * @memcg_other: pages charged to others
 * @bdi: name of the backing device, by which the kernel's writeback events name
 *	the filesystem; empty if it has none, and for a block device unless it was
 *	asked about by an open file
 * @known: bit by enum pcinspect_number: it is known. Only the module decides that
 * @numbers: by enum pcinspect_number
 */
struct pcinspect_snapshot {
	__u32 record_size;
	__u32 head_size;
	__u32 nr_numbers;
	__u32 path_len;
	__u32 flags;
	__u32 dev_major;
	__u32 dev_minor;
	__u32 i_generation;
	__u32 mode;
	__u32 nlink;
	__u64 ino;
	__u64 id;
	__u64 size_bytes;
	__u64 time_ns;
	__u64 since_ns;
	__u64 ledger_since_ns;
	__u64 gone_inodes;
	char fs[PCINSPECT_FS_LEN];
	__u64 orders[PCINSPECT_NR_ORDERS];
	struct pcinspect_memcg memcgs[PCINSPECT_NR_MEMCGS];
	__u64 memcg_other;
	char bdi[PCINSPECT_BDI_LEN];
	__u64 known[PCINSPECT_KNOWN_WORDS];
	__u64 numbers[PCINSPECT_NR_NUMBERS];
};

static inline int pcinspect_known(const struct pcinspect_snapshot *snap,
				  unsigned int number)
{
	return snap->known[number / 64] >> number % 64 & 1;
}

/* Where the path begins, in bytes from the beginning. */
static inline __u64 pcinspect_path_at(const struct pcinspect_snapshot *snap)
{
	return snap->head_size + (PCINSPECT_KNOWN_WORDS + (__u64)snap->nr_numbers) * 8;
}

/* Where the first section begins. */
static inline __u64 pcinspect_sections_at(const struct pcinspect_snapshot *snap)
{
	return (pcinspect_path_at(snap) + snap->path_len + 7) & ~7ULL;
}

/* enum pcinspect_section_type - what follows a snapshot and its path */
enum pcinspect_section_type {
	PCINSPECT_SECTION_WHO = 1,	/* struct pcinspect_who */
	PCINSPECT_SECTION_WINDOWS = 2,	/* struct pcinspect_window, oldest first */
	PCINSPECT_SECTION_FSYNCS = 3,	/* struct pcinspect_fsync, oldest first */
};

/**
 * struct pcinspect_section - header of a section
 * @type: enum pcinspect_section_type
 * @size: bytes, this header included; a multiple of 8
 * @item_size: of one struct of it; a reader takes of each what it knows
 * @pad: 0
 */
struct pcinspect_section {
	__u32 type;
	__u32 size;
	__u32 item_size;
	__u32 pad;
};

/**
 * struct pcinspect_device_row - bytes read from one block device
 * @dev_major: the device
 * @dev_minor: likewise
 * @file_bytes: for inodes with a ledger, also those that are gone by now
 * @other_file_bytes: for inodes without one
 * @metadata_bytes: of the filesystem itself
 * @direct_bytes: past the cache
 * @swap_bytes: pages of programs, and of tmpfs, from swap
 * @unattributed_bytes: all else
 * @write_file_bytes: written for inodes with a ledger
 * @write_other_file_bytes: for inodes without one
 * @write_direct_bytes: past the cache
 * @write_swap_bytes: pages of programs, and of tmpfs, to swap
 * @write_log_bytes: without a file's page: log, metadata, what cannot be
 *	attributed
 */
struct pcinspect_device_row {
	__u32 dev_major;
	__u32 dev_minor;
	__u64 file_bytes;
	__u64 other_file_bytes;
	__u64 metadata_bytes;
	__u64 direct_bytes;
	__u64 swap_bytes;
	__u64 unattributed_bytes;
	__u64 write_file_bytes;
	__u64 write_other_file_bytes;
	__u64 write_direct_bytes;
	__u64 write_swap_bytes;
	__u64 write_log_bytes;
};

#define PCINSPECT_UNKNOWN	(~0ULL)

/**
 * struct pcinspect_devices - argument of DEVICES
 * @size: sizeof(struct pcinspect_devices)
 * @nr_rows: out: rows filled in
 * @lost_bytes: out: read from devices that found no row
 * @refused_bytes: out: read past the cache, refused by a device that would have had to
 *	wait, and taken back from its row; pgpgin of /proc/vmstat has them
 * @probes_missed: out: calls that a probe could not follow
 * @lost_frames: out: calls that found no memory to be followed
 * @lost_windows: out: windows that found no memory
 * @lost_ledgers: out: inodes whose ledger found no memory
 * @lost_dirty_times: out: dirty folios whose time found no memory
 * @hooks_missing: out: read-side hooks that this kernel lacks
 * @written_file_pages: out: pages whose writeback has ended, of regular files
 *	with a ledger; what nr_written of /proc/vmstat counts
 * @written_other_pages: out: of all else, block devices among it; both
 *	PCINSPECT_UNKNOWN where the end of writeback is not seen
 * @run_read_bytes: out: read from block devices by the tasks of runs, as the kernel
 *	accounts it to them
 * @run_write_bytes: out: made dirty, or written past the cache, by them; both
 *	PCINSPECT_UNKNOWN where bios are not seen
 * @fsync_calls: out: fsync(2)-like calls that have ended, on files with a ledger
 * @rows: out
 */
struct pcinspect_devices {
	__u32 size;
	__u32 nr_rows;
	__u64 lost_bytes;
	__u64 refused_bytes;
	__u64 probes_missed;
	__u64 lost_frames;
	__u64 lost_windows;
	__u64 lost_ledgers;
	__u64 lost_dirty_times;
	__u64 hooks_missing;
	__u64 written_file_pages;
	__u64 written_other_pages;
	__u64 run_read_bytes;
	__u64 run_write_bytes;
	__u64 fsync_calls;
	struct pcinspect_device_row rows[PCINSPECT_NR_DEVICES];
};

/**
 * struct pcinspect_run - argument of RUN
 * @size: sizeof(struct pcinspect_run)
 * @start: 1: begin a run, 0: end it
 * @nr_mounts: filesystems whose files count whoever touches them
 * @pad: 0
 * @mounts: s_dev of those, as new_encode_dev(): major << 20 | minor
 *
 * The calling task and all it forks from then on are the tasks of the run.
 * There is one at a time (EBUSY); it ends with the open file at the latest.
 */
struct pcinspect_run {
	__u32 size;
	__u32 start;
	__u32 nr_mounts;
	__u32 pad;
	__u32 mounts[PCINSPECT_NR_MOUNTS];
};

/**
 * struct pcinspect_demand - argument of DEMAND
 * @size: sizeof(struct pcinspect_demand)
 * @pad: 0
 * @since_ns: out: CLOCK_MONOTONIC when counting began; sums of the same beginning
 *	can be subtracted
 * @time_ns: out: when they were read
 * @demanded_bytes: out: asked of regular files by reading through the page cache, as
 *	far as they reach; a fault asks for a page
 * @missed_pages: out: inserted for regular files by others than who writes them
 * @inserted_pages: out: inserted, of all but tmpfs
 * @removed_pages: out: likewise
 *
 * Of the whole machine. Counted from the first such call until the open file it was
 * made on is closed; PCINSPECT_UNKNOWN where a hook could not be attached, and
 * @demanded_bytes from the first call on that could not be followed.
 */
struct pcinspect_demand {
	__u32 size;
	__u32 pad;
	__u64 since_ns;
	__u64 time_ns;
	__u64 demanded_bytes;
	__u64 missed_pages;
	__u64 inserted_pages;
	__u64 removed_pages;
};

/**
 * struct pcinspect_query - argument of SNAPSHOT, TRACK, HOLD, UNTRACK and RESET
 *
 * HOLD is TRACK until the open /dev/pcinspect it was asked of is closed, unless
 * the inode is tracked or held by others as well. UNTRACK with the @id of a
 * record that was held that way lets go of it, and drops any other.
 *
 * @size: sizeof(struct pcinspect_query)
 * @fd: an open file, or -1; SNAPSHOT of a regular file on a disk: a place (O_PATH)
 *	will do, EBADF where it does not
 * @id: with fd -1, an explicit record (0: every one; UNTRACK and RESET only)
 * @buffer: SNAPSHOT, TRACK, HOLD: where a struct pcinspect_snapshot and its path go
 * @buffer_size: its size in bytes; too small for the path leaves the path out
 * @refusal: out: enum pcinspect_refusal, set when the errno is EOPNOTSUPP
 *	or ENOSPC
 */
struct pcinspect_query {
	__u32 size;
	__s32 fd;
	__u64 id;
	__u64 buffer;
	__u32 buffer_size;
	__u32 refusal;
};

/**
 * struct pcinspect_list - argument of LIST and SCAN
 *
 * Rows that do not fit into the buffer, or into 64 MiB, are requested with the
 * returned cursor, through the same open file: -ESTALE if that is not known, or
 * was used before. No inode is on two pages. Sums over others (rows with
 * PCINSPECT_F_GONE or PCINSPECT_F_SKIPPED, and @skipped) come with the last page.
 *
 * @size: sizeof(struct pcinspect_list)
 * @dev_major: SCAN: s_dev of the filesystem, as in /proc/self/mountinfo
 * @dev_minor: likewise
 * @count: out: records in the buffer
 * @buffer: where struct pcinspect_snapshot records with their paths go
 * @buffer_size: its size in bytes
 * @needed: out: bytes used; E2BIG: @buffer_size is too little for one record
 * @skipped: out: inodes that could not be looked at (filesystem busy)
 * @fs: SCAN: name of the filesystem type
 * @flags: PCINSPECT_LIST_*
 * @pad: 0
 * @cursor: 0: the first page; PCINSPECT_LIST_LAST: the last, without any inode; out: to
 *	be given for the next, 0: this is the last
 */
struct pcinspect_list {
	__u32 size;
	__u32 dev_major;
	__u32 dev_minor;
	__u32 count;
	__u64 buffer;
	__u64 buffer_size;
	__u64 needed;
	__u64 skipped;
	char fs[PCINSPECT_FS_LEN];
	__u32 flags;
	__u32 pad;
	__u64 cursor;
};

#define PCINSPECT_LIST_DETAIL	1	/* with sections, and a run's deleted files */
#define PCINSPECT_LIST_LEDGERS	2	/* LIST: of the records only those with a ledger */

#define PCINSPECT_LIST_LAST	0xffffffffULL

/**
 * struct pcinspect_about - answer of ABOUT
 * @abi_version: PCINSPECT_ABI_VERSION of the module
 * @flags: PCINSPECT_F_LRU_GEN, PCINSPECT_F_MEMCG
 * @lost_inodes: inodes that were changed but have no record
 * @version: of the module
 */
struct pcinspect_about {
	__u32 abi_version;
	__u32 flags;
	__u64 lost_inodes;
	char version[16];
};

#define PCINSPECT_IOC_ABOUT	_IOR(0xdb, 0, struct pcinspect_about)
#define PCINSPECT_IOC_SNAPSHOT	_IOWR(0xdb, 1, struct pcinspect_query)
#define PCINSPECT_IOC_TRACK	_IOWR(0xdb, 2, struct pcinspect_query)
#define PCINSPECT_IOC_UNTRACK	_IOWR(0xdb, 3, struct pcinspect_query)
#define PCINSPECT_IOC_RESET	_IOWR(0xdb, 4, struct pcinspect_query)
#define PCINSPECT_IOC_LIST	_IOWR(0xdb, 5, struct pcinspect_list)
#define PCINSPECT_IOC_SCAN	_IOWR(0xdb, 6, struct pcinspect_list)

#define PCINSPECT_IOC_DEVICES	_IOWR(0xdb, 7, struct pcinspect_devices)
#define PCINSPECT_IOC_RUN	_IOW(0xdb, 8, struct pcinspect_run)
#define PCINSPECT_IOC_HOLD	_IOWR(0xdb, 9, struct pcinspect_query)
#define PCINSPECT_IOC_LISTS	_IOWR(0xdb, 10, struct pcinspect_lists)
#define PCINSPECT_IOC_NEXT	_IOWR(0xdb, 14, struct pcinspect_next)

/* How many hooks are not what info says: the module of their function came or went. */
#define PCINSPECT_IOC_STALE	_IOR(0xdb, 11, __u64)
/* How many tasks belonged to a run when the last one began: one that ended leaves none. */
#define PCINSPECT_IOC_LEFT	_IOR(0xdb, 15, __u64)

#define PCINSPECT_IOC_DEMAND	_IOWR(0xdb, 16, struct pcinspect_demand)
#define PCINSPECT_IOC_RANGES	_IOWR(0xdb, 17, struct pcinspect_ranges)
#define PCINSPECT_IOC_READERS	_IOWR(0xdb, 18, struct pcinspect_readers)

#define PCINSPECT_DEVICE	"/dev/pcinspect"

#endif /* _UAPI_PCINSPECT_H */
