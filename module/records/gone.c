// SPDX-License-Identifier: GPL-2.0-only
/*
 * gone.c - evicted inodes. The counts of an automatic record that ends are
 * added to its filesystem's row here, so that sums hold. In a run, the records
 * of deleted files are kept until it ends, with their ledgers: those with most
 * bytes, up to a number.
 *
 * Nothing is allocated to keep one: it is the record itself. When there are too
 * many, a new one replaces that with least bytes among the next few in turn, if
 * it has more; so work is bounded, and large ones stay. While they are listed
 * all stay in place, and the sums are those of the beginning: else a replaced
 * one would be listed and in the sum, and the new one in neither.
 *
 * Locks: gone_mutex (readers of kept records) > gone_lock, a leaf.
 */
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "kunit_visible.h"
#include "records/gone.h"
#include "records/ledger.h"
#include "records/record.h"

/* Two a filesystem. */
#define GONE_ROWS 128

/* So many of those that are kept are looked at for a place. */
#define GONE_LOOKS 8

static_assert(PCINSPECT_NR_DELETED % GONE_LOOKS == 0);

static DEFINE_RAW_SPINLOCK(gone_lock);
static struct pcinspect_gone gone_rows[GONE_ROWS];
/* The counts of the ledgers of each row since the last run began. */
static u64 gone_numbers[GONE_ROWS]
		       [PCINSPECT_NR_NUMBERS - PCINSPECT_FIRST_OF_LEDGER];
static unsigned int gone_nr;
static atomic_t gone_nr_expected = ATOMIC_INIT(0);

static DEFINE_MUTEX(gone_mutex);
/* Under gone_lock; while they are listed none goes. */
static struct pcinspect_record *gone_kept[PCINSPECT_NR_DELETED];
static unsigned int gone_nr_kept, gone_hand;
static bool gone_listed;
static bool gone_keeps;

/* The rows when a list began. Under gone_mutex. */
static struct pcinspect_gone gone_rows_then[GONE_ROWS];
static u64 gone_numbers_then[GONE_ROWS]
			    [PCINSPECT_NR_NUMBERS - PCINSPECT_FIRST_OF_LEDGER];
static unsigned int gone_nr_then;

/* Is this the row of @rec's filesystem? */
static bool gone_row_is(const struct pcinspect_gone *gone,
			const struct pcinspect_record *rec)
{
	return gone->dev == rec->dev &&
	       gone->ledgers == !!rcu_access_pointer(rec->ledger) &&
	       !strcmp(gone->fs, rec->fs);
}

/* The row of @rec's filesystem; the last one takes whatever finds no place. */
static struct pcinspect_gone *gone_row(const struct pcinspect_record *rec)
{
	struct pcinspect_gone *gone;
	unsigned int i;

	for (i = 0; i < gone_nr; i++) {
		gone = &gone_rows[i];
		if (gone_row_is(gone, rec))
			return gone;
	}
	if (gone_nr < GONE_ROWS) {
		gone = &gone_rows[gone_nr++];
		gone->dev = rec->dev;
		gone->ledgers = rcu_access_pointer(rec->ledger);
		strscpy(gone->fs, rec->fs, sizeof(gone->fs));
		return gone;
	}
	gone->dev = 0;
	gone->ledgers = false;
	strscpy(gone->fs, "?", sizeof(gone->fs));
	return gone;
}

static void gone_count(struct pcinspect_gone *gone,
		       enum pcinspect_number number, u64 n)
{
	gone_numbers[gone - gone_rows][number - PCINSPECT_FIRST_OF_LEDGER] += n;
}

/* The counts of a ledger, as far as they can be added up. Under gone_lock. */
static void gone_add_ledger(struct pcinspect_gone *gone,
			    const struct pcinspect_ledger *ledger)
{
	u64 written = atomic64_read(&ledger->written);
	u64 ended = atomic64_read(&ledger->ended);
	int i;

	for (i = PCINSPECT_FIRST_OF_LEDGER; i < PCINSPECT_NR_NUMBERS; i++)
		gone_count(gone, i, ledger_read(ledger, i));
	gone_count(gone, PCINSPECT_WRITTEN_PAGES, written);
	gone_count(gone, PCINSPECT_ENDED_PAGES, ended);
	gone_count(gone, PCINSPECT_FSYNCS_TOTAL, READ_ONCE(ledger->nr_fsyncs));
	gone_count(gone, PCINSPECT_WINDOWS_TOTAL, READ_ONCE(ledger->nr_windows));
	gone_count(gone, PCINSPECT_WINDOWS_DROPPED,
		   READ_ONCE(ledger->nr_windows));
	gone->off_device |= !ledger->on_device;
	gone->no_holes |= !ledger->knows_holes || ledger->bounced;
	gone->no_write_device |= !ledger->knows_writes;
	gone->no_throttled |= ledger_may_have_stalled(ledger);
	if (ledger->in_flight || written != ended ||
	    atomic64_read(&ledger->timed) != written + ended)
		gone->no_write_time = true;
	else
		gone_count(gone, PCINSPECT_WRITEBACK_NS,
			   atomic64_read(&ledger->time_ns));
}

static void gone_add_record(struct pcinspect_gone *gone,
			    const struct pcinspect_record *rec)
{
	gone->inodes++;
	gone->inserted += atomic64_read(&rec->inserted) - rec->inserted_base;
	gone->removed += atomic64_read(&rec->removed) - rec->removed_base;
}

/* Under gone_lock. */
static void gone_sum(const struct pcinspect_record *rec)
{
	const struct pcinspect_ledger *ledger =
		rcu_dereference_protected(rec->ledger, true);
	struct pcinspect_gone *gone = gone_row(rec);

	gone_add_record(gone, rec);
	if (ledger)
		gone_add_ledger(gone, ledger);
}

/* Bytes moved for a file, as far as they decide who is kept. */
static u64 gone_moved(const struct pcinspect_record *rec)
{
	const struct pcinspect_ledger *ledger =
		rcu_dereference_protected(rec->ledger, true);

	return ledger_read(ledger, PCINSPECT_DEVICE_BYTES) +
	       ledger_read(ledger, PCINSPECT_DEVICE_WRITE_BYTES) +
	       ledger_read(ledger, PCINSPECT_WRITE_BYTES) +
	       ledger_read(ledger, PCINSPECT_DEMANDED_BYTES) +
	       ledger_read(ledger, PCINSPECT_DIRECT_READ_BYTES) +
	       ledger_read(ledger, PCINSPECT_DIRECT_WRITE_BYTES);
}

/*
 * Keep the record of a deleted file. Returns the one that has to go for it,
 * which is @rec itself if no other is. Under gone_lock.
 */
static struct pcinspect_record *gone_put(struct pcinspect_record *rec)
{
	u64 moved = gone_moved(rec), least = moved;
	unsigned int i, at, where = PCINSPECT_NR_DELETED;

	gone_row(rec); /* pcinspect_gone_get() may add it there */
	if (gone_nr_kept < PCINSPECT_NR_DELETED) {
		gone_kept[gone_nr_kept++] = rec;
		return NULL;
	}
	for (i = 0; i < GONE_LOOKS && !gone_listed; i++) {
		at = (gone_hand + i) % PCINSPECT_NR_DELETED;
		if (gone_moved(gone_kept[at]) >= least)
			continue;
		least = gone_moved(gone_kept[at]);
		where = at;
	}
	gone_hand = (gone_hand + GONE_LOOKS) % PCINSPECT_NR_DELETED;
	if (where < PCINSPECT_NR_DELETED)
		swap(gone_kept[where], rec);
	return rec;
}

/* A record is on its way to pcinspect_gone_add(). Context: any. */
void pcinspect_gone_expect(void)
{
	atomic_inc(&gone_nr_expected);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_gone_expect);

/*
 * Add what @rec counted, now that nobody does any more; or keep it. Context:
 * any. Return: true if it is kept and so not to be freed.
 */
bool pcinspect_gone_add(struct pcinspect_record *rec)
{
	struct pcinspect_ledger *ledger =
		rcu_dereference_protected(rec->ledger, true);
	struct pcinspect_record *out = rec;
	unsigned long flags;

	if (ledger)
		pcinspect_ledger_collect(ledger, false);
	raw_spin_lock_irqsave(&gone_lock, flags);
	if (gone_keeps && rec->ended && ledger && ledger->deleted)
		out = gone_put(rec);
	if (out)
		gone_sum(out);
	raw_spin_unlock_irqrestore(&gone_lock, flags);
	if (out && out != rec)
		pcinspect_record_free(out);
	atomic_dec(&gone_nr_expected);
	return out != rec;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_gone_add);

/* Wait until all that are expected are there. Context: process; sleeps. */
void pcinspect_gone_wait(void)
{
	if (atomic_read(&gone_nr_expected))
		rcu_barrier();
}

/**
 * pcinspect_gone_list_begin() - somebody lists what is kept, and the rows
 *
 * Others who do so wait, and so does the end of a run.
 *
 * Context: process context, sleeps; pcinspect_gone_list_end() follows.
 * Return: 0, -EINTR.
 */
int pcinspect_gone_list_begin(void)
{
	unsigned long flags;

	if (mutex_lock_killable(&gone_mutex))
		return -EINTR;
	raw_spin_lock_irqsave(&gone_lock, flags);
	gone_listed = true;
	gone_nr_then = gone_nr;
	memcpy(gone_rows_then, gone_rows, sizeof(gone_rows));
	memcpy(gone_numbers_then, gone_numbers, sizeof(gone_numbers));
	raw_spin_unlock_irqrestore(&gone_lock, flags);
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_gone_list_begin);

void pcinspect_gone_list_end(void)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&gone_lock, flags);
	gone_listed = false;
	raw_spin_unlock_irqrestore(&gone_lock, flags);
	mutex_unlock(&gone_mutex);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_gone_list_end);

/*
 * Copy the @i-th row as it was when the list began. @numbers: by enum
 * pcinspect_number; those of a ledger are filled in. Return: 0, -ENOENT when
 * there is none. Context: process context, in a list.
 */
int pcinspect_gone_then(unsigned int i, struct pcinspect_gone *gone,
			u64 *numbers)
{
	if (i >= gone_nr_then)
		return -ENOENT;
	*gone = gone_rows_then[i];
	memcpy(numbers + PCINSPECT_FIRST_OF_LEDGER, gone_numbers_then[i],
	       sizeof(gone_numbers_then[i]));
	return 0;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_gone_then);

/*
 * Copy the @i-th row, without what ledgers counted, but with the deleted files
 * that are kept. Return: 0, -ENOENT when there is none. Context: any.
 */
int pcinspect_gone_get(unsigned int i, struct pcinspect_gone *gone)
{
	unsigned long flags;
	unsigned int k;
	bool found;

	raw_spin_lock_irqsave(&gone_lock, flags);
	found = i < gone_nr;
	if (found) {
		*gone = gone_rows[i];
		for (k = 0; k < gone_nr_kept; k++)
			if (gone_row_is(gone, gone_kept[k]))
				gone_add_record(gone, gone_kept[k]);
	}
	raw_spin_unlock_irqrestore(&gone_lock, flags);
	return found ? 0 : -ENOENT;
}

/*
 * A run begins: deleted files are kept from now on, and what ledgers counted
 * before is none of its business. Context: process; sleeps.
 */
void pcinspect_gone_keep(void)
{
	struct pcinspect_gone *gone;
	unsigned long flags;

	pcinspect_gone_wait();
	raw_spin_lock_irqsave(&gone_lock, flags);
	gone_keeps = true;
	memset(gone_numbers, 0, sizeof(gone_numbers));
	for (gone = gone_rows; gone < gone_rows + gone_nr; gone++) {
		gone->off_device = false;
		gone->no_holes = false;
		gone->no_write_device = false;
		gone->no_throttled = false;
		gone->no_write_time = false;
	}
	raw_spin_unlock_irqrestore(&gone_lock, flags);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_gone_keep);

/* The run is over: they are added up as all others. Context: process; sleeps. */
void pcinspect_gone_forget(void)
{
	struct pcinspect_record *rec;
	unsigned long flags;

	mutex_lock(&gone_mutex);
	do {
		raw_spin_lock_irqsave(&gone_lock, flags);
		gone_keeps = false;
		rec = gone_nr_kept ? gone_kept[--gone_nr_kept] : NULL;
		if (rec)
			gone_sum(rec);
		raw_spin_unlock_irqrestore(&gone_lock, flags);
		if (rec)
			pcinspect_record_free(rec);
		cond_resched();
	} while (rec);
	mutex_unlock(&gone_mutex);
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_gone_forget);

/*
 * Every deleted file that is kept. @fn: may sleep; not 0 ends it all. Context:
 * process context, in a list, sleeps. Return: what @fn returned last.
 */
int pcinspect_gone_for_each(pcinspect_deleted_fn fn, void *arg)
{
	const struct pcinspect_record *rec;
	unsigned long flags;
	unsigned int i;
	int err = 0;

	for (i = 0; !err; i++) {
		raw_spin_lock_irqsave(&gone_lock, flags);
		rec = i < gone_nr_kept ? gone_kept[i] : NULL;
		raw_spin_unlock_irqrestore(&gone_lock, flags);
		if (!rec)
			break;
		err = fn(rec, arg);
		cond_resched();
	}
	return err;
}
EXPORT_SYMBOL_IF_KUNIT(pcinspect_gone_for_each);
