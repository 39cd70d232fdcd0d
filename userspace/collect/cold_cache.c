// SPDX-License-Identifier: GPL-2.0-only
/*
 * cold_cache.c - files that are made cold, so that a command finds the same each time it is
 * run. Only files that tasks of a run touched are dropped: drop_caches would be
 * everybody's loss. A path has to lead to the inode of the run after
 * it: that is asked of the module, which alone knows it on btrfs and overlayfs.
 *
 * Touches: writes back the filesystems of these files (syncfs(2)), drops what is cached of
 * the files (posix_fadvise(2)); neither takes pages that somebody maps or locks.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/cold_cache.h"
#include "collect/residency.h"
#include "lib/alloc.h"
#include "lib/complain.h"

static int compare_cold(const void *a, const void *b)
{
	const struct cold_file *x = a, *y = b;

	return strcmp(x->path, y->path);
}

/* Never a FIFO that waits, nor a device that does something. */
static int open_regular(const char *path, struct stat *st, int follow)
{
	int fd;

	if (fstatat(AT_FDCWD, path, st, follow ? 0 : AT_SYMLINK_NOFOLLOW))
		return -1;
	errno = ENOTSUP;
	if (!S_ISREG(st->st_mode))
		return -1;
	follow = follow ? 0 : O_NOFOLLOW;
	fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_NOATIME | O_CLOEXEC | follow);
	if (fd < 0)
		fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | follow);
	if (fd >= 0 && (fstat(fd, st) || !S_ISREG(st->st_mode))) {
		close(fd);
		errno = ENOTSUP;
		return -1;
	}
	return fd;
}

/* The file of a path, if it still is the one that it was. A path of the kernel is no link. */
static int open_same(const struct cold_file *file, struct stat *st)
{
	int fd = open_regular(file->path, st, 0);

	if (fd >= 0 && (st->st_dev != file->dev || st->st_ino != file->ino)) {
		close(fd);
		return -1;
	}
	return fd;
}

/* Fills in what fstat(2) has of the inode that a report is about; false: it is not there. */
static bool identify(struct cold_file *to, const struct file *from, int device)
{
	struct pcinspect_snapshot snap;
	struct pcinspect_query query = {
		.size = sizeof(query), .buffer = (uintptr_t)&snap, .buffer_size = sizeof(snap),
	};
	struct stat st;
	int fd = open_regular(from->path, &st, 0), error = errno;
	bool same;

	if (fd < 0) {
		if (error != ENOENT && error != ENOTDIR)
			complain(from->path, "is not made cold: %s", strerror(error));
		return false;
	}
	query.fd = fd;
	same = !ioctl(device, PCINSPECT_IOC_SNAPSHOT, &query) &&
	       !snapshot_compare(&from->snap, &snap);
	close(fd);
	if (!same)
		complain(from->path, "is not made cold: another file has its name by now");
	to->dev = st.st_dev;
	to->ino = st.st_ino;
	return same;
}

/*
 * A filesystem's metadata is cached of its device, and is everybody's: it stays. A user who
 * reads or writes the device itself gets a message, once.
 */
static void leave_device(struct cold *cold, const struct file *file)
{
	if (cold->told || !(number_of(file, PCINSPECT_DEMANDED_BYTES) +
			    number_of(file, PCINSPECT_WRITE_BYTES)))
		return;
	complain(file->path, "is not made cold: it is a block device, and what is cached of it may be its filesystem's");
	cold->told = true;
}

/**
 * cold_add() - the files of a report, besides those that are there
 * @cold: gets them
 * @report: of a run
 * @device: /dev/pcinspect, open
 *
 * Files that were deleted, or have no name, are none; nor are those that only others
 * than the run's tasks used (--mount counts them as well). A file that the tasks only
 * mapped, cached as it was, is one: nothing is counted of it, so it is among the names.
 */
void cold_add(struct cold *cold, const struct report *report, int device)
{
	struct cold_file key, *file;
	size_t i, old = cold->nr;

	for (i = 0; i < report->nr_files + report->nr_names; i++) {
		const struct file *from = i < report->nr_files ? &report->files[i] :
					  &report->names[i - report->nr_files];

		if (from->gone || from->held || !from->path || *from->path != '/' ||
		    from->snap.flags & PCINSPECT_F_DELETED ||
		    !(from->snap.flags & PCINSPECT_F_TOUCHED))
			continue;
		if (from->snap.flags & PCINSPECT_F_BLOCK_DEVICE) {
			leave_device(cold, from);
			continue;
		}
		key.path = from->path;
		file = old ? bsearch(&key, cold->files, old, sizeof(key), compare_cold) : NULL;
		if (!identify(&key, from, device))
			continue;
		/* CMD may have made it anew. */
		if (file) {
			file->dev = key.dev;
			file->ino = key.ino;
			continue;
		}
		cold->files = alloc_array(cold->files, cold->nr + 1, sizeof(*cold->files));
		file = &cold->files[cold->nr++];
		*file = key;
		file->path = alloc_copy(key.path);
	}
	if (cold->nr > old)
		qsort(cold->files, cold->nr, sizeof(*cold->files), compare_cold);
}

/**
 * cold_sync() - write back the filesystems that the files are on
 * @cold: the files
 */
void cold_sync(const struct cold *cold)
{
	dev_t *done = alloc_zero(cold->nr + 1, sizeof(*done));
	size_t i, k, nr = 0;
	struct stat st;
	int fd;

	for (i = 0; i < cold->nr; i++) {
		fd = open_same(&cold->files[i], &st);
		if (fd < 0)
			continue;
		for (k = 0; k < nr && done[k] != st.st_dev; k++)
			;
		if (k == nr) {
			done[nr++] = st.st_dev;
			syncfs(fd);
		}
		close(fd);
	}
	free(done);
}

/**
 * cold_make() - make the files cold
 * @cold: the files
 *
 * Return: the pages that stay: others map them, or lock them.
 */
uint64_t cold_make(const struct cold *cold)
{
	struct ranges cached = {};
	uint64_t left = 0;
	struct stat st;
	size_t i;
	int fd;

	cold_sync(cold);
	for (i = 0; i < cold->nr; i++) {
		fd = open_same(&cold->files[i], &st);
		if (fd < 0)
			continue;
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
		residency_mincore(fd, st.st_size, &cached);
		left += ranges_pages(&cached, RANGE_ANY_LIST);
		ranges_free(&cached);
		close(fd);
	}
	return left;
}

/* Drop a file from the cache. Returns false with errno set if it is no file to be dropped. */
bool cold_drop(const char *path)
{
	struct stat st;
	int fd = open_regular(path, &st, 1);

	if (fd < 0)
		return false;
	fdatasync(fd);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	close(fd);
	return true;
}

/* Forget the files. */
void cold_free(struct cold *cold)
{
	while (cold->nr)
		free(cold->files[--cold->nr].path);
	free(cold->files);
	*cold = (struct cold){};
}
