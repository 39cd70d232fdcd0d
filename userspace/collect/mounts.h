/* SPDX-License-Identifier: GPL-2.0 */
/*
 * mounts.h - from a path within a filesystem to one in the caller's namespace.
 */
#ifndef PCINSPECT_MOUNTS_H
#define PCINSPECT_MOUNTS_H

#include <stddef.h>
#include <stdio.h>

/**
 * struct pcinspect_mount - one line of /proc/self/mountinfo
 * @major: of the superblock's s_dev
 * @minor: likewise
 * @root: of the mount within the filesystem
 * @point: where it is mounted
 * @fs: type, without subtype
 */
struct pcinspect_mount {
	unsigned int major;
	unsigned int minor;
	char *root;
	char *point;
	char *fs;
};

/**
 * struct pcinspect_mounts - all of them, in the order of mounting
 */
struct pcinspect_mounts {
	struct pcinspect_mount *mounts;
	size_t nr;
};

int pcinspect_mounts_read(struct pcinspect_mounts *mounts, FILE *from);
int pcinspect_mounts_load(struct pcinspect_mounts *mounts);
void pcinspect_mounts_free(struct pcinspect_mounts *mounts);
char *pcinspect_mounts_path(const struct pcinspect_mounts *mounts,
			    unsigned int major, unsigned int minor,
			    const char *path);
const struct pcinspect_mount *
pcinspect_mounts_at(const struct pcinspect_mounts *mounts, const char *point);
const struct pcinspect_mount *
pcinspect_mounts_find(const struct pcinspect_mounts *mounts, const char *point);

#endif /* PCINSPECT_MOUNTS_H */
