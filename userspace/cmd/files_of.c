// SPDX-License-Identifier: GPL-2.0-only
/*
 * files_of.c - watch --pid and --cgroup: the files that a process has open or mapped, or those
 * of a cgroup that have most pages, as if they had been typed.
 *
 * Touches: reads /proc/PID/fd and map_files; walks LRU lists.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/files_from.h"
#include "cmd/files_of.h"
#include "collect/cgroups.h"
#include "collect/grow.h"
#include "collect/inodes.h"
#include "lib/alloc.h"
#include "lib/complain.h"

/* Which inode is it? What a server would have to say is not asked for. */
static bool identify(const char *path, struct statx *stx)
{
	return !statx(AT_FDCWD, path, AT_STATX_DONT_SYNC, STATX_TYPE | STATX_INO, stx) &&
	       S_ISREG(stx->stx_mode);
}

static bool leads_to(const char *path, const struct statx *to)
{
	struct statx stx;

	return identify(path, &stx) && stx.stx_ino == to->stx_ino &&
	       stx.stx_dev_major == to->stx_dev_major && stx.stx_dev_minor == to->stx_dev_minor;
}

/* A file by the name that its process has for it, seen from here. */
static void add_link(struct args *args, struct inode_set *seen, const char *link)
{
	char name[PATH_MAX], *inside;
	struct statx stx;
	ssize_t len = readlink(link, name, sizeof(name) - 1);

	if (len <= 0 || *name != '/' || args->what.nr_paths >= GROW_FILES || !identify(link, &stx) ||
	    !inode_set_add(seen, (uint64_t)stx.stx_dev_major << 32 | stx.stx_dev_minor,
			   stx.stx_ino))
		return;
	name[len] = '\0';
	/* Of another mount namespace. */
	inside = alloc_text("/proc/%s/root%s", args->pid, name);
	if (leads_to(name, &stx))
		files_from_add(args, name);
	else if (leads_to(inside, &stx))
		files_from_add(args, inside);
	free(inside);
}

/* Returns false if the folder cannot be read. */
static bool add_links(struct args *args, struct inode_set *seen, const char *folder)
{
	char *path = alloc_text("/proc/%s/%s", args->pid, folder), *link;
	DIR *dir = opendir(path);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		link = alloc_text("%s/%s", path, entry->d_name);
		add_link(args, seen, link);
		free(link);
	}
	free(path);
	return dir && !closedir(dir);
}

static bool add_process(struct args *args)
{
	struct inode_set seen = {};
	bool there = add_links(args, &seen, "fd");
	int error = errno;

	if (there)
		add_links(args, &seen, "map_files");
	else
		complain(NULL, "--pid %s: %s", args->pid, error == ENOENT ?
			 "no such process (see ps)" : open_error_text(error));
	inode_set_forget(&seen);
	return there;
}

static bool add_files_of_cgroup(struct args *args)
{
	struct cgroup cgroup = {};
	struct collect collect;
	struct report report;
	char full[PATH_MAX];
	size_t i, out = 0, more = 0;
	int fd, rc;

	if (!collect_start(&collect, &report))
		return false;
	rc = cgroups_walk(&collect, args->cgroup, &cgroup);
	if (rc) {
		fd = cgroups_open(args->cgroup, full, sizeof(full));
		if (fd < 0)
			complain(args->cgroup, "%s", open_error_text(errno));
		else
			cgroups_complain(args->cgroup, full, fd);
		if (fd >= 0)
			close(fd);
	}
	for (i = 0; i < cgroup.nr_files; i++) {
		const struct listed_file *file = &cgroup.files[i];

		if (!listed_opens(file))
			out++;
		else if (args->what.nr_paths < GROW_FILES)
			files_from_add(args, file->path);
		else
			more++;
	}
	if (!rc)
		cgroups_left_out(args->cgroup, out);
	if (more)
		complain(args->cgroup, "%zu files with fewer pages left out (a screen has room for %u)", more, GROW_FILES);
	cgroup_free(&cgroup);
	collect_free(&collect);
	return !rc;
}

/**
 * files_of() - add the files of --pid and --cgroup to the operands
 * @args: with them; its paths are new afterwards, for files_from_free()
 *
 * Complains by itself.
 *
 * Return: -1 to go on, else the exit status.
 */
int files_of(struct args *args)
{
	files_from_begin(args);
	if ((args->pid && !add_process(args)) || (args->cgroup && !add_files_of_cgroup(args)))
		return EXIT_FAILED;
	if (args->what.nr_paths)
		return -1;
	complain(NULL, "--%s %s: has no regular file %s", args->pid ? "pid" : "cgroup",
		 args->pid ?: args->cgroup, args->pid ? "open or mapped" : "in the page cache");
	return EXIT_FAILED;
}
