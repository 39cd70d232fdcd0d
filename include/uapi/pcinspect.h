/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * pcinspect.h - what the module and its command line say to each other.
 *
 * Why: debugfs is read-only text (so that it survives lockdown); everything
 * that acts, and every state that a program wants exactly, goes through the
 * ioctls of /dev/pcinspect declared here. The module belongs to no mount
 * namespace, so paths in here are those within their filesystem.
 *
 * Versioning: every struct starts with its own size as the caller knows it.
 * Fields are only ever added at the end. PCINSPECT_ABI_VERSION changes when
 * that is not enough; the module refuses a program of another version.
 */
#ifndef _UAPI_PCINSPECT_H
#define _UAPI_PCINSPECT_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define PCINSPECT_ABI_VERSION	2
/* Version of the debugfs text format, printed as "format" in info. */
#define PCINSPECT_FORMAT_VERSION 1

#define PCINSPECT_NR_GENS	4	/* MAX_NR_GENS in every kernel so far */
#define PCINSPECT_NR_ORDERS	16	/* folio orders 0..15 */
#define PCINSPECT_NR_MEMCGS	4	/* memory cgroups told apart per inode */
#define PCINSPECT_FS_LEN	16
#define PCINSPECT_COMM_LEN	16	/* TASK_COMM_LEN */
#define PCINSPECT_NR_TASKS	16	/* tasks told apart per inode */
#define PCINSPECT_NR_CULPRITS	8	/* evictors, and removers, told apart per inode */
#define PCINSPECT_NR_WINDOWS	128	/* readahead windows kept per inode */
#define PCINSPECT_NR_AGES	10	/* buckets of ages: 10 100 500 1000 2000 5000
					 * 10000 30000 60000 ms, and more
					 */
#define PCINSPECT_NR_SIZES	8	/* request sizes told apart per fsync */
#define PCINSPECT_NR_FSYNCS	32	/* fsync calls kept per inode */
#define PCINSPECT_NR_DEVICES	64	/* devices told apart */
#define PCINSPECT_NR_MOUNTS	16	/* filesystems a run can name */
#define PCINSPECT_MAX_EXPLICIT	1024	/* records pinned by a mark */

/* enum pcinspect_flags - bits of pcinspect_snapshot.flags */
enum pcinspect_flags {
	PCINSPECT_F_WRITEBACK	= 1 << 0, /* dirty and writeback mean something */
	PCINSPECT_F_EVICTED	= 1 << 1, /* value entries are shadows: evicted counts */
	PCINSPECT_F_GENERATIONS	= 1 << 2, /* ages of all MGLRU pages are known */
	PCINSPECT_F_AGED	= 1 << 3, /* a generation was added during the walk */
	PCINSPECT_F_DELETED	= 1 << 4, /* no name is left (i_nlink == 0) */
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
};

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
 * struct pcinspect_pages - the cached pages of one inode, in pages
 * @cached: active + inactive + unevictable + off_lru
 * @active: on a classic active list, or in the two youngest generations
 * @inactive: on a classic inactive list, or in an older generation
 * @unevictable: PG_unevictable (mlock and the like)
 * @off_lru: in a per-CPU batch, or isolated
 * @dirty: under PAGECACHE_TAG_DIRTY, whole folios
 * @writeback: under PAGECACHE_TAG_WRITEBACK, whole folios
 * @mapped: whole folios with at least one mapping into a process
 * @referenced: PG_referenced (accesses by fd only)
 * @workingset: PG_workingset
 * @evicted: shadow entries, weighted by order
 * @classic: on a classic active or inactive list
 * @mglru: in some generation
 * @generations: MGLRU pages by age, 0 the youngest
 * @orders: pages by order of the folio they are part of
 * @nrpages: the mapping's own count, read after the walk
 */
struct pcinspect_pages {
	__u64 cached;
	__u64 active;
	__u64 inactive;
	__u64 unevictable;
	__u64 off_lru;
	__u64 dirty;
	__u64 writeback;
	__u64 mapped;
	__u64 referenced;
	__u64 workingset;
	__u64 evicted;
	__u64 classic;
	__u64 mglru;
	__u64 generations[PCINSPECT_NR_GENS];
	__u64 orders[PCINSPECT_NR_ORDERS];
	__u64 nrpages;
};

/**
 * struct pcinspect_ages - dirty pages by the time since they became dirty
 * @pages: by age; weighted by folio
 * @unknown_pages: dirty before tracking began, or without memory for the time
 * @oldest_ns: age of the oldest known one, 0 if there is none
 * @inode_ns: age by the inode's own time, which a requeue resets; 0 if unknown
 */
struct pcinspect_ages {
	__u64 pages[PCINSPECT_NR_AGES];
	__u64 unknown_pages;
	__u64 oldest_ns;
	__u64 inode_ns;
};

/**
 * struct pcinspect_memcg - pages charged to one memory cgroup
 * @id: inode number of the cgroup's directory (0: slot unused)
 * @pages: pages charged to it
 */
struct pcinspect_memcg {
	__u64 id;
	__u64 pages;
};

/**
 * struct pcinspect_snapshot - one inode and its page cache now
 * @record_size: bytes from this record to the next, path included
 * @path_len: bytes of path that follow the struct (no final NUL); sections, if
 *	any, begin at the next multiple of 8
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
 * @inserted_pages: put in the cache since then
 * @removed_pages: taken out of the cache since then
 * @gone_inodes: with PCINSPECT_F_GONE, how many records were folded in
 * @gone_device_bytes: with PCINSPECT_F_GONE, what they had read from the device
 * @fs: name of the filesystem type
 * @pages: the counts
 * @ages: of the dirty pages
 * @memcgs: the memory cgroups with the most pages
 * @memcg_other: pages charged to others
 */
struct pcinspect_snapshot {
	__u32 record_size;
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
	__u64 inserted_pages;
	__u64 removed_pages;
	__u64 gone_inodes;
	__u64 gone_device_bytes;
	char fs[PCINSPECT_FS_LEN];
	struct pcinspect_pages pages;
	struct pcinspect_ages ages;
	struct pcinspect_memcg memcgs[PCINSPECT_NR_MEMCGS];
	__u64 memcg_other;
};

/* enum pcinspect_cause - why pages were inserted */
enum pcinspect_cause {
	PCINSPECT_CAUSE_SYNC,	/* a read or fault missed */
	PCINSPECT_CAUSE_ASYNC,	/* a read met the readahead marker */
	PCINSPECT_CAUSE_AROUND,	/* mmap read-around of a fault */
	PCINSPECT_CAUSE_FORCED,	/* fadvise, madvise, readahead(2) */
	PCINSPECT_CAUSE_WRITE,	/* a buffered write */
	PCINSPECT_CAUSE_OTHER,	/* all else; single pages read with no readahead */
	PCINSPECT_NR_CAUSES,
};

/* enum pcinspect_removal - why pages left */
enum pcinspect_removal {
	PCINSPECT_REMOVAL_RECLAIM,
	PCINSPECT_REMOVAL_TRUNCATE,
	PCINSPECT_REMOVAL_INVALIDATE,
	PCINSPECT_REMOVAL_EVICT,	/* the inode itself went */
	PCINSPECT_REMOVAL_TRIM,		/* readahead took back what it did not read */
	PCINSPECT_REMOVAL_OTHER,
	PCINSPECT_NR_REMOVALS,
};

/* enum pcinspect_how - what a task was doing when it removed pages */
enum pcinspect_how {
	PCINSPECT_HOW_OTHER,
	PCINSPECT_HOW_TRUNCATE,
	PCINSPECT_HOW_FADVISE,
	PCINSPECT_HOW_DROP_CACHES,
	PCINSPECT_HOW_DIRECT,		/* direct I/O */
	PCINSPECT_NR_HOWS,
};

/* enum pcinspect_section_type - what follows a snapshot and its path */
enum pcinspect_section_type {
	PCINSPECT_SECTION_READS = 1,	/* struct pcinspect_reads */
	PCINSPECT_SECTION_WINDOWS = 2,	/* struct pcinspect_window, oldest first */
	PCINSPECT_SECTION_FSYNCS = 3,	/* struct pcinspect_fsync, oldest first */
};

/**
 * struct pcinspect_section - header of a section
 * @type: enum pcinspect_section_type
 * @size: bytes, this header included; a multiple of 8
 */
struct pcinspect_section {
	__u32 type;
	__u32 size;
};

/**
 * struct pcinspect_window - one logical readahead window
 * @time_ns: CLOCK_MONOTONIC when it began
 * @index: first page asked for
 * @pid: process (thread group) that caused it
 * @cause: enum pcinspect_cause, SYNC to FORCED
 * @requested_pages: what the caller asked for
 * @planned_pages: what the heuristics made of it
 * @async_pages: of those, behind the marker
 * @inserted_pages: put in the cache, expansion included
 * @expanded_pages: of those, added by the filesystem in ->readahead
 * @order: largest folio order inserted
 * @ra_pages: the limit in force for this open file
 * @comm: name of the thread
 */
struct pcinspect_window {
	__u64 time_ns;
	__u64 index;
	__u32 pid;
	__u32 cause;
	__u32 requested_pages;
	__u32 planned_pages;
	__u32 async_pages;
	__u32 inserted_pages;
	__u32 expanded_pages;
	__u32 order;
	__u32 ra_pages;
	__u32 pad;
	char comm[PCINSPECT_COMM_LEN];
};

/**
 * struct pcinspect_size - requests of one size
 * @bytes: the size
 * @requests: how many; 0: slot unused
 */
struct pcinspect_size {
	__u64 bytes;
	__u64 requests;
};

/**
 * struct pcinspect_fsync - one fsync(2)-like call
 * @time_ns: CLOCK_MONOTONIC when it began
 * @duration_ns: how long it took
 * @pid: process
 * @flags: PCINSPECT_FSYNC_*
 * @comm: name of the thread
 * @dirty_at_entry_pages: dirty when it began, those of known age
 * @written_pages: handed to writeback by the call itself
 * @requests: block requests with this file's data, issued during it
 * @request_bytes: their bytes
 * @sizes: of those requests; the last takes whatever has no slot
 * @log_requests: requests without a file's page to the same disk, during it
 * @log_bytes: their bytes
 * @max_sectors_bytes: the queue's limit, 0: no request was seen
 * @splits: bios of this file that were split during it
 * @splits_at_limit: of those, where the first part is as large as the limit
 */
struct pcinspect_fsync {
	__u64 time_ns;
	__u64 duration_ns;
	__u32 pid;
	__u32 flags;
	char comm[PCINSPECT_COMM_LEN];
	__u64 dirty_at_entry_pages;
	__u64 written_pages;
	__u64 requests;
	__u64 request_bytes;
	struct pcinspect_size sizes[PCINSPECT_NR_SIZES];
	__u64 log_requests;
	__u64 log_bytes;
	__u64 max_sectors_bytes;
	__u64 splits;
	__u64 splits_at_limit;
};

/* enum pcinspect_fsync_flags - bits of pcinspect_fsync.flags */
enum pcinspect_fsync_flags {
	PCINSPECT_FSYNC_LOG	= 1 << 0, /* log requests are known */
	PCINSPECT_FSYNC_SHARED	= 1 << 1, /* other calls on this file ran meanwhile */
	PCINSPECT_FSYNC_DIRTY	= 1 << 2, /* dirty_at_entry_pages is known */
};

/**
 * struct pcinspect_task - what one process did to one inode
 * @pid: thread group; 0 with an empty @comm: slot unused
 * @pad: 0
 * @comm: name of the thread that came first
 * @demanded_bytes: asked for by read(2)-like calls
 * @device_bytes: read from the device on its behalf
 * @inserted_pages: put in the cache
 * @dirtied_pages: made dirty
 */
struct pcinspect_task {
	__u32 pid;
	__u32 pad;
	char comm[PCINSPECT_COMM_LEN];
	__u64 demanded_bytes;
	__u64 device_bytes;
	__u64 inserted_pages;
	__u64 dirtied_pages;
};

/**
 * struct pcinspect_culprit - who took pages of one inode out of the cache
 * @pid: process; 0 with no @pages: slot unused
 * @how: removers: enum pcinspect_how
 * @comm: its name
 * @pages: how many
 * @ino: evictors: the file it was filling meanwhile, 0 if none is known
 * @dev_major: of that file's filesystem
 * @dev_minor: likewise
 * @i_generation: of that file
 * @inferred: evictors: kswapd did it; the file is the likeliest reason
 */
struct pcinspect_culprit {
	__u32 pid;
	__u32 how;
	char comm[PCINSPECT_COMM_LEN];
	__u64 pages;
	__u64 ino;
	__u32 dev_major;
	__u32 dev_minor;
	__u32 i_generation;
	__u32 inferred;
};

/* enum pcinspect_reads_flags - bits of pcinspect_reads.flags */
enum pcinspect_reads_flags {
	PCINSPECT_READS_HOLES	= 1 << 0, /* hole_pages is known */
	PCINSPECT_READS_BOUNCED	= 1 << 1, /* read through buffers of the filesystem */
	PCINSPECT_READS_FLUSHED	= 1 << 2, /* direct_flushed_pages is known */
};

/**
 * struct pcinspect_reads - the read ledger of one inode
 * @flags: PCINSPECT_READS_*
 * @nr_windows: windows that were recorded, kept or not
 * @windows_dropped: of those, no longer kept
 * @since_ns: when it began
 * @base_cached_pages: cached pages when it began
 * @cached_min_pages: cached pages just before the rest was read
 * @cached_max_pages: and just after
 * @demanded_bytes: asked for by read(2)-like calls
 * @device_bytes: read from the filesystem's device for this inode
 * @faults: page faults on mappings of it that had to look in the cache
 * @inserted: pages inserted by cause; their sum is every insertion
 * @expanded_pages: inserted by the filesystem on top of the window
 * @hole_pages: inserted by reads and filled without I/O
 * @refault_pages: inserted again after an eviction
 * @wasted_pages: brought in by readahead, removed unused
 * @unused_unknown_pages: brought in by readahead, use unobservable
 * @removed: pages removed by cause; their sum is every removal
 * @direct_read_bytes: read past the cache
 * @direct_write_bytes: written past the cache
 * @direct_flushed_pages: written back because of that
 * @direct_invalidated_pages: removed because of that
 * @written_pages: handed to writeback
 * @written_ages: of those, by age at that moment
 * @written_unknown_pages: of those, of unknown age
 * @nr_fsyncs: fsync calls, kept or not
 * @tasks: who used the inode; first come
 * @others: all further tasks
 * @evictors: in whose favour reclaim took pages
 * @evictors_other_pages: by further ones
 * @removers: who truncated or invalidated
 * @removers_other_pages: by further ones
 */
struct pcinspect_reads {
	__u32 flags;
	__u32 pad;
	__u64 nr_windows;
	__u64 windows_dropped;
	__u64 since_ns;
	__u64 base_cached_pages;
	__u64 cached_min_pages;
	__u64 cached_max_pages;
	__u64 demanded_bytes;
	__u64 device_bytes;
	__u64 faults;
	__u64 inserted[PCINSPECT_NR_CAUSES];
	__u64 expanded_pages;
	__u64 hole_pages;
	__u64 refault_pages;
	__u64 wasted_pages;
	__u64 unused_unknown_pages;
	__u64 removed[PCINSPECT_NR_REMOVALS];
	__u64 direct_read_bytes;
	__u64 direct_write_bytes;
	__u64 direct_flushed_pages;
	__u64 direct_invalidated_pages;
	__u64 written_pages;
	__u64 written_ages[PCINSPECT_NR_AGES];
	__u64 written_unknown_pages;
	__u64 nr_fsyncs;
	struct pcinspect_task tasks[PCINSPECT_NR_TASKS];
	struct pcinspect_task others;
	struct pcinspect_culprit evictors[PCINSPECT_NR_CULPRITS];
	__u64 evictors_other_pages;
	struct pcinspect_culprit removers[PCINSPECT_NR_CULPRITS];
	__u64 removers_other_pages;
};

/**
 * struct pcinspect_device_row - bytes read from one block device
 * @dev_major: the device
 * @dev_minor: likewise
 * @file_bytes: for inodes with a ledger, also those that are gone by now
 * @other_file_bytes: for inodes without one
 * @metadata_bytes: of the filesystem itself
 * @direct_bytes: past the cache
 * @unattributed_bytes: all else
 */
struct pcinspect_device_row {
	__u32 dev_major;
	__u32 dev_minor;
	__u64 file_bytes;
	__u64 other_file_bytes;
	__u64 metadata_bytes;
	__u64 direct_bytes;
	__u64 unattributed_bytes;
};

/**
 * struct pcinspect_devices - argument of DEVICES
 * @size: sizeof(struct pcinspect_devices)
 * @nr_rows: out: rows filled in
 * @lost_bytes: out: read from devices that found no row
 * @probes_missed: out: calls that a probe could not follow
 * @lost_frames: out: calls that found no memory to be followed
 * @lost_windows: out: windows that found no memory
 * @lost_ledgers: out: inodes whose ledger found no memory
 * @lost_dirty_times: out: dirty folios whose time found no memory
 * @hooks_missing: out: read-side hooks that this kernel lacks
 * @rows: out
 */
struct pcinspect_devices {
	__u32 size;
	__u32 nr_rows;
	__u64 lost_bytes;
	__u64 probes_missed;
	__u64 lost_frames;
	__u64 lost_windows;
	__u64 lost_ledgers;
	__u64 lost_dirty_times;
	__u64 hooks_missing;
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
 * struct pcinspect_query - argument of SNAPSHOT, TRACK, UNTRACK and RESET
 * @size: sizeof(struct pcinspect_query)
 * @fd: an open file, or -1
 * @id: with fd -1, an explicit record (0: every one; UNTRACK and RESET only)
 * @buffer: SNAPSHOT, TRACK: where a struct pcinspect_snapshot and its path go
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
 * @size: sizeof(struct pcinspect_list)
 * @dev_major: SCAN: s_dev of the filesystem, as in /proc/self/mountinfo
 * @dev_minor: likewise
 * @count: out: records in the buffer
 * @buffer: where struct pcinspect_snapshot records with their paths go
 * @buffer_size: its size in bytes
 * @needed: out: bytes needed; more than @buffer_size means ENOSPC
 * @skipped: out: inodes that could not be looked at (filesystem busy)
 * @fs: SCAN: name of the filesystem type
 * @flags: PCINSPECT_LIST_*
 * @pad: 0
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
};

#define PCINSPECT_LIST_DETAIL	1	/* with sections */

/**
 * struct pcinspect_about - answer of ABOUT
 * @abi_version: PCINSPECT_ABI_VERSION of the module
 * @flags: PCINSPECT_F_LRU_GEN, PCINSPECT_F_MEMCG
 * @lost_inodes: inodes that were changed but have no record
 * @last_id: handle of the youngest explicit record there ever was
 * @version: of the module
 */
struct pcinspect_about {
	__u32 abi_version;
	__u32 flags;
	__u64 lost_inodes;
	__u64 last_id;
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

#define PCINSPECT_DEVICE	"/dev/pcinspect"

#endif /* _UAPI_PCINSPECT_H */
