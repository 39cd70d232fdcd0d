/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * grow.h - directories and patterns whose files are followed, also those that are
 * made later.
 */
#ifndef PCINSPECT_GROW_H
#define PCINSPECT_GROW_H

#include "collect/follow.h"

#define GROW_FILES	512	/* followed for directories and patterns, at most */
#define GROW_DIRS	4096	/* in which new files are noticed, at most */

/**
 * struct grow_dir - a directory in which files may appear
 * @watch: of inotify
 * @path: as its files are shown
 * @pattern: of the names that are wanted, NULL: all, and what is below as well
 * @reach: then, how far down
 */
struct grow_dir {
	int watch;
	char *path;
	char *pattern;
	enum tree_reach reach;
};

/**
 * struct grow - the directories and patterns of one watch
 * @follow: where their files go
 * @notify: of inotify, -1: none
 * @dirs: them
 * @nr_dirs: how many
 * @first: entry from which on entries are of files that were found
 * @added: entries that are new or have another file since grow_read() began
 * @left_out: files that were found and are not followed
 * @blind: directories in which new files are not noticed
 * @pattern: while one is looked for
 * @reach: while a directory is descended into
 * @say: called for each file before it is tracked, which may take a while; or NULL
 * @context: for it
 */
struct grow {
	struct follow *follow;
	int notify;
	struct grow_dir *dirs;
	size_t nr_dirs;
	size_t first;
	size_t added;
	size_t left_out;
	size_t blind;
	const char *pattern;
	enum tree_reach reach;
	void (*say)(void *context, size_t files);
	void *context;
};

bool grow_is_pattern(const char *path);
void grow_start(struct grow *grow, struct follow *follow);
void grow_tree(struct grow *grow, const char *path, enum tree_reach reach);
void grow_pattern(struct grow *grow, const char *pattern);
size_t grow_read(struct grow *grow);
void grow_stop(struct grow *grow);

#endif /* PCINSPECT_GROW_H */
