/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * mounts.h - from a path within a filesystem to one in the caller's namespace.
 */
#ifndef PCINSPECT_MOUNTS_H
#define PCINSPECT_MOUNTS_H

#include <libmount.h>
#include <stdbool.h>

struct libmnt_table *mounts_load(void);
char *mounts_path(struct libmnt_table *mounts, unsigned int major,
		  unsigned int minor, const char *path);
bool mounts_show(struct libmnt_table *mounts, unsigned int major, unsigned int minor,
		 const char *path);
struct libmnt_fs *mounts_find(struct libmnt_table *mounts, const char *point);
struct libmnt_fs *mounts_around(struct libmnt_table *mounts, const char *path);
char *mounts_layers(struct libmnt_table *mounts, struct libmnt_fs *overlay);
struct libmnt_fs *mounts_named(struct libmnt_table *mounts, const char *path);

bool mounts_have(struct libmnt_table *mounts, unsigned int major, unsigned int minor);
bool mounts_one_device(struct libmnt_table *mounts, unsigned int major, unsigned int minor);

#endif /* PCINSPECT_MOUNTS_H */
