// SPDX-License-Identifier: GPL-2.0-only
/*
 * tree.c - every file below a directory, each inode once, by fts(3).
 *
 * Only regular files are opened, as others could have side effects, and a regular
 * file only where its place (O_PATH) is not enough to ask about it; nor is a link
 * followed, not even one that was put where a file was a moment ago: what is opened is
 * what stands at that place. fts goes into no directory but the one it has looked at.
 * Touches: changes directory while it descends.
 */
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collect/collect.h"
#include "collect/device.h"
#include "collect/memcg.h"
#include "lib/alloc.h"
#include "lib/complain.h"

/*
 * True if the inode was met before: under another name, or in a directory that
 * was given twice. As stat(2) sees it, because subvolumes of a btrfs share s_dev.
 */
static bool seen_before(struct collect *collect, const struct stat *st)
{
	return !inode_set_add(&collect->seen, st->st_dev, st->st_ino);
}

static void complain_open(struct collect *collect, const char *path, int error)
{
	complain(path, "%s", open_error_text(error));
	collect->failed++;
}

/* Ask about a file by its descriptor; on failure there is no entry of it. */
static bool asked(struct collect *collect, int fd, const char *path, uint32_t *refusal)
{
	int error;

	if (!collect_ask(collect, fd, PCINSPECT_IOC_SNAPSHOT, report_add(collect->report, path),
			 refusal)) {
		memcg_name(&collect->report->files[collect->report->nr_files - 1]);
		collect->ok++;
		collect_stream_last(collect);
		return true;
	}
	error = errno;
	report_drop_last(collect->report);
	errno = error;
	return false;
}

/*
 * One entry of a report. Where its place is enough for the module, a file is not
 * opened, which costs as much as all the rest; whatever the module says no for,
 * opening it tells why, as it did before.
 */
static void snapshot(struct collect *collect, const char *path_now, const char *path)
{
	int place = open(path_now, O_PATH | O_NOFOLLOW | O_CLOEXEC), fd;
	uint32_t refusal = 0;

	if (place < 0) {
		complain_open(collect, path, errno);
		return;
	}
	if (asked(collect, place, path, &refusal)) {
		close(place);
		return;
	}
	fd = collect_open_place(place);
	if (fd < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) {
		complain(path, "is no file any more (left out)");
		collect->failed++;
	} else if (fd < 0) {
		complain_open(collect, path, errno);
	} else if (!asked(collect, fd, path, &refusal)) {
		complain(path, "%s", device_error_text(errno, refusal));
		collect->failed++;
	}
	if (fd >= 0)
		close(fd);
	close(place);
}

/* One file of a descent: it is kept, or told and forgotten. */
static void take_one(struct collect *collect, const char *place, const char *name, bool root)
{
	if (root)
		collect_path(collect, name, PCINSPECT_IOC_SNAPSHOT);
	else
		snapshot(collect, place, name);
}

/* Files that the kernel makes up, on no disk. */
#define NO_FILES "proc,sysfs,cgroup,cgroup2,debugfs,tracefs,securityfs,configfs,bpf,pstore," \
	"efivarfs,selinuxfs,smackfs,resctrl,devpts,mqueue,binfmt_misc,rpc_pipefs,nfsd,fusectl," \
	"autofs,functionfs,ipathfs"

/* Has another filesystem that nobody asked for begun: no files, or not here? */
static bool left_out(struct collect *collect, const FTSENT *entry, const char *path)
{
	struct libmnt_fs *mount;

	if (!entry->fts_level || entry->fts_dev == entry->fts_parent->fts_dev)
		return false;
	mount = mnt_table_find_target(collect->mounts, path, MNT_ITER_BACKWARD);
	if (!mount || (!mnt_fs_is_netfs(mount) && !mnt_fs_match_fstype(mount, NO_FILES)))
		return false;
	if (!collect->nr_left_out++)
		collect->left_out = alloc_copy(path);
	return true;
}

/* Say once what was left out, and how to have it. */
void collect_tree_left_out(struct collect *collect)
{
	char more[48] = "";

	if (!collect->nr_left_out)
		return;
	if (collect->nr_left_out > 1)
		snprintf(more, sizeof(more), "and %zu more filesystem%s ",
			 collect->nr_left_out - 1, collect->nr_left_out > 2 ? "s" : "");
	complain(collect->left_out, "%sleft out: of the kernel, or on the network (--all-file-systems descends into these, too)",
		 more);
	free(collect->left_out);
	collect->left_out = NULL;
	collect->nr_left_out = 0;
}

/* Two texts, one behind the other, in the room of the last ones. */
static char *joined(char *to, size_t *room, const char *first, const char *second)
{
	size_t head = strlen(first), tail = strlen(second) + 1;

	if (head + tail > *room) {
		*room = (head + tail) * 2;
		to = alloc_array(to, 1, *room);
	}
	memcpy(to + head, second, tail);
	return memcpy(to, first, head);
}

/* The next of a descent. Returns NULL at its end, with errno 0, or where it cannot go on. */
static FTSENT *next_entry(FTS *tree)
{
	errno = 0;
	return fts_read(tree);
}

/**
 * collect_tree() - one entry for every file below a path
 * @collect: the collection
 * @path: a directory, or a file for an entry of its own
 * @reach: how far to go
 * @take: what to do with a file instead of asking for its state, and with a
 *	directory before it is read: @place is where it is now, for the length of the
 *	call, and @name its absolute path
 *
 * Symbolic links below @path are not followed; an inode has one entry, with an
 * absolute path, however often it is met.
 */
void collect_tree(struct collect *collect, const char *path, enum tree_reach reach,
		  void (*take)(struct collect *collect, const char *place, const char *name,
			       bool directory))
{
	char *start = alloc_copy(path), *full = realpath(path, NULL), *name = NULL;
	size_t len = strlen(start), room = 0;
	FTSENT *entry;
	FTS *tree;

	while (len > 1 && start[len - 1] == '/')
		start[--len] = '\0';
	tree = fts_open((char *[]){ start, NULL }, FTS_PHYSICAL | FTS_COMFOLLOW |
			(reach == TREE_ONE_FILESYSTEM ? FTS_XDEV : 0), NULL);
	if (!tree) {
		complain_open(collect, path, errno);
		goto out;
	}
	while (!collect->stop && (entry = next_entry(tree))) {
		const char *below = entry->fts_path + len;
		bool root = !entry->fts_level;

		name = joined(name, &room, full && strcmp(full, "/") ? full :
			      full ? (*below == '/' ? "" : "/") : start, below);
		switch (entry->fts_info) {
		case FTS_D:
			if ((!root && collect->what && options_skip(collect->what, name)) ||
			    (reach == TREE_FILES && left_out(collect, entry, name)))
				fts_set(tree, entry, FTS_SKIP);
			else if (take)
				take(collect, root ? name : entry->fts_accpath, name, true);
			break;
		case FTS_DEFAULT:
			/* Not below a directory: then it was not meant. */
			if (!root)
				break;
			__attribute__((fallthrough));
		case FTS_F:
			if ((!root && collect->what && !options_want(collect->what, name)) ||
			    seen_before(collect, entry->fts_statp))
				break;
			if (take)
				take(collect, entry->fts_accpath, name, false);
			else
				take_one(collect, entry->fts_accpath, name, root);
			break;
		case FTS_DNR: case FTS_ERR: case FTS_NS:
			complain_open(collect, name, entry->fts_errno);
			break;
		}
	}
	/* A directory was moved while it was read, or a name is too long: the rest is not told. */
	if (!collect->stop && errno) {
		complain(name ?: path, "the descent ended behind it, so files are missing (%s; try again)",
			 strerror(errno));
		collect->failed++;
	}
	fts_close(tree);
out:
	free(name);
	free(full);
	free(start);
}
