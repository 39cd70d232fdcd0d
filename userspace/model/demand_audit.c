// SPDX-License-Identifier: GPL-2.0
/*
 * demand_audit.c - what came into the page cache and went, as our hooks counted it,
 * beside how many pages the kernel counts in it. Pure.
 *
 * Each page that is inserted or removed has an event, but for those of shmem and of the
 * swap cache, which the kernel counts by themselves as well, and of hugetlbfs, which it
 * counts in neither and our hooks pass over. A page that takes the place of another
 * (migration, FUSE's replace_page_cache_folio(), a collapse into a huge page) has none,
 * and is counted for the other; what a split leaves behind the end of the file is removed
 * with one.
 */
#include "model/machine.h"

/* nr_file_pages, nr_shmem, nr_swapcached: each CPU has of each what it has not told. */
#define COUNTERS 3

/*
 * Pages of the largest folio: a table of page tables has so many entries, of 8 bytes.
 * Whoever is about to tell of one, between its count and its event, is on some CPU.
 */
static uint64_t under_way(const struct report *report, unsigned int cpus)
{
	return cpus * (report->page_size / 8);
}

/**
 * machine_audit_demand() - hold what came and went between two ticks against what there is
 * @machine: to whose report a row is added, if all of it is known
 * @before: it at the tick before, NULL: there was none
 * @cpus: how many there may be
 */
void machine_audit_demand(const struct machine *machine, const struct machine *before,
			  unsigned int cpus)
{
	uint64_t then, now, moved;
	struct pcinspect_demand between;
	struct audit *audit;

	if (!machine_demand(machine, before, &between) ||
	    between.inserted_pages == PCINSPECT_UNKNOWN ||
	    between.removed_pages == PCINSPECT_UNKNOWN ||
	    !machine->after_known || !before->after_known ||
	    !memory_file_pages(&before->memory, &then) ||
	    !memory_file_pages(&machine->memory, &now))
		return;
	/* Our sums are of some moment between two readings of the kernel's. */
	moved = then > before->after_pages ? then - before->after_pages : before->after_pages - then;
	then += between.inserted_pages;
	audit = report_add_audit(machine->report, "inserted_minus_removed_pages",
				 then > between.removed_pages ? then - between.removed_pages : 0,
				 now, machine->after_pages, "/proc/vmstat nr_file_pages");
	if (audit)
		audit->slack = moved + before->left_pages + machine->left_pages +
			COUNTERS * (before->memory.lag_pages + machine->memory.lag_pages) +
			2 * under_way(machine->report, cpus);
}
