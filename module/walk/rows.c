// SPDX-License-Identifier: GPL-2.0-only
/*
 * rows.c - a growing buffer of records, as user space gets them.
 *
 * Why: debugfs and the ioctls are answered when no lock is held any more, from
 * such a buffer. May touch: its own memory, ledgers by reading.
 *
 * Pages: a buffer has a limit. Rows that do not fit are on the next page
 * (answer.c knows where it begins); rows gathered at the end of all, with
 * the limit put off, stays here until its page comes.
 */
#include <linux/align.h>
#include <linux/atomic.h>
#include <linux/delay.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "records/ledger.h"
#include "records/track.h"
#include "walk/rows.h"
#include "walk/sections.h"

/* The memory of all answers that are being read. */
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

/*
 * How often to look for a moment at which a ledger adds up: the first times
 * 50 us apart, then each time twice as long, 25 ms in the end. All inodes of an
 * answer may take as long as ROWS_PATIENCE_US together, and s_umount may be
 * held (answer_add()): so long an unmount may wait for it.
 */
#define ROWS_TRIES 16
#define ROWS_TRIES_QUICK 8
#define ROWS_QUICK_US 50
#define ROWS_PATIENCE_US 200000

/*
 * Wait for another try. If nothing was counted meanwhile, a task in the middle
 * of an insertion may wait for its CPU, or its CPU for that of the host.
 * Return: false if the last one has to do.
 */
static bool rows_wait(struct pcinspect_rows *rows, int tries)
{
	unsigned long us = ROWS_QUICK_US;

	if (tries >= ROWS_TRIES_QUICK) {
		us <<= tries - ROWS_TRIES_QUICK + 2;
		if (rows->snap->numbers[PCINSPECT_LEDGER_MOVED_PAGES] ||
		    tries >= ROWS_TRIES ||
		    rows->waited_us + us > ROWS_PATIENCE_US)
			return false;
		rows->waited_us += us;
	}
	usleep_range(us, 2 * us);
	return true;
}

/* Write the sections of an inode to rows->detail; returns their size. */
static size_t rows_detail(struct pcinspect_rows *rows, const struct inode *inode)
{
	struct pcinspect_ledger *ledger;
	struct pcinspect_record *rec;
	struct pcinspect_tries tries = { .exact = true };
	size_t size = 0;
	int nr = 0;

	if (!rows->detail)
		return 0;
	/* Pages that come and go: a moment at which none does is not far off. */
	do {
		rcu_read_lock();
		rec = pcinspect_track_find(inode);
		ledger = pcinspect_record_ledger(rec);
		if (ledger)
			size = pcinspect_sections_emit(ledger, rec, inode,
						       rows->snap, rows->detail,
						       &tries);
		rcu_read_unlock();
	} while (!tries.exact && rows_wait(rows, ++nr));
	if (size)
		pcinspect_sections_know(rows->snap);
	return size;
}

/*
 * A page is complete: as many whole records as fit into @limit bytes. Return:
 * 0, or -E2BIG: not even the first does.
 */
int pcinspect_rows_cut(struct pcinspect_rows *rows, size_t limit)
{
	const struct pcinspect_snapshot *row;

	rows->page_used = rows->used;
	rows->page_count = rows->count;
	if (rows->used <= limit)
		return 0;
	rows->page_used = 0;
	rows->page_count = 0;
	for (;;) {
		row = rows->data + rows->page_used;
		if (rows->page_used + row->record_size > limit)
			break;
		rows->page_used += row->record_size;
		rows->page_count++;
	}
	return rows->page_count ? 0 : -E2BIG;
}

/* Forget the page that was cut; what it left over begins the next one. */
void pcinspect_rows_next(struct pcinspect_rows *rows)
{
	rows->used -= rows->page_used;
	rows->count -= rows->page_count;
	if (rows->used)
		memmove(rows->data, rows->data + rows->page_used, rows->used);
	rows->page_used = 0;
	rows->page_count = 0;
	pcinspect_rows_mark(rows);
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

	if (rows->used + need > rows->limit)
		return rows->used ? -ENOSPC : -E2BIG;
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
 * May sleep. Return: 0, -ENOMEM, -ENOSPC: it belongs on the next page, or
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

	return rows_put(rows, ledger->name,
			pcinspect_sections_deleted(rec, rows->snap,
						   rows->detail));
}
