// SPDX-License-Identifier: GPL-2.0-only
/*
 * memcg.c - memory cgroups by name.
 *
 * A cgroup's number is the inode number of its directory, and cgroup
 * filesystems open it as a file handle of type FILEID_KERNFS
 * (include/linux/exportfs.h). One that is gone has no path and stays unknown.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/memcg.h"
#include "lib/alloc.h"
#include "lib/keyfile.h"

#define FILEID_KERNFS 0xfe

/* The hierarchies a memory controller can be on: v2, hybrid, v1. */
static const char *const roots[] = {
	MEMCG_ROOT, MEMCG_ROOT "/unified", MEMCG_ROOT "/memory",
};

static char *name_below(const char *root, uint64_t id)
{
	struct {
		struct file_handle handle;
		unsigned char bytes[sizeof(uint64_t)];
	} h = { .handle = { .handle_bytes = sizeof(uint64_t),
			    .handle_type = FILEID_KERNFS } };
	char link[64], path[PATH_MAX];
	size_t len = strlen(root);
	int dir, fd;
	ssize_t n;

	dir = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (dir < 0)
		return NULL;
	memcpy(h.handle.f_handle, &id, sizeof(id));
	fd = open_by_handle_at(dir, &h.handle, O_PATH | O_CLOEXEC);
	close(dir);
	if (fd < 0)
		return NULL;
	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, sizeof(path) - 1);
	close(fd);
	if (n < 0)
		return NULL;
	path[n] = '\0';
	if (strncmp(path, root, len))
		return NULL;
	return alloc_copy(path[len] ? path + len : "/");
}

/**
 * memcg_path() - the path of a cgroup
 * @id: its number
 *
 * Return: within its hierarchy, a new string; NULL if it is gone.
 */
char *memcg_path(uint64_t id)
{
	char *path = NULL;
	size_t r;

	for (r = 0; !path && r < sizeof(roots) / sizeof(*roots); r++)
		path = name_below(roots[r], id);
	return path;
}

/**
 * memcg_name() - find the paths of a file's memory cgroups
 * @file: whose memcg_paths are filled in, NULL where unknown
 *
 * The last answers are remembered: most files share a few cgroups.
 */
void memcg_name(struct file *file)
{
	static struct {
		uint64_t id;
		char *path;
	} seen[16];
	static unsigned int next;
	size_t i, k;

	for (i = 0; i < PCINSPECT_NR_MEMCGS; i++) {
		uint64_t id = file->snap.memcgs[i].id;
		char *path = NULL;

		free(file->memcg_paths[i]);
		file->memcg_paths[i] = NULL;
		if (!id)
			continue;
		for (k = 0; k < 16 && seen[k].id != id; k++)
			;
		if (k == 16) {
			path = memcg_path(id);
			k = next++ % 16;
			free(seen[k].path);
			seen[k].id = id;
			seen[k].path = path;
		}
		if (seen[k].path)
			file->memcg_paths[i] = alloc_copy(seen[k].path);
	}
}

/**
 * memcg_of_process() - the cgroup (v2) of a process
 * @pid: of it, as in /proc
 * @v1: set to whether its memory is charged to a cgroup of v1; or NULL
 *
 * Return: the path within our cgroup namespace, a new string; NULL with errno set if there
 *	is no such process, and with errno 0 if it has none.
 */
char *memcg_of_process(const char *pid, bool *v1)
{
	struct keyfile file;
	char *path = NULL, *at;

	if (v1)
		*v1 = false;
	if (!keyfile_open(&file, "/proc/%.32s/cgroup", pid))
		return NULL;
	while (keyfile_line(&file)) {
		at = strchr(file.line, ':');
		if (at && !strncmp(at, "::/", 3) && !path)
			path = alloc_copy(at + 2);
		else if (at && v1 && !strncmp(at, ":memory:", 8))
			*v1 = true;
	}
	keyfile_close(&file);
	errno = 0;
	return path;
}
