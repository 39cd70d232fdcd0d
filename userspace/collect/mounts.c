// SPDX-License-Identifier: GPL-2.0
/*
 * mounts.c - from a path within a filesystem to one in our namespace, by libmount.
 *
 * Why not open or stat the mount point: that takes a reference to the mount
 * for a moment, and an unmount that comes just then fails with EBUSY. The
 * table says the same without touching the filesystem. Its major:minor is the
 * superblock's s_dev, which on btrfs stat(2) does not return.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "collect/mounts.h"

/**
 * mounts_load() - read our own mount table
 *
 * Return: it, to be given to mnt_unref_table(); NULL, which is as good as an
 * empty one, if /proc is not mounted.
 */
struct libmnt_table *mounts_load(void)
{
	return mnt_new_table_from_file("/proc/self/mountinfo");
}

/* What is left of @path below @dir, or NULL if it is not below. */
static const char *below(const char *path, const char *dir)
{
	size_t len = strlen(dir);

	if (!strcmp(dir, "/"))
		return path;
	if (strncmp(path, dir, len) || (path[len] && path[len] != '/'))
		return NULL;
	return path + len;
}

/**
 * mounts_path() - where a path of a filesystem is mounted
 * @mounts: the table
 * @major: of the filesystem
 * @minor: likewise
 * @path: within the filesystem, from its root
 *
 * Of several mounts the one that shows most of the filesystem is taken.
 *
 * Return: a new string, or NULL if no mount shows the path.
 */
char *mounts_path(struct libmnt_table *mounts, unsigned int major,
		  unsigned int minor, const char *path)
{
	struct libmnt_iter *each = mnt_new_iter(MNT_ITER_FORWARD);
	struct libmnt_fs *mount, *best = NULL;
	char *out = NULL;

	if (!each)
		err(1, "out of memory");
	while (!mnt_table_next_fs(mounts, each, &mount))
		if (mnt_fs_get_devno(mount) == makedev(major, minor) &&
		    mnt_fs_get_root(mount) && below(path, mnt_fs_get_root(mount)) &&
		    (!best || strlen(mnt_fs_get_root(mount)) < strlen(mnt_fs_get_root(best))))
			best = mount;
	mnt_free_iter(each);
	if (best && asprintf(&out, "%s%s",
			     strcmp(mnt_fs_get_target(best), "/") ? mnt_fs_get_target(best) : "",
			     below(path, mnt_fs_get_root(best))) < 0)
		err(1, "out of memory");
	return out;
}

/**
 * mounts_find() - the mount a user names
 * @mounts: all of them
 * @point: a mount point, perhaps relative or through links
 *
 * Return: the topmost mount there, or NULL.
 */
struct libmnt_fs *mounts_find(struct libmnt_table *mounts, const char *point)
{
	struct libmnt_fs *mount = mnt_table_find_target(mounts, point, MNT_ITER_BACKWARD);
	char *path = mount ? NULL : realpath(point, NULL);

	if (path)
		mount = mnt_table_find_target(mounts, path, MNT_ITER_BACKWARD);
	free(path);
	return mount;
}

/**
 * mounts_one_device() - is all data of a filesystem on the device it is named by
 * @mounts: the table
 * @major: of the filesystem
 * @minor: likewise
 *
 * Return: false if xfs has a realtime device.
 */
bool mounts_one_device(struct libmnt_table *mounts, unsigned int major, unsigned int minor)
{
	struct libmnt_fs *mount = mnt_table_find_devno(mounts, makedev(major, minor),
						       MNT_ITER_BACKWARD);
	const char *options = mount ? mnt_fs_get_fs_options(mount) : NULL;

	return !options || !strstr(options, "rtdev=");
}
