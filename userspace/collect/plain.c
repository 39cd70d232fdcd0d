// SPDX-License-Identifier: GPL-2.0-only
/*
 * plain.c - the kernel's numbers without the module, in the form of the module's own
 * answers: of a file fstat(2), cachestat(2) and mincore(2); of cgroups memory.stat. All else is
 * unknown.
 *
 * Touches: what residency.c does; reads mountinfo and the cgroup hierarchy.
 */
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "collect/audit.h"
#include "collect/plain.h"
#include "collect/residency.h"
#include "lib/clock.h"
#include "lib/keyfile.h"

/* Is MGLRU switched on? */
bool plain_lru_gen(void)
{
	struct keyfile file;
	bool on;

	keyfile_open(&file, "/sys/kernel/mm/lru_gen/enabled");
	on = keyfile_line(&file) && strtoul(file.line, NULL, 16) & 1;
	keyfile_close(&file);
	return on;
}

static void know(struct file *file, enum pcinspect_number number, uint64_t value)
{
	file->snap.known[number / 64] |= 1ULL << number % 64;
	file->snap.numbers[number] = value;
}

/* The mount of an open file; NULL: it is not one of ours. */
static struct libmnt_fs *mount_of(struct libmnt_table *mounts, int fd)
{
	struct libmnt_iter *each = mnt_new_iter(MNT_ITER_BACKWARD);
	struct libmnt_fs *fs, *found = NULL;
	struct statx stx;

	if (!statx(fd, "", AT_EMPTY_PATH, STATX_MNT_ID, &stx) && stx.stx_mask & STATX_MNT_ID)
		while (each && !found && !mnt_table_next_fs(mounts, each, &fs))
			if ((uint64_t)mnt_fs_get_id(fs) == stx.stx_mnt_id)
				found = fs;
	mnt_free_iter(each);
	return found;
}

/**
 * plain_file() - what the kernel says of an open file
 * @mounts: the mount table
 * @fd: the file
 * @file: filled in
 *
 * Of an overlayfs mincore(2) counts the pages of the file below, which is not seen.
 *
 * Return: 0, or -1 with errno set.
 */
int plain_file(struct libmnt_table *mounts, int fd, struct file *file)
{
	struct libmnt_fs *mount = mount_of(mounts, fd);
	const char *fs = mount ? mnt_fs_get_fstype(mount) : NULL;
	struct pcinspect_snapshot *snap = &file->snap;
	struct saved_file id = { .generation = -1 };
	struct audit_cachestat counted;
	dev_t dev;
	struct stat st;

	if (fstat(fd, &st) || residency_identify(fd, &id))
		return -1;
	/* Of a btrfs st_dev is the subvolume's. */
	dev = mount ? mnt_fs_get_devno(mount) : st.st_dev;
	*snap = (struct pcinspect_snapshot){
		.dev_major = major(dev), .dev_minor = minor(dev), .ino = st.st_ino,
		.i_generation = id.generation < 0 ? 0 : id.generation, .mode = st.st_mode,
		.nlink = st.st_nlink, .size_bytes = st.st_size, .time_ns = clock_now_ns(),
		.flags = st.st_nlink ? 0 : PCINSPECT_F_DELETED,
	};
	file->plain = true;
	if (fs && !strcmp(fs, "overlay"))
		snap->dev_major = snap->dev_minor = snap->ino = snap->i_generation = 0;
	else
		strncpy(snap->fs, fs ?: "", sizeof(snap->fs) - 1);
	if (mount && !audit_cachestat(fd, &counted)) {
		know(file, PCINSPECT_CACHED, counted.nr_cache);
		/* Files made of memory are neither written back nor evicted. */
		if (mnt_fs_match_fstype(mount, "tmpfs,ramfs,devtmpfs"))
			return 0;
		know(file, PCINSPECT_DIRTY, counted.nr_dirty);
		know(file, PCINSPECT_WRITEBACK, counted.nr_writeback);
		know(file, PCINSPECT_EVICTED, counted.nr_evicted);
		return 0;
	}
	if (residency_mincore(fd, st.st_size, &id.ranges))
		return -1;
	know(file, PCINSPECT_CACHED, ranges_pages(&id.ranges, RANGE_ANY_LIST));
	ranges_free(&id.ranges);
	return 0;
}

/* Where in the answer the cgroup of an entry is, one more; 0: nowhere. */
static size_t *place(FTSENT *entry)
{
	return (size_t *)&entry->fts_number;
}

static void move(uint64_t pages, __u64 *to, __u64 *from)
{
	*to = pages;
	if (from)
		*from -= pages < *from ? pages : *from;
}

/*
 * One cgroup. The kernel's counts include all cgroups below it; the module's are its own,
 * and so are ours: the counts of those below are subtracted.
 */
static void read_cgroup(FTSENT *entry, struct pcinspect_lists *lists,
			struct pcinspect_list_cgroup *cgroups, uint64_t page)
{
	static const char *const keys[PCINSPECT_NR_LISTS + 1] = {
		[PCINSPECT_LIST_ACTIVE] = "active_file",
		[PCINSPECT_LIST_INACTIVE] = "inactive_file",
		[PCINSPECT_NR_LISTS] = "unevictable",
	};
	struct pcinspect_list_cgroup *to = &cgroups[lists->nr_cgroups], *above = NULL;
	size_t *up = entry->fts_level > FTS_ROOTLEVEL ? place(entry->fts_parent) : NULL;
	struct keyfile stat;
	int i;

	*to = (struct pcinspect_list_cgroup){ .id = entry->fts_statp->st_ino };
	if (up && *up)
		above = &cgroups[*up - 1];
	if (above)
		to->parent = above->id;
	if (!keyfile_open(&stat, "%s/memory.stat", entry->fts_path))
		return;
	while (keyfile_next(&stat)) {
		for (i = 0; i <= PCINSPECT_NR_LISTS && strcmp(stat.key, keys[i]); i++)
			;
		if (i < PCINSPECT_NR_LISTS)
			move(stat.value / page, &to->counted_pages[i],
			     above ? &above->counted_pages[i] : NULL);
		else if (i == PCINSPECT_NR_LISTS)
			move(stat.value / page, &to->unevictable_pages,
			     above ? &above->unevictable_pages : NULL);
	}
	keyfile_close(&stat);
	*place(entry) = ++lists->nr_cgroups;
}

/**
 * plain_cgroups() - the pages of cgroups (v2), by memory.stat
 * @fd: an open directory of a cgroup, it and all below it; -1: all there are
 * @lists: its nr_cgroups is set; no file is
 * @cgroups: filled in, parents before children
 * @room: for so many
 *
 * Return: 0, or -1 with errno set: EOPNOTSUPP: there is no memory.stat.
 */
int plain_cgroups(int fd, struct pcinspect_lists *lists, struct pcinspect_list_cgroup *cgroups,
		  size_t room)
{
	char name[40], *path;
	FTSENT *entry;
	FTS *tree;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	path = realpath(fd < 0 ? MEMCG_ROOT : name, NULL);
	tree = path ? fts_open((char *[]){ path, NULL }, FTS_PHYSICAL | FTS_NOCHDIR, NULL) : NULL;
	lists->nr_cgroups = 0;
	lists->time_ns = clock_now_ns();
	while (tree && lists->nr_cgroups < room && (entry = fts_read(tree))) {
		if (entry->fts_info == FTS_D)
			read_cgroup(entry, lists, cgroups, sysconf(_SC_PAGESIZE));
	}
	if (tree)
		fts_close(tree);
	free(path);
	errno = EOPNOTSUPP;
	return lists->nr_cgroups ? 0 : -1;
}
