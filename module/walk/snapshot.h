/* SPDX-License-Identifier: GPL-2.0 */
/*
 * snapshot.h - one inode's identity, counts and path as a plain record, and a
 * growing buffer of such records.
 */
#ifndef PCINSPECT_SNAPSHOT_H
#define PCINSPECT_SNAPSHOT_H

#include <linux/types.h>
#include "uapi/pcinspect.h"

struct inode;
struct pcinspect_record;
struct super_block;

/**
 * struct pcinspect_rows - records back to back, as user space gets them
 * @data: the records, each record_size bytes
 * @used: bytes in use
 * @size: bytes allocated
 * @count: records
 * @skipped: inodes that could not be looked at
 * @path: PATH_MAX bytes to build a path in
 * @detail: room for the sections of one inode, NULL: none are wanted
 */
struct pcinspect_rows {
	void *data;
	size_t used;
	size_t size;
	unsigned int count;
	u64 skipped;
	char *path;
	void *detail;
};

/* More than this is refused, so that a reader cannot exhaust memory. */
#define PCINSPECT_ROWS_MAX (256UL << 20)

int pcinspect_rows_init(struct pcinspect_rows *rows, bool detail);
void pcinspect_rows_free(struct pcinspect_rows *rows);
int pcinspect_rows_add(struct pcinspect_rows *rows,
		       const struct pcinspect_snapshot *snap, const char *path,
		       const struct inode *inode);

enum pcinspect_refusal pcinspect_snapshot_refuse(const struct inode *inode);
int pcinspect_snapshot_take(struct inode *inode, bool held_umount,
			    struct pcinspect_snapshot *snap);
void pcinspect_snapshot_from_record(const struct pcinspect_record *rec,
				    struct pcinspect_snapshot *snap);
const char *pcinspect_snapshot_path(struct inode *inode, char *buf);

#endif /* PCINSPECT_SNAPSHOT_H */
