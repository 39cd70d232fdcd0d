// SPDX-License-Identifier: GPL-2.0
/*
 * machine.c - the machine, once: its lists of pages between two readings of the
 * kernel's own counters, and what records know of processes.
 *
 * Touches: /dev/pcinspect, /proc; the cgroup hierarchy for names and refaults.
 */
#include <errno.h>
#include <fts.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "collect/demand.h"
#include "collect/lists.h"
#include "collect/machine.h"
#include "collect/memcg.h"
#include "collect/memory.h"
#include "lib/alloc.h"
#include "lib/complain.h"
#include "model/cgroups.h"

/* Pages that each CPU may have in its LRU batches: five of them, of 31 (since 6.14). */
#define BATCH_PAGES (5 * 31)

/* A filesystem by where it is mounted, else by the device. */
static void name_filesystem(struct collect *collect, struct machine_row *row)
{
	char *path = mounts_path(collect->mounts, row->row.dev_major, row->row.dev_minor, "/");
	struct libmnt_fs *mount;

	row->name = path;
	if (path) {
		if (strlen(path) > 1)
			path[strlen(path) - 1] = '\0';
		return;
	}
	/* Not its root, but a part of it may be mounted. */
	mount = mnt_table_find_devno(collect->mounts, makedev(row->row.dev_major,
							      row->row.dev_minor),
				     MNT_ITER_BACKWARD);
	if (mount && mnt_fs_get_target(mount))
		row->name = alloc_copy(mnt_fs_get_target(mount));
}

/* Names that rows get once they are put together. */
static void name_rows(struct collect *collect, struct machine *machine)
{
	size_t i;

	for (i = 0; i < machine->nr_rows; i++) {
		struct machine_row *row = &machine->rows[i];

		if (machine->per == PER_FILESYSTEM) {
			name_filesystem(collect, row);
		} else if (machine->per == PER_CGROUP) {
			/* 0: memory cgroups are not in use. */
			row->name = row->keys[0] ? memcg_path(row->keys[0]) : NULL;
			row->note = row->name ? cgroup_name(row->name) : NULL;
		}
	}
}

static uint64_t distance(uint64_t a, uint64_t b)
{
	return a > b ? a - b : b - a;
}

static void add_audit(struct report *report, const char *what, uint64_t ours, uint64_t before,
		      uint64_t after, uint64_t slack, const char *source)
{
	struct audit *audit = report_add_audit(report, what, ours, before, after, source);

	if (audit)
		audit->slack = slack;
}

/*
 * Our walk beside the lists' own counts; these beside /proc/vmstat, which nobody adds up
 * from lists; and what is on no list beside what may be.
 */
static void audit_machine(struct machine *machine, const struct memory *before)
{
	const struct pcinspect_list_cgroup *lists = &machine->lists;
	const struct memory *now = &machine->memory;
	static const enum memory_number of[PCINSPECT_NR_LISTS] = {
		[PCINSPECT_LIST_ACTIVE] = MEMORY_ACTIVE, [PCINSPECT_LIST_INACTIVE] = MEMORY_INACTIVE,
	};
	static const char *const what[PCINSPECT_NR_LISTS] = {
		[PCINSPECT_LIST_ACTIVE] = "active_pages", [PCINSPECT_LIST_INACTIVE] = "inactive_pages",
	};
	uint64_t moved = 0, file, unevictable, isolated, a, b;
	long cpus = sysconf(_SC_NPROCESSORS_CONF);
	int i;

	for (i = 0; i < PCINSPECT_NR_LISTS; i++)
		moved += distance(lists->counted_pages[i], lists->counted_before_pages[i]);
	add_audit(machine->report, "listed_pages",
		  machine_told(machine) + lists->lazyfree_pages + lists->leaving_pages,
		  lists->counted_before_pages[0] + lists->counted_before_pages[1],
		  lists->counted_pages[0] + lists->counted_pages[1], moved,
		  "the lruvecs' counts");
	for (i = 0; i < PCINSPECT_NR_LISTS; i++)
		if (memory_number(before, of[i], &a) && memory_number(now, of[i], &b))
			add_audit(machine->report, what[i], lists->counted_pages[i], a, b,
				  distance(lists->counted_pages[i],
					   lists->counted_before_pages[i]) + now->lag_pages,
				  "/proc/vmstat");
	if (!machine_file_pages(machine, &file) ||
	    !memory_number(now, MEMORY_UNEVICTABLE, &unevictable) ||
	    !memory_number(now, MEMORY_ISOLATED, &isolated))
		return;
	/* No fewer than are on lists; no more than those and what may be on none. */
	report_audit_least(machine->report, "file_pages",
			   file + moved + 3 * now->lag_pages, machine_listed(machine),
			   "the lruvecs' counts");
	report_audit_most(machine->report, "off_lru_pages",
			  file > machine_listed(machine) ? file - machine_listed(machine) : 0,
			  unevictable + isolated + cpus * BATCH_PAGES + moved +
			  3 * now->lag_pages, "/proc/vmstat nr_unevictable, nr_isolated_file");
}

static void take(struct machine *machine, const struct lists_answer *answer)
{
	const struct pcinspect_list_file *row = (const void *)answer->files;
	uint64_t given = 0;
	size_t i;

	for (i = 0; i < answer->lists.nr_cgroups; i++)
		machine_add_lists(machine, &answer->cgroups[i]);
	for (i = 0; i < answer->lists.nr_given; i++, row = lists_next(row)) {
		machine_add_file(machine, row, answer->names[i], answer->elsewhere[i]);
		given += row->pages[0] + row->pages[1];
	}
	machine->files = answer->lists.nr_given;
	machine->hidden_files = answer->lists.nr_files - answer->lists.nr_given;
	machine->hidden_pages = machine_told(machine) - given;
	machine->again = answer->lists.again;
	machine->busy = answer->lists.skipped;
}

/* One number of a cgroup: a word of memory.stat, or all of memory.current. Of v2. */
static bool read_number(const char *dir, const char *file, const char *word, uint64_t *number)
{
	char path[PATH_MAX], key[64];
	unsigned long long value;
	bool found = false;
	FILE *from;

	if (snprintf(path, sizeof(path), "%s/%s", dir, file) >= (int)sizeof(path))
		return false;
	from = fopen(path, "re");
	if (from && !word)
		found = fscanf(from, "%llu", &value) == 1;
	while (from && word && !found && fscanf(from, "%63s %llu", key, &value) == 2)
		found = !strcmp(key, word);
	if (from)
		fclose(from);
	if (found)
		*number = value;
	return found;
}

static int compare_names(const void *a, const void *b)
{
	const struct machine_row *const *x = a, *const *y = b;

	return strcmp((*x)->name ?: "", (*y)->name ?: "");
}

/*
 * Pages that were read again after an eviction. What the kernel counts of a cgroup is also
 * of all below it, so each is read once, those below first, so that they are no more.
 * One that has no memory controller is part of the one above.
 */
static void count_refaults(struct machine *machine)
{
	struct machine_row **by_name = alloc_zero(machine->nr_rows + 1, sizeof(*by_name));
	char *const roots[] = { (char *)MEMCG_ROOT, NULL };
	FTS *tree = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT, NULL);
	struct machine_row key, *wanted = &key, **found;
	FTSENT *entry;
	uint64_t pages, below;
	size_t i;

	for (i = 0; i < machine->nr_rows; i++)
		by_name[i] = &machine->rows[i];
	qsort(by_name, machine->nr_rows, sizeof(*by_name), compare_names);
	while (tree && (entry = fts_read(tree))) {
		if (entry->fts_info != FTS_DP ||
		    !read_number(entry->fts_path, "memory.stat", "workingset_refault_file", &pages))
			continue;
		below = entry->fts_number;
		if (entry->fts_level > FTS_ROOTLEVEL)
			entry->fts_parent->fts_number += pages;
		key.name = entry->fts_level > FTS_ROOTLEVEL ?
			entry->fts_path + strlen(MEMCG_ROOT) : (char *)"/";
		found = bsearch(&wanted, by_name, machine->nr_rows, sizeof(*by_name),
				compare_names);
		if (!found || pages < below)
			continue;
		(*found)->counters = 1;
		(*found)->counts[KEY_REFAULT - KEY_READ] = pages - below;
	}
	if (tree)
		fts_close(tree);
	free(by_name);
}

/* memory.current is of all below as well: of one by itself only where there are none. */
static void read_current(struct machine *machine)
{
	char dir[PATH_MAX];
	size_t i;

	for (i = 0; i < machine->nr_rows; i++) {
		struct machine_row *row = &machine->rows[i];

		row->current_known = row->name && row->cgroup && !row->cgroup->parent &&
			snprintf(dir, sizeof(dir), "%s%s", MEMCG_ROOT, row->name) < (int)sizeof(dir) &&
			read_number(dir, "memory.current", NULL, &row->current_bytes);
	}
}

static void count_cgroups(struct machine *machine)
{
	machine_join_cgroups(machine);
	read_current(machine);
	if (machine_key_counted(machine->key))
		count_refaults(machine);
}

/* Files with a ledger. */
static int take_ledgers(struct collect *collect, struct machine *machine)
{
	struct pcinspect_list list = { .flags = PCINSPECT_LIST_DETAIL | PCINSPECT_LIST_LEDGERS };

	if (collect_rows(collect, PCINSPECT_IOC_LIST, &list)) {
		complain(NULL, "cannot list the records: %s", strerror(errno));
		return -1;
	}
	machine_index_ledgers(machine);
	return 0;
}

/* Processes, from the records of files. */
static int take_records(struct collect *collect, struct machine *machine)
{
	struct pcinspect_list list = { .flags = PCINSPECT_LIST_DETAIL };
	size_t i;

	if (collect_rows(collect, PCINSPECT_IOC_LIST, &list)) {
		complain(NULL, "cannot list the records: %s", strerror(errno));
		return -1;
	}
	for (i = 0; i < collect->report->nr_files; i++)
		machine_add_tasks(machine, &collect->report->files[i]);
	return 0;
}

/**
 * machine_collect() - look at the machine
 * @collect: reaches the module
 * @machine: zeroed but for its report and what its list is to be of; filled in
 * @counter: of a live view, from demand_open(); -1: once, and then every CPU is woken to
 *	tell what it has counted
 *
 * Complains by itself.
 *
 * Return: 0, or -1.
 */
int machine_collect(struct collect *collect, struct machine *machine, int counter)
{
	bool exactly = counter < 0;
	struct lists_answer answer;
	struct memory before;

	if (machine_counts(machine) && take_ledgers(collect, machine))
		return -1;
	memory_read(&before, exactly);
	if (lists_ask(collect, -1, &answer)) {
		if (errno == E2BIG)
			complain(NULL, "too many cgroups (pcinspect cgroup with one of them)");
		else
			complain(NULL, "cannot walk the LRU lists: %s (try again)", strerror(errno));
		lists_free(&answer);
		return -1;
	}
	memory_read(&machine->memory, exactly);
	demand_read(counter, &machine->demand);
	take(machine, &answer);
	lists_free(&answer);
	if (machine->per == PER_PROCESS && take_records(collect, machine))
		return -1;
	machine_add_uncached(machine);
	machine_group(machine);
	name_rows(collect, machine);
	if (machine->per == PER_CGROUP)
		count_cgroups(machine);
	report_now(machine->report);
	audit_machine(machine, &before);
	return 0;
}
