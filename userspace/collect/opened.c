// SPDX-License-Identifier: GPL-2.0-only
/*
 * opened.c - the open files of a process, without asking their filesystems.
 *
 * Why not stat(2) of /proc/PID/fd: that asks the filesystem, and of one whose server is
 * dead (NFS, FUSE) there is no answer. The kernel itself has these: the link's
 * text, the number and the mount in fdinfo, and the mount's superblock in mountinfo. A
 * file on a mount that its process does not see (unmounted meanwhile, handed over from
 * another namespace) is left out.
 *
 * Touches: reads /proc/PID/fd, fdinfo and mountinfo.
 */
#include <dirent.h>
#include <libmount.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "collect/opened.h"
#include "lib/alloc.h"
#include "lib/keyfile.h"

static int compare_mounts(const void *a, const void *b)
{
	const struct opened_mount *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

/* Of two that are one, ours comes first. */
static int compare_all(const void *a, const void *b)
{
	const struct opened_mount *x = a, *y = b;

	return compare_mounts(a, b) ?: (int)y->ours - (int)x->ours;
}

static const struct opened_mount *find_mount(const struct opened_mounts *mounts, unsigned int id)
{
	const struct opened_mount key = { .id = id };

	return mounts->nr ? bsearch(&key, mounts->list, mounts->nr, sizeof(key), compare_mounts) :
			    NULL;
}

/* Numbers are of all namespaces: what one process sees is good for others. */
static void add_mounts(struct opened_mounts *mounts, const char *pid, bool ours)
{
	struct libmnt_iter *each = alloc_got(mnt_new_iter(MNT_ITER_FORWARD));
	size_t was = mounts->nr, i, nr = 0;
	struct libmnt_table *table;
	struct libmnt_fs *fs;
	char path[64];

	snprintf(path, sizeof(path), "/proc/%.32s/mountinfo", pid);
	table = mnt_new_table_from_file(path);
	while (table && !mnt_table_next_fs(table, each, &fs)) {
		const char *type = mnt_fs_get_fstype(fs);

		mounts->list = alloc_array(mounts->list, mounts->nr + 1, sizeof(*mounts->list));
		mounts->list[mounts->nr++] = (struct opened_mount){
			.id = mnt_fs_get_id(fs), .major = major(mnt_fs_get_devno(fs)),
			.minor = minor(mnt_fs_get_devno(fs)), .ours = ours,
			.subvolumes = type && !strcmp(type, "btrfs"),
		};
	}
	mnt_free_iter(each);
	mnt_unref_table(table);
	if (mounts->nr == was)
		return;
	qsort(mounts->list, mounts->nr, sizeof(*mounts->list), compare_all);
	for (i = 0; i < mounts->nr; i++)
		if (!i || compare_mounts(&mounts->list[i - 1], &mounts->list[i]))
			mounts->list[nr++] = mounts->list[i];
	mounts->nr = nr;
}

/* The first lines of fdinfo; kernels before 5.14 lack the inode's number. */
static bool read_info(const char *pid, const char *fd, unsigned int *mount, uint64_t *ino)
{
	bool mount_known = false, ino_known = false;
	struct keyfile file;
	int i;

	keyfile_open(&file, "/proc/%.32s/fdinfo/%.16s", pid, fd);
	for (i = 0; i < 4 && keyfile_next(&file); i++) {
		if (!strcmp(file.key, "mnt_id")) {
			mount_known = true;
			*mount = file.value;
		} else if (!strcmp(file.key, "ino")) {
			ino_known = true;
			*ino = file.value;
		}
	}
	keyfile_close(&file);
	return mount_known && ino_known;
}

/*
 * Where a descriptor leads, as text, PATH_MAX; false: to no file that has, or had, a name,
 * or to one with a longer name.
 */
static bool read_name(const char *pid, const char *fd, char *text, bool *deleted)
{
	static const char gone[] = " (deleted)";
	char path[96];
	ssize_t len;

	snprintf(path, sizeof(path), "/proc/%.32s/fd/%.16s", pid, fd);
	len = readlink(path, text, PATH_MAX - 1);
	if (len <= 0 || *text != '/')
		return false;
	text[len] = '\0';
	*deleted = len > (ssize_t)strlen(gone) &&
		   !memcmp(text + len - strlen(gone), gone, strlen(gone));
	return true;
}

/* Know our own mounts first. */
void opened_ours(struct opened_mounts *mounts)
{
	add_mounts(mounts, "self", true);
}

/**
 * opened_each() - all files that a process has open
 * @mounts: known so far; what is missing is read
 * @pid: of the process, as in /proc
 * @call: called for each, until it says that it is enough
 * @arg: for it
 */
void opened_each(struct opened_mounts *mounts, const char *pid, opened_call call, void *arg)
{
	bool more = true, read = false;
	struct dirent *entry;
	struct opened_file file;
	unsigned int mount = 0;
	char path[64], text[PATH_MAX];
	DIR *fds;

	file.path = text;
	snprintf(path, sizeof(path), "/proc/%.32s/fd", pid);
	fds = opendir(path);
	while (fds && more && (entry = readdir(fds))) {
		if (*entry->d_name == '.' || !read_name(pid, entry->d_name, text, &file.deleted) ||
		    !read_info(pid, entry->d_name, &mount, &file.ino))
			continue;
		file.mount = find_mount(mounts, mount);
		if (!file.mount && !read) {
			add_mounts(mounts, pid, false);
			file.mount = find_mount(mounts, mount);
			read = true;
		}
		file.fd = strtol(entry->d_name, NULL, 10);
		if (file.mount)
			more = call(&file, arg);
	}
	if (fds)
		closedir(fds);
}

/* Free what it holds. */
void opened_forget(struct opened_mounts *mounts)
{
	free(mounts->list);
	*mounts = (struct opened_mounts){};
}
