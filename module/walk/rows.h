/* SPDX-License-Identifier: GPL-2.0 */
/*
 * rows.h - a growing buffer of records, as user space gets them.
 */
#ifndef PCINSPECT_ROWS_H
#define PCINSPECT_ROWS_H

#include <linux/types.h>
#include "uapi/pcinspect.h"

struct inode;

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

#endif /* PCINSPECT_ROWS_H */
