/* SPDX-License-Identifier: GPL-2.0-only WITH Linux-syscall-note */
/*
 * pcinspect_readers.h - which processes have pages read from which files, evict
 * or dirty them, while somebody looks at the machine.
 */
#ifndef _UAPI_PCINSPECT_READERS_H
#define _UAPI_PCINSPECT_READERS_H

#include <linux/types.h>

/* Each CPU keeps so many; of more the one goes that has not read for longest. */
#define PCINSPECT_NR_READERS 8

/* Those who read, then those who evicted, then those who wrote. */
#define PCINSPECT_READER_ROWS (3 * PCINSPECT_NR_READERS)

/**
 * struct pcinspect_reader - a process, and a file that it had pages read from,
 * that it took pages from, or made pages dirty of
 * @ino: of the file
 * @pages: inserted by reads and faults of the process on one CPU, since @serial
 * @asked_pages: of them, those in the range that the last read or fault of the
 *	thread had asked for; PCINSPECT_UNKNOWN
 * @ahead_pages: of them, those beyond the range that a read had asked for:
 *	readahead; PCINSPECT_UNKNOWN
 * @around_pages: of them, those beyond the page of a fault: mmap read-around and
 *	readahead; PCINSPECT_UNKNOWN
 * @refault_pages: of them, those that had been evicted; counted a moment after
 *	@pages; PCINSPECT_UNKNOWN
 * @evicted_pages: removed while the process reclaimed; in that row there is
 *	nothing else
 * @dirtied_pages: made dirty by the process; likewise
 * @serial: tells apart two that had one place after the other; 0: there is none
 * @pid: of the process
 * @dev_major: s_dev of the file
 * @dev_minor: likewise
 * @i_generation: likewise
 *
 * Of pages that are in none of the three parts the reason is not known: another
 * thread read on that CPU meanwhile, or the thread has gone to another CPU.
 */
struct pcinspect_reader {
	__u64 ino;
	__u64 pages;
	__u64 asked_pages;
	__u64 ahead_pages;
	__u64 around_pages;
	__u64 refault_pages;
	__u64 evicted_pages;
	__u64 dirtied_pages;
	__u64 serial;
	__u32 pid;
	__u32 dev_major;
	__u32 dev_minor;
	__u32 i_generation;
};

/**
 * struct pcinspect_readers - argument of READERS
 * @size: sizeof(struct pcinspect_readers)
 * @nr_rows: how many @buffer has room for; out: how many there are, with E2BIG too
 * @buffer: where struct pcinspect_reader go: PCINSPECT_READER_ROWS for each CPU,
 *	always in the same places
 *
 * After DEMAND through the same open file, or -ENODATA; counted as long as that.
 */
struct pcinspect_readers {
	__u32 size;
	__u32 nr_rows;
	__u64 buffer;
};

#endif /* _UAPI_PCINSPECT_READERS_H */
