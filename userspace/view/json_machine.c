// SPDX-License-Identifier: GPL-2.0
/*
 * json_machine.c - the machine as JSON: the common head of a report, "machine", and the
 * list. Written row by row: there may be hundreds of thousands.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/replace.h"
#include "view/cgroups.h"
#include "view/file_name.h"
#include "view/json.h"
#include "view/json_report.h"
#include "view/machine.h"

static void put(FILE *to, struct json_object *value)
{
	char *text = json_line(value);

	fputs(text, to);
	free(text);
}

static struct json_object *memory_value(const struct memory *memory, enum memory_number number)
{
	uint64_t pages;

	return memory_number(memory, number, &pages) ? count_value(pages) : NULL;
}

static struct json_object *pressure_value(const struct memory *memory, enum pressure what)
{
	struct json_object *out;

	if (!memory->pressure_known[what])
		return NULL;
	out = json_object_new_object();
	key_add(out, "some_percent", json_object_new_double(memory->some_percent[what]));
	key_add(out, "full_percent", json_object_new_double(memory->full_percent[what]));
	key_add(out, "some_us", count_value(memory->some_us[what]));
	return out;
}

static struct json_object *rate_value(const struct machine *machine,
				      const struct machine *before)
{
	uint64_t now, then;

	if (!before || !memory_number(&machine->memory, MEMORY_REFAULTS, &now) ||
	    !memory_number(&before->memory, MEMORY_REFAULTS, &then) || now < then ||
	    machine->memory.time_ns <= before->memory.time_ns)
		return NULL;
	return json_object_new_double((now - then) * 1e9 /
				      (machine->memory.time_ns - before->memory.time_ns));
}

static struct json_object *counted_value(uint64_t count)
{
	return maybe_value(count != PCINSPECT_UNKNOWN, count);
}

/* What programs asked of the page cache, and what came and went, since the tick before. */
static struct json_object *demand_value(const struct machine *machine,
					const struct machine *before)
{
	struct pcinspect_demand between;
	struct json_object *out;

	if (!machine_demand(machine, before, &between))
		return NULL;
	out = json_object_new_object();
	key_add(out, "interval_ns", count_value(between.time_ns - between.since_ns));
	key_add(out, "demanded_bytes", counted_value(between.demanded_bytes));
	key_add(out, "missed_pages", counted_value(between.missed_pages));
	key_add(out, "inserted_pages", counted_value(between.inserted_pages));
	key_add(out, "removed_pages", counted_value(between.removed_pages));
	return out;
}

static struct json_object *machine_object(const struct machine *machine,
					  const struct machine *before)
{
	const struct memory *memory = &machine->memory;
	struct json_object *out = json_object_new_object(), *pressure;
	const char *policy = machine_policy_name(machine->policy);
	uint64_t all, off;
	double hits;
	bool known = machine_file_pages(machine, &all);

	key_add(out, "file_pages", maybe_value(known, known ? all : 0));
	key_add(out, "named_pages", count_value(machine->named_pages));
	key_add(out, "unnamed_pages", maybe_value(known && all >= machine->named_pages, known ?
						  all - machine->named_pages : 0));
	key_add(out, "nameless_pages", count_value(machine->nameless_pages));
	key_add(out, "hidden_pages", count_value(machine->hidden_pages));
	key_add(out, "unwalked_pages", count_value(machine_unwalked(machine)));
	key_add(out, "off_lru_pages", machine_off_lru(machine, &off) ? count_value(off) : NULL);
	key_add(out, "deleted_pages", count_value(machine->deleted_pages));
	key_add(out, "active_pages",
		count_value(machine->lists.counted_pages[PCINSPECT_LIST_ACTIVE]));
	key_add(out, "inactive_pages",
		count_value(machine->lists.counted_pages[PCINSPECT_LIST_INACTIVE]));
	key_add(out, "lazyfree_pages", count_value(machine->lists.lazyfree_pages));
	key_add(out, "total_pages", memory_value(memory, MEMORY_TOTAL));
	key_add(out, "free_pages", memory_value(memory, MEMORY_FREE));
	key_add(out, "available_pages", memory_value(memory, MEMORY_AVAILABLE));
	key_add(out, "shmem_pages", memory_value(memory, MEMORY_SHMEM));
	key_add(out, "swap_cache_pages", memory_value(memory, MEMORY_SWAP_CACHE));
	key_add(out, "unevictable_pages", memory_value(memory, MEMORY_UNEVICTABLE));
	key_add(out, "dirty_pages", memory_value(memory, MEMORY_DIRTY));
	key_add(out, "writeback_pages", memory_value(memory, MEMORY_WRITEBACK));
	key_add(out, "refault_pages", memory_value(memory, MEMORY_REFAULTS));
	key_add(out, "refaults_per_s", rate_value(machine, before));
	key_add(out, "hit_ratio", machine_hits(machine, before, &hits) ?
		json_object_new_double(hits) : NULL);
	key_add(out, "demand", demand_value(machine, before));
	pressure = json_object_new_object();
	key_add(pressure, "memory", pressure_value(memory, PRESSURE_MEMORY));
	key_add(pressure, "io", pressure_value(memory, PRESSURE_IO));
	key_add(out, "pressure", pressure);
	key_add(out, "policy", policy ? json_object_new_string(policy) : NULL);
	return out;
}

static struct json_object *pages_object(const struct machine_row *row)
{
	struct json_object *out = json_object_new_object();

	key_add(out, "cached", count_value(row_pages(row)));
	key_add(out, "active", count_value(row->row.pages[PCINSPECT_LIST_ACTIVE]));
	key_add(out, "inactive", count_value(row->row.pages[PCINSPECT_LIST_INACTIVE]));
	key_add(out, "dirty", count_value(row->row.dirty_pages));
	key_add(out, "mapped", count_value(row->row.mapped_pages));
	return out;
}

static struct json_object *known_value(const struct machine_row *row, enum machine_key key,
				       uint64_t value)
{
	return maybe_value(row_knows(row, key), value);
}

static void add_task(struct json_object *out, const struct machine_row *row, uint32_t page_size)
{
	const struct pcinspect_task *task = &row->task;
	double hits;

	key_add(out, "pid", row->pid ? count_value(row->pid) : NULL);
	key_add(out, "comm", name_value(row->name));
	key_add(out, "files", count_value(row->files));
	key_add(out, "demanded_bytes", known_value(row, KEY_DEMANDED, task->demanded_bytes));
	key_add(out, "device_bytes", known_value(row, KEY_DEVICE, task->device_bytes));
	key_add(out, "inserted_pages", known_value(row, KEY_INSERTED, task->inserted_pages));
	key_add(out, "dirtied_pages", known_value(row, KEY_DIRTIED, task->dirtied_pages));
	key_add(out, "evicted_pages", known_value(row, KEY_EVICTED, row->evicted_for));
	key_add(out, "hit_ratio", row_hits(row, page_size, &hits) ?
		json_object_new_double(hits) : NULL);
}

/* What ledgers of its files counted. */
static void add_counts(struct json_object *out, const struct machine *machine,
		       const struct machine_row *row)
{
	struct json_object *reads;

	if (!machine_key_counted(machine->key))
		return;
	reads = json_object_new_object();
	if (machine->per != PER_FILE)
		key_add(reads, "tracked_files", count_value(row->counters));
	key_add(reads, "device_bytes", known_value(row, KEY_READ, row->counts[0]));
	key_add(reads, "wasted_pages",
		known_value(row, KEY_WASTED, row->counts[KEY_WASTED - KEY_READ]));
	key_add(reads, "refault_pages",
		known_value(row, KEY_REFAULT, row->counts[KEY_REFAULT - KEY_READ]));
	key_add(out, "reads", reads);
}

/* By itself, in the shape of a report on cgroups. */
static struct json_object *cgroup_object(const struct machine *machine,
					 const struct machine_row *row)
{
	const struct pcinspect_list_cgroup *lists = row->cgroup ? &row->cgroup->lists : NULL;
	uint64_t counted = lists ? lists->counted_pages[0] + lists->counted_pages[1] : 0;
	struct json_object *out, *reads = NULL;
	struct cgroup_shown shown = {
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

	if (machine_key_counted(machine->key)) {
		reads = json_object_new_object();
		key_add(reads, "refault_pages",
			known_value(row, KEY_REFAULT, row->counts[KEY_REFAULT - KEY_READ]));
	}
	shown.reads = reads;
	out = cgroup_json(&shown, machine->report->page_size);
	/* They are not told one by one. */
	key_add(out, "files", NULL);
	return out;
}

static struct json_object *row_object(const struct machine *machine,
				      const struct machine_row *row)
{
	struct json_object *out;

	if (machine->per == PER_CGROUP)
		return cgroup_object(machine, row);
	out = json_object_new_object();
	if (machine->per == PER_PROCESS) {
		add_task(out, row, machine->report->page_size);
		return out;
	}
	if (machine->per == PER_FILE)
		file_name_json(out, &row->row, row->name, row->elsewhere);
	else
		file_name_json_place(out, row->name, row->elsewhere);
	if (row->elsewhere && machine->per == PER_DIRECTORY)
		key_add(out, "dev", file_name_json_device(&row->row));
	if (machine->per == PER_FILESYSTEM) {
		key_add(out, "dev", file_name_json_device(&row->row));
		key_add(out, "fs", json_object_new_string(row->row.fs));
	}
	if (machine->per != PER_FILE)
		key_add(out, "nr_files", count_value(row->files));
	key_add(out, "pages", pages_object(row));
	add_counts(out, machine, row);
	if (row->before)
		key_add(out, "grown_pages", json_object_new_int64(row->grown_pages));
	return out;
}

static struct json_object *head(const struct machine *machine, const struct machine *before)
{
	const struct report *report = machine->report;
	const char *policy = machine_policy_name(machine->policy);
	struct json_object *out, *lost = json_object_new_object();

	key_add(lost, "filesystems", count_value(machine->busy));
	key_add(lost, "files", count_value(machine->hidden_files));
	out = report_json_whole(report, policy, lost);
	key_add(out, "machine", machine_object(machine, before));
	if (machine->per != PER_FILE)
		key_add(out, "files", json_object_new_array());
	return out;
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
	char *text = json_line(head(machine, before));
	size_t i;

	/* Its last brace is ours. */
	fprintf(to, "%.*s,%s\"%s\": [", (int)(strrchr(text, '}') - text), text,
		pretty ? "\n  " : " ", lists[machine->per]);
	free(text);
	for (i = 0; i < machine->nr_rows; i++) {
		fputs(i ? "," : "", to);
		fputs(pretty ? "\n    " : " ", to);
		put(to, row_object(machine, &machine->rows[i]));
	}
	fputs(pretty && i ? "\n  ] }\n" : " ] }\n", to);
	return json_flush(to);
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
