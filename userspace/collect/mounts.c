// SPDX-License-Identifier: GPL-2.0
/*
 * mounts.c - /proc/self/mountinfo.
 *
 * Why not open or stat the mount point: that takes a reference to the mount
 * for a moment, and an unmount that comes just then fails with EBUSY. The
 * table says the same without touching the filesystem. Its major:minor is the
 * superblock's s_dev, which on btrfs stat(2) does not return.
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

#include "collect/mounts.h"
#include "lib/escape.h"

/**
 * pcinspect_mounts_read() - parse a mountinfo file
 * @mounts: filled in
 * @from: the file
 *
 * Lines that are not understood are passed over.
 *
 * Return: 0.
 */
int pcinspect_mounts_read(struct pcinspect_mounts *mounts, FILE *from)
{
	size_t size = 0, room = 0;
	char *line = NULL;

	memset(mounts, 0, sizeof(*mounts));
	while (getline(&line, &size, from) > 0) {
		struct pcinspect_mount *mount;
		char root[4097], point[4097], fs[65];
		unsigned int major, minor;
		const char *dash = strstr(line, " - ");

		if (!dash || sscanf(dash, " - %64s", fs) != 1 ||
		    sscanf(line, "%*d %*d %u:%u %4096s %4096s", &major, &minor,
			   root, point) != 4)
			continue;
		if (mounts->nr == room) {
			room = room ? room * 2 : 32;
			mounts->mounts = reallocarray(mounts->mounts, room,
						      sizeof(*mount));
			if (!mounts->mounts)
				err(1, "out of memory");
		}
		mount = &mounts->mounts[mounts->nr++];
		mount->major = major;
		mount->minor = minor;
		mount->root = pcinspect_unescape(root);
		mount->point = pcinspect_unescape(point);
		fs[strcspn(fs, ".")] = '\0';
		mount->fs = strdup(fs);
		if (!mount->fs)
			err(1, "out of memory");
	}
	free(line);
	return 0;
}

/**
 * pcinspect_mounts_load() - read our own mount table
 * @mounts: filled in
 *
 * Return: 0, or -1 if /proc is not mounted (@mounts is empty then).
 */
int pcinspect_mounts_load(struct pcinspect_mounts *mounts)
{
	FILE *from = fopen("/proc/self/mountinfo", "re");

	memset(mounts, 0, sizeof(*mounts));
	if (!from)
		return -1;
	pcinspect_mounts_read(mounts, from);
	fclose(from);
	return 0;
}

/**
 * pcinspect_mounts_free() - free a table
 * @mounts: which
 */
void pcinspect_mounts_free(struct pcinspect_mounts *mounts)
{
	size_t i;

	for (i = 0; i < mounts->nr; i++) {
		free(mounts->mounts[i].root);
		free(mounts->mounts[i].point);
		free(mounts->mounts[i].fs);
	}
	free(mounts->mounts);
	memset(mounts, 0, sizeof(*mounts));
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
 * pcinspect_mounts_path() - where a path of a filesystem is mounted
 * @mounts: the table
 * @major: of the filesystem
 * @minor: likewise
 * @path: within the filesystem, from its root
 *
 * Of several mounts the one that shows most of the filesystem is taken.
 *
 * Return: a new string, or NULL if no mount shows the path.
 */
char *pcinspect_mounts_path(const struct pcinspect_mounts *mounts,
			    unsigned int major, unsigned int minor,
			    const char *path)
{
	const struct pcinspect_mount *best = NULL;
	char *out;
	size_t i;

	for (i = 0; i < mounts->nr; i++) {
		const struct pcinspect_mount *mount = &mounts->mounts[i];

		if (mount->major != major || mount->minor != minor ||
		    !below(path, mount->root))
			continue;
		if (!best || strlen(mount->root) < strlen(best->root))
			best = mount;
	}
	if (!best)
		return NULL;
	path = below(path, best->root);
	if (asprintf(&out, "%s%s", strcmp(best->point, "/") ? best->point : "",
		     *path ? path : "") < 0)
		err(1, "out of memory");
	return out;
}

/**
 * pcinspect_mounts_at() - the mount on a directory
 * @mounts: the table
 * @point: the directory, absolute, as in the table
 *
 * Return: the topmost mount there, or NULL.
 */
const struct pcinspect_mount *
pcinspect_mounts_at(const struct pcinspect_mounts *mounts, const char *point)
{
	const struct pcinspect_mount *found = NULL;
	size_t i;

	for (i = 0; i < mounts->nr; i++)
		if (!strcmp(mounts->mounts[i].point, point))
			found = &mounts->mounts[i];
	return found;
}

/**
 * pcinspect_mounts_find() - the mount a user names
 * @mounts: all of them
 * @point: a mount point, perhaps relative or through links
 *
 * Return: the topmost mount there, or NULL.
 */
const struct pcinspect_mount *
pcinspect_mounts_find(const struct pcinspect_mounts *mounts, const char *point)
{
	const struct pcinspect_mount *mount = pcinspect_mounts_at(mounts, point);
	char *path;

	if (mount)
		return mount;
	path = realpath(point, NULL);
	if (path)
		mount = pcinspect_mounts_at(mounts, path);
	free(path);
	return mount;
}
