// SPDX-License-Identifier: GPL-2.0-only
/*
 * machine_fields.c - the tables of the machine's numbers: its memory, its page cache, its
 * rows; for tables, JSON and metrics. Touches memory only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/escape.h"
#include "view/file_name.h"
#include "view/machine.h"

/* --- memory, as the kernel counts it ------------------------------------------------- */

#define OF_MEMORY(name, number) \
	FIELD_ASK(name, memory, memory_number(row, MEMORY_##number, &value->count))

OF_MEMORY(total, TOTAL)
OF_MEMORY(free_, FREE)
OF_MEMORY(available, AVAILABLE)
OF_MEMORY(shmem, SHMEM)
OF_MEMORY(swap_cache, SWAP_CACHE)
OF_MEMORY(unevictable, UNEVICTABLE)
OF_MEMORY(dirty, DIRTY)
OF_MEMORY(under_writeback, WRITEBACK)
OF_MEMORY(refaults, REFAULTS)

static const struct field memory[] = {
	FIELD_GET("total_pages", U64, total, METRIC("machine_memory", "Memory")),
	FIELD_GET("free_pages", U64, free_),
	FIELD_GET("available_pages", U64, available,
		  METRIC("machine_available",
			 "Available without swapping, as the kernel estimates it")),
	FIELD_GET("shmem_pages", U64, shmem,
		  METRIC("machine_shmem", "tmpfs and shared memory")),
	FIELD_GET("swap_cache_pages", U64, swap_cache),
	FIELD_GET("unevictable_pages", U64, unevictable,
		  METRIC("machine_unevictable", "Locked in memory")),
	FIELD_GET("dirty_pages", U64, dirty,
		  METRIC("machine_dirty", "Dirty, not on disk yet")),
	FIELD_GET("writeback_pages", U64, under_writeback,
		  METRIC("machine_writeback", "Under writeback")),
	FIELD_GET("refault_pages", U64, refaults,
		  COUNTER("machine_refault",
			  "Of files, read again after an eviction, since boot")),
};

const struct fields memory_fields = FIELDS(memory);

/* --- requests to the page cache ------------------------------------------------------ */

FIELD_COMPUTE(demand_interval, pcinspect_demand, count, row->time_ns - row->since_ns, true)

/* Requests to the page cache, insertions and removals, since the tick before. */
static const struct field demand[] = {
	FIELD_GET("interval_ns", U64, demand_interval),
	FIELD(pcinspect_demand, demanded_bytes),
	FIELD(pcinspect_demand, missed_pages),
	FIELD(pcinspect_demand, inserted_pages),
	FIELD(pcinspect_demand, removed_pages),
};

const struct fields demand_fields = FIELDS(demand);

/* --- the page cache -------------------------------------------------------------------- */

FIELD_ASK(file_pages, machine, machine_file_pages(row, &value->count))
FIELD_ASK(off_lru_pages, machine, machine_off_lru(row, &value->count))
/* Fields that only a walk of the lists finds. */
#define WALKED(name, pages) \
	FIELD_COMPUTE(name, machine, count, pages, !row->report->without_module)
WALKED(unwalked_pages, machine_unwalked(row))
WALKED(named_pages, row->named_pages)
WALKED(nameless_pages, row->nameless_pages)
WALKED(hidden_pages, row->hidden_pages)
WALKED(deleted_pages, row->deleted_pages)
WALKED(lazyfree_pages, row->lists.lazyfree_pages)

static bool unnamed(const struct machine *machine, uint64_t *pages)
{
	uint64_t all;

	if (machine->report->without_module || !machine_file_pages(machine, &all) ||
	    all < machine->named_pages)
		return false;
	*pages = all - machine->named_pages;
	return true;
}

FIELD_ASK(unnamed_pages, machine, unnamed(row, &value->count))

static const struct field page_cache[] = {
	FIELD_GET("file_pages", U64, file_pages,
		  METRIC("machine_file", "Page cache of files, without shmem and swap cache")),
	FIELD_GET("named_pages", U64, named_pages, METRIC("machine_named", "Of files that have a path")),
	FIELD_GET("unnamed_pages", U64, unnamed_pages,
		  METRIC("machine_unnamed", "Page cache that no path was found for")),
	FIELD_GET("nameless_pages", U64, nameless_pages),
	FIELD_GET("hidden_pages", U64, hidden_pages),
	FIELD_GET("unwalked_pages", U64, unwalked_pages),
	FIELD_GET("off_lru_pages", U64, off_lru_pages,
		  METRIC("machine_off_lru", "On no list: locked, in batches of CPUs, isolated")),
	FIELD_GET("deleted_pages", U64, deleted_pages,
		  METRIC("machine_deleted",
		     "Page cache of files without a name left, which somebody has open")),
	FIELD_KEY(machine, lists.counted_pages[PCINSPECT_LIST_ACTIVE], "active_pages",
		  METRIC("machine_active",
			 "On active lists of files, or in the two youngest generations")),
	FIELD_KEY(machine, lists.counted_pages[PCINSPECT_LIST_INACTIVE], "inactive_pages",
		  METRIC("machine_inactive",
			 "On inactive lists of files, or in older generations")),
	FIELD_GET("lazyfree_pages", U64, lazyfree_pages),
};

const struct fields machine_fields = FIELDS(page_cache);

/* --- rows ------------------------------------------------------------------------------- */

#define ROW(name, key) \
	FIELD_COMPUTE(name, machine_row, count, row_number(row, KEY_##key), \
		      row_knows(row, KEY_##key))

ROW(cached, CACHED)
ROW(active, ACTIVE)
ROW(inactive, INACTIVE)
ROW(row_dirty, DIRTY)
ROW(mapped, MAPPED)
ROW(files, FILES)
ROW(device_read, READ)
ROW(wasted, WASTED)
ROW(refault, REFAULT)
ROW(demanded, DEMANDED)
ROW(device, DEVICE)
ROW(inserted, INSERTED)
ROW(dirtied, DIRTIED)
ROW(evicted, EVICTED)
FIELD_ASK(hits, machine_row,
	  row_hits(row, ((const struct machine *)of)->report->page_size, &value->real))

/* Rounded down: less than all is not 100 %. */
static char *hits_text(const void *row, const void *of)
{
	union field_value ratio;

	return hits(row, of, &ratio) ? alloc_text("%d%%", (int)(100 * ratio.real + 1e-9)) :
				       alloc_copy("?");
}

static char *pid_text(const void *row, const void *of)
{
	const struct machine_row *task = row;

	(void)of;
	return task->pid ? alloc_text("%u", task->pid) : alloc_copy("-");
}

/* A name that others have given: anything may be in it. */
static char *name_text(const void *row_, const void *of)
{
	const struct machine *machine = of;
	const struct machine_row *row = row_;
	const struct pcinspect_list_file *file = &row->row;

	if (machine->per == PER_PROCESS)
		return row->name ? escape_comm(row->name) : alloc_copy("(further processes)");
	if (machine->per == PER_FILE)
		return file_name_text(file, row->name, row->elsewhere);
	if (row->name)
		return file_name_place(file, row->name, row->elsewhere, "");
	if (machine->per == PER_FILESYSTEM && !strcmp(file->fs, "bdev"))
		return alloc_copy("(block devices)");
	if (machine->per == PER_FILESYSTEM)
		return alloc_text("? (%u:%u, not mounted here)", file->dev_major, file->dev_minor);
	if (machine->per == PER_CGROUP)
		return alloc_copy(row->keys[0] ? "? (its directory is gone, or not mounted here)" :
						 "(all: no memory cgroups)");
	return alloc_copy("? (files without a name)");
}

/* Lists are told apart by what they are of, whether they are of counters, and live. */
#define LISTS(per, kinds) ((uint32_t)(kinds) << 4 * (per))
enum { ONCE = 1, LIVE = 2, COUNTED_ONCE = 4, COUNTED_LIVE = 8,
       PAGES = ONCE | LIVE, COUNTED = COUNTED_ONCE | COUNTED_LIVE, ALL = PAGES | COUNTED };

#define PLACES(kinds) (LISTS(PER_FILE, kinds) | GROUPS(kinds))
#define GROUPS(kinds) \
	(LISTS(PER_DIRECTORY, kinds) | LISTS(PER_FILESYSTEM, kinds) | LISTS(PER_CGROUP, kinds))
#define TASKS LISTS(PER_PROCESS, ALL)

/* In which lists a number is, and the order by it. */
#define IN(lists, by) .in = lists, .order = 1 + KEY_##by

static const struct field rows[] = {
	FIELD_GET("pages.cached", U64, cached, IN(PLACES(ALL), CACHED),
		  COLUMN("CACHED", PAGES, .flags = FIELD_KEEP),
		  METRIC("cgroup_cached",
			 "Page cache on LRU lists that is charged to it, not to those below it")),
	FIELD_GET("pages.active", U64, active, IN(PLACES(ALL), ACTIVE), COLUMN("ACTIVE", PAGES),
		  METRIC("cgroup_active", "Of that, active")),
	FIELD_GET("pages.inactive", U64, inactive, IN(PLACES(ALL), INACTIVE),
		  COLUMN("INACTIVE", PAGES), METRIC("cgroup_inactive", "Of that, inactive")),
	FIELD_GET("pages.dirty", U64, row_dirty, IN(PLACES(PAGES), DIRTY), COLUMN("DIRTY", PAGES),
		  METRIC("cgroup_dirty", "Of that, dirty")),
	FIELD_GET("pages.mapped", U64, mapped, IN(PLACES(PAGES), MAPPED), COLUMN("MAPPED", PAGES),
		  METRIC("cgroup_mapped", "Of that, in folios with a mapping")),
	/* A list of counters has no room for them. */
	FIELD_GET("pages.dirty", U64, row_dirty, IN(PLACES(COUNTED), DIRTY)),
	FIELD_GET("pages.mapped", U64, mapped, IN(PLACES(COUNTED), MAPPED)),
	FIELD_AS(machine_row, row.inode_age_ms, "inode_age_ms", U64,
		 .in = LISTS(PER_FILE, ALL)),
	FIELD(machine_row, grown_pages, FIELD_IF(machine_row, before),
	      IN(PLACES(LIVE | COUNTED_LIVE), GROWTH), .flags = FIELD_IF_KNOWN,
	      COLUMN("GROWTH", PAGES)),
	FIELD_KEY(machine_row, counters, "reads.tracked_files",
		  .in = LISTS(PER_DIRECTORY, COUNTED) | LISTS(PER_FILESYSTEM, COUNTED)),
	FIELD_GET("reads.device_bytes", U64, device_read,
		  IN(PLACES(COUNTED) & ~LISTS(PER_CGROUP, ALL), READ), COLUMN("READ", BYTES)),
	FIELD_GET("reads.wasted_pages", U64, wasted,
		  IN(PLACES(COUNTED) & ~LISTS(PER_CGROUP, ALL), WASTED), COLUMN("WASTED", PAGES)),
	FIELD_GET("reads.refault_pages", U64, refault, IN(PLACES(COUNTED), REFAULT),
		  COLUMN("REFAULT", PAGES),
		  COUNTER("cgroup_refault",
			  "Read again after an eviction, in it and not in those below it")),
	FIELD_GET("demanded_bytes", U64, demanded, IN(TASKS, DEMANDED),
		  COLUMN("DEMANDED", BYTES, .flags = FIELD_KEEP)),
	{ .in = TASKS, COLUMN("HIT%", EVENTS, .cell = hits_text) },
	FIELD_GET("device_bytes", U64, device, IN(TASKS, DEVICE), COLUMN("DEVICE", BYTES)),
	FIELD_GET("inserted_pages", U64, inserted, IN(TASKS, INSERTED), COLUMN("INSERTED", PAGES)),
	FIELD_GET("dirtied_pages", U64, dirtied, IN(TASKS, DIRTIED), COLUMN("DIRTIED", PAGES)),
	FIELD_GET("evicted_pages", U64, evicted, IN(TASKS, EVICTED), COLUMN("EVICTED", PAGES)),
	FIELD_GET("hit_ratio", REAL, hits, .in = TASKS),
	FIELD_GET("files", U64, files, IN(TASKS, FILES), COLUMN("FILES", EVENTS)),
	FIELD_GET("nr_files", U64, files, IN(GROUPS(ALL), FILES), COLUMN("FILES", EVENTS)),
	FIELD(machine_row, pid, .in = TASKS, .flags = FIELD_NOT_ZERO,
	      COLUMN("PID", EVENTS, .cell = pid_text)),
	FIELD_KEY(machine_row, name, "comm", .in = TASKS,
		  COLUMN("COMMAND", EVENTS, .cell = name_text,
			 .flags = FIELD_KEEP | FIELD_LEFT | FIELD_SHRINKS)),
	FIELD_KEY(machine_row, counters, NULL,
		  .in = LISTS(PER_DIRECTORY, COUNTED) | LISTS(PER_FILESYSTEM, COUNTED),
		  COLUMN("TRACKED", EVENTS)),
	FIELD_AS(machine_row, row.fs, "fs", CHARS, .in = LISTS(PER_FILESYSTEM, ALL),
		 COLUMN("TYPE", EVENTS, .flags = FIELD_LEFT)),
	FIELD_KEY(machine_row, note, NULL, .in = LISTS(PER_CGROUP, ALL),
		  COLUMN("NAME", EVENTS, .flags = FIELD_LEFT | FIELD_SHRINKS)),
	{ .in = PLACES(ALL), COLUMN_PATH("PATH", name_text) },
};

const struct fields machine_row_fields = FIELDS(rows);

/**
 * machine_list() - the fields of a list of the machine
 * @per: of what
 * @key: its order
 * @live: there is a tick before, or may be
 *
 * Return: machine_row_fields, of which those of this list are meant.
 */
struct fields machine_list(enum machine_per per, enum machine_key key, bool live)
{
	struct fields fields = machine_row_fields;

	fields.in = LISTS(per, machine_key_counted(key) ? live ? COUNTED_LIVE : COUNTED_ONCE :
						   live ? LIVE : ONCE);
	return fields;
}
