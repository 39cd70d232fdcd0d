// SPDX-License-Identifier: GPL-2.0-only
/*
 * ended.c - records of inodes that were evicted.
 *
 * Why: a record holds no reference, so its inode is known to be evicted only
 * when all inodes of its superblock were visited and it was not among them.
 * Such records are retired and become part of a sum. An inode that could not be
 * searched is not taken for evicted: on a superblock that was busy, beyond the
 * number of superblocks, or one that left its list and still has pages.
 *
 * May touch: the records, by way of records/. Locks: none of its own; the
 * caller is between pcinspect_scan_begin() and pcinspect_scan_end().
 */
#include <linux/fs.h>
#include <linux/string.h>

#include "records/gone.h"
#include "records/ledger.h"
#include "records/scope.h"
#include "records/track.h"
#include "walk/ended.h"
#include "walk/rows.h"
#include "walk/sections.h"
#include "walk/emitted.h"

/*
 * By address and type: the superblock of an unmounted filesystem, whose records
 * have not been retired yet, gives its address to the next one's.
 */
static struct pcinspect_ended_super *
ended_find(struct pcinspect_ended_supers *supers,
	   const struct pcinspect_record *rec)
{
	struct pcinspect_ended_super *known = supers->supers;
	unsigned int i;

	for (i = 0; i < supers->nr; i++, known++)
		if (known->super.sb == rec->sb &&
		    known->super.type == rec->type &&
		    !strcmp(known->super.fs, rec->fs))
			return known;
	return NULL;
}

static void ended_learn(const struct pcinspect_record *rec, void *arg)
{
	struct pcinspect_ended_supers *supers = arg;
	struct pcinspect_super *super;

	if (ended_find(supers, rec))
		return;
	if (supers->nr == PCINSPECT_ENDED_NR_SUPERS)
		return; /* its records count as missed */
	super = &supers->supers[supers->nr++].super;
	super->sb = rec->sb;
	super->type = rec->type;
	super->owner = rec->owner;
	super->dev = rec->dev;
	strscpy(super->fs, rec->fs, sizeof(super->fs));
}

/* Note which superblocks the records name. @supers: is empty. */
void pcinspect_ended_learn(struct pcinspect_ended_supers *supers)
{
	pcinspect_track_for_each(ended_learn, supers);
}

/*
 * Begin a search for the inodes of all records. @supers: empty, filled in. Who
 * visits them sets pcinspect_record.seen to @ended->number where one is met.
 */
void pcinspect_ended_begin(struct pcinspect_ended *ended,
			   struct pcinspect_ended_supers *supers)
{
	ended->supers = supers;
	ended->number = pcinspect_track_begin_scan();
	ended->sees_removals = pcinspect_scope_knows("", PCINSPECT_REMOVED);
	pcinspect_ended_learn(supers);
}

/*
 * Note how the visit of a superblock went: what pcinspect_scan_super()
 * returned. Return: 0, or the error that ends the scan.
 */
int pcinspect_ended_visited(struct pcinspect_ended_super *known, int err)
{
	known->busy = err == -EBUSY;
	known->gone = err == -ENOENT;
	return known->busy || known->gone ? 0 : min(err, 0);
}

/* A row that sums up others. */
static struct pcinspect_snapshot *ended_sum(struct pcinspect_rows *rows,
					    u32 flags, const char *fs, u32 dev,
					    u64 inodes)
{
	struct pcinspect_snapshot *snap = rows->snap;

	memset(snap, 0, sizeof(*snap));
	snap->flags = flags;
	snap->dev_major = MAJOR(dev);
	snap->dev_minor = MINOR(dev);
	snap->gone_inodes = inodes;
	strscpy(snap->fs, fs, sizeof(snap->fs));
	return snap;
}

/*
 * Add a row that says what could not be looked at: so many inodes, 0: nobody
 * knows how many. May sleep. Return: 0, or an error of pcinspect_rows_add().
 */
int pcinspect_ended_skipped(struct pcinspect_rows *rows, const char *fs,
			    u32 dev, unsigned int inodes)
{
	ended_sum(rows, PCINSPECT_F_SKIPPED, fs, dev, inodes);
	rows->skipped += max(inodes, 1U);
	return pcinspect_rows_add(rows, NULL, NULL);
}

/*
 * Is its inode out of its filesystem's list, but not its pages out of the
 * cache? Not where nobody sees them go.
 */
static bool ended_leaving(const struct pcinspect_ended *ended,
			  const struct pcinspect_record *rec)
{
	const struct pcinspect_ledger *ledger = pcinspect_record_ledger(rec);

	if (!ended->sees_removals || !ledger || rec->explicit_id ||
	    rec->born >= ended->number || READ_ONCE(rec->seen) == ended->number)
		return false;
	return pcinspect_ledger_leaving(ledger);
}

/* Could its inode not be looked for, or can we not say all of it? */
static bool ended_missed(const struct pcinspect_ended *ended,
			 const struct pcinspect_record *rec)
{
	const struct pcinspect_ended_super *known =
		ended_find(ended->supers, rec);

	return !known || known->busy ||
	       (!known->gone && ended_leaving(ended, rec));
}

/* Rows of earlier pages are not part of a sum. */
static bool ended_was_emitted(const struct pcinspect_ended *ended,
			      const struct pcinspect_record *rec)
{
	return ended->emitted &&
	       pcinspect_emitted_has(ended->emitted,
				     pcinspect_emitted_key(rec->inode, rec->ino,
							   rec->generation));
}

static bool ended_keep(const struct pcinspect_record *rec, void *arg)
{
	return ended_missed(arg, rec) || ended_was_emitted(arg, rec);
}

/* Could its row not be made, when it was its superblock's turn? */
static bool ended_was_busy(const struct pcinspect_ended *ended,
			   const struct pcinspect_record *rec)
{
	const struct pcinspect_ended_super *known =
		ended_find(ended->turns, rec);

	return known ? known->busy :
		       ended->turns->nr == PCINSPECT_ENDED_NR_SUPERS;
}

static void ended_count_missed(const struct pcinspect_record *rec, void *arg)
{
	struct pcinspect_ended *ended = arg;
	struct pcinspect_ended_super *known = ended_find(ended->supers, rec);

	/* Also of what was met before the filesystem became busy: no row is left. */
	if (!ended_missed(ended, rec) && !ended_was_busy(ended, rec))
		return;
	if (ended_was_emitted(ended, rec))
		return;
	if (known)
		known->missed++;
	else
		ended->missed++;
}

static int ended_add_missed(struct pcinspect_ended *ended)
{
	const struct pcinspect_ended_super *known = ended->supers->supers;
	unsigned int i;
	int err = 0;

	for (i = 0; i < ended->supers->nr && !err; i++, known++)
		if (known->missed)
			err = pcinspect_ended_skipped(ended->rows,
						      known->super.fs,
						      known->super.dev,
						      known->missed);
	if (ended->missed && !err)
		err = pcinspect_ended_skipped(ended->rows, "?", 0,
					      ended->missed);
	return err;
}

/* Rows without a sum. */
static const enum pcinspect_number ended_no_sums[] = {
	PCINSPECT_THRESH_MIN_PAGES,	PCINSPECT_THRESH_MAX_PAGES,
	PCINSPECT_LEDGER_BASE_PAGES,	PCINSPECT_LEDGER_CACHED_PAGES,
	PCINSPECT_LEDGER_COUNTED_PAGES, PCINSPECT_LEDGER_MOVED_PAGES,
};

/* Which numbers of a gone row are known. */
static void ended_know_gone(struct pcinspect_snapshot *snap,
			    const struct pcinspect_gone *gone, bool detail)
{
	unsigned int i;

	if (detail && gone->ledgers) {
		snap->flags |= PCINSPECT_F_LEDGER | PCINSPECT_F_AGES |
			       PCINSPECT_F_FSYNC;
		if (!gone->off_device)
			snap->flags |= PCINSPECT_F_DEVICE;
		if (!gone->no_holes)
			snap->flags |= PCINSPECT_F_HOLES;
		if (!gone->no_write_device)
			snap->flags |= PCINSPECT_F_WRITE_DEVICE;
		if (!gone->no_throttled)
			snap->flags |= PCINSPECT_F_THROTTLED;
		if (!snap->numbers[PCINSPECT_UNCOUNTED_WRITE_PAGES])
			snap->flags |= PCINSPECT_F_COUNTED;
		if (!gone->no_write_time)
			snap->flags |= PCINSPECT_F_WRITE_TIME;
	}
	pcinspect_sections_know(snap);
	for (i = 0; i < ARRAY_SIZE(ended_no_sums); i++)
		snap->known[ended_no_sums[i] / 64] &=
			~BIT_ULL(ended_no_sums[i] % 64);
	/* It says which row this is, with or without numbers. */
	if (gone->ledgers)
		snap->flags |= PCINSPECT_F_LEDGER;
}

/*
 * The records that ended: a row a filesystem, and one for those without
 * ledgers. Without sections the deleted files of a run are in it.
 */
static int ended_add_gone(struct pcinspect_rows *rows)
{
	struct pcinspect_snapshot *snap;
	struct pcinspect_gone gone;
	unsigned int i;
	int err = 0;

	for (i = 0; !err; i++) {
		snap = ended_sum(rows, PCINSPECT_F_GONE | PCINSPECT_F_COUNTERS,
				 "", 0, 0);
		if (rows->detail ? pcinspect_gone_then(i, &gone, snap->numbers) :
				   pcinspect_gone_get(i, &gone))
			break;
		if (!gone.inodes)
			continue;
		snap->dev_major = MAJOR(gone.dev);
		snap->dev_minor = MINOR(gone.dev);
		snap->gone_inodes = gone.inodes;
		strscpy(snap->fs, gone.fs, sizeof(snap->fs));
		snap->numbers[PCINSPECT_INSERTED] = gone.inserted;
		snap->numbers[PCINSPECT_REMOVED] = gone.removed;
		ended_know_gone(snap, &gone, rows->detail);
		err = pcinspect_rows_add(rows, NULL, NULL);
	}
	return err;
}

/*
 * A deleted file that is kept until the run ends; not one that was met alive
 * and has gone since: it has its row.
 */
static int ended_add_deleted(const struct pcinspect_record *rec, void *arg)
{
	const struct pcinspect_ended *ended = arg;

	if (ended->emitted ? ended_was_emitted(ended, rec) :
			     rec->seen == ended->number)
		return 0;
	return pcinspect_rows_add_deleted(ended->rows, rec);
}

/**
 * pcinspect_ended_rows() - tell once of what has no row, and retire it
 * @ended: a search of which every superblock had its turn
 *
 * A row for each filesystem that was busy, with sections the deleted files of a
 * run, then the gone rows. All of it is of one moment.
 *
 * Context: process context, sleeps.
 * Return: 0, or an error of pcinspect_rows_add().
 */
int pcinspect_ended_rows(struct pcinspect_ended *ended)
{
	int err;

	pcinspect_track_for_each(ended_count_missed, ended);
	pcinspect_track_retire_unseen(ended->number, ended_keep, ended);
	/* No other scan retires what this one has listed. */
	pcinspect_gone_wait();
	err = ended_add_missed(ended);
	if (err || !ended->rows->detail)
		return err ?: ended_add_gone(ended->rows);
	err = pcinspect_gone_list_begin();
	if (err)
		return err;
	err = pcinspect_gone_for_each(ended_add_deleted, ended) ?:
		      ended_add_gone(ended->rows);
	pcinspect_gone_list_end();
	return err;
}
