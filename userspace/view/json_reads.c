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
 * comm_value() - a thread's name, whatever bytes it has
 * @comm: PCINSPECT_COMM_LEN bytes
 *
 * Return: a string.
 */
struct json_object *comm_value(const char *comm)
{
	char raw[PCINSPECT_COMM_LEN + 1] = "";
	struct json_object *out;
	char *text;

	memcpy(raw, comm, PCINSPECT_COMM_LEN);
	text = utf8_replace(raw);
	out = json_object_new_string(text);
	free(text);
	return out;
}

static struct json_object *evicted_by(const struct report *report,
				      const struct file *file)
{
	struct json_object *out = json_object_new_array(), *one;
	int i;

	for (i = 0; i < PCINSPECT_NR_CULPRITS; i++) {
		const struct pcinspect_culprit *who = &file->who->evictors[i];

		if (!who->pages)
			continue;
		one = json_object_new_object();
		key_add_path(one, "path", "path_hex", report_name(report, who));
		key_add(one, "pid", who->pid ? count_value(who->pid) : NULL);
		key_add(one, "comm", comm_value(who->comm));
		key_add(one, "pages", count_value(who->pages));
		key_add(one, "inferred", json_object_new_boolean(who->inferred));
		json_object_array_add(out, one);
	}
	if (file->who->evictors_other_pages) {
		one = json_object_new_object();
		key_add(one, "path", NULL);
		key_add(one, "pid", NULL);
		key_add(one, "comm", json_object_new_string("(others)"));
		key_add(one, "pages", count_value(file->who->evictors_other_pages));
		key_add(one, "inferred", NULL);
		json_object_array_add(out, one);
	}
	return out;
}

static struct json_object *removed_by(const struct file *file)
{
	struct json_object *out = json_object_new_array(), *one;
	int i;

	for (i = 0; i < PCINSPECT_NR_CULPRITS; i++) {
		const struct pcinspect_culprit *who = &file->who->removers[i];

		if (!who->pages)
			continue;
		one = json_object_new_object();
		key_add(one, "how", json_object_new_string(pcinspect_remover_op_word(who->remover_op)));
		key_add(one, "pid", count_value(who->pid));
		key_add(one, "comm", comm_value(who->comm));
		key_add(one, "pages", count_value(who->pages));
		json_object_array_add(out, one);
	}
	if (file->who->removers_other_pages) {
		one = json_object_new_object();
		key_add(one, "how", NULL);
		key_add(one, "pid", NULL);
		key_add(one, "comm", json_object_new_string("(others)"));
		key_add(one, "pages", count_value(file->who->removers_other_pages));
		json_object_array_add(out, one);
	}
	return out;
}

static struct json_object *reads(const struct report *report,
				 const struct file *file)
{
	struct json_object *out = section_value(file, "reads");
	uint64_t inserted, removed;
	double factor;
	bool known;

	key_add(out, "interval_ns",
		count_value(snapshot_age(&file->snap, file->snap.ledger_since_ns)));
	known = file_inserted_sum(file, &inserted);
	key_add(out, "inserted_pages", maybe_value(known, inserted));
	known = file_removed_sum(file, &removed);
	key_add(out, "removed_pages", maybe_value(known, removed));
	key_add(out, "removed_by", removed_by(file));
	key_add(out, "evicted_by", evicted_by(report, file));
	key_add(out, "bounced", json_object_new_boolean(file->snap.flags &
							PCINSPECT_F_BOUNCED));
	key_add(out, "amplification", file_amplification(file, &factor) ?
		json_object_new_double(factor) : NULL);
	return out;
}

static struct json_object *readahead(const struct file *file)
{
	struct json_object *out = section_value(file, "readahead"), *list, *one;
	size_t i;

	list = json_object_new_array();
	for (i = 0; i < file->nr_windows; i++) {
		const struct pcinspect_window *w = &file->windows[i];

		one = json_object_new_object();
		key_add(one, "time_ns", count_value(w->time_ns));
		key_add(one, "pid", count_value(w->pid));
		key_add(one, "comm", comm_value(w->comm));
		key_add(one, "cause",
			json_object_new_string(pcinspect_cause_word(w->cause)));
		key_add(one, "index", count_value(w->index));
#define ADD(member, ...) key_add(one, #member, count_value(w->member));
		PCINSPECT_WINDOW_NUMBERS(ADD)
#undef ADD
		json_object_array_add(list, one);
	}
	key_add(out, "windows", list);
	return out;
}

static struct json_object *task(const struct file *file,
				const struct pcinspect_task *from, bool others)
{
	struct json_object *out = json_object_new_object();

	key_add(out, "pid", others ? NULL : count_value(from->pid));
	key_add(out, "comm", others ? json_object_new_string("(others)") :
				  comm_value(from->comm));
	key_add(out, "demanded_bytes",
		maybe_value(number_known(file, PCINSPECT_DEMANDED_BYTES), from->demanded_bytes));
	key_add(out, "device_bytes",
		maybe_value(number_known(file, PCINSPECT_DEVICE_BYTES), from->device_bytes));
	key_add(out, "inserted_pages", count_value(from->inserted_pages));
	key_add(out, "dirtied_pages", maybe_value(number_known(file, PCINSPECT_DIRTIED_PAGES),
						  from->dirtied_pages));
	key_add(out, "throttled_ms", maybe_value(number_known(file, PCINSPECT_THROTTLES),
						 from->throttled_ns / 1000000));
	return out;
}

static struct json_object *tasks(const struct file *file)
{
	struct json_object *out = json_object_new_array();
	const struct pcinspect_task *others = &file->who->others;
	int i;

	for (i = 0; i < PCINSPECT_NR_TASKS && file->who->tasks[i].comm[0]; i++)
		json_object_array_add(out, task(file, &file->who->tasks[i], false));
	if (others->demanded_bytes || others->device_bytes ||
	    others->inserted_pages || others->dirtied_pages ||
	    others->throttled_ns)
		json_object_array_add(out, task(file, others, true));
	return out;
}

/**
 * report_json_reads() - add a file's read sections
 * @to: the file's object
 * @report: where evictors are named
 * @file: which
 */
void report_json_reads(struct json_object *to, const struct report *report,
		       const struct file *file)
{
	bool known = file->who && !file->gone;

	key_add(to, "reads", known ? reads(report, file) : NULL);
	key_add(to, "direct", known ? section_value(file, "direct") : NULL);
	key_add(to, "readahead", known ? readahead(file) : NULL);
	key_add(to, "tasks", known ? tasks(file) : NULL);
}

/* The devices of a run. Returns an array. */
struct json_object *report_json_devices(const struct report *report)
{
	struct json_object *out = json_object_new_array(), *one;
	char dev[32];
	size_t i;

	for (i = 0; i < report->nr_devices; i++) {
		const struct device *device = &report->devices[i];

		snprintf(dev, sizeof(dev), "%u:%u", device->row.dev_major,
			 device->row.dev_minor);
		one = json_object_new_object();
		key_add(one, "dev", json_object_new_string(dev));
		key_add(one, "name", json_object_new_string(device->name));
		key_add(one, "read_bytes", maybe_value(!device->silent, device->read.bytes));
		key_add(one, "file_bytes", count_value(device->row.file_bytes));
		key_add(one, "other_file_bytes", count_value(device->row.other_file_bytes));
		key_add(one, "metadata_bytes", count_value(device->row.metadata_bytes));
		key_add(one, "swap_bytes", count_value(device->row.swap_bytes));
		key_add(one, "unattributed_bytes", count_value(device->row.unattributed_bytes));
		key_add(one, "gone_bytes", count_value(device->gone_bytes));
		key_add(one, "write_gone_bytes", count_value(device->gone_write_bytes));
		key_add(one, "direct_bytes", count_value(device->row.direct_bytes));
		key_add(one, "written_bytes", maybe_value(!device->silent, device->written.bytes));
		key_add(one, "write_file_bytes",
			count_value(device->row.write_file_bytes));
		key_add(one, "write_other_file_bytes",
			count_value(device->row.write_other_file_bytes));
		key_add(one, "write_direct_bytes",
			count_value(device->row.write_direct_bytes));
		key_add(one, "write_log_bytes", count_value(device->row.write_log_bytes));
		key_add(one, "passed_on_bytes",
			maybe_value(device->layered && !device->silent,
				    device_passed_on(device, false)));
		key_add(one, "write_passed_on_bytes",
			maybe_value(device->layered && !device->silent,
				    device_passed_on(device, true)));
		json_object_array_add(out, one);
	}
	return out;
}
