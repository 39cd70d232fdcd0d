// SPDX-License-Identifier: GPL-2.0-only
/*
 * collect.c - opening paths, asking the module, filling the report; a whole tree
 * is in tree.c.
 *
 * Files are open only for the length of one question, so that a long watch or
 * a top stands in no unmount's way. Files that cannot be opened without side
 * effects (fifos, sockets, character devices) are not opened at all.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "collect/collect.h"
#include "collect/device.h"
#include "collect/memcg.h"
#include "collect/plain.h"
#include "lib/complain.h"

/* Open what a descriptor stands for, without a trace if possible. */
static int open_again(int place)
{
	const int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	char name[40];
	int fd;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", place);
	fd = open(name, flags | O_NOATIME);
	/* Not our file and no CAP_FOWNER: then with access time. */
	if (fd < 0 && errno == EPERM)
		fd = open(name, flags);
	return fd;
}

/**
 * collect_open_place() - open what stands at a place, if it has pages
 * @place: a descriptor of it (O_PATH), which stays open
 *
 * Return: a file descriptor, or -1 with errno set: EISDIR for a directory,
 * EOPNOTSUPP for what else is no regular file or block device.
 */
int collect_open_place(int place)
{
	struct stat st;

	if (fstat(place, &st))
		return -1;
	if (S_ISREG(st.st_mode) || S_ISBLK(st.st_mode))
		return open_again(place);
	errno = S_ISDIR(st.st_mode) ? EISDIR : EOPNOTSUPP;
	return -1;
}

/**
 * collect_open_inode() - open what has pages, and nothing else
 * @path: what; relative to the working directory, as fts(3) has it
 * @flags: O_NOFOLLOW, or 0
 *
 * A user who may write to a directory may replace a file that was there a moment
 * ago, and some devices act on being opened. So the place comes first (O_PATH
 * opens nothing), then what is there, and only then is just that opened.
 *
 * Return: as collect_open_place().
 */
int collect_open_inode(const char *path, int flags)
{
	int place = open(path, O_PATH | O_CLOEXEC | flags), fd, error;

	if (place < 0)
		return -1;
	fd = collect_open_place(place);
	error = errno;
	close(place);
	errno = error;
	return fd;
}

/**
 * report_begin() - begin an empty report
 * @report: of this machine, and of nothing yet
 */
void report_begin(struct report *report)
{
	struct utsname uts;

	memset(report, 0, sizeof(*report));
	uname(&uts);
	snprintf(report->kernel, sizeof(report->kernel), "%.63s", uts.release);
	report->page_size = sysconf(_SC_PAGESIZE);
}

/**
 * collect_start() - reach the module and begin an empty report
 * @collect: filled in
 * @report: emptied
 *
 * Complains by itself.
 *
 * Return: false if there is no module to ask.
 */
bool collect_start(struct collect *collect, struct report *report)
{
	memset(collect, 0, sizeof(*collect));
	report_begin(report);
	collect->report = report;
	collect->device = device_open(&report->about);
	if (collect->device < 0)
		return false;
	collect->mounts = mounts_load();
	return true;
}

/**
 * collect_start_without() - the same, but it will do without the module
 * @collect: filled in; its device is -1 where there is no module
 * @report: emptied
 *
 * Says once that there is none.
 *
 * Return: false if there is a module that cannot be asked.
 */
bool collect_start_without(struct collect *collect, struct report *report)
{
	static int said;

	if (device_is_there())
		return collect_start(collect, report);
	if (!said++)
		complain(NULL, "the module is not loaded: what only it knows is unknown (modprobe pcinspect)");
	memset(collect, 0, sizeof(*collect));
	report_begin(report);
	report->without_module = true;
	if (plain_lru_gen())
		report->about.flags |= PCINSPECT_F_LRU_GEN;
	collect->report = report;
	collect->device = -1;
	collect->mounts = mounts_load();
	return true;
}

/**
 * collect_open() - open a path to ask about it
 * @path: which
 *
 * Complains by itself.
 *
 * Return: a file descriptor, or -1.
 */
int collect_open(const char *path)
{
	int fd = collect_open_inode(path, 0);

	if (fd < 0 && errno == EISDIR)
		complain(path, "%s", device_error_text(EOPNOTSUPP, PCINSPECT_REFUSE_DIRECTORY));
	else if (fd < 0 && errno == EOPNOTSUPP)
		complain(path, "%s", device_error_text(EOPNOTSUPP, PCINSPECT_REFUSE_SPECIAL));
	else if (fd < 0)
		complain(path, "%s", open_error_text(errno));
	return fd;
}

/**
 * collect_row_path() - the path that came with a snapshot
 * @row: the snapshot, as the module put it into a buffer
 * @path: filled in: within the filesystem; room for PATH_MAX
 *
 * Return: false if none came.
 */
bool collect_row_path(const struct pcinspect_snapshot *row, char *path)
{
	if (!(row->flags & PCINSPECT_F_PATH) || row->path_len >= PATH_MAX)
		return false;
	memcpy(path, (const char *)row + pcinspect_path_at(row), row->path_len);
	path[row->path_len] = '\0';
	return true;
}

/* Room for one inode with path and sections. */
union answer {
	struct pcinspect_snapshot snap;
	char bytes[32 << 10];
};

/**
 * collect_ask() - ask about an open file
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
int collect_ask(struct collect *collect, int fd, unsigned long request, struct file *file,
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

	if (collect->device < 0)
		return plain_file(collect->mounts, fd, file);
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
	file_take(file, &answer.snap);
	/* overlayfs: whose pages are these? */
	if (answer.snap.flags & PCINSPECT_F_REAL_INODE &&
	    collect_row_path(&answer.snap, path))
		file->real_path = mounts_path(collect->mounts, answer.snap.dev_major,
					      answer.snap.dev_minor, path);
	return 0;
}

/* A number of ours, and cachestat's before and after; pages come and go meanwhile. */
struct compared {
	bool known;
	uint64_t ours, min, max;
};

static struct compared compare(const struct file *file, enum pcinspect_number number,
			       uint64_t before, uint64_t after)
{
	return (struct compared){
		.known = number_known(file, number),
		.ours = number_of(file, number),
		.min = before < after ? before : after,
		.max = before < after ? after : before,
	};
}

static bool agree(const struct compared *b)
{
	return !b->known || (b->ours >= b->min && b->ours <= b->max);
}

static void add_compared(struct audit_sum *sum, const struct compared *b)
{
	/* Where it means something. */
	if (!b->known)
		return;
	sum->files++;
	sum->ours += b->ours;
	sum->min += b->min;
	sum->max += b->max;
}

/*
 * The same of what may come and go a thousand times between two looks: while both say
 * the same it stands still, and else it is not held against them.
 */
static void add_up_still(struct audit_sum *sum, const struct compared *b)
{
	if (agree(b) || b->min == b->max)
		add_compared(sum, b);
}

/* A file that came and went between two looks is in neither: how often we look. */
#define COMPARE_TRIES 4

/* Ask the module, between two looks of cachestat(2) if the kernel has it. */
static int ask_and_compare(struct collect *collect, int fd,
			   unsigned long request, struct file *file, uint32_t *refusal)
{
	struct compared cached, dirty, writeback, evicted;
	struct audit_cachestat before, after;
	int tries = 0;
	bool counted;

	do {
		counted = collect->device >= 0 && !audit_cachestat(fd, &before);
		if (collect_ask(collect, fd, request, file, refusal))
			return -1;
		if (!counted || audit_cachestat(fd, &after) ||
		    file->snap.flags & PCINSPECT_F_REAL_INODE)
			return 0;
		request = PCINSPECT_IOC_SNAPSHOT;
		cached = compare(file, PCINSPECT_CACHED, before.nr_cache, after.nr_cache);
		dirty = compare(file, PCINSPECT_DIRTY, before.nr_dirty, after.nr_dirty);
		writeback = compare(file, PCINSPECT_WRITEBACK, before.nr_writeback,
				    after.nr_writeback);
		evicted = compare(file, PCINSPECT_EVICTED, before.nr_evicted, after.nr_evicted);
	} while (!(agree(&cached) && agree(&dirty) && agree(&writeback) && agree(&evicted)) &&
		 ++tries < COMPARE_TRIES);
	add_compared(&collect->tally.cached, &cached);
	add_compared(&collect->tally.dirty, &dirty);
	add_up_still(&collect->tally.writeback, &writeback);
	add_up_still(&collect->tally.evicted, &evicted);
	return 0;
}

/*
 * The value that distinguishes inodes of the same number: as in a saved report
 * (model/index.c), so that both add up the same. Subvolumes of a btrfs share s_dev, and
 * each counts from 257; elsewhere a generation tells nothing more, and being random it
 * would cost a slot for each file (inodes.c).
 */
static uint64_t owner_of(const struct pcinspect_snapshot *snap)
{
	/* 12 and 20 bits, as the kernel has them: 32. */
	uint64_t dev = makedev(snap->dev_major, snap->dev_minor);

	return strcmp(snap->fs, "btrfs") ? dev : dev | (uint64_t)snap->i_generation << 32;
}

/**
 * collect_owns() - was an inode told since @collect began, by LIST or by its path
 * @collect: the collection
 * @snap: of the inode
 *
 * Return: true if it was. Namesakes of a btrfs are one.
 */
bool collect_owns(const struct collect *collect, const struct pcinspect_snapshot *snap)
{
	return inode_set_has(&collect->owners, owner_of(snap), snap->ino);
}

/**
 * collect_stream_last() - keep the last file, or print and forget it
 * @collect: with @stream, or nothing is done
 */
void collect_stream_last(struct collect *collect)
{
	struct report *report = collect->report;
	enum streamed_file becomes;
	struct file *file;

	if (!collect->stream)
		return;
	file = &report->files[report->nr_files - 1];
	/* Of overlayfs the same pages may have been met in a filesystem below. */
	file->again = !collect->scans &&
		      !inode_set_add(&collect->owners, owner_of(&file->snap), file->snap.ino);
	becomes = collect->stream(collect->stream_to, file);
	collect->stop = becomes == STREAM_STOP;
	if (becomes == STREAM_LEAVE)
		report_drop_last(report);
	else if (becomes != STREAM_KEEP)
		report_stream_last(report);
}

/**
 * collect_path() - one entry for one path
 * @collect: the collection
 * @path: as typed
 * @request: PCINSPECT_IOC_SNAPSHOT or PCINSPECT_IOC_TRACK
 *
 * Complains by itself, and counts.
 */
void collect_path(struct collect *collect, const char *path, unsigned long request)
{
	struct file *file;
	uint32_t refusal = 0;
	int fd = collect_open(path);

	if (fd < 0) {
		collect->failed++;
		return;
	}
	file = report_add(collect->report, path);
	if (ask_and_compare(collect, fd, request, file, &refusal)) {
		complain(path, "%s", device_error_text(errno, refusal));
		report_drop_last(collect->report);
		collect->failed++;
		close(fd);
		return;
	}
	close(fd);
	memcg_name(file);
	collect->ok++;
	collect_stream_last(collect);
}

/**
 * collect_id() - ask again about an explicit record
 * @collect: the collection
 * @file: whose snapshot is renewed; its path stays
 * @id: its handle
 * @place: filled in: where it is within its filesystem, empty if that is not known;
 *	room for PATH_MAX
 *
 * Return: 0, or -1 with errno set: ENOENT when it was deleted, unmounted or
 * untracked meanwhile.
 */
int collect_id(struct collect *collect, struct file *file, uint64_t id, char *place)
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
	if (!collect_row_path(&answer.snap, place))
		*place = '\0';
	file_take(file, &answer.snap);
	memcg_name(file);
	return 0;
}

/* Drop the explicit record with a handle. */
void collect_drop(const struct collect *collect, uint64_t id)
{
	struct pcinspect_query query = { .size = sizeof(query), .fd = -1, .id = id };

	ioctl(collect->device, PCINSPECT_IOC_UNTRACK, &query);
}

/**
 * collect_status() - exit status for what worked and what did not
 * @collect: the collection
 *
 * Return: 0, EXIT_ALL_FAILED or EXIT_SOME_FAILED.
 */
int collect_status(const struct collect *collect)
{
	if (!collect->failed)
		return 0;
	return collect->ok ? EXIT_SOME_FAILED : EXIT_ALL_FAILED;
}

/* Free what a collection holds, and its report. */
void collect_free(struct collect *collect)
{
	report_free(collect->report);
	if (collect->device >= 0)
		close(collect->device);
	mnt_unref_table(collect->mounts);
	inode_set_forget(&collect->seen);
	inode_set_forget(&collect->owners);
	free(collect->left_out);
}
