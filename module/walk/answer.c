// SPDX-License-Identifier: GPL-2.0-only
/*
 * answer.c - from value records to live inodes, and from a filesystem to its
 * cached inodes, page by page.
 *
 * Why: an answer may be longer than one buffer. One of many pages continues
 * from page to page at its place: place.c keeps that, and emitted.c knows the
 * inodes to leave out should it be lost. Each inode of a list is visited once
 * for all pages, and once more at the end of a long list of records, to find
 * those that ended (ended.c). Between two pages no lock is held.
 *
 * May touch: what scan.c touches, and pcinspect_record.seen. Locks: scan.c's;
 * the owner of an answer serializes what it does with it.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/pagemap.h>
#include <linux/slab.h>

#include "records/track.h"
#include "walk/answer.h"
#include "walk/ended.h"
#include "walk/numbers.h"
#include "walk/place.h"
#include "walk/rows.h"
#include "walk/scan.h"
#include "walk/snapshot.h"
#include "walk/super.h"
#include "walk/emitted.h"

/* Pages of all answers. */
static u64 answer_pages;
static atomic_t answer_nr = ATOMIC_INIT(0);

/*
 * struct pcinspect_answer - an answer
 * @whole: of a filesystem, @super; not of the records, whose are in @supers
 * @last: only what is said once, at the end of all pages
 * @at: the superblock of @supers in which the next page begins
 * @inside: not at its beginning, but at @place; if that is lost or could not be
 *	remembered, at its beginning, without what was emitted
 * @numbers: where its inodes are found by number; then there is no @place
 * @next: the place where the page that is being made ends
 * @filter: leave out what was emitted
 * @pages: how many are complete
 * @listed: all that is still to be emitted is in @rows
 */
struct pcinspect_answer {
	struct pcinspect_rows rows;
	bool whole;
	bool last;
	bool found;
	struct pcinspect_super super;
	struct pcinspect_ended_supers supers;
	unsigned int at;
	bool inside;
	struct pcinspect_numbers *numbers;
	struct pcinspect_place *place;
	struct pcinspect_place *next;
	struct pcinspect_emitted emitted;
	bool filter;
	unsigned int pages;
	bool listed;
};

/*
 * struct answer_page - a page that is being made
 * @number: of the scan, where it is of records and has but one page
 * @emitted: inodes that were emitted before this superblock's turn
 */
struct answer_page {
	struct pcinspect_answer *answer;
	struct pcinspect_scan scan;
	unsigned long number;
	size_t emitted;
	bool full;
};

static u64 answer_key(const struct inode *inode)
{
	return pcinspect_emitted_key(inode, inode->i_ino, inode->i_generation);
}

/* This inode was met in scan @number. Return: whether it has a record. */
static bool answer_see(const struct inode *inode, unsigned long number)
{
	struct pcinspect_record *rec;

	rcu_read_lock();
	rec = pcinspect_track_find(inode);
	if (rec)
		WRITE_ONCE(rec->seen, number);
	rcu_read_unlock();
	return rec;
}

/*
 * Is this inode one to report? One without the ledger that is asked for was met
 * all the same.
 */
static bool answer_wants(void *arg, struct inode *inode)
{
	const struct answer_page *page = arg;
	const struct pcinspect_answer *answer = page->answer;
	struct pcinspect_record *rec;

	if (answer->filter &&
	    pcinspect_emitted_has(&answer->emitted, answer_key(inode)))
		return false;
	if (answer->whole)
		return !mapping_empty(inode->i_mapping) &&
		       pcinspect_snapshot_refuse(inode) == PCINSPECT_REFUSE_NONE;
	rcu_read_lock();
	rec = pcinspect_track_find(inode);
	if (rec && answer->rows.ledgers && !rcu_access_pointer(rec->ledger)) {
		WRITE_ONCE(rec->seen, page->number);
		rec = NULL;
	}
	rcu_read_unlock();
	return rec;
}

/* Report one referenced inode. */
static int answer_add(struct answer_page *page, struct inode *inode)
{
	struct pcinspect_rows *rows = &page->answer->rows;
	int err = pcinspect_snapshot_take(inode, true, rows->snap);

	if (err)
		return err;
	if (!page->answer->whole && !answer_see(inode, page->number))
		return 0;
	err = pcinspect_rows_add(rows,
				 pcinspect_snapshot_path(inode, rows->path),
				 inode);
	return err   ?:
		       pcinspect_emitted_add(&page->answer->emitted,
					     answer_key(inode));
}

/* As above. Where it does not fit, the page is full; the next begins with it. */
static int answer_emit(void *arg, struct inode *inode, struct inode *behind)
{
	struct answer_page *page = arg;
	struct pcinspect_answer *answer = page->answer;
	int err = answer_add(page, inode);

	if (err != -ENOSPC)
		return err;
	if (answer->numbers)
		return 1;
	answer->next = pcinspect_place_new(inode, true);
	if (!answer->next && behind)
		answer->next = pcinspect_place_new(behind, false);
	return 1;
}

/*
 * Where a page begins that is not the first of its superblock. Without the
 * place: at the beginning, without what was emitted; -ENOENT if the filesystem
 * is another one by now.
 */
static struct inode *answer_resume(void *arg, struct super_block *sb,
				   bool *wanted)
{
	struct answer_page *page = arg;
	struct pcinspect_answer *answer = page->answer;
	struct inode *inode;
	bool before;

	if (!answer->inside)
		return NULL;
	if (answer->place) {
		inode = pcinspect_place_grab(answer->place, sb, &before);
		if (inode) {
			*wanted = before && answer_wants(page, inode);
			return inode;
		}
		if (pcinspect_place_unmounted(answer->place))
			return ERR_PTR(-ENOENT);
	}
	answer->filter = true;
	return ERR_PTR(pcinspect_emitted_index(&answer->emitted));
}

static void answer_again(void *arg)
{
	struct answer_page *page = arg;

	pcinspect_rows_rewind(&page->answer->rows);
	pcinspect_emitted_cut(&page->answer->emitted, page->emitted);
}

static const struct pcinspect_scan_ops answer_scan = {
	.begin = answer_resume,
	.wants = answer_wants,
	.emit = answer_emit,
	.again = answer_again,
};

/* Report a superblock's inodes. Return: as pcinspect_scan_super(). */
static int answer_super(struct answer_page *page,
			const struct pcinspect_super *super)
{
	struct pcinspect_answer *answer = page->answer;
	int err;

	pcinspect_rows_mark(&answer->rows);
	page->emitted = answer->emitted.nr;
	if (!answer->whole && !answer->inside)
		answer->numbers = pcinspect_numbers_get(super);
	page->scan.numbers = answer->numbers;
	err = pcinspect_scan_super(&page->scan, super);
	page->full = err > 0;
	if (!page->full) {
		pcinspect_numbers_free(answer->numbers);
		answer->numbers = NULL;
	}
	/* The place is needed until here: the page may have been begun again. */
	pcinspect_place_free(answer->place);
	answer->place = answer->next;
	answer->next = NULL;
	answer->inside = page->full;
	answer->filter &= page->full;
	return err;
}

/* Report the inodes of all records, as far as the page goes. */
static int answer_records(struct answer_page *page)
{
	struct pcinspect_answer *answer = page->answer;
	int err;

	for (; answer->at < answer->supers.nr; answer->at++) {
		struct pcinspect_ended_super *known =
			&answer->supers.supers[answer->at];

		err = pcinspect_ended_visited(known,
					      answer_super(page, &known->super));
		if (err || page->full)
			return err;
	}
	return 0;
}

/* The rows that follow all inodes, once; cut into pages later. */
static int answer_end(struct pcinspect_answer *answer,
		      struct pcinspect_ended *ended)
{
	answer->rows.limit = answer->rows.used + PCINSPECT_ROWS_MAX;
	answer->listed = true;
	ended->rows = &answer->rows;
	ended->turns = &answer->supers;
	ended->emitted = answer->pages ? &answer->emitted : NULL;
	return pcinspect_ended_rows(ended);
}

/* Only see which records' inodes are there. @arg: the number of the scan. */
static bool answer_marks(void *arg, struct inode *inode)
{
	answer_see(inode, *(const unsigned long *)arg);
	return false;
}

/*
 * The pages of a long answer are of several moments, so which records ended is
 * seen in a pass of its own.
 */
static int answer_end_long(struct answer_page *page)
{
	static const struct pcinspect_scan_ops marks = { .wants = answer_marks };
	struct pcinspect_answer *answer = page->answer;
	struct pcinspect_ended_supers *supers;
	struct pcinspect_ended ended = {};
	struct pcinspect_scan scan = {
		.ops = &marks,
		.arg = &ended.number,
		.patience = PCINSPECT_SUPER_PATIENCE_ALL,
	};
	unsigned int i;
	int err = pcinspect_emitted_index(&answer->emitted);

	if (err)
		return err;
	supers = kvzalloc(sizeof(*supers), GFP_KERNEL);
	if (!supers)
		return -ENOMEM;
	pcinspect_ended_begin(&ended, supers);
	for (i = 0; i < supers->nr && !err; i++) {
		const struct pcinspect_super *super = &supers->supers[i].super;

		scan.numbers = pcinspect_numbers_get(super);
		err = pcinspect_ended_visited(&supers->supers[i],
					      pcinspect_scan_super(&scan, super));
		pcinspect_numbers_free(scan.numbers);
	}
	if (!err)
		err = answer_end(answer, &ended);
	kvfree(supers);
	return err;
}

/* The next page of all records. */
static int answer_page_records(struct answer_page *page)
{
	struct pcinspect_answer *answer = page->answer;
	struct pcinspect_ended ended = {};
	int err;

	if (answer->last)
		return answer_end_long(page);
	if (!answer->pages)
		pcinspect_ended_begin(&ended, &answer->supers);
	page->number = ended.number;
	err = answer_records(page);
	if (err || page->full)
		return err;
	return answer->pages ? answer_end_long(page) :
			       answer_end(answer, &ended);
}

/* The next page of a filesystem. */
static int answer_page_whole(struct answer_page *page)
{
	struct pcinspect_answer *answer = page->answer;
	const struct pcinspect_super *known;
	int err = answer_super(page, &answer->super);
	unsigned int i;

	answer->found |= err != -ENOENT;
	if (!answer->found) {
		/* btrfs up to 6.1: a record may know its second type. */
		pcinspect_ended_learn(&answer->supers);
		for (i = 0; i < answer->supers.nr && !answer->found; i++) {
			known = &answer->supers.supers[i].super;
			if (strcmp(known->fs, answer->super.fs))
				continue;
			answer->super.type = known->type;
			answer->super.owner = known->owner;
			err = answer_super(page, &answer->super);
			answer->found = err != -ENOENT;
		}
	}
	if (!answer->found)
		return -ENODEV;
	if (page->full)
		return 0;
	answer->rows.limit = answer->rows.used + PCINSPECT_ROWS_MAX;
	answer->listed = true;
	if (err == -EBUSY)
		return pcinspect_ended_skipped(&answer->rows, answer->super.fs,
					       answer->super.dev, 0);
	return err == -ENOENT ? 0 : err;
}

/**
 * pcinspect_answer_new() - begin an answer
 * @fs: describe every cached inode of a filesystem of this type, or NULL:
 *	every record's inode. Named by type and number and not by an open file,
 *	which would keep it from being unmounted
 * @dev: its s_dev, kernel encoding
 * @flags: PCINSPECT_LIST_*
 * @last: only what comes last; of records
 *
 * Of records: last comes what pcinspect_ended_rows() tells. Records whose inode
 * turns out to be gone are retired. No inode comes twice; each that was there
 * from the first page to the last one comes.
 *
 * Context: process context, may sleep.
 * Return: the answer, of which nothing is gathered yet; NULL without memory.
 */
struct pcinspect_answer *pcinspect_answer_new(const char *fs, u32 dev,
					      u32 flags, bool last)
{
	struct pcinspect_answer *answer = kvzalloc(sizeof(*answer), GFP_KERNEL);

	if (!answer)
		return NULL;
	if (pcinspect_rows_init(&answer->rows, flags & PCINSPECT_LIST_DETAIL)) {
		kvfree(answer);
		return NULL;
	}
	answer->whole = fs;
	if (fs)
		strscpy(answer->super.fs, fs, sizeof(answer->super.fs));
	answer->super.dev = dev;
	answer->last = last && !fs;
	answer->rows.ledgers = flags & PCINSPECT_LIST_LEDGERS;
	atomic_inc(&answer_nr);
	return answer;
}

/**
 * pcinspect_answer_page() - gather the next page of an answer
 * @answer: the answer; after an error it can only be freed
 * @limit: bytes of the page at most
 *
 * Context: process context, sleeps; no lock held by the caller.
 * Return: 0, -ENODEV (no such filesystem is mounted), -ENOMEM, -E2BIG (there is
 * no room for one row), -EBUSY (its place was lost, and more was emitted than
 * is remembered), or -EINTR.
 */
int pcinspect_answer_page(struct pcinspect_answer *answer, size_t limit)
{
	struct answer_page page = { .answer = answer };
	int err = pcinspect_scan_begin(&page.scan, &answer_scan, &page);

	if (err)
		return err;
	pcinspect_rows_next(&answer->rows);
	answer->rows.limit = limit;
	if (!answer->listed)
		err = answer->whole ? answer_page_whole(&page) :
				      answer_page_records(&page);
	WRITE_ONCE(answer_pages, answer_pages + 1);
	pcinspect_scan_end();
	answer->pages++;
	return err ?: pcinspect_rows_cut(&answer->rows, limit);
}

/* The page that was gathered last: its page_used bytes. */
const struct pcinspect_rows *
pcinspect_answer_rows(const struct pcinspect_answer *answer)
{
	return &answer->rows;
}

/* Is there another page? */
bool pcinspect_answer_more(const struct pcinspect_answer *answer)
{
	return !answer->listed || answer->rows.page_used < answer->rows.used;
}

/* End an answer, or none. May sleep. */
void pcinspect_answer_free(struct pcinspect_answer *answer)
{
	if (!answer)
		return;
	pcinspect_place_free(answer->place);
	pcinspect_numbers_free(answer->numbers);
	pcinspect_emitted_free(&answer->emitted);
	pcinspect_rows_free(&answer->rows);
	kvfree(answer);
	atomic_dec(&answer_nr);
}

/* The memory of all answers, in bytes. */
size_t pcinspect_answer_memory(void)
{
	return atomic_read(&answer_nr) *
		       kmalloc_size_roundup(sizeof(struct pcinspect_answer)) +
	       pcinspect_rows_memory() + pcinspect_emitted_memory() +
	       pcinspect_numbers_memory() + pcinspect_place_memory();
}

/* Pages of answers, all together. */
u64 pcinspect_answer_pages(void)
{
	return READ_ONCE(answer_pages);
}
