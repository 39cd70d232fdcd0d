/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * pcinspect_lists.h - the LRU lists of memory cgroups, as the module tells them.
 *
 * Why lists and not files: a page is charged to one memory cgroup and is on one
 * list of it, whoever has its file open and whether the file has a name or not. So
 * what is on the lists of a cgroup is what its memory.stat counts, and nothing has
 * to be known beforehand.
 */
#ifndef _UAPI_PCINSPECT_LISTS_H
#define _UAPI_PCINSPECT_LISTS_H

#include <linux/types.h>

#define PCINSPECT_LISTS_NR_GENS 4

/* enum pcinspect_list - where reclaim has a page, as memory.stat groups them */
enum pcinspect_list_kind {
	PCINSPECT_LIST_INACTIVE,
	PCINSPECT_LIST_ACTIVE,
	PCINSPECT_NR_LISTS
};

/**
 * struct pcinspect_list_cgroup - the file lists of one memory cgroup, all nodes
 * @id: inode number of the cgroup's directory; 0: memory cgroups are not in use
 * @parent: @id of the one above, 0: there is none
 * @flags: PCINSPECT_CGROUP_*
 * @pad: 0
 * @counted_pages: what the kernel counts on its lists, by enum pcinspect_list_kind;
 *	at the end of the walk
 * @counted_before_pages: at its beginning
 * @unevictable_pages: of which there is no list to walk; files and anonymous
 *	memory (lruvec_add_folio(), include/linux/mm_inline.h)
 * @generation_pages: of those counted, in MGLRU generations by age, youngest first
 * @file_pages: met, and distinguished by file
 * @lazyfree_pages: met; anonymous memory given up by MADV_FREE
 * @leaving_pages: met; already taken out of its file
 * @other_pages: met; of files for which there was no room
 */
struct pcinspect_list_cgroup {
	__u64 id;
	__u64 parent;
	__u32 flags;
	__u32 pad;
	__u64 counted_pages[PCINSPECT_NR_LISTS];
	__u64 counted_before_pages[PCINSPECT_NR_LISTS];
	__u64 unevictable_pages;
	__u64 generation_pages[PCINSPECT_LISTS_NR_GENS];
	__u64 file_pages[PCINSPECT_NR_LISTS];
	__u64 lazyfree_pages;
	__u64 leaving_pages;
	__u64 other_pages;
};

#define PCINSPECT_CGROUP_GENERATIONS	1	/* MGLRU is switched on for it */
#define PCINSPECT_CGROUP_OFFLINE	2	/* its directory is gone */

/**
 * struct pcinspect_list_file - pages of one file that are charged to one cgroup
 * @record_size: bytes from this record to the next, path included
 * @path_len: bytes of path that follow (no final NUL)
 * @flags: PCINSPECT_F_PATH, PCINSPECT_F_DELETED, PCINSPECT_F_MAYBE_DELETED,
 *	PCINSPECT_F_BLOCK_DEVICE
 * @dev_major: of the superblock (s_dev)
 * @dev_minor: likewise
 * @i_generation: tells apart files that reused an inode number
 * @mode: i_mode
 * @nlink: names left
 * @ino: inode number of the inode that owns the pages
 * @cgroup: @id of the cgroup
 * @size_bytes: i_size
 * @pages: by enum pcinspect_list_kind
 * @generation_pages: of those, in MGLRU generations by age, youngest first
 * @dirty_pages: of @pages
 * @mapped_pages: of @pages
 * @inode_age_ms: how long the inode is dirty, by its own time, which begins anew when
 *	it is requeued; PCINSPECT_UNKNOWN
 * @fs: name of the filesystem type
 */
struct pcinspect_list_file {
	__u32 record_size;
	__u32 path_len;
	__u32 flags;
	__u32 dev_major;
	__u32 dev_minor;
	__u32 i_generation;
	__u32 mode;
	__u32 nlink;
	__u64 ino;
	__u64 cgroup;
	__u64 size_bytes;
	__u64 pages[PCINSPECT_NR_LISTS];
	__u64 generation_pages[PCINSPECT_LISTS_NR_GENS];
	__u64 dirty_pages;
	__u64 mapped_pages;
	__u64 inode_age_ms;
	char fs[16];
};

/* Files that one call tells apart at most. */
#define PCINSPECT_LISTS_MAX_FILES	(1U << 20)

/**
 * struct pcinspect_lists - argument of LISTS
 * @size: sizeof(struct pcinspect_lists)
 * @cgroup: an open directory of a cgroup, it and all below it; -1: all there are
 * @max_files: files to be distinguished; 152 bytes of memory for each that is met, in
 *	steps of 512, for the call
 * @nr_cgroups: out: cgroups there are
 * @cgroups: where struct pcinspect_list_cgroup go, parents before children
 * @cgroups_size: bytes there
 * @files: where struct pcinspect_list_file go, those with more pages first, by powers
 *	of two
 * @files_size: bytes there
 * @files_used: out: bytes of them that were filled
 * @nr_files: out: files (of a cgroup each) that were distinguished
 * @nr_given: out: of them, in @files
 * @again: out: lists that were walked again from their end, because somebody moved
 *	the place where the walk was
 * @longest_hold: out: folios looked at in one hold of a list's lock, at most
 * @time_ns: out: CLOCK_MONOTONIC when the walk ended
 * @skipped: out: filesystems that were busy, so that their files have no path
 * @longest_hold_pages: out: pages of the folios looked at in one hold, at most
 */
struct pcinspect_lists {
	__u32 size;
	__s32 cgroup;
	__u32 max_files;
	__u32 nr_cgroups;
	__u64 cgroups;
	__u64 cgroups_size;
	__u64 files;
	__u64 files_size;
	__u64 files_used;
	__u32 nr_files;
	__u32 nr_given;
	__u32 again;
	__u32 longest_hold;
	__u64 time_ns;
	__u32 skipped;
	__u32 longest_hold_pages;
};

#endif /* _UAPI_PCINSPECT_LISTS_H */
