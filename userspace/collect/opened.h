/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * opened.h - the open files of a process, without asking their filesystems.
 */
#ifndef PCINSPECT_OPENED_H
#define PCINSPECT_OPENED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * struct opened_mount - a mount by its number
 * @id: as in fdinfo
 * @major: of its superblock
 * @minor: likewise
 * @ours: it is in our own namespace, so that a path on it is one for us
 * @subvolumes: that and an inode number are not one file there (btrfs)
 */
struct opened_mount {
	unsigned int id;
	unsigned int major, minor;
	bool ours;
	bool subvolumes;
};

/**
 * struct opened_mounts - the mounts of all processes looked at, all zero at first
 * @list: by number
 * @nr: how many
 */
struct opened_mounts {
	struct opened_mount *list;
	size_t nr;
};

/**
 * struct opened_file - an open file
 * @mount: what it is on
 * @ino: its number
 * @path: as the link says, which may be a name of another namespace
 * @fd: whose
 * @deleted: by the name it was opened by it is no more
 */
struct opened_file {
	const struct opened_mount *mount;
	uint64_t ino;
	const char *path;
	int fd;
	bool deleted;
};

/* Returns whether to go on. */
typedef bool (*opened_call)(const struct opened_file *file, void *arg);

void opened_ours(struct opened_mounts *mounts);
void opened_each(struct opened_mounts *mounts, const char *pid, opened_call call, void *arg);
void opened_forget(struct opened_mounts *mounts);

#endif /* PCINSPECT_OPENED_H */
