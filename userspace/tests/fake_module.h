/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * fake_module.h - in place of the module an ioctl() of our own, which knows of an open
 * file what the module knows of an inode: enough to follow files where there is no
 * module. One file of a program includes it.
 */
#ifndef PCINSPECT_FAKE_MODULE_H
#define PCINSPECT_FAKE_MODULE_H

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "test.h"

#define RECORDS	1024

/* An inode that is held, by a file of ours: its number is not used again. */
static struct {
	int fd;
	bool held;
} records[RECORDS];
static int nr_records, held, limit = RECORDS;

/* A test's change of an answer; NULL: none. */
static void (*otherwise)(struct pcinspect_snapshot *snap);

int ioctl(int fd, unsigned long request, ...);

static int answer(const struct pcinspect_query *query, int fd, uint64_t id)
{
	struct pcinspect_snapshot snap = {
		.head_size = offsetof(struct pcinspect_snapshot, known),
		.nr_numbers = PCINSPECT_NR_NUMBERS, .fs = "fake", .id = id,
	};
	char link[40], path[PATH_MAX];
	struct timespec now;
	struct stat st;
	ssize_t n;

	fstat(fd, &st);
	if (!st.st_nlink && id && fcntl(fd, F_GETFD) >= 0 && query->fd < 0)
		snap.flags |= PCINSPECT_F_DELETED;
	snap.flags |= id ? PCINSPECT_F_EXPLICIT : 0;
	snap.ino = st.st_ino;
	snap.nlink = st.st_nlink;
	snap.dev_major = major(st.st_dev);
	snap.dev_minor = minor(st.st_dev);
	snap.size_bytes = st.st_size;
	clock_gettime(CLOCK_MONOTONIC, &now);
	snap.time_ns = now.tv_sec * 1000000000ULL + now.tv_nsec;
	if (otherwise)
		otherwise(&snap);
	/* A page for each byte, all of them inactive; nothing was read or written. */
	know(&snap, PCINSPECT_CACHED, (unsigned int)st.st_size, PCINSPECT_ACTIVE, 0,
	     PCINSPECT_INACTIVE, (unsigned int)st.st_size, PCINSPECT_UNEVICTABLE, 0,
	     PCINSPECT_OFF_LRU, 0, PCINSPECT_DIRTY, 0, PCINSPECT_WRITEBACK, 0,
	     PCINSPECT_MAPPED, 0, PCINSPECT_EVICTED, 0, PCINSPECT_INSERTED, 0,
	     PCINSPECT_REMOVED, 0, PCINSPECT_GEN0, (unsigned int)st.st_size, PCINSPECT_GEN1, 0,
	     PCINSPECT_GEN2, 0, PCINSPECT_GEN3, 0, PCINSPECT_DEMANDED_BYTES, 0,
	     PCINSPECT_DEVICE_BYTES, 0, PCINSPECT_HOLE_PAGES, 0, PCINSPECT_REFAULT_PAGES, 0,
	     PCINSPECT_WASTED_PAGES, 0, PCINSPECT_INSERTED_SYNC, 0, PCINSPECT_INSERTED_ASYNC, 0,
	     PCINSPECT_INSERTED_AROUND, 0, PCINSPECT_INSERTED_FORCED, 0,
	     PCINSPECT_INSERTED_WRITE, 0, PCINSPECT_INSERTED_OTHER, 0, PCINSPECT_LE_10_MS, 0,
	     PCINSPECT_DIRTIED_PAGES, 0, PCINSPECT_WRITTEN_PAGES, 0, PCINSPECT_REDIRTIED_PAGES, 0,
	     PCINSPECT_DEVICE_WRITE_BYTES, 0, PCINSPECT_WINDOWS_TOTAL, 0,
	     PCINSPECT_WINDOWS_DROPPED, 0, PCINSPECT_FSYNCS_TOTAL, 0,
	     PCINSPECT_NRPAGES_BEFORE, (unsigned int)st.st_size,
	     PCINSPECT_NRPAGES, (unsigned int)st.st_size, PCINSPECT_MOVED_PAGES, 0, -1);
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path));
	if (n > 0 && query->buffer_size >= sizeof(snap) + n) {
		snap.flags |= PCINSPECT_F_PATH;
		snap.path_len = n;
		memcpy((char *)(uintptr_t)query->buffer + sizeof(snap), path, n);
	}
	snap.record_size = sizeof(snap) + snap.path_len;
	memcpy((void *)(uintptr_t)query->buffer, &snap, sizeof(snap));
	return 0;
}

static int record_of(int fd)
{
	struct stat st, other;
	int i;

	fstat(fd, &st);
	for (i = 0; i < nr_records; i++)
		if (records[i].held && !fstat(records[i].fd, &other) &&
		    st.st_ino == other.st_ino && st.st_dev == other.st_dev)
			return i;
	return -1;
}

/* Nobody has the file open but us: for the module it is gone. */
static bool closed_elsewhere(int i)
{
	struct stat st;

	return !fstat(records[i].fd, &st) && !st.st_nlink;
}

static bool open_elsewhere;

/* Only to ask about a regular file a place (O_PATH) will do. */
static bool refused(unsigned long request, int fd)
{
	struct stat st;

	return fcntl(fd, F_GETFL) & O_PATH &&
	       (request != PCINSPECT_IOC_SNAPSHOT || fstat(fd, &st) || !S_ISREG(st.st_mode));
}

static int fake(unsigned long request, struct pcinspect_query *query)
{
	int i = query->fd >= 0 ? record_of(query->fd) : (int)query->id - 1;

	if (query->fd >= 0 && refused(request, query->fd)) {
		errno = EBADF;
		return -1;
	}
	if (query->fd < 0 && (i < 0 || i >= nr_records || !records[i].held ||
			      (closed_elsewhere(i) && !open_elsewhere))) {
		errno = ENOENT;
		return -1;
	}
	if (request == PCINSPECT_IOC_UNTRACK) {
		if (i >= 0) {
			records[i].held = false;
			held--;
		}
		return 0;
	}
	if (request == PCINSPECT_IOC_HOLD && i < 0) {
		if (held >= limit) {
			query->refusal = PCINSPECT_REFUSE_LIMIT;
			errno = ENOSPC;
			return -1;
		}
		i = nr_records++;
		records[i].fd = fcntl(query->fd, F_DUPFD_CLOEXEC, 3);
		records[i].held = true;
		held++;
	}
	return answer(query, query->fd >= 0 ? query->fd : records[i].fd, i + 1);
}

/* One row for each file of a directory: a page for each byte, all of them inactive. */
static void put_files(struct pcinspect_lists *lists, const char *directory, uint64_t *pages)
{
	DIR *dir = opendir(directory);
	struct dirent *entry;
	struct stat st;

	while (dir && (entry = readdir(dir))) {
		struct pcinspect_list_file *row =
			(void *)(uintptr_t)(lists->files + lists->files_used);

		if (fstatat(dirfd(dir), entry->d_name, &st, 0) || !S_ISREG(st.st_mode))
			continue;
		memset(row, 0, sizeof(*row));
		row->path_len = snprintf((char *)(row + 1), PATH_MAX, "%s/%s", directory,
					 entry->d_name);
		row->record_size = (sizeof(*row) + row->path_len + 8) & ~7U;
		row->flags = PCINSPECT_F_PATH;
		/* Filesystems that nobody mounts, by name. */
		row->dev_major = row->dev_minor = strstr(directory, "elsewhere") ? 9 : 0;
		row->ino = st.st_ino;
		row->nlink = st.st_nlink;
		row->mode = st.st_mode;
		row->cgroup = 1;
		row->size_bytes = st.st_size;
		row->pages[PCINSPECT_LIST_INACTIVE] = st.st_size;
		row->dirty_pages = !strcmp(entry->d_name, "f07");
		row->inode_age_ms = 12345;
		strcpy(row->fs, "fake");
		*pages += st.st_size;
		lists->files_used += row->record_size;
		lists->nr_files++;
		lists->nr_given++;
	}
	if (dir)
		closedir(dir);
}

/* Directories, with a colon between them, in the environment. */
static int fake_lists(struct pcinspect_lists *lists)
{
	struct pcinspect_list_cgroup *cgroup = (void *)(uintptr_t)lists->cgroups;
	char *names = strdup(getenv("PCINSPECT_FAKE") ?: ""), *rest = names, *one;
	uint64_t pages = 0;

	memset(cgroup, 0, sizeof(*cgroup));
	while ((one = strsep(&rest, ":")))
		if (*one)
			put_files(lists, one, &pages);
	cgroup->id = 1;
	cgroup->counted_pages[PCINSPECT_LIST_INACTIVE] = pages;
	cgroup->counted_before_pages[PCINSPECT_LIST_INACTIVE] = pages;
	cgroup->file_pages[PCINSPECT_LIST_INACTIVE] = pages;
	lists->nr_cgroups = 1;
	free(names);
	return 0;
}

/* What LIST knows of what SCAN meets. */
#define FAKE_RECORDS	2

/* As many inodes of /proc as the environment says, of which the first ones have records. */
static int fake_rows(struct pcinspect_list *list, bool scan)
{
	unsigned long nr = strtoul(getenv("PCINSPECT_FAKE_SCAN") ?: "0", NULL, 10), i;
	char *at = (char *)(uintptr_t)list->buffer;
	struct stat proc = {};

	stat("/proc", &proc);
	if (!scan && nr > FAKE_RECORDS)
		nr = FAKE_RECORDS;
	for (i = list->cursor, list->count = list->needed = list->cursor = 0; i < nr; i++) {
		struct pcinspect_snapshot *snap = (void *)(at + list->needed);

		if (list->needed + sizeof(*snap) + 64 > list->buffer_size) {
			list->cursor = i;
			break;
		}
		memset(snap, 0, sizeof(*snap));
		snap->head_size = offsetof(struct pcinspect_snapshot, known);
		snap->nr_numbers = PCINSPECT_NR_NUMBERS;
		snap->flags = PCINSPECT_F_PATH | (i < FAKE_RECORDS ? PCINSPECT_F_AUTO : 0);
		snap->dev_major = major(proc.st_dev);
		snap->dev_minor = minor(proc.st_dev);
		snap->ino = i * 1000 + 1;
		strcpy(snap->fs, "fake");
		know(snap, PCINSPECT_CACHED, (unsigned int)i % 100, PCINSPECT_NRPAGES_BEFORE,
		     (unsigned int)i % 100, PCINSPECT_NRPAGES, (unsigned int)i % 100,
		     PCINSPECT_MOVED_PAGES, 0, -1);
		snap->path_len = sprintf((char *)(snap + 1), "/a/directory/file%lu", i);
		snap->record_size = (sizeof(*snap) + snap->path_len + 7) & ~7U;
		list->needed += snap->record_size;
		list->count++;
	}
	return 0;
}

/* A page a microsecond is asked for; each fourth of them is inserted, each eighth removed. */
static int fake_demand(struct pcinspect_demand *demand)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	demand->since_ns = 1;
	demand->time_ns = now.tv_sec * 1000000000ULL + now.tv_nsec;
	demand->demanded_bytes = demand->time_ns / 1000 * sysconf(_SC_PAGESIZE);
	demand->missed_pages = demand->inserted_pages = demand->time_ns / 4000;
	demand->removed_pages = demand->time_ns / 8000;
	return 0;
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *arg;

	va_start(args, request);
	arg = va_arg(args, void *);
	va_end(args);
	if (request == PCINSPECT_IOC_SNAPSHOT || request == PCINSPECT_IOC_HOLD ||
	    request == PCINSPECT_IOC_UNTRACK)
		return fake(request, arg);
	if (request == PCINSPECT_IOC_LISTS)
		return fake_lists(arg);
	if (request == PCINSPECT_IOC_DEMAND)
		return fake_demand(arg);
	if (request == PCINSPECT_IOC_LIST || request == PCINSPECT_IOC_SCAN)
		return fake_rows(arg, request == PCINSPECT_IOC_SCAN);
	if (request == PCINSPECT_IOC_DEVICES || request == PCINSPECT_IOC_ABOUT) {
		errno = ENOTTY;
		return -1;
	}
	return syscall(SYS_ioctl, fd, request, arg);
}

#endif /* PCINSPECT_FAKE_MODULE_H */
