// SPDX-License-Identifier: GPL-2.0-only
/*
 * lists_audit.c - the audits of a walk over LRU lists. Pure.
 *
 * The counter is read before the walk and after it. Pages that leave a list in between
 * and come back, or come and leave again, are in neither: collect/churn.c bounds their
 * number, and by so many a count may be off.
 */
#include "model/lists_audit.h"

/* Pages that each CPU may have in its LRU batches: five of them, of 31 (since 6.14). */
#define BATCH_PAGES (5 * 31)

static const char *const what[PCINSPECT_NR_LISTS] = {
	[PCINSPECT_LIST_ACTIVE] = "active_pages", [PCINSPECT_LIST_INACTIVE] = "inactive_pages",
};

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static void add_audit(struct report *report, const char *name, uint64_t ours, uint64_t before,
		      uint64_t after, uint64_t slack, const char *source)
{
	report_add_audit(report, name, ours, before, after, source)->slack = slack;
}

/* One kind of list of a cgroup beside memory.stat; ours is of some time in between. */
static struct audit beside_stat(const struct cgroup *cgroup, int list,
				const struct cgroup_stat *before,
				const struct cgroup_stat *after, uint64_t left_pages)
{
	const struct pcinspect_list_cgroup *lists = &cgroup->lists;

	return (struct audit){
		.what = what[list], .ours = lists->counted_pages[list],
		.theirs_min = before->pages[list], .theirs = after->pages[list],
		.slack = distance(lists->counted_pages[list],
				  lists->counted_before_pages[list]) + left_pages,
		.source = "memory.stat",
	};
}

/**
 * lists_audit_fits() - is what the lists of a cgroup count what memory.stat says
 * @cgroup: it and all below it
 * @before: memory.stat before the walk
 * @after: and after it
 * @left_pages: that may have left a list in between
 *
 * Return: true if both kinds of list do, or it says nothing.
 */
bool lists_audit_fits(const struct cgroup *cgroup, const struct cgroup_stat *before,
		      const struct cgroup_stat *after, uint64_t left_pages)
{
	struct audit audit;
	bool fits = true;
	int i;

	for (i = 0; i < PCINSPECT_NR_LISTS && before->known && after->known; i++) {
		audit = beside_stat(cgroup, i, before, after, left_pages);
		fits &= audit_ok(&audit);
	}
	return fits;
}

/**
 * lists_audit_cgroup() - hold a walk against the lists' own counts, and these against
 *	memory.stat
 * @report: to which rows are added
 * @cgroup: it and all below it
 * @before: memory.stat before the walk
 * @after: and after it
 * @left_pages: that may have left a list in between
 */
void lists_audit_cgroup(struct report *report, const struct cgroup *cgroup,
			const struct cgroup_stat *before, const struct cgroup_stat *after,
			uint64_t left_pages)
{
	const struct pcinspect_list_cgroup *lists = &cgroup->lists;
	uint64_t first = 0;
	struct audit one;
	int i;

	for (i = 0; i < PCINSPECT_NR_LISTS; i++)
		first += lists->counted_before_pages[i];
	add_audit(report, "listed_pages",
		  lists->file_pages[0] + lists->file_pages[1] + lists->lazyfree_pages +
		  lists->leaving_pages + lists->other_pages, first, cgroup_counted(cgroup),
		  left_pages, "the lruvecs' counts");
	for (i = PCINSPECT_NR_LISTS - 1; i >= 0 && before->known && after->known; i--) {
		one = beside_stat(cgroup, i, before, after, left_pages);
		add_audit(report, one.what, one.ours, one.theirs_min, one.theirs, one.slack, one.source);
	}
}

/* One kind of list beside /proc/vmstat. Returns false if that does not have it. */
static bool beside_vmstat(const struct pcinspect_list_cgroup *lists, const struct memory *before,
			  const struct memory *now, int list, uint64_t left_pages,
			  struct audit *audit)
{
	static const enum memory_number of[PCINSPECT_NR_LISTS] = {
		[PCINSPECT_LIST_ACTIVE] = MEMORY_ACTIVE, [PCINSPECT_LIST_INACTIVE] = MEMORY_INACTIVE,
	};

	*audit = (struct audit){
		.what = what[list], .ours = lists->counted_pages[list],
		.slack = distance(lists->counted_pages[list],
				  lists->counted_before_pages[list]) +
			 left_pages + now->lag_pages,
		.source = "/proc/vmstat",
	};
	return memory_number(before, of[list], &audit->theirs_min) &&
	       memory_number(now, of[list], &audit->theirs);
}

/* Pages of files met on one kind of list, beside what its own count has. */
static struct audit beside_lruvecs(const struct pcinspect_list_cgroup *lists, int list,
				   uint64_t left_pages)
{
	struct audit audit = {
		.what = list == PCINSPECT_LIST_ACTIVE ? "listed_active_pages" :
							"listed_inactive_pages",
		.ours = lists->file_pages[list],
		.theirs_min = lists->counted_before_pages[list],
		.theirs = lists->counted_pages[list],
		/* Nobody asked on which list these were. */
		.slack = left_pages + lists->lazyfree_pages + lists->leaving_pages +
			 lists->other_pages,
		.source = "the lruvecs' counts",
	};
	int i;

	for (i = 0; i < PCINSPECT_NR_LISTS; i++)
		audit.slack += distance(lists->counted_pages[i], lists->counted_before_pages[i]);
	return audit;
}

/**
 * lists_audit_machine_fits() - is what all lists count what /proc/vmstat says
 * @lists: summed up
 * @before: memory before the walk
 * @now: and after it
 * @left_pages: that may have left a list in between
 *
 * MGLRU's aging makes active pages inactive in one step, and promotes others, and has no
 * counter: between two readings the lists may have had more of either than at both.
 *
 * Return: true if both kinds of list do, and what was met on either is what is counted on
 * it; or nothing is said.
 */
bool lists_audit_machine_fits(const struct pcinspect_list_cgroup *lists,
			      const struct memory *before, const struct memory *now,
			      uint64_t left_pages)
{
	struct audit audit;
	bool fits = true;
	int i;

	for (i = 0; i < PCINSPECT_NR_LISTS; i++) {
		audit = beside_lruvecs(lists, i, left_pages);
		fits &= audit_ok(&audit);
		if (beside_vmstat(lists, before, now, i, left_pages, &audit))
			fits &= audit_ok(&audit);
	}
	return fits;
}

/*
 * All that was met is in a row, or hidden; the sums in the title are of the same. There
 * is a line only if not.
 */
static void audit_rows(const struct machine *machine)
{
	uint64_t told = machine_found(machine), shown = machine->hidden_pages;
	uint64_t summed = machine->named_pages + machine->nameless_pages + machine->hidden_pages;
	size_t i;

	for (i = 0; i < machine->nr_rows; i++)
		shown += row_pages(&machine->rows[i]);
	if (!machine->only && machine->per != PER_PROCESS && shown != told)
		report_add_audit(machine->report, "pages of all rows", shown, told, told,
				 "the lists");
	if (summed != told)
		report_add_audit(machine->report, "named and other pages", summed, told, told,
				 "the lists");
}

/**
 * lists_audit_machine() - hold a walk over all lists against the lists' own counts; these
 *	against /proc/vmstat, which nobody adds up from lists; and what is on no list
 *	against what may be
 * @machine: of its memory after the walk
 * @before: its memory before
 * @left_pages: that may have left a list in between
 * @cpus: how many there may be
 */
void lists_audit_machine(const struct machine *machine, const struct memory *before,
			 uint64_t left_pages, unsigned int cpus)
{
	const struct pcinspect_list_cgroup *lists = &machine->lists;
	const struct memory *now = &machine->memory;
	uint64_t moved = left_pages, file, first, came = 0, unevictable, isolated;
	struct audit one;
	int i;

	for (i = 0; i < PCINSPECT_NR_LISTS; i++)
		moved += distance(lists->counted_pages[i], lists->counted_before_pages[i]);
	audit_rows(machine);
	for (i = 0; i < PCINSPECT_NR_LISTS; i++) {
		one = beside_lruvecs(lists, i, left_pages);
		add_audit(machine->report, one.what, one.ours, one.theirs_min, one.theirs, one.slack,
			  one.source);
	}
	add_audit(machine->report, "listed_pages",
		  machine_found(machine) + lists->lazyfree_pages + lists->leaving_pages,
		  lists->counted_before_pages[0] + lists->counted_before_pages[1],
		  lists->counted_pages[0] + lists->counted_pages[1], moved, "the lruvecs' counts");
	for (i = 0; i < PCINSPECT_NR_LISTS; i++)
		if (beside_vmstat(lists, before, now, i, left_pages, &one))
			add_audit(machine->report, one.what, one.ours, one.theirs_min, one.theirs,
				  one.slack, one.source);
	if (!machine_file_pages(machine, &file) ||
	    !memory_number(now, MEMORY_UNEVICTABLE, &unevictable) ||
	    !memory_number(now, MEMORY_ISOLATED, &isolated))
		return;
	if (memory_file_pages(before, &first) && file > first)
		came = file - first + 3 * before->lag_pages;
	/* No fewer than are on lists; no more than those and what may be on none. */
	report_audit_least(machine->report, "file_pages", file, machine_listed(machine),
			   "the lruvecs' counts")->slack += moved + 3 * now->lag_pages;
	report_audit_most(machine->report, "off_lru_pages",
			  file > machine_listed(machine) ? file - machine_listed(machine) : 0,
			  unevictable + isolated + cpus * BATCH_PAGES + moved + came +
			  3 * now->lag_pages, "/proc/vmstat nr_unevictable, nr_isolated_file");
}
