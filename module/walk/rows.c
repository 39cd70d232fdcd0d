// SPDX-License-Identifier: GPL-2.0
/*
 * rows.c - a growing buffer of records, as user space gets them.
 *
 * Why: debugfs and the ioctls are answered when no lock is held any more, from
 * such a buffer. May touch: its own memory, ledgers by reading.
 *
 * Pages: what does not fit into a buffer is asked for again, by a cursor. No
 * place in a superblock's list of inodes can be kept between two calls, so a
 * page is a range of hashes of inode number and generation: an inode is on
 * exactly one page, wherever it is in the list, and all that a page costs for
 * inodes of others is passing them. When a page is full, the upper half of its
 * range is put off to the next.
 */
#include <linux/align.h>
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "records/ledger.h"
#include "records/track.h"
#include "walk/rows.h"
#include "walk/sections.h"

/* What all answers that are being read take. */
static atomic_long_t rows_memory = ATOMIC_LONG_INIT(0);

/* In bytes. */
size_t pcinspect_rows_memory(void)
{
	return atomic_long_read(&rows_memory);
}

/* Start an empty buffer. May sleep. */
int pcinspect_rows_init(struct pcinspect_rows *rows, bool detail)
{
	memset(rows, 0, sizeof(*rows));
	rows->limit = PCINSPECT_ROWS_MAX;
	pcinspect_rows_page(rows, 0);
	rows->path = kmalloc(PATH_MAX, GFP_KERNEL);
	rows->snap = kmalloc(sizeof(*rows->snap), GFP_KERNEL);
	if (detail)
		rows->detail = kvmalloc(PCINSPECT_DETAIL_MAX, GFP_KERNEL);
	if (rows->path && rows->snap && (rows->detail || !detail))
		return 0;
	pcinspect_rows_free(rows);
	return -ENOMEM;
}

/* Free a buffer's memory. May sleep. */
void pcinspect_rows_free(struct pcinspect_rows *rows)
{
	atomic_long_sub(rows->size, &rows_memory);
	kvfree(rows->data);
	kvfree(rows->detail);
	kfree(rows->snap);
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
			size = pcinspect_sections_emit(ledger, rec, inode,
						       rows->snap, rows->detail,
						       &tries);
		rcu_read_unlock();
		if (tries.exact)
			break;
		usleep_range(50, 100);
	}
	if (size)
		pcinspect_sections_know(rows->snap);
	return size;
}

/*
 * Begin a page. @cursor: 0, or what pcinspect_rows_cursor() said of the page
 * before.
 */
void pcinspect_rows_page(struct pcinspect_rows *rows, u64 cursor)
{
	u32 from = cursor, width = cursor >> 32;

	rows->used = 0;
	rows->count = 0;
	rows->skipped = 0;
	rows->from = from;
	rows->to = U32_MAX;
	/* As much as fitted, and that again: it costs one halving if not. */
	if (width && (U32_MAX - from) / 2 > width)
		rows->to = from + 2 * width;
	pcinspect_rows_mark(rows);
}

/*
 * Where the next page begins. @rows: a page that is complete. Return: the
 * cursor, never 0 but for the last page.
 */
u64 pcinspect_rows_cursor(const struct pcinspect_rows *rows)
{
	if (rows->to == U32_MAX)
		return 0;
	return (u64)(rows->to - rows->from) << 32 | (rows->to + 1);
}

/* Is an inode on this page? */
bool pcinspect_rows_want(const struct pcinspect_rows *rows, u64 ino,
			 u32 generation)
{
	u32 hash = hash_64(ino ^ (u64)generation << 32, 32);

	return hash >= rows->from && hash <= rows->to;
}

/* What sums up others is on the last page. */
static bool rows_want_row(const struct pcinspect_rows *rows,
			  const struct pcinspect_snapshot *snap)
{
	if (snap->flags & (PCINSPECT_F_GONE | PCINSPECT_F_SKIPPED))
		return rows->to == U32_MAX;
	return pcinspect_rows_want(rows, snap->ino, snap->i_generation);
}

/* Put the upper half of the page off, and move up what stays. */
static bool rows_halve(struct pcinspect_rows *rows)
{
	size_t at, size, used = 0, mark = 0;
	struct pcinspect_snapshot *row;

	if (rows->from == rows->to)
		return false;
	rows->to -= (rows->to - rows->from) / 2 + 1;
	for (at = 0; at < rows->used; at += size) {
		row = rows->data + at;
		size = row->record_size;
		if (at == rows->mark)
			mark = used;
		if (rows_want_row(rows, row)) {
			memmove(rows->data + used, row, size);
			used += size;
		} else {
			rows->count--;
			rows->marked_count -= at < rows->mark;
		}
	}
	rows->mark = rows->mark == rows->used ? used : mark;
	rows->used = used;
	return true;
}

/* Remember this place. */
void pcinspect_rows_mark(struct pcinspect_rows *rows)
{
	rows->mark = rows->used;
	rows->marked_count = rows->count;
}

/* Throw away what was added since. */
void pcinspect_rows_rewind(struct pcinspect_rows *rows)
{
	rows->used = rows->mark;
	rows->count = rows->marked_count;
}

/* Make room for @need bytes. */
static int rows_grow(struct pcinspect_rows *rows, size_t need)
{
	size_t size = min(max(rows->size * 2, PAGE_ALIGN(rows->used + need)),
			  max(rows->limit, rows->used + need));
	void *data;

	if (rows->used + need <= rows->size)
		return 0;
	data = kvmalloc(size, GFP_KERNEL);
	if (!data)
		return -ENOMEM;
	if (rows->data)
		memcpy(data, rows->data, rows->used);
	kvfree(rows->data);
	atomic_long_add(size - rows->size, &rows_memory);
	rows->data = data;
	rows->size = size;
	return 0;
}

/* Complete the head of a record. @path: NULL: none. Context: any. */
void pcinspect_rows_head(struct pcinspect_snapshot *snap, const char *path)
{
	snap->head_size = offsetof(struct pcinspect_snapshot, known);
	snap->path_len = path ? strlen(path) : 0;
	if (path)
		snap->flags |= PCINSPECT_F_PATH;
	snap->record_size = pcinspect_sections_at(snap);
}

/*
 * Append one record with @detail bytes of sections, which are there. Otherwise
 * as pcinspect_rows_add().
 */
static int rows_put(struct pcinspect_rows *rows, const char *path, size_t detail)
{
	struct pcinspect_snapshot *snap = rows->snap;
	size_t head, path_at, need;
	void *row;
	int err;

	pcinspect_rows_head(snap, path);
	path_at = pcinspect_path_at(snap);
	head = snap->record_size;
	need = head + detail;
	snap->record_size = need;

	while (rows->used + need > rows->limit)
		if (!rows_halve(rows))
			return -E2BIG;
	if (!rows_want_row(rows, snap))
		return 0;
	err = rows_grow(rows, need);
	if (err)
		return err;

	row = rows->data + rows->used;
	/* Its numbers end with the last that is known. */
	memcpy(row, snap, path_at);
	memset(row + path_at, 0, head - path_at);
	memcpy(row + path_at, path ?: "", snap->path_len);
	if (detail)
		memcpy(row + head, rows->detail, detail);
	rows->used += need;
	rows->count++;
	return 0;
}

/*
 * Append one record. @rows: the buffer; the record is in its @snap, but for
 * record_size, path_len, PCINSPECT_F_PATH and what its ledger knows. @inode:
 * where to look for sections, alive; or NULL.
 * May sleep. Return: 0, also where the record is not on this page, -ENOMEM, or
 * -E2BIG: there is no room for this one alone.
 */
int pcinspect_rows_add(struct pcinspect_rows *rows, const char *path,
		       const struct inode *inode)
{
	return rows_put(rows, path, inode ? rows_detail(rows, inode) : 0);
}

/*
 * Append a file that is no more. @rec: its record, with a ledger, that nobody
 * else can find. @rows: with sections. May sleep. Return: as above.
 */
int pcinspect_rows_add_deleted(struct pcinspect_rows *rows,
			       const struct pcinspect_record *rec)
{
	const struct pcinspect_ledger *ledger = pcinspect_record_ledger(rec);

	if (!pcinspect_rows_want(rows, rec->ino, rec->generation))
		return 0;
	return rows_put(rows, ledger->name,
			pcinspect_sections_deleted(rec, rows->snap,
						   rows->detail));
}
