/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * under.h - the disks that a filesystem is on.
 */
#ifndef PCINSPECT_UNDER_H
#define PCINSPECT_UNDER_H

#include <libmount.h>
#include <stdbool.h>

bool under_is_disk(const char *name);
bool under_mount(struct libmnt_fs *mount, const char *disk);

#endif /* PCINSPECT_UNDER_H */
