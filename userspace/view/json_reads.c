// SPDX-License-Identifier: GPL-2.0
/*
 * json_reads.c - reads, direct, readahead and tasks of a file, and the devices
 * of a run, as JSON. Null for an inode without a ledger.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/escape.h"
#include "view/json.h"
#include "view/json_reads.h"

/**
 * pcinspect_json_comm() - a thread's name, whatever bytes it has
 * @comm: PCINSPECT_COMM_LEN bytes
 *
 * Return: a string.
 */
struct json_object *pcinspect_json_comm(const char *comm)
{
	char raw[PCINSPECT_COMM_LEN + 1] = "";
	struct json_object *out;
	char *text;

	memcpy(raw, comm, PCINSPECT_COMM_LEN);
	text = pcinspect_to_utf8(raw);
	out = json_object_new_string(text);
	free(text);
	return out;
}

static struct json_object *evicted_by(const struct pcinspect_report *report,
				      const struct pcinspect_file *file)
{
	struct json_object *out = json_object_new_array(), *one;
	int i;

	for (i = 0; i < PCINSPECT_NR_CULPRITS; i++) {
		const struct pcinspect_culprit *who = &file->reads->evictors[i];

		if (!who->pages)
			continue;
		one = json_object_new_object();
		pcinspect_json_path(one, "path", "path_hex",
				    pcinspect_report_name(report, who));
		json_add(one, "pid", who->pid ? json_count(who->pid) : NULL);
		json_add(one, "comm", pcinspect_json_comm(who->comm));
		json_add(one, "pages", json_count(who->pages));
		json_add(one, "inferred", json_object_new_boolean(who->inferred));
		json_object_array_add(out, one);
	}
	if (file->reads->evictors_other_pages) {
		one = json_object_new_object();
		json_add(one, "path", NULL);
		json_add(one, "pid", NULL);
		json_add(one, "comm", json_object_new_string("(others)"));
		json_add(one, "pages", json_count(file->reads->evictors_other_pages));
		json_add(one, "inferred", NULL);
		json_object_array_add(out, one);
	}
	return out;
}

static struct json_object *removed_by(const struct pcinspect_file *file)
{
	struct json_object *out = json_object_new_array(), *one;
	int i;

	for (i = 0; i < PCINSPECT_NR_CULPRITS; i++) {
		const struct pcinspect_culprit *who = &file->reads->removers[i];

		if (!who->pages)
			continue;
		one = json_object_new_object();
		json_add(one, "how", json_object_new_string(pcinspect_remover_op_word(who->how)));
		json_add(one, "pid", json_count(who->pid));
		json_add(one, "comm", pcinspect_json_comm(who->comm));
		json_add(one, "pages", json_count(who->pages));
		json_object_array_add(out, one);
	}
	if (file->reads->removers_other_pages) {
		one = json_object_new_object();
		json_add(one, "how", NULL);
		json_add(one, "pid", NULL);
		json_add(one, "comm", json_object_new_string("(others)"));
		json_add(one, "pages", json_count(file->reads->removers_other_pages));
		json_object_array_add(out, one);
	}
	return out;
}

static struct json_object *reads(const struct pcinspect_report *report,
				 const struct pcinspect_file *file)
{
	struct json_object *out = json_object_new_object(), *list;
	double factor;
	int i;

	json_add(out, "interval_ns",
		 json_count(pcinspect_snapshot_age(&file->snap, file->reads->since_ns)));
	json_add(out, "demanded_bytes", json_number(file, FIELD_DEMANDED));
	json_add(out, "device_bytes", json_number(file, FIELD_DEVICE_READ));
	json_add(out, "faults", json_number(file, FIELD_FAULTS));
	list = json_object_new_object();
	for (i = 0; i < PCINSPECT_NR_CAUSES; i++)
		json_add(list, pcinspect_cause_word(i), json_count(file->reads->inserted[i]));
	json_add(out, "inserted", list);
	json_add(out, "inserted_pages", json_count(pcinspect_file_inserted(file)));
	json_add(out, "expanded_pages", json_number(file, FIELD_EXPANDED));
	json_add(out, "hole_pages", json_number(file, FIELD_HOLE));
	json_add(out, "refault_pages", json_number(file, FIELD_REFAULT));
	json_add(out, "wasted_pages", json_number(file, FIELD_WASTED));
	json_add(out, "unused_unknown_pages", json_number(file, FIELD_UNKNOWN));
	list = json_object_new_object();
	for (i = 0; i < PCINSPECT_NR_REMOVALS; i++)
		json_add(list, pcinspect_removal_word(i), json_count(file->reads->removed[i]));
	json_add(out, "removed", list);
	json_add(out, "removed_pages", json_count(pcinspect_file_removed(file)));
	json_add(out, "removed_by", removed_by(file));
	json_add(out, "evicted_by", evicted_by(report, file));
	json_add(out, "bounced", json_object_new_boolean(file->reads->flags &
						    PCINSPECT_READS_BOUNCED));
	json_add(out, "amplification", pcinspect_file_amplification(file, &factor) ?
		json_object_new_double(factor) : NULL);
	return out;
}

static struct json_object *direct(const struct pcinspect_file *file)
{
	struct json_object *out = json_object_new_object();

	json_add(out, "read_bytes", json_number(file, FIELD_DIRECT_READ));
	json_add(out, "write_bytes", json_number(file, FIELD_DIRECT_WRITE));
	json_add(out, "flushed_pages", json_number(file, FIELD_FLUSHED));
	json_add(out, "invalidated_pages", json_number(file, FIELD_INVALIDATED));
	return out;
}

static struct json_object *readahead(const struct pcinspect_file *file)
{
	struct json_object *out = json_object_new_object(), *list, *one;
	size_t i;

	json_add(out, "windows_total", json_count(file->reads->nr_windows));
	json_add(out, "windows_dropped", json_count(file->reads->windows_dropped));
	list = json_object_new_array();
	for (i = 0; i < file->nr_windows; i++) {
		const struct pcinspect_window *w = &file->windows[i];

		one = json_object_new_object();
		json_add(one, "time_ns", json_count(w->time_ns));
		json_add(one, "pid", json_count(w->pid));
		json_add(one, "comm", pcinspect_json_comm(w->comm));
		json_add(one, "cause",
		    json_object_new_string(pcinspect_cause_word(w->cause)));
		json_add(one, "index", json_count(w->index));
		json_add(one, "requested_pages", json_count(w->requested_pages));
		json_add(one, "planned_pages", json_count(w->planned_pages));
		json_add(one, "async_pages", json_count(w->async_pages));
		json_add(one, "inserted_pages", json_count(w->inserted_pages));
		json_add(one, "expanded_pages", json_count(w->expanded_pages));
		json_add(one, "order", json_count(w->order));
		json_add(one, "ra_pages", json_count(w->ra_pages));
		json_object_array_add(list, one);
	}
	json_add(out, "windows", list);
	return out;
}

static struct json_object *task(const struct pcinspect_file *file,
				const struct pcinspect_task *from, bool others)
{
	struct json_object *out = json_object_new_object();

	json_add(out, "pid", others ? NULL : json_count(from->pid));
	json_add(out, "comm", others ? json_object_new_string("(others)") :
				  pcinspect_json_comm(from->comm));
	json_add(out, "demanded_bytes", json_count(from->demanded_bytes));
	json_add(out, "device_bytes", file->snap.flags & PCINSPECT_F_DEVICE ?
				 json_count(from->device_bytes) : NULL);
	json_add(out, "inserted_pages", json_count(from->inserted_pages));
	json_add(out, "dirtied_pages",
		 json_maybe(file->snap.flags & PCINSPECT_F_AGES,
			    from->dirtied_pages));
	json_add(out, "throttled_ms",
		 json_maybe(file->snap.flags & PCINSPECT_F_AGES,
			    from->throttled_ns / 1000000));
	return out;
}

static struct json_object *tasks(const struct pcinspect_file *file)
{
	struct json_object *out = json_object_new_array();
	const struct pcinspect_task *others = &file->reads->others;
	int i;

	for (i = 0; i < PCINSPECT_NR_TASKS && file->reads->tasks[i].comm[0]; i++)
		json_object_array_add(out, task(file, &file->reads->tasks[i], false));
	if (others->demanded_bytes || others->device_bytes ||
	    others->inserted_pages || others->dirtied_pages ||
	    others->throttled_ns)
		json_object_array_add(out, task(file, others, true));
	return out;
}

/**
 * pcinspect_json_reads() - add a file's read sections
 * @to: the file's object
 * @report: where evictors are named
 * @file: which
 */
void pcinspect_json_reads(struct json_object *to,
			  const struct pcinspect_report *report,
			  const struct pcinspect_file *file)
{
	bool known = file->reads && !file->gone;

	json_add(to, "reads", known ? reads(report, file) : NULL);
	json_add(to, "direct", known ? direct(file) : NULL);
	json_add(to, "readahead", known ? readahead(file) : NULL);
	json_add(to, "tasks", known ? tasks(file) : NULL);
}

/**
 * pcinspect_json_devices() - the devices of a run
 * @report: which
 *
 * Return: an array.
 */
struct json_object *pcinspect_json_devices(const struct pcinspect_report *report)
{
	struct json_object *out = json_object_new_array(), *one;
	char dev[32];
	size_t i;

	for (i = 0; i < report->nr_devices; i++) {
		const struct pcinspect_device *device = &report->devices[i];

		snprintf(dev, sizeof(dev), "%u:%u", device->row.dev_major,
			 device->row.dev_minor);
		one = json_object_new_object();
		json_add(one, "dev", json_object_new_string(dev));
		json_add(one, "name", json_object_new_string(device->name));
		json_add(one, "read_bytes", json_count(device->read.bytes));
		json_add(one, "file_bytes", json_count(device->row.file_bytes));
		json_add(one, "other_file_bytes", json_count(device->row.other_file_bytes));
		json_add(one, "metadata_bytes", json_count(device->row.metadata_bytes));
		json_add(one, "unattributed_bytes", json_count(device->row.unattributed_bytes));
		json_add(one, "gone_bytes", json_count(device->gone_bytes));
		json_add(one, "direct_bytes", json_count(device->row.direct_bytes));
		json_add(one, "written_bytes", json_count(device->written.bytes));
		json_add(one, "write_file_bytes",
			 json_count(device->row.write_file_bytes));
		json_add(one, "write_other_file_bytes",
			 json_count(device->row.write_other_file_bytes));
		json_add(one, "write_direct_bytes",
			 json_count(device->row.write_direct_bytes));
		json_add(one, "write_log_bytes",
			 json_count(device->row.write_log_bytes));
		json_object_array_add(out, one);
	}
	return out;
}
