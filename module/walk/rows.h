/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * rows.h - a growing buffer of records, as user space gets them.
 */
#ifndef PCINSPECT_ROWS_H
#define PCINSPECT_ROWS_H

#include <linux/types.h>
#include "uapi/pcinspect.h"

struct inode;
struct pcinspect_record;

/*
 * struct pcinspect_rows - records back to back, as user space gets them
 * @data: the records, each record_size bytes
 * @skipped: inodes that could not be looked at
 * @limit: bytes that may be used; what is more is for the next page
 * @page_used, @page_count: what of it is the page that was cut
 * @mark: @used at pcinspect_rows_mark()
 * @ledgers: only records with a ledger are wanted
 * @path: PATH_MAX bytes to build a path in
 * @waited_us: until a ledger added up, beyond the first tries
 * @detail: room for the sections of one inode, NULL: none are wanted
 */
struct pcinspect_rows {
	void *data;
	size_t used;
	size_t size;
	unsigned int count;
	u64 skipped;
	size_t limit;
	size_t page_used;
	unsigned int page_count;
	size_t mark;
	unsigned int marked_count;
	bool ledgers;
	char *path;
	struct pcinspect_snapshot *snap;
	unsigned long waited_us;
	void *detail;
};

/* Memory for one page: about 90,000 inodes without sections. */
#define PCINSPECT_ROWS_MAX (64UL << 20)

int pcinspect_rows_init(struct pcinspect_rows *rows, bool detail);
size_t pcinspect_rows_memory(void);
void pcinspect_rows_free(struct pcinspect_rows *rows);
int pcinspect_rows_cut(struct pcinspect_rows *rows, size_t limit);
void pcinspect_rows_next(struct pcinspect_rows *rows);
void pcinspect_rows_mark(struct pcinspect_rows *rows);
void pcinspect_rows_rewind(struct pcinspect_rows *rows);
void pcinspect_rows_head(struct pcinspect_snapshot *snap, const char *path);
int pcinspect_rows_add(struct pcinspect_rows *rows, const char *path,
		       const struct inode *inode);
int pcinspect_rows_add_deleted(struct pcinspect_rows *rows,
			       const struct pcinspect_record *rec);

#endif /* PCINSPECT_ROWS_H */
