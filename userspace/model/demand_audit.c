// SPDX-License-Identifier: GPL-2.0-only
/*
 * demand_audit.c - pages inserted into the page cache and removed, by our hooks,
 * beside how many pages the kernel counts in it. Pure.
 *
 * Each page that is inserted or removed has an event, but for those of shmem and of the
 * swap cache, which the kernel counts by themselves as well, and of hugetlbfs, which it
 * counts in neither and our hooks pass over. A page that takes the place of another
 * (migration, FUSE's replace_page_cache_folio(), a collapse into a huge page) has none,
 * and is counted for the other; what a split leaves behind the end of the file is removed
 * with one.
 */
#include <stdlib.h>

#include "lib/alloc.h"
#include "model/machine.h"

/* nr_file_pages, nr_shmem, nr_swapcached: each CPU has of each what it has not told. */
#define COUNTERS 3

/*
 * Pages of the largest folio: a table of page tables has so many entries, of 8 bytes.
 * A task between the count of one and its event is on some CPU.
 */
static uint64_t under_way(const struct report *report, unsigned int cpus)
{
	return cpus * (report->page_size / 8);
}

/* This tick as the first of a row; not known: what it would begin with is not. */
static struct machine_begin begin_with(const struct machine *machine)
{
	struct machine_begin begin = {
		.demand = machine->demand, .after_pages = machine->after_pages,
		.left_pages = machine->left_pages, .lag_pages = machine->memory.lag_pages,
	};

	begin.known = machine->demand.size && machine->after_known &&
		machine->demand.inserted_pages != PCINSPECT_UNKNOWN &&
		machine->demand.removed_pages != PCINSPECT_UNKNOWN &&
		memory_file_pages(&machine->memory, &begin.pages);
	return begin;
}

/*
 * No more may be said of processes than was inserted for all. These were read after the
 * counters of @before, and before the ones that are compared with.
 */
static void audit_readers(struct machine *machine, const struct machine *before,
			  unsigned int cpus)
{
	struct reader *list = alloc_zero(machine->readers.nr + 1, sizeof(*list));
	uint64_t pages = 0, then = before->demand.missed_pages;
	size_t i, nr;

	if (before->readers.nr && machine->readers.nr &&
	    before->demand.since_ns == machine->demand.since_ns &&
	    machine->readers.inserted_pages != PCINSPECT_UNKNOWN && then != PCINSPECT_UNKNOWN) {
		nr = readers_since(&machine->readers, &before->readers, READER_READS, list);
		for (i = 0; i < nr; i++)
			pages += list[i].row.pages;
		report_audit_most(machine->report, "readers_pages", pages,
				  machine->readers.inserted_pages - then +
				  under_way(machine->report, cpus), "pages inserted by reads");
	}
	free(list);
}

/**
 * machine_audit_demand() - hold what came and went against what there is
 * @machine: to whose report a row is added, if all of it is known; its @begin is set
 * @before: it at the tick before, NULL: there was none
 * @cpus: how many there may be
 *
 * From the first tick on for which all of it was counted without a break: what may be off
 * stays what it is for two ticks, and an error in each tick adds up.
 */
void machine_audit_demand(struct machine *machine, const struct machine *before,
			  unsigned int cpus)
{
	struct machine_begin now = begin_with(machine);
	const struct machine_begin *begin = &machine->begin;
	uint64_t came, went, moved;
	struct audit *audit;

	if (before && machine->demand.size)
		audit_readers(machine, before, cpus);
	machine->begin = before && before->begin.known &&
		before->begin.demand.since_ns == now.demand.since_ns ? before->begin : now;
	if (!now.known || !begin->known || now.demand.time_ns <= begin->demand.time_ns)
		return;
	/* Our sums are of some moment between two readings of the kernel's. */
	moved = begin->pages > begin->after_pages ? begin->pages - begin->after_pages :
						    begin->after_pages - begin->pages;
	came = begin->pages + now.demand.inserted_pages - begin->demand.inserted_pages;
	went = now.demand.removed_pages - begin->demand.removed_pages;
	audit = report_add_audit(machine->report, "inserted_minus_removed_pages",
				 came > went ? came - went : 0, now.pages, now.after_pages,
				 "/proc/vmstat nr_file_pages");
	audit->slack = moved + begin->left_pages + now.left_pages +
			COUNTERS * (begin->lag_pages + now.lag_pages) +
			2 * under_way(machine->report, cpus);
}
