// SPDX-License-Identifier: GPL-2.0-only
/*
 * under.c - the disks that a filesystem is on: its block device, the disk of which that is a
 * partition, and the devices below it (dm, md). Touches: reads /sys/dev/block, and looks at
 * the device that a mount names.
 */
#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "collect/under.h"

/* The deepest stack of devices that is followed. */
#define STACK_MAX 8

/* The name of a disk without /dev/. */
static const char *short_name(const char *disk)
{
	return strncmp(disk, "/dev/", 5) ? disk : disk + 5;
}

/* Is there a block device of this name (vda, /dev/vda, /dev/mapper/x)? */
bool under_is_disk(const char *name)
{
	char path[PATH_MAX];
	struct stat st;

	if (*name == '/')
		return !stat(name, &st) && S_ISBLK(st.st_mode);
	snprintf(path, sizeof(path), "/sys/class/block/%.200s", name);
	return !strchr(name, '/') && !access(path, F_OK);
}

/* Is a device, by its directory in /sys, the disk, a part of it, or above it? */
static bool is_above(const char *sys, const char *disk, int depth)
{
	char real[PATH_MAX], slaves[PATH_MAX + 16];
	struct dirent *entry;
	bool found = false;
	char *slash;
	DIR *dir;

	if (depth > STACK_MAX || !realpath(sys, real))
		return false;
	slash = strrchr(real, '/');
	if (slash && !strcmp(slash + 1, disk))
		return true;
	snprintf(slaves, sizeof(slaves), "%s/partition", real);
	if (!access(slaves, F_OK)) {
		*slash = '\0';
		return is_above(real, disk, depth + 1);
	}
	snprintf(slaves, sizeof(slaves), "%s/slaves", real);
	dir = opendir(slaves);
	while (dir && !found && (entry = readdir(dir))) {
		char below[2 * PATH_MAX];

		if (*entry->d_name == '.')
			continue;
		snprintf(below, sizeof(below), "%s/%s", slaves, entry->d_name);
		found = is_above(below, disk, depth + 1);
	}
	if (dir)
		closedir(dir);
	return found;
}

/**
 * under_mount() - is a filesystem on a disk
 * @mount: of the filesystem
 * @disk: name, with or without /dev/
 *
 * Of a btrfs of several devices only the one that was mounted is known.
 */
bool under_mount(struct libmnt_fs *mount, const char *disk)
{
	const char *source = mnt_fs_get_srcpath(mount);
	dev_t dev = mnt_fs_get_devno(mount);
	char sys[64], name[PATH_MAX], *slash;
	struct stat st;

	if (!major(dev)) {
		if (!source || stat(source, &st) || !S_ISBLK(st.st_mode))
			return false;
		dev = st.st_rdev;
	}
	/* /dev/mapper/x, /dev/disk/by-id/x */
	if (*disk == '/' && realpath(disk, name)) {
		slash = strrchr(name, '/');
		disk = slash + 1;
	}
	snprintf(sys, sizeof(sys), "/sys/dev/block/%u:%u", major(dev), minor(dev));
	return is_above(sys, short_name(disk), 0);
}
