// SPDX-License-Identifier: GPL-2.0-only
/*
 * json_machine.c - the machine as JSON: the common head of a report, "machine", and the list.
 * Touches the stream it is given, or the file of --report; stderr.
 */
#include <stdlib.h>

#include "lib/alloc.h"
#include "lib/replace.h"
#include "view/cgroups.h"
#include "view/file_name.h"
#include "view/json.h"
#include "view/json_report.h"
#include "view/machine.h"

/* --- the machine ------------------------------------------------------------------ */

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

	jsonw_maybe_real(w, "refaults_per_s", known, known ?
		 (now - then) * 1e9 / (machine->memory.time_ns - before->memory.time_ns) : 0);
}

/* Since the tick before; null: nobody counted. */
static void put_readers(struct jsonw *w, const struct machine *machine,
			const struct machine *before, const char *key, enum reader_kind kind)
{
	struct reader *list;
	size_t i, nr;

	if (!before || !machine->readers.nr || !before->readers.nr) {
		jsonw_null(w, key);
		return;
	}
	list = alloc_zero(machine->readers.nr, sizeof(*list));
	nr = readers_since(&machine->readers, &before->readers, kind, list);
	jsonw_open(w, key, '[');
	for (i = 0; i < nr; i++)
		json_row(w, NULL, &reader_fields[kind], &list[i], NULL);
	jsonw_close(w);
	free(list);
}

static void put_machine(struct jsonw *w, const struct machine *machine,
			const struct machine *before)
{
	struct pcinspect_demand between;
	double hits = 0;
	bool known;

	jsonw_open(w, "machine", '{');
	json_fields(w, &machine_fields, machine, NULL);
	json_fields(w, &memory_fields, &machine->memory, NULL);
	put_refaults(w, machine, before);
	known = machine_hits(machine, before, &hits);
	jsonw_maybe_real(w, "hit_ratio", known, hits);
	if (machine_demand(machine, before, &between))
		json_row(w, "demand", &demand_fields, &between, NULL);
	else
		jsonw_null(w, "demand");
	put_readers(w, machine, before, "readers", READER_READS);
	put_readers(w, machine, before, "evictors", READER_EVICTS);
	put_readers(w, machine, before, "writers", READER_WRITES);
	jsonw_open(w, "pressure", '{');
	put_pressure(w, "memory", &machine->memory, PRESSURE_MEMORY);
	put_pressure(w, "io", &machine->memory, PRESSURE_IO);
	jsonw_close(w);
	jsonw_text(w, "policy", machine_policy_name(machine->policy));
	jsonw_close(w);
}

/* --- its rows --------------------------------------------------------------------- */

/* By itself, in the shape of a report on cgroups. */
static void machine_cgroup_object(struct jsonw *w, const struct machine *machine,
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

	json_cgroup(w, &shown, machine->report);
	if (machine_key_counted(machine->key)) {
		jsonw_open(w, "reads", '{');
		jsonw_maybe(w, "refault_pages", row_knows(row, KEY_REFAULT),
			    row_number(row, KEY_REFAULT));
		jsonw_close(w);
	} else {
		jsonw_null(w, "reads");
	}
	/* Its files are not listed. */
	jsonw_null(w, "files");
}

static void put_place(struct jsonw *w, const struct machine *machine,
		      const struct fields *fields, const struct machine_row *row)
{
	const struct pcinspect_list_file *file = &row->row;

	if (machine->per == PER_FILE)
		file_name_json(w, file, row->name, row->elsewhere);
	else
		file_name_json_place(w, row->name, row->elsewhere);
	if (machine->per == PER_FILESYSTEM || (row->elsewhere && machine->per == PER_DIRECTORY))
		jsonw_dev(w, "dev", file->dev_major, file->dev_minor);
	json_fields(w, fields, row, machine);
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
	struct fields fields = machine_list(machine->per, machine->key, true);
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
	if (machine->report->without_module && machine->per != PER_CGROUP) {
		jsonw_null(&w, lists[machine->per]);
		return jsonw_end(&w);
	}
	jsonw_open(&w, lists[machine->per], '[');
	for (i = 0; i < machine->nr_rows; i++) {
		jsonw_row(&w, NULL);
		if (machine->per == PER_CGROUP)
			machine_cgroup_object(&w, machine, &machine->rows[i]);
		else if (machine->per == PER_PROCESS)
			json_fields(&w, &fields, &machine->rows[i], machine);
		else
			put_place(&w, machine, &fields, &machine->rows[i]);
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
