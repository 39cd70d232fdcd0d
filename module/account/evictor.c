// SPDX-License-Identifier: GPL-2.0
/*
 * evictor.c - who filled memory lately.
 *
 * Why: kswapd frees pages for nobody in particular. What made it run is what
 * was inserted since it ran last, so the pages it takes are split over those
 * files in proportion. Right when one stream fills memory, which is when people
 * ask; a guess when many do, and always labelled inferred.
 *
 * One table for all NUMA nodes: insertions are not known by node here.
 *
 * Locks: evictor_lock, a leaf raw spinlock, irqs saved. Work under it is bound
 * by the size of the table.
 */
#include <linux/minmax.h>
#include <linux/sched.h>
#include <linux/spinlock.h>
#include <linux/string.h>

#include "account/evictor.h"
#include "records/ledger.h"

#define EVICTOR_SLOTS 16

/*
 * struct evictor_slot - one file being filled by one task
 * @pages: since kswapd woke up last, and half of what was there before
 */
struct evictor_slot {
	struct pcinspect_file_id file;
	u32 pid;
	char comm[PCINSPECT_COMM_LEN];
	u64 pages;
};

static struct evictor_slot evictor_slots[EVICTOR_SLOTS];
static u64 evictor_total;
static u64 evictor_cursor;
static DEFINE_RAW_SPINLOCK(evictor_lock);

/**
 * pcinspect_evictor_filled() - the running task put pages in the cache
 * @file: of which file
 * @pages: how many
 *
 * With the table full the smallest entry is replaced.
 *
 * Context: preemption off, never sleeps.
 */
void pcinspect_evictor_filled(const struct pcinspect_file_id *file,
			      unsigned int pages)
{
	struct evictor_slot *slot, *least = &evictor_slots[0];
	unsigned long flags;
	int i;

	raw_spin_lock_irqsave(&evictor_lock, flags);
	for (i = 0; i < EVICTOR_SLOTS; i++) {
		slot = &evictor_slots[i];
		if (slot->pages && slot->file.inode == file->inode &&
		    slot->pid == current->tgid)
			goto add;
		if (slot->pages < least->pages)
			least = slot;
	}
	slot = least;
	evictor_total -= slot->pages;
	slot->pages = 0;
	slot->file = *file;
	slot->pid = current->tgid;
	memcpy(slot->comm, current->comm, sizeof(slot->comm));
add:
	slot->pages += pages;
	evictor_total += pages;
	raw_spin_unlock_irqrestore(&evictor_lock, flags);
}

/**
 * pcinspect_evictor_wake() - kswapd woke up: a new period begins
 *
 * What was inserted before counts half from now on: it is what woke kswapd, so
 * it cannot be forgotten at once.
 *
 * Context: any, never sleeps.
 */
void pcinspect_evictor_wake(void)
{
	unsigned long flags;
	int i;

	raw_spin_lock_irqsave(&evictor_lock, flags);
	evictor_total = 0;
	for (i = 0; i < EVICTOR_SLOTS; i++) {
		evictor_slots[i].pages /= 2;
		evictor_total += evictor_slots[i].pages;
	}
	raw_spin_unlock_irqrestore(&evictor_lock, flags);
}

/**
 * pcinspect_evictor_infer() - kswapd took pages
 * @pages: how many
 * @by: in whose favour
 *
 * A cursor goes round over all pages of the table, so that in the long run
 * every entry gets its share.
 *
 * Context: probe with the i_pages lock held, interrupts off.
 */
void pcinspect_evictor_infer(unsigned int pages, struct pcinspect_culprit *by)
{
	struct evictor_slot found = {};
	unsigned long flags;
	u64 at;
	int i;

	raw_spin_lock_irqsave(&evictor_lock, flags);
	evictor_cursor += pages;
	if (evictor_cursor >= evictor_total)
		evictor_cursor = 0;
	at = evictor_cursor;
	for (i = 0; i < EVICTOR_SLOTS; i++) {
		if (at < evictor_slots[i].pages) {
			found = evictor_slots[i];
			break;
		}
		at -= evictor_slots[i].pages;
	}
	raw_spin_unlock_irqrestore(&evictor_lock, flags);
	if (found.pages)
		pcinspect_ledger_culprit(by, &found.file, found.pid, found.comm);
	else
		pcinspect_ledger_culprit(by, NULL, 0, "kswapd");
	by->inferred = 1;
	by->pages = pages;
}

/* Context: process context; no hook is attached. */
void pcinspect_evictor_reset(void)
{
	memset(evictor_slots, 0, sizeof(evictor_slots));
	evictor_total = 0;
}
