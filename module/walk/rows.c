// SPDX-License-Identifier: GPL-2.0
/*
 * rows.c - a growing buffer of records, as user space gets them.
 *
 * Why: debugfs and the ioctls are answered when no lock is held any more, from
 * such a buffer. May touch: its own memory, ledgers by reading.
 */
#include <linux/align.h>
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "records/ledger.h"
#include "records/track.h"
#include "walk/rows.h"

/**
 * pcinspect_rows_init() - start an empty buffer
 * @rows: the buffer
 * @detail: records shall have sections
 *
 * Context: process context, may sleep.
 * Return: 0 or -ENOMEM.
 */
int pcinspect_rows_init(struct pcinspect_rows *rows, bool detail)
{
	memset(rows, 0, sizeof(*rows));
	rows->path = kmalloc(PATH_MAX, GFP_KERNEL);
	if (detail)
		rows->detail = kvmalloc(PCINSPECT_DETAIL_MAX, GFP_KERNEL);
	if (rows->path && (rows->detail || !detail))
		return 0;
	pcinspect_rows_free(rows);
	return -ENOMEM;
}

/**
 * pcinspect_rows_free() - free a buffer's memory
 * @rows: the buffer; may be freed again
 *
 * Context: process context, may sleep.
 */
void pcinspect_rows_free(struct pcinspect_rows *rows)
{
	kvfree(rows->data);
	kvfree(rows->detail);
	kfree(rows->path);
	memset(rows, 0, sizeof(*rows));
}

/* Write the sections of an inode to rows->detail; returns their size. */
static size_t rows_detail(struct pcinspect_rows *rows, const struct inode *inode)
{
	struct pcinspect_ledger *ledger;
	struct pcinspect_record *rec;
	struct pcinspect_tries tries = { .exact = true };
	size_t size = 0;
	int i;

	if (!rows->detail)
		return 0;
	/* Pages that come and go: a moment at which none does is not far off. */
	for (i = 0; i < 8; i++) {
		rcu_read_lock();
		rec = pcinspect_track_find(inode);
		ledger = pcinspect_record_ledger(rec);
		if (ledger)
			size = pcinspect_ledger_emit(ledger, rec, inode,
						     rows->detail, &tries);
		rcu_read_unlock();
		if (tries.exact)
			break;
		usleep_range(50, 100);
	}
	return size;
}

/**
 * pcinspect_rows_add() - append one record
 * @rows: the buffer
 * @snap: the record; record_size, path_len and PCINSPECT_F_PATH are set here
 * @path: its path, or NULL
 * @inode: where to look for sections, alive; or NULL
 *
 * Context: process context, may sleep.
 * Return: 0, -ENOMEM, or -E2BIG past PCINSPECT_ROWS_MAX.
 */
int pcinspect_rows_add(struct pcinspect_rows *rows,
		       const struct pcinspect_snapshot *snap, const char *path,
		       const struct inode *inode)
{
	size_t path_len = path ? strlen(path) : 0;
	size_t head = ALIGN(sizeof(*snap) + path_len, 8);
	size_t detail = inode ? rows_detail(rows, inode) : 0;
	size_t need = head + detail;
	struct pcinspect_snapshot *row;

	if (rows->used + need > rows->size) {
		size_t size = max(rows->size * 2, PAGE_ALIGN(rows->used + need));
		void *data;

		if (size > PCINSPECT_ROWS_MAX)
			return -E2BIG;
		data = kvmalloc(size, GFP_KERNEL);
		if (!data)
			return -ENOMEM;
		if (rows->data)
			memcpy(data, rows->data, rows->used);
		kvfree(rows->data);
		rows->data = data;
		rows->size = size;
	}

	row = rows->data + rows->used;
	*row = *snap;
	row->record_size = need;
	row->path_len = path_len;
	if (path)
		row->flags |= PCINSPECT_F_PATH;
	memcpy(row + 1, path ?: "", path_len);
	memset((char *)(row + 1) + path_len, 0, head - sizeof(*row) - path_len);
	if (detail)
		memcpy((char *)row + head, rows->detail, detail);
	rows->used += need;
	rows->count++;
	return 0;
}
