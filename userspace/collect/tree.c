// SPDX-License-Identifier: GPL-2.0
/*
 * tree.c - every file below a directory, each inode once, by fts(3).
 *
 * What is no regular file is not opened, that could have side effects; nor is a
 * link followed, not even one that was put where a file was a moment ago.
 * Touches: changes directory while it descends.
 */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/collect.h"
#include "collect/device.h"
#include "collect/memcg.h"
#include "lib/complain.h"

/* An inode that was met, so that a descent reports it once. */
struct inode_id {
	uint64_t dev, ino;
};

static int compare_ids(const void *a, const void *b)
{
	return memcmp(a, b, sizeof(struct inode_id));
}

/*
 * True if the inode was met before: under another name, or in a directory that
 * was given twice. As stat(2) sees it, because subvolumes of a btrfs share s_dev.
 */
static bool met(struct collect *collect, const struct stat *st)
{
	struct inode_id **found, *one = malloc(sizeof(*one));

	if (one)
		*one = (struct inode_id){ st->st_dev, st->st_ino };
	found = one ? tsearch(one, &collect->seen, compare_ids) : NULL;
	if (!found)
		err(1, "out of memory");
	if (*found == one)
		return false;
	free(one);
	return true;
}

static void complain_open(struct collect *collect, const char *path, int error)
{
	complain(path, "%s", open_error_text(error));
	collect->failed++;
}

static void tree_file(struct collect *collect, const FTSENT *entry, const char *path)
{
	struct file *file;
	uint32_t refusal = 0;
	int fd;

	if (met(collect, entry->fts_statp))
		return;
	if (!entry->fts_level) {
		collect_path(collect, path, PCINSPECT_IOC_SNAPSHOT);
		return;
	}
	fd = collect_open_quietly(entry->fts_accpath, O_NOFOLLOW);
	if (fd < 0) {
		complain_open(collect, path, errno);
		return;
	}
	file = report_add(collect->report, path);
	if (collect_ask(collect, fd, PCINSPECT_IOC_SNAPSHOT, file, &refusal)) {
		complain(path, "%s", device_error_text(errno, refusal));
		report_drop_last(collect->report);
		collect->failed++;
	} else {
		memcg_name(file);
		collect->ok++;
	}
	close(fd);
}

/* Has another filesystem that nobody asked for begun: no files, or not here? */
static bool left_out(struct collect *collect, const FTSENT *entry, const char *path)
{
	struct libmnt_fs *mount;

	if (!entry->fts_level || entry->fts_dev == entry->fts_parent->fts_dev)
		return false;
	mount = mnt_table_find_target(collect->mounts, path, MNT_ITER_BACKWARD);
	if (mount && mnt_fs_is_netfs(mount))
		complain(path, "is on the network, and left out (name it to descend into it)");
	return mount && (mnt_fs_is_netfs(mount) || mnt_fs_match_fstype(mount, "proc,sysfs"));
}

/**
 * collect_tree() - one entry for every file below a path
 * @collect: the collection
 * @path: a directory, or a file for an entry of its own
 * @one_filesystem: do not go to another
 *
 * Symbolic links below @path are not followed; an inode has one entry, with an
 * absolute path, however often it is met.
 */
void collect_tree(struct collect *collect, const char *path, bool one_filesystem)
{
	char *start = strdup(path), *full = realpath(path, NULL), *name;
	size_t len = start ? strlen(start) : 0;
	FTSENT *entry;
	FTS *tree;

	while (len > 1 && start[len - 1] == '/')
		start[--len] = '\0';
	tree = start ? fts_open((char *[]){ start, NULL }, FTS_PHYSICAL | FTS_COMFOLLOW |
				(one_filesystem ? FTS_XDEV : 0), NULL) : NULL;
	if (!tree)
		err(1, "%s", path);
	while ((entry = fts_read(tree))) {
		const char *below = entry->fts_path + len;

		if (asprintf(&name, "%s%s", full && strcmp(full, "/") ? full :
			     full ? (*below == '/' ? "" : "/") : start, below) < 0)
			err(1, "out of memory");
		switch (entry->fts_info) {
		case FTS_D:
			if (left_out(collect, entry, name))
				fts_set(tree, entry, FTS_SKIP);
			break;
		case FTS_F:
			tree_file(collect, entry, name);
			break;
		case FTS_DEFAULT:
			/* Not below a directory: then it was not meant. */
			if (!entry->fts_level)
				tree_file(collect, entry, name);
			break;
		case FTS_DNR: case FTS_ERR: case FTS_NS:
			complain_open(collect, name, entry->fts_errno);
			break;
		}
		free(name);
	}
	fts_close(tree);
	free(full);
	free(start);
}
