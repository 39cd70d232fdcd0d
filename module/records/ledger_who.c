// SPDX-License-Identifier: GPL-2.0-only
/*
 * ledger_who.c - an inode's users: a ledger's tasks, evictors and removers.
 *
 * Why lists of fixed length: they are searched in probes. A task without a
 * place is added to a line of its own, so that sums stay right.
 *
 * May touch: ledgers. Locks: ledger->lock only, a leaf.
 */
#include <linux/sched.h>
#include <linux/string.h>

#include "kunit_visible.h"
#include "records/ledger.h"

/* Add to @to what another did; who it is stays. Context: any. */
void pcinspect_task_add(struct pcinspect_task *to,
			const struct pcinspect_task *from)
{
	to->demanded_bytes += from->demanded_bytes;
	to->device_bytes += from->device_bytes;
	to->inserted_pages += from->inserted_pages;
	to->dirtied_pages += from->dirtied_pages;
	to->throttled_ns += from->throttled_ns;
}

/*
 * Add to a task's line, and what there is a number of to that. @did: who, and
 * what. Context: any but NMI, never sleeps.
 */
void pcinspect_ledger_did(struct pcinspect_ledger *ledger,
			  const struct pcinspect_task *did)
{
	struct pcinspect_task *task = &ledger->others;
	unsigned long flags;
	int i;

	raw_spin_lock_irqsave(&ledger->lock, flags);
	ledger_add_locked(ledger, PCINSPECT_DEMANDED_BYTES, did->demanded_bytes);
	ledger_add_locked(ledger, PCINSPECT_DIRTIED_PAGES, did->dirtied_pages);
	for (i = 0; i < PCINSPECT_NR_TASKS; i++) {
		struct pcinspect_task *slot = &ledger->tasks[i];

		if (!slot->pid) {
			slot->pid = did->pid;
			strscpy(slot->comm, did->comm, sizeof(slot->comm));
		}
		if (slot->pid == did->pid && !strcmp(slot->comm, did->comm)) {
			task = slot;
			break;
		}
	}
	pcinspect_task_add(task, did);
	raw_spin_unlock_irqrestore(&ledger->lock, flags);
}

/*
 * Name who did something. @who: filled in; nothing counted yet. @file: for the
 * sake of which file, or NULL if that is unknown. Context: any, never sleeps.
 */
void pcinspect_ledger_culprit(struct pcinspect_culprit *who,
			      const struct pcinspect_file_id *file, u32 pid,
			      const char *comm)
{
	memset(who, 0, sizeof(*who));
	who->pid = pid;
	strscpy(who->comm, comm, sizeof(who->comm));
	if (!file)
		return;
	who->ino = file->ino;
	who->dev_major = MAJOR(file->dev);
	who->dev_minor = MINOR(file->dev);
	who->i_generation = file->generation;
}

/*
 * Reclaim took pages; they are counted as removed. @by: in whose favour, and
 * how many. Context: any, never sleeps.
 */
void pcinspect_ledger_evicted(struct pcinspect_ledger *ledger,
			      const struct pcinspect_culprit *by)
{
	unsigned long flags;
	int i;

	raw_spin_lock_irqsave(&ledger->lock, flags);
	ledger_add_locked(ledger, PCINSPECT_REMOVED_RECLAIM, by->pages);
	for (i = 0; i < PCINSPECT_NR_CULPRITS; i++) {
		struct pcinspect_culprit *who = &ledger->evictors[i];

		if (!who->pages) {
			*who = *by;
			break;
		}
		if (who->pid == by->pid && who->ino == by->ino &&
		    who->i_generation == by->i_generation &&
		    who->dev_major == by->dev_major &&
		    who->dev_minor == by->dev_minor &&
		    who->inferred == by->inferred &&
		    !strcmp(who->comm, by->comm)) {
			who->pages += by->pages;
			break;
		}
	}
	if (i == PCINSPECT_NR_CULPRITS)
		ledger->evictors_other += by->pages;
	raw_spin_unlock_irqrestore(&ledger->lock, flags);
}

/*
 * The running task took pages out; they are counted as @removal. Context: any,
 * never sleeps.
 */
void pcinspect_ledger_removed_by(struct pcinspect_ledger *ledger,
				 enum pcinspect_removal removal,
				 enum pcinspect_remover_op op, u64 pages)
{
	unsigned long flags;
	int i;

	raw_spin_lock_irqsave(&ledger->lock, flags);
	ledger_add_locked(ledger, pcinspect_removed(removal), pages);
	for (i = 0; i < PCINSPECT_NR_CULPRITS; i++) {
		struct pcinspect_culprit *who = &ledger->removers[i];

		if (!who->pages) {
			who->pid = current->tgid;
			who->remover_op = op;
			strscpy(who->comm, pcinspect_comm(), sizeof(who->comm));
		} else if (who->pid != current->tgid || who->remover_op != op ||
			   strcmp(who->comm, pcinspect_comm())) {
			continue;
		}
		who->pages += pages;
		break;
	}
	if (i == PCINSPECT_NR_CULPRITS)
		ledger->removers_other += pages;
	raw_spin_unlock_irqrestore(&ledger->lock, flags);
}
