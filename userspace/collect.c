// SPDX-License-Identifier: GPL-2.0
/*
 * collect.c - opening paths, asking the module, filling the report.
 *
 * Files are open only for the length of one question, so that a long watch or
 * a top stands in no unmount's way. What cannot be opened without side effects
 * (fifos, sockets, character devices) is not opened at all.
 */
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "collect.h"
#include "device.h"
#include "memcg.h"

/* An inode with several names, so that a descent reports it once. */
struct pcinspect_inode {
	unsigned int major, minor, generation;
	uint64_t ino;
};

/**
 * pcinspect_now_ns() - CLOCK_MONOTONIC
 *
 * Return: nanoseconds.
 */
uint64_t pcinspect_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

static int open_quietly(int dir, const char *name)
{
	int flags = O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	int fd = openat(dir, name, flags | O_NOATIME);

	/* Not our file and no CAP_FOWNER: then with access time. */
	if (fd < 0 && errno == EPERM)
		fd = openat(dir, name, flags);
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
	memset(collect, 0, sizeof(*collect));
	memset(report, 0, sizeof(*report));
	collect->report = report;
	collect->device = pcinspect_device_open(&report->about);
	if (collect->device < 0)
		return false;
	pcinspect_mounts_load(&collect->mounts);
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
		pcinspect_complain(path, "%s", strerror(errno));
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
	fd = open_quietly(AT_FDCWD, path);
	if (fd < 0)
		pcinspect_complain(path, "%s", strerror(errno));
	return fd;
}

/* Room for one inode with path and sections. */
union answer {
	struct pcinspect_snapshot snap;
	char bytes[32 << 10];
};

/* The path within the filesystem that came with a snapshot; false if none did. */
static bool row_path(const struct pcinspect_snapshot *row, char *path)
{
	if (!(row->flags & PCINSPECT_F_PATH) || row->path_len >= PATH_MAX)
		return false;
	memcpy(path, row + 1, row->path_len);
	path[row->path_len] = '\0';
	return true;
}

/*
 * Ask about an open file. A path and sections cost the module some work, so of
 * the many files of a tree they are asked for only where there are any. Returns
 * 0 or -1 with errno and *@refusal set.
 */
static int ask(struct pcinspect_collect *collect, int fd, unsigned long request,
	       struct pcinspect_file *file, uint32_t *refusal)
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
	    row_path(&answer.snap, path))
		file->real_path = pcinspect_mounts_path(&collect->mounts,
							answer.snap.dev_major,
							answer.snap.dev_minor,
							path);
	return 0;
}

static void drop_last(struct pcinspect_report *report)
{
	pcinspect_file_free(&report->files[--report->nr_files]);
}

/* Dirty pages, where they mean something; they come and go meanwhile. */
static void tally_dirty(struct pcinspect_tally *tally,
			const struct pcinspect_file *file, uint64_t before,
			uint64_t after)
{
	if (!(file->snap.flags & PCINSPECT_F_WRITEBACK))
		return;
	tally->dirty_files++;
	tally->dirty_ours += file->snap.pages.dirty;
	tally->dirty_min += before < after ? before : after;
	tally->dirty_max += before < after ? after : before;
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
	struct pcinspect_cachestat before, after;
	struct pcinspect_file *file;
	uint32_t refusal = 0;
	bool counted;
	int fd = pcinspect_collect_open(path);

	if (fd < 0) {
		collect->failed++;
		return;
	}
	file = pcinspect_report_add(collect->report, path);
	counted = !pcinspect_cachestat(fd, &before);
	if (ask(collect, fd, request, file, &refusal)) {
		pcinspect_complain(path, "%s", pcinspect_device_why(errno, refusal));
		drop_last(collect->report);
		collect->failed++;
		close(fd);
		return;
	}
	counted = counted && !pcinspect_cachestat(fd, &after);
	close(fd);
	if (counted && !(file->snap.flags & PCINSPECT_F_REAL_INODE)) {
		collect->tally.files++;
		collect->tally.ours += file->snap.pages.cached;
		collect->tally.before += before.nr_cache;
		collect->tally.after += after.nr_cache;
		tally_dirty(&collect->tally, file, before.nr_dirty,
			    after.nr_dirty);
	}
	pcinspect_memcg_name(file);
	collect->ok++;
}

/* True if the inode was met before under another name. */
static bool met(struct pcinspect_collect *collect,
		const struct pcinspect_snapshot *snap)
{
	struct pcinspect_inode one = { snap->dev_major, snap->dev_minor,
				       snap->i_generation, snap->ino };
	size_t i;

	for (i = 0; i < collect->nr_seen; i++) {
		struct pcinspect_inode *s = &collect->seen[i];

		if (s->ino == one.ino && s->major == one.major &&
		    s->minor == one.minor && s->generation == one.generation)
			return true;
	}
	if (collect->nr_seen == collect->seen_room) {
		collect->seen_room = collect->seen_room * 2 + 64;
		collect->seen = reallocarray(collect->seen, collect->seen_room,
					     sizeof(one));
		if (!collect->seen)
			err(1, "out of memory");
	}
	collect->seen[collect->nr_seen++] = one;
	return false;
}

static void tree_file(struct pcinspect_collect *collect, int dir,
		      const char *name, const char *path)
{
	struct pcinspect_file *file;
	uint32_t refusal = 0;
	int fd = open_quietly(dir, name);

	if (fd < 0) {
		pcinspect_complain(path, "%s", strerror(errno));
		collect->failed++;
		return;
	}
	file = pcinspect_report_add(collect->report, path);
	if (ask(collect, fd, PCINSPECT_IOC_SNAPSHOT, file, &refusal)) {
		pcinspect_complain(path, "%s", pcinspect_device_why(errno, refusal));
		drop_last(collect->report);
		collect->failed++;
	} else if (file->snap.nlink > 1 && met(collect, &file->snap)) {
		drop_last(collect->report);
	} else {
		pcinspect_memcg_name(file);
		collect->ok++;
	}
	close(fd);
}

static void tree(struct pcinspect_collect *collect, int fd, const char *path)
{
	size_t len = strlen(path), room = len + 258, name;
	struct dirent *entry;
	DIR *dir = fdopendir(fd);
	char *below;

	if (!dir) {
		pcinspect_complain(path, "%s", strerror(errno));
		collect->failed++;
		close(fd);
		return;
	}
	/* path, a slash, and room for a name */
	below = malloc(room);
	if (!below)
		err(1, "out of memory");
	memcpy(below, path, len);
	if (path[len - 1] != '/')
		below[len++] = '/';
	while ((entry = readdir(dir))) {
		unsigned char type = entry->d_type;
		struct stat st;
		int sub;

		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (type == DT_UNKNOWN &&
		    !fstatat(fd, entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
			type = IFTODT(st.st_mode);
		if (type != DT_DIR && type != DT_REG)
			continue; /* links are not followed, devices not opened */
		name = strlen(entry->d_name) + 1;
		if (len + name > room) {
			room = len + name + 256;
			below = realloc(below, room);
			if (!below)
				err(1, "out of memory");
		}
		memcpy(below + len, entry->d_name, name);
		if (type == DT_REG) {
			tree_file(collect, fd, entry->d_name, below);
		} else {
			sub = openat(fd, entry->d_name, O_RDONLY | O_DIRECTORY |
				     O_NOFOLLOW | O_CLOEXEC);
			if (sub < 0) {
				pcinspect_complain(below, "%s", strerror(errno));
				collect->failed++;
			} else {
				tree(collect, sub, below);
			}
		}
	}
	free(below);
	closedir(dir);
}

/**
 * pcinspect_collect_tree() - one entry for every file below a path
 * @collect: the collection
 * @path: a directory, or a file for an entry of its own
 *
 * Symbolic links below @path are not followed; an inode with several names
 * has one entry.
 */
void pcinspect_collect_tree(struct pcinspect_collect *collect, const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char *full;

	if (fd < 0 && errno == ENOTDIR) {
		pcinspect_collect_path(collect, path, PCINSPECT_IOC_SNAPSHOT);
		return;
	}
	if (fd < 0) {
		pcinspect_complain(path, "%s", strerror(errno));
		collect->failed++;
		return;
	}
	full = realpath(path, NULL);
	tree(collect, fd, full ?: path);
	free(full);
}

/**
 * pcinspect_collect_paths() - a whole report on the paths of a command
 * @collect: just started
 * @args: the paths, and whether to descend
 *
 * Return: the exit status.
 */
int pcinspect_collect_paths(struct pcinspect_collect *collect,
			    const struct pcinspect_args *args)
{
	size_t i;

	for (i = 0; i < args->nr_paths; i++) {
		if (args->recursive)
			pcinspect_collect_tree(collect, args->paths[i]);
		else
			pcinspect_collect_path(collect, args->paths[i],
					       PCINSPECT_IOC_SNAPSHOT);
	}
	pcinspect_collect_names(collect);
	collect->report->time_ns = pcinspect_now_ns();
	pcinspect_audit_report(collect->report, &collect->tally);
	pcinspect_losses_read(collect->report, collect->device);
	return pcinspect_collect_status(collect);
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

/* /dev/block/254:16 to /dev/vdb, where there is such a node. */
static char *device_node(const char *link)
{
	const char *number = strrchr(link, '/') + 1;
	char sys[64], target[PATH_MAX], *node;
	ssize_t n;

	snprintf(sys, sizeof(sys), "/sys/dev/block/%.20s", number);
	n = readlink(sys, target, sizeof(target) - 1);
	if (n < 0)
		return NULL;
	target[n] = '\0';
	if (asprintf(&node, "/dev/%s", strrchr(target, '/') + 1) < 0)
		err(1, "out of memory");
	if (!access(node, F_OK))
		return node;
	free(node);
	return NULL;
}

/* Where in our mount namespace a row's inode is; NULL if nowhere. */
static char *absolute_path(const struct pcinspect_collect *collect,
			   const struct pcinspect_snapshot *row)
{
	char path[PATH_MAX];

	if (!row_path(row, path))
		return NULL;
	if (row->flags & PCINSPECT_F_BLOCK_DEVICE)
		return device_node(path);
	return pcinspect_mounts_path(&collect->mounts, row->dev_major,
				     row->dev_minor, path);
}

/**
 * pcinspect_collect_names() - learn the paths of evictors
 * @collect: its report's files are there
 *
 * Costs a look at every record, so only where some evictor's path is unknown.
 */
void pcinspect_collect_names(struct pcinspect_collect *collect)
{
	struct pcinspect_report *report = collect->report;
	const struct pcinspect_snapshot *row;
	struct pcinspect_list list = {};
	bool wanted = false;
	void *rows;
	size_t i;
	int k;

	for (i = 0; i < report->nr_files; i++)
		for (k = 0; report->files[i].reads && k < PCINSPECT_NR_CULPRITS; k++)
			wanted |= report->files[i].reads->evictors[k].ino &&
				  !pcinspect_report_name(report,
					&report->files[i].reads->evictors[k]);
	if (!wanted || pcinspect_device_list(collect->device, PCINSPECT_IOC_LIST,
					     &list, &rows))
		return;
	for (row = rows; list.count--;
	     row = (const void *)((const char *)row + row->record_size)) {
		struct pcinspect_file *name;

		if (row->flags & PCINSPECT_F_GONE)
			continue;
		name = pcinspect_report_add_name(report);
		name->snap = *row;
		name->path = absolute_path(collect, row);
	}
	free(rows);
}

/**
 * pcinspect_collect_rows() - entries for the records of LIST or SCAN
 * @collect: the collection
 * @rows: records back to back
 * @count: how many
 *
 * Paths are made absolute in our mount namespace; an inode that no mount of
 * ours shows has none.
 *
 * Return: 0.
 */
int pcinspect_collect_rows(struct pcinspect_collect *collect, const void *rows,
			   unsigned int count)
{
	const struct pcinspect_snapshot *row = rows;
	struct pcinspect_file *file;

	for (; count--; row = (const void *)((const char *)row + row->record_size)) {
		if (row->flags & PCINSPECT_F_GONE) {
			file = pcinspect_report_add_gone(collect->report);
			file->snap = *row;
			continue;
		}
		file = pcinspect_report_add(collect->report, NULL);
		pcinspect_file_take(file, row);
		file->path = absolute_path(collect, row);
		pcinspect_memcg_name(file);
		collect->ok++;
	}
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
	pcinspect_mounts_free(&collect->mounts);
	free(collect->seen);
}
