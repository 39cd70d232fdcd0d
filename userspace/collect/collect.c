// SPDX-License-Identifier: GPL-2.0
/*
 * collect.c - opening paths, asking the module, filling the report; a whole tree
 * is in collect_tree.c.
 *
 * Files are open only for the length of one question, so that a long watch or
 * a top stands in no unmount's way. What cannot be opened without side effects
 * (fifos, sockets, character devices) is not opened at all.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "collect/collect.h"
#include "collect/device.h"
#include "collect/memcg.h"
#include "lib/complain.h"

/**
 * pcinspect_open_quietly() - open to ask about, without a trace if possible
 * @path: what
 * @flags: of open(2), besides ours
 *
 * Return: a file descriptor, or -1 with errno set.
 */
int pcinspect_open_quietly(const char *path, int flags)
{
	int fd;

	flags |= O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	fd = open(path, flags | O_NOATIME);
	/* Not our file and no CAP_FOWNER: then with access time. */
	if (fd < 0 && errno == EPERM)
		fd = open(path, flags);
	return fd;
}

/**
 * pcinspect_collect_start() - reach the module and begin an empty report
 * @collect: filled in
 * @report: emptied
 *
 * Complains by itself.
 *
 * Return: false if there is no module to ask.
 */
bool pcinspect_collect_start(struct pcinspect_collect *collect,
			     struct pcinspect_report *report)
{
	struct utsname uts;

	memset(collect, 0, sizeof(*collect));
	memset(report, 0, sizeof(*report));
	collect->report = report;
	uname(&uts);
	snprintf(report->kernel, sizeof(report->kernel), "%.63s", uts.release);
	report->page_size = sysconf(_SC_PAGESIZE);
	collect->device = pcinspect_device_open(&report->about);
	if (collect->device < 0)
		return false;
	collect->mounts = pcinspect_mounts_load();
	return true;
}

/**
 * pcinspect_collect_open() - open a path to ask about it
 * @path: which
 *
 * Complains by itself.
 *
 * Return: a file descriptor, or -1.
 */
int pcinspect_collect_open(const char *path)
{
	struct stat st;
	int fd;

	if (stat(path, &st)) {
		pcinspect_complain(path, "%s", pcinspect_open_why(errno));
		return -1;
	}
	if (!S_ISREG(st.st_mode) && !S_ISBLK(st.st_mode)) {
		pcinspect_complain(path, "%s",
				   pcinspect_device_why(EOPNOTSUPP,
							S_ISDIR(st.st_mode) ?
							PCINSPECT_REFUSE_DIRECTORY :
							PCINSPECT_REFUSE_SPECIAL));
		return -1;
	}
	fd = pcinspect_open_quietly(path, 0);
	if (fd < 0)
		pcinspect_complain(path, "%s", pcinspect_open_why(errno));
	return fd;
}

/* Room for one inode with path and sections. */
union answer {
	struct pcinspect_snapshot snap;
	char bytes[32 << 10];
};

/**
 * pcinspect_collect_ask() - ask about an open file
 * @collect: the collection
 * @fd: the file
 * @request: PCINSPECT_IOC_SNAPSHOT, TRACK or HOLD
 * @file: filled in
 * @refusal: set when the module refuses
 *
 * A path and sections cost the module some work, so of the many files of a tree
 * they are asked for only where there are any.
 *
 * Return: 0, or -1 with errno set.
 */
int pcinspect_collect_ask(struct pcinspect_collect *collect, int fd,
			  unsigned long request, struct pcinspect_file *file,
			  uint32_t *refusal)
{
	union answer answer;
	char path[PATH_MAX];
	struct pcinspect_query query = {
		.size = sizeof(query),
		.fd = fd,
		.buffer = (uintptr_t)&answer,
		.buffer_size = sizeof(answer.snap),
	};

	if (ioctl(collect->device, request, &query)) {
		*refusal = query.refusal;
		return -1;
	}
	if (answer.snap.flags & (PCINSPECT_F_REAL_INODE | PCINSPECT_F_EXPLICIT)) {
		query.buffer_size = sizeof(answer);
		if (ioctl(collect->device, PCINSPECT_IOC_SNAPSHOT, &query)) {
			*refusal = query.refusal;
			return -1;
		}
	}
	pcinspect_file_take(file, &answer.snap);
	/* overlayfs: whose pages are these? */
	if (answer.snap.flags & PCINSPECT_F_REAL_INODE &&
	    pcinspect_row_path(&answer.snap, path))
		file->real_path = pcinspect_mounts_path(collect->mounts,
							answer.snap.dev_major,
							answer.snap.dev_minor,
							path);
	return 0;
}

/* A number of ours, and cachestat's before and after; pages come and go meanwhile. */
struct beside {
	uint64_t ours, min, max;
};

static struct beside beside(uint64_t ours, uint64_t before, uint64_t after)
{
	return (struct beside){
		.ours = ours,
		.min = before < after ? before : after,
		.max = before < after ? after : before,
	};
}

static bool agrees(const struct beside *b)
{
	return b->ours >= b->min && b->ours <= b->max;
}

static void add_up(struct pcinspect_sum *sum, const struct beside *b)
{
	sum->files++;
	sum->ours += b->ours;
	sum->min += b->min;
	sum->max += b->max;
}

/* What went between two looks need not be there in either: how often we look. */
#define BESIDE_TRIES 4

/* Ask the module, between two looks of cachestat(2) if the kernel has it. */
static int ask_beside(struct pcinspect_collect *collect, int fd,
		      unsigned long request, struct pcinspect_file *file,
		      uint32_t *refusal)
{
	struct pcinspect_cachestat before, after;
	struct beside cached, dirty;
	bool counted, writes;
	int tries = 0;

	do {
		counted = !pcinspect_cachestat(fd, &before);
		if (pcinspect_collect_ask(collect, fd, request, file, refusal))
			return -1;
		if (!counted || pcinspect_cachestat(fd, &after) ||
		    file->snap.flags & PCINSPECT_F_REAL_INODE)
			return 0;
		request = PCINSPECT_IOC_SNAPSHOT;
		writes = file->snap.flags & PCINSPECT_F_WRITEBACK;
		cached = beside(file->snap.pages.cached, before.nr_cache,
				after.nr_cache);
		dirty = beside(file->snap.pages.dirty, before.nr_dirty,
			       after.nr_dirty);
	} while ((!agrees(&cached) || (writes && !agrees(&dirty))) &&
		 ++tries < BESIDE_TRIES);
	add_up(&collect->tally.cached, &cached);
	/* Where they mean something. */
	if (writes)
		add_up(&collect->tally.dirty, &dirty);
	return 0;
}

/**
 * pcinspect_collect_path() - one entry for one path
 * @collect: the collection
 * @path: as typed
 * @request: PCINSPECT_IOC_SNAPSHOT or PCINSPECT_IOC_TRACK
 *
 * Complains by itself, and counts.
 */
void pcinspect_collect_path(struct pcinspect_collect *collect, const char *path,
			    unsigned long request)
{
	struct pcinspect_file *file;
	uint32_t refusal = 0;
	int fd = pcinspect_collect_open(path);

	if (fd < 0) {
		collect->failed++;
		return;
	}
	file = pcinspect_report_add(collect->report, path);
	if (ask_beside(collect, fd, request, file, &refusal)) {
		pcinspect_complain(path, "%s", pcinspect_device_why(errno, refusal));
		pcinspect_report_drop_last(collect->report);
		collect->failed++;
		close(fd);
		return;
	}
	close(fd);
	pcinspect_memcg_name(file);
	collect->ok++;
}

/**
 * pcinspect_collect_id() - ask again about an explicit record
 * @collect: the collection
 * @file: whose snapshot is renewed; its path stays
 * @id: its handle
 *
 * Return: 0, or -1 with errno set: ENOENT when it was deleted, unmounted or
 * untracked meanwhile.
 */
int pcinspect_collect_id(struct pcinspect_collect *collect,
			 struct pcinspect_file *file, uint64_t id)
{
	union answer answer;
	struct pcinspect_query query = {
		.size = sizeof(query),
		.fd = -1,
		.id = id,
		.buffer = (uintptr_t)&answer,
		.buffer_size = sizeof(answer),
	};

	if (ioctl(collect->device, PCINSPECT_IOC_SNAPSHOT, &query))
		return -1;
	pcinspect_file_take(file, &answer.snap);
	pcinspect_memcg_name(file);
	return 0;
}

/**
 * pcinspect_collect_status() - exit status for what worked and what did not
 * @collect: the collection
 *
 * Return: 0, EXIT_ALL_FAILED or EXIT_SOME_FAILED.
 */
int pcinspect_collect_status(const struct pcinspect_collect *collect)
{
	if (!collect->failed)
		return 0;
	return collect->ok ? EXIT_SOME_FAILED : EXIT_ALL_FAILED;
}

/**
 * pcinspect_collect_free() - free what a collection holds, and its report
 * @collect: which
 */
void pcinspect_collect_free(struct pcinspect_collect *collect)
{
	pcinspect_report_free(collect->report);
	close(collect->device);
	mnt_unref_table(collect->mounts);
	tdestroy(collect->seen, free);
}
