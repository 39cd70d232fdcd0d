// SPDX-License-Identifier: GPL-2.0-only
/*
 * grow.c - the files of directories and of patterns, now and as they appear, by
 * fts(3), glob(3) and inotify(7).
 *
 * Why inotify: it costs nothing while nothing happens, and stands in no unmount's
 * way. A directory is listened to before it is read, so no file is missed between
 * the two; one that is heard of twice is taken once. All of it is bounded, and what
 * is left out is counted. An entry whose file is gone makes room for another.
 *
 * Touches: changes directory while it descends; inotify.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collect/grow.h"
#include "collect/memcg.h"
#include "lib/alloc.h"
#include "lib/complain.h"
#include "lib/ticks.h"

#define APPEARS (IN_CREATE | IN_MOVED_TO)

/* Does a path stand for those that match it: no file is called that? */
bool grow_is_pattern(const char *path)
{
	const char *bracket = strchr(path, '[');
	struct stat st;

	return (strpbrk(path, "*?") || (bracket && strchr(bracket, ']'))) &&
	       lstat(path, &st) && errno == ENOENT;
}

/**
 * grow_start() - nothing is followed yet
 * @grow: filled in
 * @follow: started; has the files that were named
 */
void grow_start(struct grow *grow, struct follow *follow)
{
	memset(grow, 0, sizeof(*grow));
	grow->follow = follow;
	grow->first = follow->collect->report->nr_files;
	grow->notify = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
}

/* Listen to a directory; @place is where it is for now. */
static void listen_to(struct grow *grow, const char *place, const char *path)
{
	struct grow_dir *dir;
	int watch = -1;
	size_t i;

	if (grow->nr_dirs < GROW_DIRS)
		watch = inotify_add_watch(grow->notify, place, APPEARS | IN_ONLYDIR |
					  IN_DONT_FOLLOW | IN_EXCL_UNLINK);
	if (watch < 0) {
		grow->blind++;
		return;
	}
	for (i = 0; i < grow->nr_dirs; i++)
		if (grow->dirs[i].watch == watch && !grow->dirs[i].pattern == !grow->pattern &&
		    (!grow->pattern || !strcmp(grow->pattern, grow->dirs[i].pattern)))
			return;
	grow->dirs = alloc_array(grow->dirs, grow->nr_dirs + 1, sizeof(*grow->dirs));
	dir = &grow->dirs[grow->nr_dirs++];
	*dir = (struct grow_dir){
		.watch = watch,
		.path = alloc_copy(path),
		.reach = grow->reach,
		.pattern = alloc_copy(grow->pattern),
	};
}

/* An entry that nothing is said of any more, or -1. */
static ssize_t free_entry(const struct grow *grow)
{
	const struct report *report = grow->follow->collect->report;
	size_t i;

	for (i = grow->first; i < report->nr_files; i++)
		if (report->files[i].gone && report->files[i].told)
			return i;
	return -1;
}

/* Is the name or the inode one that we have? */
static bool known(const struct report *report, const char *path,
		  const struct pcinspect_snapshot *snap)
{
	size_t i;

	for (i = 0; i < report->nr_files; i++) {
		const struct file *file = &report->files[i];

		if (snap ? !file->gone && !snapshot_compare(&file->snap, snap) :
			   file->path && !strcmp(file->path, path))
			return true;
	}
	return false;
}

/* One file; what cannot be had any more, or never, is none of ours. */
static void add_found(struct grow *grow, const char *place, const char *path)
{
	struct collect *collect = grow->follow->collect;
	struct report *report = collect->report;
	ssize_t spare = free_entry(grow);
	struct file now = { .page_size = report->page_size };
	uint32_t refusal = 0;
	struct file *file;
	int fd;

	if (ticks_stopped() || known(report, path, NULL) ||
	    (collect->what && !options_want(collect->what, path)))
		return;
	if (spare < 0 && report->nr_files - grow->first >= GROW_FILES) {
		grow->left_out++;
		return;
	}
	fd = collect_open_inode(place, O_NOFOLLOW);
	if (fd < 0)
		return;
	if (grow->say)
		grow->say(grow->context, report->nr_files + 1);
	/* First what it is: to be asked twice is not to be tracked twice. */
	if (collect_ask(collect, fd, PCINSPECT_IOC_SNAPSHOT, &now, &refusal) ||
	    known(report, path, &now.snap) ||
	    collect_ask(collect, fd, PCINSPECT_IOC_HOLD, &now, &refusal)) {
		grow->left_out += refusal == PCINSPECT_REFUSE_LIMIT;
		file_free(&now);
		close(fd);
		return;
	}
	close(fd);
	memcg_name(&now);
	now.path = alloc_copy(path);
	if (spare < 0) {
		report_add(report, NULL);
		spare = report->nr_files - 1;
	}
	file = &report->files[spare];
	file_free(file);
	*file = now;
	names_new(grow->follow, spare);
	collect->ok++;
	grow->added++;
}

static void found(struct collect *collect, const char *place, const char *name, bool directory)
{
	struct grow *grow = collect->context;

	if (directory)
		listen_to(grow, place, name);
	else
		add_found(grow, place, name);
}

static void descend(struct grow *grow, const char *path, enum tree_reach reach)
{
	struct collect *collect = grow->follow->collect;

	grow->pattern = NULL;
	grow->reach = reach;
	collect->context = grow;
	collect_tree(collect, path, reach, found);
	/* A file may come back under its name. */
	inode_set_forget(&collect->seen);
}

/**
 * grow_tree() - follow the files below a directory
 * @grow: started
 * @path: which
 * @reach: how far down
 *
 * Complains of what cannot be read.
 */
void grow_tree(struct grow *grow, const char *path, enum tree_reach reach)
{
	descend(grow, path, reach);
}

/* The name of a file in a directory, as a shell would expand it. */
static char *name_in(const struct grow_dir *dir, const char *name)
{
	bool here = dir->pattern && !strcmp(dir->path, ".");

	return alloc_text("%s%s%s", here ? "" : dir->path,
			  here || !strcmp(dir->path, "/") ? "" : "/", name);
}

/* Of one directory what matches. */
static void list_matches(struct grow *grow, const char *dir, const char *pattern)
{
	const struct grow_dir in = { .path = (char *)dir, .pattern = (char *)pattern };
	struct dirent **names;
	int i, n;

	grow->pattern = pattern;
	listen_to(grow, dir, dir);
	n = scandir(dir, &names, NULL, alphasort);
	for (i = 0; i < n; i++) {
		char *path = name_in(&in, names[i]->d_name);

		if (!fnmatch(pattern, names[i]->d_name, FNM_PERIOD))
			add_found(grow, path, path);
		free(path);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
}

/**
 * grow_pattern() - follow the files that match a pattern
 * @grow: started
 * @pattern: as of a shell; directories that match later are not noticed
 */
void grow_pattern(struct grow *grow, const char *pattern)
{
	const char *slash = strrchr(pattern, '/');
	char *dir = slash ? alloc_first(pattern, slash > pattern ? slash - pattern : 1) :
			    alloc_copy(".");
	glob_t list;
	size_t i;

	if (!glob(dir, GLOB_ONLYDIR, NULL, &list)) {
		for (i = 0; i < list.gl_pathc; i++)
			list_matches(grow, list.gl_pathv[i], slash ? slash + 1 : pattern);
		globfree(&list);
	} else {
		complain(pattern, "is in no directory that is there (check the path)");
		grow->follow->collect->failed++;
	}
	free(dir);
}

/* Something appeared in a directory that was listened to. */
static void appeared(struct grow *grow, const struct grow_dir *dir,
		     const struct inotify_event *event)
{
	char *path = name_in(dir, event->name);

	if (dir->pattern) {
		if (!(event->mask & IN_ISDIR) &&
		    !fnmatch(dir->pattern, event->name, FNM_PERIOD))
			add_found(grow, path, path);
	} else if (event->mask & IN_ISDIR) {
		descend(grow, path, dir->reach);
	} else {
		add_found(grow, path, path);
	}
	free(path);
}

/* A directory is gone, or unmounted. */
static void drop_directory(struct grow *grow, int watch)
{
	size_t i = 0;

	while (i < grow->nr_dirs) {
		if (grow->dirs[i].watch != watch) {
			i++;
			continue;
		}
		free(grow->dirs[i].path);
		free(grow->dirs[i].pattern);
		grow->dirs[i] = grow->dirs[--grow->nr_dirs];
	}
}

/* More happened than the kernel kept: look at all of it again. */
static void look_again(struct grow *grow)
{
	size_t i, nr = grow->nr_dirs;

	for (i = 0; i < nr && i < grow->nr_dirs; i++) {
		struct grow_dir dir = grow->dirs[i];
		char *path = alloc_copy(dir.path),
		     *pattern = dir.pattern ? alloc_copy(dir.pattern) : NULL;

		if (path && pattern)
			list_matches(grow, path, pattern);
		else if (path && !dir.pattern)
			descend(grow, path, dir.reach);
		free(path);
		free(pattern);
	}
}

/**
 * grow_read() - take in what has appeared
 * @grow: started
 *
 * Return: how many entries of the report are new, or of another file than before.
 */
size_t grow_read(struct grow *grow)
{
	char buffer[16 << 10] __attribute__((aligned(__alignof__(struct inotify_event))));
	const struct inotify_event *event;
	ssize_t n;
	size_t i;
	char *p;

	grow->added = 0;
	while (grow->notify >= 0 && (n = read(grow->notify, buffer, sizeof(buffer))) > 0) {
		for (p = buffer; p < buffer + n; p += sizeof(*event) + event->len) {
			event = (void *)p;
			if (event->mask & IN_Q_OVERFLOW)
				look_again(grow);
			if (event->mask & IN_IGNORED)
				drop_directory(grow, event->wd);
			/* By index: a directory that appears adds to the list. */
			for (i = 0; event->mask & APPEARS && i < grow->nr_dirs; i++) {
				struct grow_dir dir = grow->dirs[i];

				if (dir.watch == event->wd)
					appeared(grow, &dir, event);
			}
		}
	}
	return grow->added;
}

/* Forget the directories. */
void grow_stop(struct grow *grow)
{
	while (grow->nr_dirs) {
		free(grow->dirs[--grow->nr_dirs].path);
		free(grow->dirs[grow->nr_dirs].pattern);
	}
	free(grow->dirs);
	grow->dirs = NULL;
	if (grow->notify > 0)
		close(grow->notify);
	grow->notify = -1;
}
