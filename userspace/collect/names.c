// SPDX-License-Identifier: GPL-2.0-only
/*
 * names.c - the inode that a watched name leads to, as tail -F follows it.
 *
 * A log is renamed and a new one made in its place; a write-ahead log is replaced.
 * The entry of a name goes to the new inode, and the old one, as long as it lives,
 * gets an entry of its own, which says where it is now.
 *
 * Why not look at each name each time: a look takes a reference to its mount for a
 * moment, and an unmount that comes just then fails. The module says with every
 * answer where the inode is, so names are looked at when that changes, when the
 * inode has no name, or several, or is gone, when mounts change, and where a link is
 * in the way.
 *
 * Touches: opens what the names lead to, for a question; reads mountinfo.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "collect/device.h"
#include "collect/memcg.h"
#include "collect/names.h"
#include "lib/alloc.h"
#include "lib/complain.h"

/* Begin to follow names. Entries are made known by names_new(). */
void names_start(struct follow *follow)
{
	follow->mounts = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
	follow->moved = -1;
}

static struct follow_name *follow_name_of(struct follow *follow, size_t i)
{
	size_t room = follow->collect->report->room;

	if (i >= follow->room) {
		follow->names = alloc_array(follow->names, room, sizeof(*follow->names));
		memset(follow->names + follow->room, 0,
		       (room - follow->room) * sizeof(*follow->names));
		follow->room = room;
	}
	return &follow->names[i];
}

/* Is the path one without links, as far as can be seen? */
static bool straight(const char *path)
{
	char *real = realpath(path, NULL), *here = NULL, *whole = NULL;
	bool same;

	if (*path != '/') {
		here = getcwd(NULL, 0);
		if (here && asprintf(&whole, "%s/%s", here, path) < 0)
			whole = NULL;
	}
	same = real && !strcmp(real, *path == '/' ? path : whole ?: "");
	free(real);
	free(here);
	free(whole);
	return same;
}

/**
 * names_new() - an entry was added, or has a new inode
 * @follow: them
 * @i: its index
 */
void names_new(struct follow *follow, size_t i)
{
	const struct file *file = &follow->collect->report->files[i];
	struct follow_name *name = follow_name_of(follow, i);

	free(name->place);
	memset(name, 0, sizeof(*name));
	name->linked = !straight(file->path);
}

/* Have mounts changed since the last time? The table of them is read again then. */
bool names_remounted(struct follow *follow)
{
	struct pollfd changes = { .fd = follow->mounts, .events = POLLPRI };

	if (follow->mounts < 0 || poll(&changes, 1, 0) <= 0 ||
	    !(changes.revents & (POLLPRI | POLLERR)))
		return false;
	mnt_unref_table(follow->collect->mounts);
	follow->collect->mounts = mounts_load();
	return true;
}

/* Which inode a file is of, and nothing more; nobody is tracked by that. */
static bool ask_inode(const struct follow *follow, int fd, struct pcinspect_snapshot *snap)
{
	struct pcinspect_query query = {
		.size = sizeof(query), .fd = fd,
		.buffer = (uintptr_t)snap, .buffer_size = sizeof(*snap),
	};

	return !ioctl(follow->collect->device, PCINSPECT_IOC_SNAPSHOT, &query);
}

/* An entry for the inode that has lost its name: one that is free, or a new one. */
static size_t entry_for(struct follow *follow)
{
	struct report *report = follow->collect->report;
	size_t i, parted = 0, first = report->nr_files;

	for (i = 0; i < report->nr_files; i++) {
		if (!follow_name_of(follow, i)->lost)
			continue;
		if (report->files[i].gone)
			break;
		if (!parted++)
			first = i;
	}
	if (i == report->nr_files && parted == FOLLOW_PARTED)
		i = first;
	if (i == report->nr_files) {
		report_add(report, NULL);
		follow_name_of(follow, i);
		return i;
	}
	if (!report->files[i].gone)
		collect_drop(follow->collect, report->files[i].snap.id);
	file_free(&report->files[i]);
	return i;
}

/* The name leads to another inode: which becomes what its entry is of. */
static enum followed replace(struct follow *follow, size_t i, int fd, enum followed so_far)
{
	struct report *report = follow->collect->report;
	struct file now = { .page_size = report->files[i].page_size };
	struct follow_name *name;
	uint32_t refusal = 0;
	struct file *file;
	size_t old;

	if (collect_ask(follow->collect, fd, PCINSPECT_IOC_HOLD, &now, &refusal)) {
		if (!follow->names[i].refused)
			complain(report->files[i].path, "is another file now, which cannot be tracked: %s",
				 device_error_text(errno, refusal));
		follow->names[i].refused = true;
		file_free(&now);
		return so_far;
	}
	memcg_name(&now);
	now.path = alloc_copy(report->files[i].path);
	now.replaced = report->files[i].replaced + 1;
	now.replaced_ino = report->files[i].snap.ino;
	if (!report->files[i].gone) {
		old = entry_for(follow);
		report->files[old] = report->files[i];
		name = follow_name_of(follow, old);
		free(name->place);
		*name = follow->names[i];
		name->lost = true;
		follow->names[i].place = NULL;
		follow->moved = old;
	} else {
		file_free(&report->files[i]);
	}
	file = &report->files[i];
	*file = now;
	names_new(follow, i);
	return FOLLOWED_MOVED;
}

/* It is elsewhere in its filesystem: where would we find it? */
static void note_place(struct follow *follow, size_t i, const char *place)
{
	struct file *file = &follow->collect->report->files[i];

	free(file->renamed);
	file->renamed =
		mounts_path(follow->collect->mounts, file->snap.dev_major, file->snap.dev_minor, place) ?:
			alloc_copy(place);
}

/**
 * names_look() - does the name of a file still lead to it
 * @follow: them
 * @i: index of the file, which was just asked about or is gone
 * @place: where in its filesystem it said that it is; empty: it did not say
 * @so_far: what became of it otherwise
 *
 * Return: @so_far, or FOLLOWED_MOVED: the name leads to another inode, the file's
 * entry is of that one now, and @follow->moved is where the old one is.
 */
enum followed names_look(struct follow *follow, size_t i, const char *place,
			 enum followed so_far)
{
	struct follow_name *name = follow_name_of(follow, i);
	struct file *file = &follow->collect->report->files[i];
	bool moved = *place && name->place && strcmp(place, name->place);
	struct pcinspect_snapshot snap;
	int fd;

	follow->moved = -1;
	/* No name of a block device is worth it, and an overlay's is opened each time. */
	if (file->snap.flags & PCINSPECT_F_BLOCK_DEVICE ||
	    (file->snap.flags & PCINSPECT_F_REAL_INODE && !file->gone))
		return so_far;
	if (*place && (moved || !name->place)) {
		free(name->place);
		name->place = alloc_copy(place);
	}
	if (moved && (name->lost || name->parted))
		note_place(follow, i, place);
	if (name->lost || !(moved || file->gone || name->parted || name->linked ||
			    file->snap.nlink > 1 || file->snap.flags & PCINSPECT_F_DELETED))
		return so_far;
	fd = collect_open_inode(file->path, 0);
	if (fd < 0) {
		/* Not there now; perhaps in a moment. */
		if (moved)
			note_place(follow, i, place);
		name->parted = true;
		return so_far;
	}
	if (ask_inode(follow, fd, &snap)) {
		if (snapshot_compare(&snap, &file->snap)) {
			if (moved)
				note_place(follow, i, place);
			so_far = replace(follow, i, fd, so_far);
		} else {
			/* One that is gone was untracked, by somebody who meant it. */
			name->parted = false;
			name->linked = !straight(file->path);
			free(file->renamed);
			file->renamed = NULL;
		}
	}
	close(fd);
	return so_far;
}

/* Forget the names. */
void names_stop(struct follow *follow)
{
	size_t i;

	for (i = 0; i < follow->room; i++)
		free(follow->names[i].place);
	free(follow->names);
	follow->names = NULL;
	follow->room = 0;
	if (follow->mounts > 0)
		close(follow->mounts);
	follow->mounts = -1;
}
