// SPDX-License-Identifier: GPL-2.0-only
/*
 * mounts.c - from a path within a filesystem to one in our namespace, by libmount.
 *
 * Why not open or stat the mount point: that takes a reference to the mount
 * for a moment, and an unmount that comes just then fails with EBUSY. The
 * table says the same without touching the filesystem. Its major:minor is the
 * superblock's s_dev, which on btrfs stat(2) does not return.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "collect/mounts.h"
#include "lib/alloc.h"
#include "lib/complain.h"

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

/* The rest of @path below @dir, or NULL if it is not below. */
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
	struct libmnt_iter *each = alloc_got(mnt_new_iter(MNT_ITER_FORWARD));
	struct libmnt_fs *mount, *best = NULL;

	while (!mnt_table_next_fs(mounts, each, &mount))
		if (mnt_fs_get_devno(mount) == makedev(major, minor) &&
		    mnt_fs_get_root(mount) && below(path, mnt_fs_get_root(mount)) &&
		    (!best || strlen(mnt_fs_get_root(mount)) < strlen(mnt_fs_get_root(best))))
			best = mount;
	mnt_free_iter(each);
	return best ? alloc_text("%s%s",
				 strcmp(mnt_fs_get_target(best), "/") ? mnt_fs_get_target(best) : "",
				 below(path, mnt_fs_get_root(best))) :
		      NULL;
}

/**
 * mounts_show() - does a path lead into a filesystem here?
 * @mounts: the table
 * @major: of the filesystem
 * @minor: likewise
 * @path: as of mounts_path(): without links
 *
 * Not if another mount is over it. Nothing is opened or looked up: its server may be dead.
 */
bool mounts_show(struct libmnt_table *mounts, unsigned int major, unsigned int minor,
		 const char *path)
{
	struct libmnt_fs *mount = NULL;
	char *at = alloc_copy(path);
	size_t len = strlen(path);

	while (*at == '/' && !mount) {
		mount = mnt_table_find_target(mounts, at, MNT_ITER_BACKWARD);
		if (len <= 1)
			break;
		while (len > 1 && at[--len] != '/')
			;
		at[len ?: 1] = '\0';
	}
	free(at);
	return mount && mnt_fs_get_devno(mount) == makedev(major, minor);
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
 * mounts_around() - the mount that a path is on
 * @mounts: all of them
 * @path: a mount point, or anything below one
 *
 * Return: the topmost mount there, or NULL: there is no such path.
 */
struct libmnt_fs *mounts_around(struct libmnt_table *mounts, const char *path)
{
	struct libmnt_fs *mount = mounts_find(mounts, path);
	char *full = mount ? NULL : realpath(path, NULL), *slash;

	while (full && !mount && (slash = strrchr(full, '/'))) {
		*slash = '\0';
		mount = mnt_table_find_target(mounts, *full ? full : "/", MNT_ITER_BACKWARD);
	}
	free(full);
	return mount;
}

/* One more word of a list, unless it has it; a new string. */
static char *with_word(char *list, const char *word)
{
	const char *at = list;
	char *out;

	for (; at && (at = strstr(at, word)); at++)
		if ((at == list || at[-1] == ' ') && strchr(" ", at[strlen(word)]))
			return list;
	out = alloc_text("%s%s%s", list ?: "", list ? " " : "", word);
	free(list);
	return out;
}

/**
 * mounts_layers() - what an overlayfs is made of
 * @mounts: all of them
 * @overlay: the mount
 *
 * Return: the mount points of its layers, of one that is not to be seen from here its
 * directory; a new string, or NULL.
 */
char *mounts_layers(struct libmnt_table *mounts, struct libmnt_fs *overlay)
{
	const char *options = mnt_fs_get_fs_options(overlay), *at = options;
	char *list = NULL, *layers, *layer, *rest, *next;
	struct libmnt_fs *mount;

	/* lowerdir=A:B, lowerdir+=A (6.8), datadir+=A, upperdir=A */
	while (at && *at) {
		size_t len = strcspn(at, ",");

		layers = alloc_first(at, len);
		at += len + (at[len] == ',');
		rest = layers ? strchr(layers, '=') : NULL;
		if (rest && (!strncmp(layers, "lowerdir", 8) || !strncmp(layers, "upperdir", 8) ||
			     !strncmp(layers, "datadir", 7))) {
			for (layer = strtok_r(rest + 1, ":", &next); layer;
			     layer = strtok_r(NULL, ":", &next)) {
				mount = mounts_around(mounts, layer);
				list = with_word(list, mount && mount != overlay ?
						 mnt_fs_get_target(mount) : layer);
			}
		}
		free(layers);
	}
	return list;
}

/**
 * mounts_named() - the filesystem that a user means
 * @mounts: all of them
 * @path: its mount point, or anything on it
 *
 * Complains by itself; also where it is more than what was named.
 *
 * Return: the mount, or NULL.
 */
struct libmnt_fs *mounts_named(struct libmnt_table *mounts, const char *path)
{
	struct libmnt_fs *mount = mounts_around(mounts, path);
	char *layers;

	if (!mount) {
		complain(path, "%s", errno == ENOENT ?
			 "no such mount point, file or directory (see findmnt)" :
			 "its mount point cannot be found (see findmnt)");
		return NULL;
	}
	if (mnt_fs_match_fstype(mount, "overlay")) {
		layers = mounts_layers(mounts, mount);
		complain(mnt_fs_get_target(mount), "is an overlayfs: its pages are those of the filesystems below (name one of them%s%s)",
			 layers ? ": " : "", layers ?: "");
		free(layers);
		return NULL;
	}
	if (!mounts_find(mounts, path))
		complain(path, "is no mount point: all of %s is looked at, which it is on",
			 mnt_fs_get_target(mount));
	return mount;
}

/* Is a filesystem mounted here, wherever? */
bool mounts_have(struct libmnt_table *mounts, unsigned int major, unsigned int minor)
{
	return mnt_table_find_devno(mounts, makedev(major, minor), MNT_ITER_BACKWARD);
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
