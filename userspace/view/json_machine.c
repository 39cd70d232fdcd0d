// SPDX-License-Identifier: GPL-2.0
/*
 * json_machine.c - the machine as JSON: the common head of a report, "machine", and the list.
 * Touches the stream it is given, or the file of --report; stderr.
 */
#include "lib/replace.h"
#include "view/cgroups.h"
#include "view/file_name.h"
#include "view/json.h"
#include "view/json_report.h"
#include "view/machine.h"

static void put_real(struct jsonw *w, const char *key, bool known, double value)
{
	if (known)
		jsonw_real(w, key, value);
	else
		jsonw_null(w, key);
}

/* --- the machine ------------------------------------------------------------------ */

/* The kernel's own numbers, by their keys. */
static const struct {
	const char *key;
	enum memory_number number;
} memory_keys[] = {
	{ "total_pages", MEMORY_TOTAL },
	{ "free_pages", MEMORY_FREE },
	{ "available_pages", MEMORY_AVAILABLE },
	{ "shmem_pages", MEMORY_SHMEM },
	{ "swap_cache_pages", MEMORY_SWAP_CACHE },
	{ "unevictable_pages", MEMORY_UNEVICTABLE },
	{ "dirty_pages", MEMORY_DIRTY },
	{ "writeback_pages", MEMORY_WRITEBACK },
	{ "refault_pages", MEMORY_REFAULTS },
};

static void put_memory(struct jsonw *w, const struct memory *memory)
{
	uint64_t pages = 0;
	size_t i;

	for (i = 0; i < sizeof(memory_keys) / sizeof(*memory_keys); i++) {
		bool known = memory_number(memory, memory_keys[i].number, &pages);

		jsonw_maybe(w, memory_keys[i].key, known, pages);
	}
}

static void put_pressure(struct jsonw *w, const char *key, const struct memory *memory,
			 enum pressure of)
{
	if (!memory->pressure_known[of]) {
		jsonw_null(w, key);
		return;
	}
	jsonw_row(w, key);
	jsonw_real(w, "some_percent", memory->some_percent[of]);
	jsonw_real(w, "full_percent", memory->full_percent[of]);
	jsonw_count(w, "some_us", memory->some_us[of]);
	jsonw_close(w);
}

static void put_refaults(struct jsonw *w, const struct machine *machine,
			 const struct machine *before)
{
	uint64_t now = 0, then = 0;
	bool known = before && memory_number(&machine->memory, MEMORY_REFAULTS, &now) &&
		     memory_number(&before->memory, MEMORY_REFAULTS, &then) && now >= then &&
		     machine->memory.time_ns > before->memory.time_ns;

	put_real(w, "refaults_per_s", known, known ?
		 (now - then) * 1e9 / (machine->memory.time_ns - before->memory.time_ns) : 0);
}

FIELD_COMPUTE(demand_interval, pcinspect_demand, count, row->time_ns - row->since_ns, true)

/* Requests to the page cache, insertions and removals, since the tick before. */
static const struct field demand[] = {
	FIELD_GET("interval_ns", U64, demand_interval),
	FIELD(pcinspect_demand, demanded_bytes),
	FIELD(pcinspect_demand, missed_pages),
	FIELD(pcinspect_demand, inserted_pages),
	FIELD(pcinspect_demand, removed_pages),
};

static const struct fields demand_fields = FIELDS(demand);

FIELD_COMPUTE(file_pages, machine, count, 0, machine_file_pages(row, &value->count))
FIELD_COMPUTE(off_lru_pages, machine, count, 0, machine_off_lru(row, &value->count))
FIELD_COMPUTE(unwalked_pages, machine, count, machine_unwalked(row), true)

static bool unnamed(const struct machine *machine, uint64_t *pages)
{
	uint64_t all;

	if (!machine_file_pages(machine, &all) || all < machine->named_pages)
		return false;
	*pages = all - machine->named_pages;
	return true;
}

FIELD_COMPUTE(unnamed_pages, machine, count, 0, unnamed(row, &value->count))

static const struct field machine_list[] = {
	FIELD_GET("file_pages", U64, file_pages),
	FIELD(machine, named_pages),
	FIELD_GET("unnamed_pages", U64, unnamed_pages),
	FIELD(machine, nameless_pages),
	FIELD(machine, hidden_pages),
	FIELD_GET("unwalked_pages", U64, unwalked_pages),
	FIELD_GET("off_lru_pages", U64, off_lru_pages),
	FIELD(machine, deleted_pages),
	FIELD_KEY(machine, lists.counted_pages[PCINSPECT_LIST_ACTIVE], "active_pages"),
	FIELD_KEY(machine, lists.counted_pages[PCINSPECT_LIST_INACTIVE], "inactive_pages"),
	FIELD_KEY(machine, lists.lazyfree_pages, "lazyfree_pages"),
};

static const struct fields machine_fields = FIELDS(machine_list);

static void put_machine(struct jsonw *w, const struct machine *machine,
			const struct machine *before)
{
	struct pcinspect_demand between;
	double hits = 0;
	bool known;

	jsonw_open(w, "machine", '{');
	json_fields(w, &machine_fields, machine, NULL);
	put_memory(w, &machine->memory);
	put_refaults(w, machine, before);
	known = machine_hits(machine, before, &hits);
	put_real(w, "hit_ratio", known, hits);
	if (machine_demand(machine, before, &between))
		json_row(w, "demand", &demand_fields, &between, NULL);
	else
		jsonw_null(w, "demand");
	jsonw_open(w, "pressure", '{');
	put_pressure(w, "memory", &machine->memory, PRESSURE_MEMORY);
	put_pressure(w, "io", &machine->memory, PRESSURE_IO);
	jsonw_close(w);
	jsonw_text(w, "policy", machine_policy_name(machine->policy));
	jsonw_close(w);
}

/* --- its rows --------------------------------------------------------------------- */

static void put_known(struct jsonw *w, const char *name, const struct machine_row *row,
		      enum machine_key key, uint64_t value)
{
	jsonw_maybe(w, name, row_knows(row, key), value);
}

static void put_pages(struct jsonw *w, const struct machine_row *row)
{
	jsonw_open(w, "pages", '{');
	jsonw_count(w, "cached", row_pages(row));
	jsonw_count(w, "active", row->row.pages[PCINSPECT_LIST_ACTIVE]);
	jsonw_count(w, "inactive", row->row.pages[PCINSPECT_LIST_INACTIVE]);
	jsonw_count(w, "dirty", row->row.dirty_pages);
	jsonw_count(w, "mapped", row->row.mapped_pages);
	jsonw_close(w);
}

static void put_task(struct jsonw *w, const struct machine_row *row, uint32_t page_size)
{
	const struct pcinspect_task *task = &row->task;
	double hits = 0;
	bool known = row_hits(row, page_size, &hits);

	jsonw_maybe(w, "pid", row->pid, row->pid);
	jsonw_text(w, "comm", row->name);
	jsonw_count(w, "files", row->files);
	put_known(w, "demanded_bytes", row, KEY_DEMANDED, task->demanded_bytes);
	put_known(w, "device_bytes", row, KEY_DEVICE, task->device_bytes);
	put_known(w, "inserted_pages", row, KEY_INSERTED, task->inserted_pages);
	put_known(w, "dirtied_pages", row, KEY_DIRTIED, task->dirtied_pages);
	put_known(w, "evicted_pages", row, KEY_EVICTED, row->evicted_for);
	put_real(w, "hit_ratio", known, hits);
}

/* The counters of its files; of a cgroup only those that the kernel has. */
static void put_reads(struct jsonw *w, const struct machine *machine,
		      const struct machine_row *row)
{
	jsonw_open(w, "reads", '{');
	if (machine->per != PER_CGROUP) {
		if (machine->per != PER_FILE)
			jsonw_count(w, "tracked_files", row->counters);
		put_known(w, "device_bytes", row, KEY_READ, row->counts[0]);
		put_known(w, "wasted_pages", row, KEY_WASTED, row->counts[KEY_WASTED - KEY_READ]);
	}
	put_known(w, "refault_pages", row, KEY_REFAULT, row->counts[KEY_REFAULT - KEY_READ]);
	jsonw_close(w);
}

/* By itself, in the shape of a report on cgroups. */
static void put_cgroup(struct jsonw *w, const struct machine *machine,
		       const struct machine_row *row)
{
	const struct pcinspect_list_cgroup *lists = row->cgroup ? &row->cgroup->lists : NULL;
	uint64_t counted = lists ? lists->counted_pages[0] + lists->counted_pages[1] : 0;
	const struct cgroup_shown shown = {
		.path = row->name,
		.name = row->note,
		.id = row->keys[0],
		.lists = lists,
		.active = row->row.pages[PCINSPECT_LIST_ACTIVE],
		.inactive = row->row.pages[PCINSPECT_LIST_INACTIVE],
		.mapped = row->row.mapped_pages,
		.dirty = row->row.dirty_pages,
		.cached_known = true,
		.unnamed = counted > row_pages(row) ? counted - row_pages(row) : 0,
		.files = row->files,
		.current_bytes = row->current_bytes,
		.current_known = row->current_known,
		.grown = row->before ? &row->grown_pages : NULL,
	};

	json_cgroup(w, &shown, machine->report->page_size);
	if (machine_key_counted(machine->key))
		put_reads(w, machine, row);
	else
		jsonw_null(w, "reads");
	/* Its files are not listed. */
	jsonw_null(w, "files");
}

static void put_place(struct jsonw *w, const struct machine *machine,
		      const struct machine_row *row)
{
	const struct pcinspect_list_file *file = &row->row;

	if (machine->per == PER_FILE)
		file_name_json(w, file, row->name, row->elsewhere);
	else
		file_name_json_place(w, row->name, row->elsewhere);
	if (machine->per == PER_FILESYSTEM || (row->elsewhere && machine->per == PER_DIRECTORY))
		jsonw_dev(w, "dev", file->dev_major, file->dev_minor);
	if (machine->per == PER_FILESYSTEM)
		jsonw_text(w, "fs", file->fs);
	if (machine->per != PER_FILE)
		jsonw_count(w, "nr_files", row->files);
	put_pages(w, row);
	if (machine_key_counted(machine->key))
		put_reads(w, machine, row);
	if (row->before)
		jsonw_signed(w, "grown_pages", row->grown_pages);
}

/**
 * machine_json() - write it
 * @machine: what
 * @before: it at the tick before, NULL: there was none
 * @pretty: a line for each row; else one line for all
 * @to: where
 *
 * Return: 0, or -1 with errno set if it could not be written.
 */
int machine_json(const struct machine *machine, const struct machine *before, bool pretty,
		 FILE *to)
{
	static const char *const lists[] = {
		[PER_FILE] = "files", [PER_DIRECTORY] = "directories",
		[PER_FILESYSTEM] = "filesystems", [PER_CGROUP] = "cgroups",
		[PER_PROCESS] = "processes",
	};
	struct jsonw w = { .to = to, .pretty = pretty };
	size_t i;

	json_whole_head(&w, machine->report, machine_policy_name(machine->policy));
	jsonw_count(&w, "filesystems", machine->busy);
	jsonw_count(&w, "files", machine->hidden_files);
	json_whole_lost(&w);
	put_machine(&w, machine, before);
	if (machine->per != PER_FILE) {
		jsonw_open(&w, "files", '[');
		jsonw_close(&w);
	}
	jsonw_open(&w, lists[machine->per], '[');
	for (i = 0; i < machine->nr_rows; i++) {
		jsonw_row(&w, NULL);
		if (machine->per == PER_CGROUP)
			put_cgroup(&w, machine, &machine->rows[i]);
		else if (machine->per == PER_PROCESS)
			put_task(&w, &machine->rows[i], machine->report->page_size);
		else
			put_place(&w, machine, &machine->rows[i]);
		jsonw_close(&w);
	}
	return jsonw_end(&w);
}

/**
 * machine_json_save() - write it to a file, for --report
 * @machine: what
 * @before: it at the tick before, NULL: there was none
 * @path: replaced as a whole; after an error it is what it was
 *
 * Complains by itself.
 *
 * Return: 0 or -1.
 */
int machine_json_save(const struct machine *machine, const struct machine *before,
		      const char *path)
{
	struct replace file;
	FILE *to = replace_begin(&file, path);

	return replace_report(&file, to && !machine_json(machine, before, true, to), path);
}
