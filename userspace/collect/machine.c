// SPDX-License-Identifier: GPL-2.0-only
/*
 * machine.c - the machine, once: its lists of pages between two readings of the
 * kernel's own counters, and what records know of processes.
 *
 * Touches: /dev/pcinspect, /proc; the cgroup hierarchy for names and refaults.
 */
#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "collect/churn.h"
#include "collect/demand.h"
#include "collect/lists.h"
#include "collect/machine.h"
#include "collect/memcg.h"
#include "collect/memory.h"
#include "collect/plain.h"
#include "collect/readers.h"
#include "lib/alloc.h"
#include "lib/complain.h"
#include "lib/keyfile.h"
#include "model/cgroups.h"
#include "model/lists_audit.h"

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

static void add_answer(struct machine *machine, const struct lists_answer *answer)
{
	const struct listed_file *file;
	uint64_t given = 0;
	size_t i;

	for (i = 0; i < answer->lists.nr_cgroups; i++)
		machine_add_lists(machine, &answer->cgroups[i]);
	for (file = answer->files; file < answer->files + answer->lists.nr_given; file++) {
		machine_add_file(machine, &file->row, file->path, file->elsewhere);
		given += listed_pages(&file->row);
	}
	machine->files = answer->lists.nr_given;
	machine->hidden_files = answer->lists.nr_files - answer->lists.nr_given;
	machine->hidden_pages = machine_found(machine) - given;
	machine->again = answer->lists.again;
	machine->busy = answer->lists.skipped;
}

static int compare_names(const void *a, const void *b)
{
	const struct machine_row *const *x = a, *const *y = b;

	return strcmp((*x)->name ?: "", (*y)->name ?: "");
}

/*
 * Pages that were read again after an eviction. The kernel's counts of a cgroup include
 * all below it, so each is read once, those below first, so that they are no more.
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
		    !keyfile_find(&pages, "workingset_refault_file", "%s/memory.stat",
				  entry->fts_path))
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
	size_t i;

	for (i = 0; i < machine->nr_rows; i++) {
		struct machine_row *row = &machine->rows[i];

		row->current_known = row->name && row->cgroup && !row->cgroup->parent &&
			keyfile_number(&row->current_bytes, MEMCG_ROOT "%s/memory.current",
				       row->name);
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

/*
 * Requests to the page cache, between two readings of its size; @churn was
 * read before the first.
 */
static void read_demand(struct machine *machine, int counter, const struct churn *churn)
{
	demand_read(counter, &machine->demand);
	machine->after_known = memory_read_file_pages(&machine->after_pages);
	machine->left_pages = churn_since(churn);
}

/* Without the module: the kernel's own counters, and rows of cgroups. */
static int collect_plain(struct collect *collect, struct machine *machine)
{
	const uint32_t unknown = 1U << KEY_DIRTY | 1U << KEY_MAPPED | 1U << KEY_FILES;
	const struct pcinspect_list_cgroup *cgroup;
	struct pcinspect_list_file row = {};
	struct lists_answer answer;

	memory_read(&machine->memory, true);
	if (!lists_ask(collect, -1, &answer)) {
		add_answer(machine, &answer);
		/* cgroups need not have all of it. */
		machine->lists.counted_pages[PCINSPECT_LIST_ACTIVE] =
			machine->memory.pages[MEMORY_ACTIVE];
		machine->lists.counted_pages[PCINSPECT_LIST_INACTIVE] =
			machine->memory.pages[MEMORY_INACTIVE];
		machine->policy = plain_lru_gen() ? POLICY_MGLRU : POLICY_CLASSIC;
		for (cgroup = answer.cgroups; machine->per == PER_CGROUP &&
		     cgroup < answer.cgroups + answer.lists.nr_cgroups; cgroup++) {
			row.cgroup = cgroup->id;
			memcpy(row.pages, cgroup->counted_pages, sizeof(row.pages));
			machine_add_file(machine, &row, NULL, false);
			machine->rows[machine->nr_rows - 1].unknown = unknown;
		}
		machine_group(machine);
		name_rows(collect, machine);
	}
	lists_free(&answer);
	if (machine->per == PER_CGROUP)
		count_cgroups(machine);
	report_now(machine->report);
	return 0;
}

/* Walks until one had no aging of MGLRU beside it, which is rare; see lists_audit.c. */
#define NR_WALKS 5

/**
 * struct walk - a walk over all lists, between two readings of the kernel's counters
 * @answer: what it met
 * @before: memory before it
 * @walked: what had left lists until its end
 * @left_pages: that may have left a list meanwhile
 */
struct walk {
	struct lists_answer answer;
	struct memory before;
	struct churn walked;
	uint64_t left_pages;
};

/* Memory after it is @machine's. Complains by itself. Returns 0, or -1. */
static int walk_lists(struct collect *collect, struct machine *machine, bool exactly,
		      struct walk *walk)
{
	struct pcinspect_list_cgroup sum;
	struct churn churn;
	int tries = 0;
	size_t i;

	do {
		if (tries)
			lists_free(&walk->answer);
		churn_read(&churn);
		memory_read(&walk->before, exactly);
		if (lists_ask(collect, -1, &walk->answer)) {
			if (errno == E2BIG)
				complain(NULL, "too many cgroups (pcinspect cgroup with one of them)");
			else
				complain(NULL, "cannot walk the LRU lists: %s (try again)",
					 strerror(errno));
			lists_free(&walk->answer);
			return -1;
		}
		churn_read(&walk->walked);
		memory_read(&machine->memory, exactly);
		walk->left_pages = churn_since(&churn);
		sum = (struct pcinspect_list_cgroup){};
		for (i = 0; i < walk->answer.lists.nr_cgroups; i++)
			cgroup_add_lists(&sum, &walk->answer.cgroups[i]);
	} while (!lists_audit_machine_fits(&sum, &walk->before, &machine->memory,
					   walk->left_pages) && ++tries < NR_WALKS);
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
	struct pcinspect_demand after;
	struct walk walk;

	if (collect->device < 0)
		return collect_plain(collect, machine);
	if (machine_counts(machine) && take_ledgers(collect, machine))
		return -1;
	if (walk_lists(collect, machine, counter < 0, &walk))
		return -1;
	if (counter >= 0)
		read_demand(machine, counter, &walk.walked);
	if (machine->demand.size) {
		readers_read(counter, &walk.answer, &machine->readers);
		demand_read(counter, &after);
		machine->readers.inserted_pages = after.size ? after.missed_pages : PCINSPECT_UNKNOWN;
	}
	add_answer(machine, &walk.answer);
	lists_free(&walk.answer);
	if (machine->per == PER_PROCESS && take_records(collect, machine))
		return -1;
	machine_add_uncached(machine);
	machine_group(machine);
	name_rows(collect, machine);
	if (machine->per == PER_CGROUP)
		count_cgroups(machine);
	report_now(machine->report);
	lists_audit_machine(machine, &walk.before, walk.left_pages, sysconf(_SC_NPROCESSORS_CONF));
	return 0;
}

/**
 * machine_pulse() - the counters alone, of a machine whose lists were walked before
 * @pulse: filled in: memory, demand and readers
 * @walked: that walk
 * @before: the pulse before, all 0: there was none
 * @counter: from demand_open()
 *
 * A file that nobody had read before the walk has a path while its reader has it open.
 */
void machine_pulse(struct machine *pulse, const struct machine *walked,
		   const struct machine *before, int counter)
{
	*pulse = (struct machine){ .report = walked->report };
	memory_read(&pulse->memory, false);
	demand_read(counter, &pulse->demand);
	if (!pulse->demand.size)
		return;
	readers_read(counter, NULL, &pulse->readers);
	readers_name_as(&pulse->readers, &walked->readers);
	readers_name_as(&pulse->readers, &before->readers);
	readers_name_opened(&pulse->readers);
}
