// SPDX-License-Identifier: GPL-2.0-only
/*
 * own_sums.c - sums that the numbers and lists of one file must have. Pure.
 *
 * Why: no counter of the kernel's says who read or evicted a file, or how large an
 * fsync's requests were. But the module counts each twice, in a list and in a sum, and
 * reads both under one lock (sections_who(), module/walk/sections.c) or, of writeback,
 * ends before beginnings (pcinspect_ledger_writeback()), so that there is no slack. They
 * nearly always agree: there is a line only where they do not.
 */
#include "model/file.h"
#include "model/numbers.h"
#include "model/own_sums.h"

static void compare_sums(struct own_sums *sums, enum own_sum which, uint64_t ours, uint64_t theirs)
{
	if (ours == theirs)
		return;
	sums->ours[which] += ours;
	sums->theirs[which] += theirs;
}

static void hold_who(struct own_sums *sums, const struct pcinspect_who *who)
{
	uint64_t demanded = who->others.demanded_bytes, dirtied = who->others.dirtied_pages;
	uint64_t evicted = who->evictors_other_pages, removed = who->removers_other_pages;
	size_t i;

	for (i = 0; i < PCINSPECT_NR_TASKS; i++) {
		demanded += who->tasks[i].demanded_bytes;
		dirtied += who->tasks[i].dirtied_pages;
	}
	for (i = 0; i < PCINSPECT_NR_CULPRITS; i++) {
		evicted += who->evictors[i].pages;
		removed += who->removers[i].pages;
	}
	compare_sums(sums, OWN_DEMANDED, demanded, who->counted.demanded_bytes);
	compare_sums(sums, OWN_DIRTIED, dirtied, who->counted.dirtied_pages);
	compare_sums(sums, OWN_RECLAIMED, evicted, who->counted.reclaimed_pages);
	compare_sums(sums, OWN_REMOVED, removed, who->counted.removed_pages);
}

static void hold_cgroups(struct own_sums *sums, const struct file *file)
{
	uint64_t charged = file->snap.memcg_other;
	size_t i;

	/* Without memory cgroups nothing is charged to any. */
	for (i = 0; i < PCINSPECT_NR_MEMCGS; i++)
		charged += file->snap.memcgs[i].pages;
	if (charged)
		compare_sums(sums, OWN_CHARGED, charged, number_of(file, PCINSPECT_CACHED));
}

static void hold_fsyncs(struct own_sums *sums, const struct file *file)
{
	size_t i, k;

	for (k = 0; k < file->nr_fsyncs; k++) {
		const struct pcinspect_fsync *call = &file->fsyncs[k];
		uint64_t bytes = 0;

		for (i = 0; i < PCINSPECT_NR_SIZES; i++) {
			/* Of several sizes together. */
			if (call->sizes[i].requests && !call->sizes[i].bytes)
				break;
			bytes += call->sizes[i].requests * call->sizes[i].bytes;
		}
		if (i == PCINSPECT_NR_SIZES)
			compare_sums(sums, OWN_REQUESTS, bytes, call->request_bytes);
	}
}

/*
 * Pages under writeback when their ledger began were cached then. If more ends are
 * counted than that, some of it is unknown.
 */
static void hold_ends(struct own_sums *sums, const struct file *file)
{
	uint64_t ended = number_counted(file, PCINSPECT_ENDED_PAGES);
	uint64_t begun = number_counted(file, PCINSPECT_WRITTEN_PAGES) +
			 number_counted(file, PCINSPECT_LEDGER_BASE_PAGES);

	if (number_known(file, PCINSPECT_WRITTEN_PAGES) &&
	    number_known(file, PCINSPECT_LEDGER_BASE_PAGES) && ended > begun)
		compare_sums(sums, OWN_ENDED, ended, begun);
}

/**
 * own_sums_add() - one more file
 * @sums: to which
 * @file: an inode, or one that was deleted; not a sum of some that are gone
 */
void own_sums_add(struct own_sums *sums, const struct file *file)
{
	if (file->who && file->who->counted.known)
		hold_who(sums, file->who);
	hold_cgroups(sums, file);
	hold_fsyncs(sums, file);
	hold_ends(sums, file);
}
