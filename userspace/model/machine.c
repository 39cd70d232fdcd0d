// SPDX-License-Identifier: GPL-2.0-only
/*
 * machine.c - the pages of the machine by file, directory, filesystem, cgroup or
 * process: sums, what is left over, and the order. Pure.
 *
 * The rest is shown in parts that add up: pages on lists that no row has, and
 * pages that are on no list at all.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/compare.h"
#include "model/cgroups.h"
#include "model/machine.h"

/* --- the kernel's numbers -------------------------------------------------- */

/**
 * memory_number() - one of the kernel's numbers
 * @memory: them
 * @number: which
 * @pages: set to it
 *
 * Return: false if this kernel does not say.
 */
bool memory_number(const struct memory *memory, enum memory_number number, uint64_t *pages)
{
	if (!(memory->known >> number & 1))
		return false;
	*pages = memory->pages[number];
	return true;
}

/**
 * memory_file_pages() - pages of files on disks, block devices included
 * @memory: the kernel's numbers
 * @pages: set to them: the page cache less shmem (tmpfs) and the swap cache, which the
 *	kernel counts with it
 *
 * Return: false if this kernel does not say, or its counters lag behind so much that
 * they contradict each other.
 */
bool memory_file_pages(const struct memory *memory, uint64_t *pages)
{
	uint64_t cache, shmem, swap;

	if (!memory_number(memory, MEMORY_CACHE, &cache) ||
	    !memory_number(memory, MEMORY_SHMEM, &shmem) ||
	    !memory_number(memory, MEMORY_SWAP_CACHE, &swap))
		return false;
	/* Three counters, each a moment after the other. */
	if (cache < shmem + swap)
		return false;
	*pages = cache - shmem - swap;
	return true;
}

/* --- sums ------------------------------------------------------------------ */

/* The pages of files that the kernel counts on the file lists. */
uint64_t machine_listed(const struct machine *machine)
{
	const struct pcinspect_list_cgroup *lists = &machine->lists;
	uint64_t counted = lists->counted_pages[0] + lists->counted_pages[1];
	uint64_t others = lists->lazyfree_pages + lists->leaving_pages;

	return counted > others ? counted - others : 0;
}

/* The pages of files that were met there. */
uint64_t machine_found(const struct machine *machine)
{
	return machine->lists.file_pages[0] + machine->lists.file_pages[1] +
	       machine->lists.other_pages;
}

/* On lists, but come during the walk, or not found by it. */
uint64_t machine_unwalked(const struct machine *machine)
{
	uint64_t listed = machine_listed(machine), told = machine_found(machine);

	return listed > told ? listed - told : 0;
}

/* All pages of files; false if this kernel does not say. */
bool machine_file_pages(const struct machine *machine, uint64_t *pages)
{
	return memory_file_pages(&machine->memory, pages);
}

/**
 * machine_off_lru() - pages of files that are on no list
 * @machine: which
 * @pages: set to them: unevictable ones, those in per-CPU batches, isolated ones
 *
 * Return: false if this kernel does not say how many pages there are, or says fewer than
 * are on lists: its counter lags behind, and 0 would be a guess.
 */
bool machine_off_lru(const struct machine *machine, uint64_t *pages)
{
	uint64_t all, listed = machine_listed(machine);

	if (!machine_file_pages(machine, &all) || all < listed)
		return false;
	*pages = all - listed;
	return true;
}

/**
 * machine_named() - how much of the page cache is of files that have a name
 * @machine: which
 * @percent: set to it, rounded down: less than all is not 100 %
 *
 * Return: false if nobody knows how many pages there are, or if there are none; or if
 * the kernel's counter lags behind so much that it says fewer than have a name.
 */
bool machine_named(const struct machine *machine, double *percent)
{
	uint64_t all;

	if (!machine_file_pages(machine, &all) || !all || machine->named_pages > all)
		return false;
	*percent = (1000 * machine->named_pages / all) / 10.0;
	return true;
}

static uint64_t between_of(uint64_t now, uint64_t then)
{
	return now == PCINSPECT_UNKNOWN || then == PCINSPECT_UNKNOWN || now < then ?
		PCINSPECT_UNKNOWN : now - then;
}

/**
 * machine_demand() - what programs asked of the page cache, and what became of that
 * @machine: which
 * @before: it at the tick before, NULL: there was none
 * @between: set to what was counted since; each may be PCINSPECT_UNKNOWN
 *
 * Return: false if it was not counted all the time.
 */
bool machine_demand(const struct machine *machine, const struct machine *before,
		    struct pcinspect_demand *between)
{
	const struct pcinspect_demand *now = &machine->demand, *then;

	if (!before || !now->size || !before->demand.size)
		return false;
	then = &before->demand;
	if (now->since_ns != then->since_ns || now->time_ns <= then->time_ns)
		return false;
	*between = (struct pcinspect_demand){
		.since_ns = then->time_ns,
		.time_ns = now->time_ns,
		.demanded_bytes = between_of(now->demanded_bytes, then->demanded_bytes),
		.missed_pages = between_of(now->missed_pages, then->missed_pages),
		.inserted_pages = between_of(now->inserted_pages, then->inserted_pages),
		.removed_pages = between_of(now->removed_pages, then->removed_pages),
	};
	return true;
}

/**
 * machine_hits() - how much of what programs demanded was in the page cache already
 * @machine: which
 * @before: it at the tick before, NULL: there was none
 * @ratio: set to it, from 0 to 1: so much at least, see row_hits()
 *
 * Return: false if it is not known, or nothing was demanded.
 */
bool machine_hits(const struct machine *machine, const struct machine *before, double *ratio)
{
	struct pcinspect_demand between;
	uint64_t missed;

	if (!machine_demand(machine, before, &between) || !between.demanded_bytes ||
	    between.demanded_bytes == PCINSPECT_UNKNOWN ||
	    between.missed_pages == PCINSPECT_UNKNOWN)
		return false;
	missed = between.missed_pages * machine->report->page_size;
	*ratio = missed < between.demanded_bytes ?
		1.0 - (double)missed / between.demanded_bytes : 0;
	return true;
}

const char *machine_policy_name(enum machine_policy policy)
{
	static const char *const names[] = {
		[POLICY_CLASSIC] = "classic", [POLICY_MGLRU] = "mglru", [POLICY_MIXED] = "mixed",
	};

	return names[policy];
}

/**
 * machine_add_lists() - the lists of one more cgroup
 * @machine: whose @lists and @policy they become part of
 * @lists: of the cgroup alone
 */
void machine_add_lists(struct machine *machine, const struct pcinspect_list_cgroup *lists)
{
	uint64_t counted = lists->counted_pages[0] + lists->counted_pages[1], in = 0;
	enum machine_policy policy = POLICY_UNKNOWN;
	int i;

	for (i = 0; i < PCINSPECT_LISTS_NR_GENS; i++)
		in += lists->generation_pages[i];
	/* Where its pages are, not what is switched on: they move one by one. */
	if (counted)
		policy = !in ? POLICY_CLASSIC : in >= counted ? POLICY_MGLRU : POLICY_MIXED;
	if (!machine->policy)
		machine->policy = policy;
	else if (policy && policy != machine->policy)
		machine->policy = POLICY_MIXED;
	cgroup_add_lists(&machine->lists, lists);
	if (machine->per != PER_CGROUP)
		return;
	machine->cgroups = alloc_room(machine->cgroups, machine->nr_cgroups,
				      &machine->room_cgroups, sizeof(*machine->cgroups));
	machine->cgroups[machine->nr_cgroups++] = (struct machine_cgroup){ .lists = *lists };
}

/* --- rows ------------------------------------------------------------------ */

/* Is a number one that a list of pages does not tell? */
bool machine_key_counted(enum machine_key key)
{
	return key >= KEY_READ && key <= KEY_REFAULT;
}

/* Have rows what the ledgers of their files counted? */
bool machine_counts(const struct machine *machine)
{
	return machine_key_counted(machine->key) && machine->per != PER_CGROUP &&
	       machine->per != PER_PROCESS;
}

/* Is a number of a row known? */
bool row_knows(const struct machine_row *row, enum machine_key key)
{
	if (key == KEY_GROWTH)
		return row->before;
	if (machine_key_counted(key) && !row->counters)
		return false;
	return !(row->unknown >> key & 1);
}

/* Pages of a row. */
uint64_t row_pages(const struct machine_row *row)
{
	return listed_pages(&row->row);
}

/**
 * row_hits() - how much of what a process demanded was in the page cache already
 * @row: of a process
 * @page_size: bytes
 * @ratio: set to it, from 0 to 1: so much at least
 *
 * Each byte that was not there is in a page that the process inserted. The converse does
 * not hold: of a page only some bytes may have been asked for; and pages that came in
 * advance, through mappings or by writing are among those inserted as well.
 *
 * Return: false if it is not known, or nothing was demanded.
 */
bool row_hits(const struct machine_row *row, uint32_t page_size, double *ratio)
{
	uint64_t demanded = row->task.demanded_bytes, missed = row->task.inserted_pages * page_size;

	if (!row_knows(row, KEY_DEMANDED) || !row_knows(row, KEY_INSERTED) || !demanded)
		return false;
	*ratio = missed < demanded ? 1.0 - (double)missed / demanded : 0;
	return true;
}

static struct machine_row *new_row(struct machine *machine)
{
	machine->rows =
		alloc_room(machine->rows, machine->nr_rows, &machine->room, sizeof(*machine->rows));
	memset(&machine->rows[machine->nr_rows], 0, sizeof(*machine->rows));
	return &machine->rows[machine->nr_rows++];
}

/* The directory of a path: "/a/b" has "/a", "/a" has "/". */
static char *directory(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (!slash)
		return alloc_copy(path);
	return alloc_first(path, slash == path ? 1 : slash - path);
}

static uint64_t device(const struct pcinspect_list_file *row)
{
	return (uint64_t)row->dev_major << 32 | row->dev_minor;
}

/* Is a file one of the part that the list is of? */
static bool is_in_part(const struct machine_only *only, const struct pcinspect_list_file *row,
		       const char *path, bool elsewhere)
{
	char *dir;
	bool same;

	if (!only)
		return true;
	switch (only->per) {
	case PER_FILESYSTEM:
		return only->key == device(row);
	case PER_CGROUP:
		return only->key == row->cgroup;
	case PER_DIRECTORY:
		if (!path || row->flags & PCINSPECT_F_BLOCK_DEVICE)
			return !path && !only->name;
		dir = directory(path);
		same = only->name && !strcmp(dir, only->name) &&
		       only->key == (elsewhere ? device(row) : 0);
		free(dir);
		return same;
	default:
		return true;
	}
}

/* --- what ledgers know of files ------------------------------------------- */

static struct pcinspect_list_file inode_of(const struct file *file)
{
	return (struct pcinspect_list_file){
		.flags = file->snap.flags & (PCINSPECT_F_DELETED | PCINSPECT_F_MAYBE_DELETED |
					     PCINSPECT_F_BLOCK_DEVICE),
		.dev_major = file->snap.dev_major,
		.dev_minor = file->snap.dev_minor,
		.ino = file->snap.ino,
		.i_generation = file->snap.i_generation,
		.inode_age_ms = PCINSPECT_UNKNOWN,
	};
}

static int find_ledger(const void *key, const void *ledger)
{
	struct pcinspect_list_file row = inode_of(((const struct machine_ledger *)ledger)->file);

	return listed_compare_inodes(key, &row);
}

static int compare_ledgers(const void *a, const void *b)
{
	struct pcinspect_list_file row = inode_of(((const struct machine_ledger *)a)->file);

	return find_ledger(&row, b);
}

/* Subvolumes have the same numbers for different inodes: only names tell. */
static bool namesakes(const struct pcinspect_snapshot *snap)
{
	return !strncmp(snap->fs, "btrfs", sizeof(snap->fs));
}

/**
 * machine_index_ledgers() - which files have counted more than their pages
 * @machine: whose report has them as its files; before machine_add_file()
 */
void machine_index_ledgers(struct machine *machine)
{
	const struct report *report = machine->report;
	size_t i;

	machine->index = alloc_zero(report->nr_files + 1, sizeof(*machine->index));
	for (i = 0; i < report->nr_files; i++)
		if (!report->files[i].gone)
			machine->index[machine->ledgers++].file = &report->files[i];
	if (machine->ledgers)
		qsort(machine->index, machine->ledgers, sizeof(*machine->index), compare_ledgers);
}

/* The ledger of a file of a list, or NULL. Two that cannot be told apart are none. */
static struct machine_ledger *ledger_of(const struct machine *machine,
					const struct pcinspect_list_file *row, const char *path)
{
	struct machine_ledger *at, *end = machine->index + machine->ledgers, *found = NULL;

	if (!machine->index)
		return NULL;
	at = bsearch(row, machine->index, machine->ledgers, sizeof(*at), find_ledger);
	if (!at)
		return NULL;
	while (at > machine->index && !find_ledger(row, at - 1))
		at--;
	for (; at < end && !find_ledger(row, at); at++) {
		const char *name = at->file->path;

		if (namesakes(&at->file->snap) && (!name || !path || strcmp(name, path)))
			continue;
		if (found)
			return NULL;
		found = at;
	}
	return found;
}

/* A file's numbers become part of its row; of one that is charged to two cgroups once. */
static void add_counts(struct machine_row *row, struct machine_ledger *ledger)
{
	static const enum pcinspect_number numbers[NR_MACHINE_COUNTS] = {
		[KEY_READ - KEY_READ] = PCINSPECT_DEVICE_BYTES,
		[KEY_WASTED - KEY_READ] = PCINSPECT_WASTED_PAGES,
		[KEY_REFAULT - KEY_READ] = PCINSPECT_REFAULT_PAGES,
	};
	int k;

	ledger->added = true;
	row->counters = 1;
	for (k = 0; k < NR_MACHINE_COUNTS; k++)
		if (!file_number(ledger->file, numbers[k], &row->counts[k]))
			row->unknown |= 1U << (KEY_READ + k);
}

/**
 * machine_add_uncached() - files of which something was counted, but nothing is cached
 * @machine: to which all files that are cached were added
 */
void machine_add_uncached(struct machine *machine)
{
	size_t i, before;

	for (i = 0; machine->index && i < machine->ledgers; i++) {
		struct machine_ledger *ledger = &machine->index[i];
		const struct file *file = ledger->file;
		struct pcinspect_list_file row = inode_of(file);

		/* One without a name may be on a list all the same. */
		if (ledger->met || (namesakes(&file->snap) && !file->path))
			continue;
		snprintf(row.fs, sizeof(row.fs), "%.*s", (int)sizeof(row.fs) - 1, file->snap.fs);
		before = machine->nr_rows;
		machine_add_file(machine, &row, file->path, false);
		if (machine->nr_rows > before && !ledger->added)
			add_counts(&machine->rows[before], ledger);
	}
}

/**
 * machine_part() - the part of the machine that a row stands for
 * @per: what the row is
 * @row: the row
 * @only: filled in; its name is a new string, or NULL
 *
 * Return: false if it is no part that has files.
 */
bool machine_part(enum machine_per per, const struct machine_row *row,
		  struct machine_only *only)
{
	if (per == PER_FILE || per == PER_PROCESS ||
	    (per == PER_DIRECTORY && row->keys[0]))
		return false;
	*only = (struct machine_only){
		.per = per,
		.key = row->keys[per == PER_DIRECTORY],
		.name = alloc_copy(row->name),
	};
	return true;
}

/**
 * machine_add_file() - pages of one file that are charged to one cgroup
 * @machine: whose list they become part of, by what it is of
 * @row: what the module said
 * @path: of the file, NULL: it has none
 * @elsewhere: @path is within the filesystem, which is not mounted here
 *
 * machine_group() puts together what belongs together.
 */
void machine_add_file(struct machine *machine, const struct pcinspect_list_file *row,
		      const char *path, bool elsewhere)
{
	struct machine_row *out;
	uint64_t pages = listed_pages(row);
	struct machine_ledger *ledger = ledger_of(machine, row, path);

	if (ledger)
		ledger->met = true;
	*(path ? &machine->named_pages : &machine->nameless_pages) += pages;
	if (row->flags & PCINSPECT_F_DELETED)
		machine->deleted_pages += pages;
	if (machine->per == PER_PROCESS || !is_in_part(machine->only, row, path, elsewhere))
		return;
	out = new_row(machine);
	out->row = *row;
	out->files = 1;
	if (ledger && !ledger->added)
		add_counts(out, ledger);
	switch (machine->per) {
	case PER_FILE:
		out->keys[0] = device(row);
		out->keys[1] = row->ino;
		out->keys[2] = row->i_generation;
		out->name = alloc_copy(path);
		out->elsewhere = path && elsewhere;
		break;
	case PER_DIRECTORY:
		/* A block device is no file of a directory; its path would say /dev. */
		out->keys[0] = row->flags & PCINSPECT_F_BLOCK_DEVICE ? row->ino + 1 : 0;
		out->name = !path				  ? NULL :
			    row->flags & PCINSPECT_F_BLOCK_DEVICE ? alloc_copy(path) :
								    directory(path);
		/* Of the same name here, and on other filesystems, are others. */
		out->elsewhere = path && elsewhere;
		out->keys[1] = out->elsewhere ? device(row) : 0;
		break;
	case PER_FILESYSTEM:
		out->keys[0] = device(row);
		break;
	case PER_CGROUP:
		out->keys[0] = row->cgroup;
		break;
	case PER_PROCESS:
		break;
	}
}

static void add_task(struct machine *machine, const struct file *file,
		     const struct pcinspect_task *task)
{
	static const struct {
		enum machine_key key;
		enum pcinspect_number number;
	} needs[] = {
		{ KEY_DEMANDED, PCINSPECT_DEMANDED_BYTES },
		{ KEY_DEVICE, PCINSPECT_DEVICE_BYTES },
		{ KEY_DIRTIED, PCINSPECT_DIRTIED_PAGES },
	};
	struct machine_row *out = new_row(machine);
	size_t i;

	out->keys[0] = task->pid;
	out->pid = task->pid;
	out->task = *task;
	for (i = 0; i < sizeof(needs) / sizeof(*needs); i++)
		if (!number_known(file, needs[i].number))
			out->unknown |= 1U << needs[i].key;
	out->files = 1;
	out->name = task->pid ? alloc_first(task->comm, strnlen(task->comm, sizeof(task->comm))) :
				NULL;
}

/* Was somebody filling the very file that pages were taken from? */
static bool fills(const struct pcinspect_culprit *culprit, const struct file *file)
{
	return culprit->ino && culprit->ino == file->snap.ino &&
	       culprit->i_generation == file->snap.i_generation &&
	       culprit->dev_major == file->snap.dev_major &&
	       culprit->dev_minor == file->snap.dev_minor;
}

/**
 * machine_add_tasks() - what processes did to one file
 * @machine: whose list is of processes
 * @file: with a record
 *
 * Of pages that went without anybody's doing for certain (kswapd's, and those of further
 * processes) any process may have been the cause: then nobody's number is known.
 */
void machine_add_tasks(struct machine *machine, const struct file *file)
{
	const struct pcinspect_who *who = file->who;
	struct machine_row *out;
	int i;

	machine->records++;
	if (!who || file->gone)
		return;
	machine->ledgers++;
	for (i = 0; i < PCINSPECT_NR_TASKS; i++)
		if (who->tasks[i].pid)
			add_task(machine, file, &who->tasks[i]);
	if (who->others.demanded_bytes || who->others.device_bytes ||
	    who->others.inserted_pages || who->others.dirtied_pages)
		add_task(machine, file, &who->others);
	machine->guessed |= who->evictors_other_pages > 0;
	for (i = 0; i < PCINSPECT_NR_CULPRITS; i++) {
		const struct pcinspect_culprit *culprit = &who->evictors[i];

		if (!culprit->pages)
			continue;
		if (culprit->inferred || !culprit->pid) {
			machine->guessed = true;
			continue;
		}
		if (fills(culprit, file))
			continue;
		out = new_row(machine);
		out->keys[0] = out->pid = culprit->pid;
		out->name =
			alloc_first(culprit->comm, strnlen(culprit->comm, sizeof(culprit->comm)));
		out->evicted_for = culprit->pages;
	}
}

static int compare_identity(const void *a, const void *b)
{
	const struct machine_row *x = a, *y = b;

	return compare_numbers(x->keys[0], y->keys[0]) ?:
	       compare_numbers(x->keys[1], y->keys[1]) ?:
	       compare_numbers(x->keys[2], y->keys[2]) ?:
	       !x->name - !y->name ?: x->name ? strcmp(x->name, y->name) : 0;
}

/* With the file's cgroup last: a file that is charged to two is one file. */
static int compare_rows(const void *a, const void *b)
{
	const struct machine_row *x = a, *y = b;

	return compare_identity(a, b) ?: listed_compare_inodes(&x->row, &y->row);
}

static void sum_rows(struct machine_row *sum, const struct machine_row *one)
{
	int i;

	listed_add(&sum->row, &one->row);
	sum->task.demanded_bytes += one->task.demanded_bytes;
	sum->task.device_bytes += one->task.device_bytes;
	sum->task.inserted_pages += one->task.inserted_pages;
	sum->task.dirtied_pages += one->task.dirtied_pages;
	sum->task.throttled_ns += one->task.throttled_ns;
	sum->evicted_for += one->evicted_for;
	sum->counters += one->counters;
	for (i = 0; i < NR_MACHINE_COUNTS; i++)
		sum->counts[i] += one->counts[i];
	sum->unknown |= one->unknown;
}

/**
 * machine_group() - one row for each thing that the list is of
 * @machine: whose files and tasks have all been added
 */
void machine_group(struct machine *machine)
{
	struct machine_row *rows = machine->rows;
	struct pcinspect_list_file last;
	size_t i, n = 0;

	if (!machine->nr_rows)
		return;
	qsort(rows, machine->nr_rows, sizeof(*rows), compare_rows);
	last = rows[0].row;
	for (i = 1; i < machine->nr_rows; i++) {
		if (compare_identity(&rows[n], &rows[i])) {
			rows[++n] = rows[i];
		} else {
			sum_rows(&rows[n], &rows[i]);
			/* Processes have a row for each file. */
			rows[n].files += machine->per == PER_PROCESS ? rows[i].files :
					 listed_compare_inodes(&last, &rows[i].row) != 0;
			free(rows[i].name);
		}
		last = rows[i].row;
	}
	machine->nr_rows = n + 1;
	for (i = 0; machine->guessed && i < machine->nr_rows; i++)
		rows[i].unknown |= 1U << KEY_EVICTED;
}

/**
 * machine_oldest() - the file that is dirty for longest, by the time of its inode
 * @machine: a list of files
 * @unknown: set to how many are dirty, and nobody knows since when
 *
 * Return: its row; NULL: there is none.
 */
const struct machine_row *machine_oldest(const struct machine *machine, size_t *unknown)
{
	const struct machine_row *found = NULL, *row;

	*unknown = 0;
	for (row = machine->rows; row < machine->rows + machine->nr_rows; row++) {
		if (!row->row.dirty_pages)
			continue;
		if (row->row.inode_age_ms == PCINSPECT_UNKNOWN)
			++*unknown;
		else if (!found || row->row.inode_age_ms > found->row.inode_age_ms)
			found = row;
	}
	return found;
}

/* The one that has most inactive pages; NULL: none has any. */
const struct machine_row *machine_most_inactive(const struct machine *machine)
{
	const struct machine_row *found = NULL, *row;
	uint64_t most = 0;

	for (row = machine->rows; row < machine->rows + machine->nr_rows; row++) {
		if (row->row.pages[PCINSPECT_LIST_INACTIVE] <= most)
			continue;
		most = row->row.pages[PCINSPECT_LIST_INACTIVE];
		found = row;
	}
	return found;
}

static int compare_cgroups(const void *a, const void *b)
{
	const struct machine_cgroup *x = a, *y = b;

	return compare_numbers(x->lists.id, y->lists.id);
}

static struct machine_cgroup *find_cgroup(const struct machine *machine, uint64_t id)
{
	struct machine_cgroup key = { .lists.id = id };

	return machine->nr_cgroups ? bsearch(&key, machine->cgroups, machine->nr_cgroups,
					     sizeof(key), compare_cgroups) : NULL;
}

/**
 * machine_join_cgroups() - rows of cgroups get what the kernel counts of each
 * @machine: grouped; all cgroups were added to it
 */
void machine_join_cgroups(struct machine *machine)
{
	struct machine_cgroup *above;
	size_t i;

	if (machine->nr_cgroups)
		qsort(machine->cgroups, machine->nr_cgroups, sizeof(*machine->cgroups),
		      compare_cgroups);
	for (i = 0; i < machine->nr_cgroups; i++) {
		above = find_cgroup(machine, machine->cgroups[i].lists.parent);
		if (above && above != &machine->cgroups[i])
			above->parent = true;
	}
	for (i = 0; i < machine->nr_rows; i++)
		machine->rows[i].cgroup = find_cgroup(machine, machine->rows[i].keys[0]);
}

/* Of two ticks: a file may have got another name, a cgroup may have lost its own. */
static int compare_ticks(const void *a, const void *b, void *per)
{
	const struct machine_row *x = a, *y = b;

	if (*(enum machine_per *)per == PER_DIRECTORY)
		return compare_identity(a, b);
	return compare_numbers(x->keys[0], y->keys[0]) ?:
	       compare_numbers(x->keys[1], y->keys[1]) ?:
	       compare_numbers(x->keys[2], y->keys[2]);
}

/* Is there another row like this one? They are in the order of compare_ticks(). */
static bool ambiguous(const struct machine *machine, size_t i, enum machine_per per)
{
	const struct machine_row *rows = machine->rows;

	return (i && !compare_ticks(&rows[i - 1], &rows[i], &per)) ||
	       (i + 1 < machine->nr_rows && !compare_ticks(&rows[i], &rows[i + 1], &per));
}

/**
 * machine_grow() - what rows have gained since the tick before
 * @machine: grouped, not sorted yet
 * @before: it then; its rows change their order
 *
 * Namesakes (btrfs) and what may have been there without a row stay unknown.
 */
void machine_grow(struct machine *machine, struct machine *before)
{
	bool all = !before->hidden_files && !before->lists.other_pages;
	enum machine_per per = machine->per;
	size_t i, k = 0;

	if (!machine->nr_rows)
		return;
	if (before->nr_rows)
		qsort_r(before->rows, before->nr_rows, sizeof(*before->rows), compare_ticks, &per);
	qsort_r(machine->rows, machine->nr_rows, sizeof(*machine->rows), compare_ticks, &per);
	for (i = 0; i < machine->nr_rows; i++) {
		struct machine_row *row = &machine->rows[i];
		bool was;

		while (k < before->nr_rows && compare_ticks(&before->rows[k], row, &per) < 0)
			k++;
		was = k < before->nr_rows && !compare_ticks(&before->rows[k], row, &per);
		row->before = (was || all) && !ambiguous(machine, i, per) &&
			      !(was && ambiguous(before, k, per));
		row->grown_pages = row_pages(row) - (was ? row_pages(&before->rows[k]) : 0);
	}
}

/* --- order ----------------------------------------------------------------- */

/*
 * Has a list of this kind such a number? What was read and wasted is counted by file, of
 * which a cgroup has pages.
 */
bool machine_key_fits(enum machine_per per, enum machine_key key)
{
	if (per == PER_CGROUP && (key == KEY_READ || key == KEY_WASTED))
		return false;
	return (per == PER_PROCESS) == (key >= KEY_DEMANDED) || key == KEY_FILES;
}

/* The number that an order goes by; 0 where it is unknown, see row_knows(). */
uint64_t row_number(const struct machine_row *row, enum machine_key key)
{
	if (!row_knows(row, key))
		return 0;
	switch (key) {
	case KEY_CACHED: return row_pages(row);
	case KEY_ACTIVE: return row->row.pages[PCINSPECT_LIST_ACTIVE];
	case KEY_INACTIVE: return row->row.pages[PCINSPECT_LIST_INACTIVE];
	case KEY_DIRTY: return row->row.dirty_pages;
	case KEY_MAPPED: return row->row.mapped_pages;
	case KEY_GROWTH: return row->grown_pages > 0 ? row->grown_pages : 0;
	case KEY_FILES: return row->files;
	case KEY_READ:
	case KEY_WASTED:
	case KEY_REFAULT: return row->counts[key - KEY_READ];
	case KEY_DEMANDED: return row->task.demanded_bytes;
	case KEY_DEVICE: return row->task.device_bytes;
	case KEY_INSERTED: return row->task.inserted_pages;
	case KEY_DIRTIED: return row->task.dirtied_pages;
	case KEY_EVICTED: return row->evicted_for;
	case NR_MACHINE_KEYS: break;
	}
	return 0;
}

static int compare_by(const void *a, const void *b, void *by)
{
	const struct machine_row *x = a, *y = b;
	enum machine_key key = *(enum machine_key *)by;

	return row_knows(y, key) - row_knows(x, key) ?:
	       compare_numbers(row_number(y, key), row_number(x, key)) ?:
	       compare_numbers(row_pages(y), row_pages(x)) ?: compare_identity(a, b);
}

/* Most first, what is unknown last. */
void machine_sort(struct machine *machine, enum machine_key key)
{
	if (machine->nr_rows)
		qsort_r(machine->rows, machine->nr_rows, sizeof(*machine->rows), compare_by, &key);
}

/* Free what it holds; its report is somebody else's. */
void machine_free(struct machine *machine)
{
	size_t i;

	for (i = 0; i < machine->nr_rows; i++) {
		free(machine->rows[i].name);
		free(machine->rows[i].note);
	}
	free(machine->rows);
	free(machine->cgroups);
	free(machine->index);
	readers_free(&machine->readers);
}
