// SPDX-License-Identifier: GPL-2.0
/*
 * gone.c - when an automatic record goes, what it counted is added to its
 * filesystem's row here, so that sums stay sums.
 *
 * May touch: its rows, under gone_lock, a leaf.
 */
#include <linux/rcupdate.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "records/gone.h"
#include "records/ledger.h"
#include "records/track.h"

#define GONE_ROWS 64

static DEFINE_RAW_SPINLOCK(gone_lock);
static struct pcinspect_gone gone_rows[GONE_ROWS];
static unsigned int gone_nr;
static atomic_t gone_nr_expected = ATOMIC_INIT(0);

/* The row of @rec's filesystem; the last one takes whatever finds no place. */
static struct pcinspect_gone *gone_row(const struct pcinspect_record *rec)
{
	struct pcinspect_gone *gone;
	unsigned int i;

	for (i = 0; i < gone_nr; i++) {
		gone = &gone_rows[i];
		if (gone->dev == rec->dev && !strcmp(gone->fs, rec->fs))
			return gone;
	}
	if (gone_nr < GONE_ROWS) {
		gone = &gone_rows[gone_nr++];
		gone->dev = rec->dev;
		strscpy(gone->fs, rec->fs, sizeof(gone->fs));
		return gone;
	}
	gone->dev = 0;
	strscpy(gone->fs, "?", sizeof(gone->fs));
	return gone;
}

/* A record is on its way to pcinspect_gone_add(). Context: any. */
void pcinspect_gone_expect(void)
{
	atomic_inc(&gone_nr_expected);
}

/* Add what @rec counted, now that nobody does any more. Context: any. */
void pcinspect_gone_add(const struct pcinspect_record *rec)
{
	struct pcinspect_ledger *ledger;
	struct pcinspect_gone *gone;
	unsigned long flags;

	raw_spin_lock_irqsave(&gone_lock, flags);
	gone = gone_row(rec);
	gone->inodes++;
	gone->inserted += atomic64_read(&rec->inserted) - rec->inserted_base;
	gone->removed += atomic64_read(&rec->removed) - rec->removed_base;
	ledger = rcu_dereference_protected(rec->ledger, true);
	if (ledger) {
		gone->device_bytes +=
			ledger_read(ledger, PCINSPECT_DEVICE_BYTES);
		gone->written += atomic64_read(&ledger->written);
	}
	raw_spin_unlock_irqrestore(&gone_lock, flags);
	atomic_dec(&gone_nr_expected);
}

/* Wait until all that are expected are there. Context: process; sleeps. */
void pcinspect_gone_wait(void)
{
	if (atomic_read(&gone_nr_expected))
		rcu_barrier();
}

/* Copy the @i-th row; -ENOENT when there is none. Context: any. */
int pcinspect_gone_get(unsigned int i, struct pcinspect_gone *gone)
{
	unsigned long flags;
	bool found;

	raw_spin_lock_irqsave(&gone_lock, flags);
	found = i < gone_nr;
	if (found)
		*gone = gone_rows[i];
	raw_spin_unlock_irqrestore(&gone_lock, flags);
	return found ? 0 : -ENOENT;
}
