// SPDX-License-Identifier: GPL-2.0
/*
 * tree.c - every file below a directory, each inode once.
 *
 * What is no regular file is not opened: that could have side effects.
 */
#include <dirent.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/collect.h"
#include "collect/device.h"
#include "collect/memcg.h"
#include "lib/complain.h"

/* An inode that was met, so that a descent reports it once. */
struct pcinspect_inode {
	uint64_t dev, ino;
};

static int compare_seen(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct pcinspect_inode));
}

/*
 * True if the inode was met before: under another name, or in a directory that
 * was given twice. As stat(2) sees it, because subvolumes of a btrfs share s_dev.
 */
static bool met(struct pcinspect_collect *collect, int fd)
{
	struct pcinspect_inode **found, *one;
	struct stat st;

	if (fstat(fd, &st))
		return false;
	one = malloc(sizeof(*one));
	if (!one)
		err(1, "out of memory");
	*one = (struct pcinspect_inode){ st.st_dev, st.st_ino };
	found = tsearch(one, &collect->seen, compare_seen);
	if (!found)
		err(1, "out of memory");
	if (*found == one)
		return false;
	free(one);
	return true;
}

static void tree_file(struct pcinspect_collect *collect, int dir,
		      const char *name, const char *path)
{
	struct pcinspect_file *file;
	uint32_t refusal = 0;
	int fd = pcinspect_open_quietly(dir, name);

	if (fd < 0) {
		pcinspect_complain(path, "%s", pcinspect_open_why(errno));
		collect->failed++;
		return;
	}
	if (met(collect, fd)) {
		close(fd);
		return;
	}
	file = pcinspect_report_add(collect->report, path);
	if (pcinspect_collect_ask(collect, fd, PCINSPECT_IOC_SNAPSHOT, file, &refusal)) {
		pcinspect_complain(path, "%s", pcinspect_device_why(errno, refusal));
		pcinspect_report_drop_last(collect->report);
		collect->failed++;
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
		pcinspect_complain(path, "%s", pcinspect_open_why(errno));
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
				pcinspect_complain(below, "%s", pcinspect_open_why(errno));
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
 * Symbolic links below @path are not followed; an inode has one entry, with an
 * absolute path, however often it is met.
 */
void pcinspect_collect_tree(struct pcinspect_collect *collect, const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	bool file = fd < 0 && errno == ENOTDIR;
	char *full;

	if (fd < 0 && !file) {
		pcinspect_complain(path, "%s", pcinspect_open_why(errno));
		collect->failed++;
		return;
	}
	full = realpath(path, NULL);
	if (!file) {
		tree(collect, fd, full ?: path);
	} else {
		/* Another look at it, for whether it was met. */
		fd = open(path, O_PATH | O_CLOEXEC);
		if (fd < 0 || !met(collect, fd))
			pcinspect_collect_path(collect, full ?: path,
					       PCINSPECT_IOC_SNAPSHOT);
		if (fd >= 0)
			close(fd);
	}
	free(full);
}
