// SPDX-License-Identifier: GPL-2.0-only
/*
 * residency.c - the cached pages of a file: by the module, which knows their lists, or
 * by mincore(2), which every kernel has. Both leave out what is not up to date.
 *
 * Touches: maps the file, and no page of it.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/residency.h"
#include "lib/alloc.h"

/* Looked at in one go, bytes. */
#define CHUNK ((uint64_t)1 << 30)

/*
 * Of a file that one may only read mincore(2) says that all is cached (can_do_mincore(),
 * mm/mincore.c).
 */
static bool may_ask(int fd)
{
	char name[40];
	struct stat st;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	if (!geteuid() || (!fstat(fd, &st) && st.st_uid == geteuid()) ||
	    !faccessat(AT_FDCWD, name, W_OK, AT_EACCESS))
		return true;
	errno = EACCES;
	return false;
}

/**
 * residency_identify() - what tells whether a file is still what it was
 * @fd: of it
 * @file: its size, time and generation are filled in
 *
 * Return: 0, or -1 with errno set: EOPNOTSUPP: it is no regular file.
 */
int residency_identify(int fd, struct saved_file *file)
{
	unsigned int generation;
	struct stat st;

	if (fstat(fd, &st))
		return -1;
	if (!S_ISREG(st.st_mode)) {
		errno = EOPNOTSUPP;
		return -1;
	}
	file->size_bytes = st.st_size;
	file->mtime_ns = st.st_mtim.tv_sec * 1000000000LL + st.st_mtim.tv_nsec;
	/* The number is declared with a long, and filled in as an int, everywhere. */
	file->generation = ioctl(fd, FS_IOC_GETVERSION, &generation) ? -1 : (int64_t)generation;
	return 0;
}

/**
 * residency_mincore() - the cached pages of a file, by mincore(2)
 * @fd: of it
 * @size_bytes: of it
 * @to: gets them, on RANGE_ANY_LIST
 *
 * Return: 0, or -1 with errno set.
 */
int residency_mincore(int fd, uint64_t size_bytes, struct ranges *to)
{
	uint64_t page = sysconf(_SC_PAGESIZE), at, n, i, pages;
	unsigned char *seen;
	int rc = 0;

	if (!may_ask(fd))
		return -1;
	seen = alloc_zero(1, CHUNK / page);
	for (at = 0; !rc && at < size_bytes; at += CHUNK) {
		void *map;

		n = size_bytes - at < CHUNK ? size_bytes - at : CHUNK;
		pages = (n + page - 1) / page;
		map = mmap(NULL, n, PROT_READ, MAP_SHARED, fd, at);
		rc = map == MAP_FAILED || mincore(map, n, seen) ? -1 : 0;
		for (i = 0; !rc && i < pages; i++)
			if (seen[i] & 1)
				ranges_add(to, at / page + i, 1, RANGE_ANY_LIST);
		if (map != MAP_FAILED)
			munmap(map, n);
	}
	free(seen);
	return rc;
}

/**
 * residency_read() - the cached pages of a file, and on which list they are
 * @device: /dev/pcinspect; -1: there is none, and the lists are unknown
 * @fd: of the file
 * @size_bytes: of it
 * @to: gets them
 * @skipped: pages that are cached as well, but not up to date, or behind the end, where a
 *	filesystem may keep what is none of the file (fs-verity); PCINSPECT_UNKNOWN
 *
 * Return: 0, or -1 with errno set.
 */
int residency_read(int device, int fd, uint64_t size_bytes, struct ranges *to, uint64_t *skipped)
{
	static struct pcinspect_page_range rows[4096];
	uint64_t page = sysconf(_SC_PAGESIZE), end = (size_bytes + page - 1) / page;
	struct pcinspect_ranges ask = { .size = sizeof(ask), .fd = fd };
	uint64_t inside;
	uint32_t i;

	*skipped = 0;
	while (device >= 0) {
		ask.buffer = (uintptr_t)rows;
		ask.nr_rows = sizeof(rows) / sizeof(*rows);
		if (ioctl(device, PCINSPECT_IOC_RANGES, &ask)) {
			/* A module that does not know the call. */
			if (errno != ENOTTY)
				return -1;
			break;
		}
		*skipped += ask.skipped_pages;
		for (i = 0; i < ask.nr_rows; i++) {
			inside = rows[i].index < end ? end - rows[i].index : 0;
			inside = inside < rows[i].pages ? inside : rows[i].pages;
			ranges_add(to, rows[i].index, inside, rows[i].list);
			*skipped += rows[i].pages - inside;
		}
		if (ask.index == PCINSPECT_UNKNOWN)
			return 0;
	}
	*skipped = PCINSPECT_UNKNOWN;
	return residency_mincore(fd, size_bytes, to);
}
