/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * snapshot.h - one inode's identity, counts and path as a plain record.
 */
#ifndef PCINSPECT_SNAPSHOT_H
#define PCINSPECT_SNAPSHOT_H

#include <linux/types.h>
#include "uapi/pcinspect.h"

struct inode;
struct pcinspect_record;
struct super_block;

enum pcinspect_refusal pcinspect_snapshot_refuse(const struct inode *inode);
int pcinspect_snapshot_take(struct inode *inode, bool held_umount,
			    struct pcinspect_snapshot *snap);
u64 pcinspect_snapshot_inode_age(const struct inode *inode);
bool pcinspect_snapshot_maybe_deleted(const struct inode *inode);
const char *pcinspect_snapshot_path(struct inode *inode, char *buf);

#endif /* PCINSPECT_SNAPSHOT_H */
