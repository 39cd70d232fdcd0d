// SPDX-License-Identifier: GPL-2.0
/*
 * reads_json.c - reads, direct, readahead and tasks of a file, and the devices
 * of a run, as JSON. Null for an inode without a ledger.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "reads_json.h"

static const char *const causes[PCINSPECT_NR_CAUSES] = {
	"sync", "async", "around", "forced", "write", "other",
};

static const char *const removals[PCINSPECT_NR_REMOVALS] = {
	"reclaim", "truncate", "invalidate", "evict", "trim", "other",
};

static const char *const hows[PCINSPECT_NR_HOWS] = {
	"other", "truncate", "fadvise", "drop_caches", "direct",
};

/**
 * pcinspect_cause_name() - why pages were inserted, in a word
 * @cause: enum pcinspect_cause
 *
 * Return: the word, "?" for one of a newer module.
 */
const char *pcinspect_cause_name(unsigned int cause)
{
	return cause < PCINSPECT_NR_CAUSES ? causes[cause] : "?";
}

/**
 * pcinspect_how_name() - what removed pages, in a word
 * @how: enum pcinspect_how
 *
 * Return: the word, "?" for one of a newer module.
 */
const char *pcinspect_how_name(unsigned int how)
{
	return how < PCINSPECT_NR_HOWS ? hows[how] : "?";
}

static void add(struct json_object *to, const char *key, struct json_object *value)
{
	json_object_object_add(to, key, value);
}

static struct json_object *count(uint64_t value)
{
	return json_object_new_uint64(value);
}

static struct json_object *number(const struct pcinspect_file *file,
				  enum pcinspect_field field)
{
	uint64_t value;

	return pcinspect_file_number(file, field, &value) ? count(value) : NULL;
}

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
		add(one, "pid", who->pid ? count(who->pid) : NULL);
		add(one, "comm", pcinspect_json_comm(who->comm));
		add(one, "pages", count(who->pages));
		add(one, "inferred", json_object_new_boolean(who->inferred));
		json_object_array_add(out, one);
	}
	if (file->reads->evictors_other_pages) {
		one = json_object_new_object();
		add(one, "path", NULL);
		add(one, "pid", NULL);
		add(one, "comm", json_object_new_string("(others)"));
		add(one, "pages", count(file->reads->evictors_other_pages));
		add(one, "inferred", NULL);
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
		add(one, "how", json_object_new_string(pcinspect_how_name(who->how)));
		add(one, "pid", count(who->pid));
		add(one, "comm", pcinspect_json_comm(who->comm));
		add(one, "pages", count(who->pages));
		json_object_array_add(out, one);
	}
	if (file->reads->removers_other_pages) {
		one = json_object_new_object();
		add(one, "how", NULL);
		add(one, "pid", NULL);
		add(one, "comm", json_object_new_string("(others)"));
		add(one, "pages", count(file->reads->removers_other_pages));
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

	add(out, "interval_ns", count(file->snap.time_ns - file->reads->since_ns));
	add(out, "demanded_bytes", number(file, FIELD_DEMANDED));
	add(out, "device_bytes", number(file, FIELD_DEVICE_READ));
	add(out, "faults", number(file, FIELD_FAULTS));
	list = json_object_new_object();
	for (i = 0; i < PCINSPECT_NR_CAUSES; i++)
		add(list, causes[i], count(file->reads->inserted[i]));
	add(out, "inserted", list);
	add(out, "inserted_pages", count(pcinspect_file_inserted(file)));
	add(out, "expanded_pages", number(file, FIELD_EXPANDED));
	add(out, "hole_pages", number(file, FIELD_HOLE));
	add(out, "refault_pages", number(file, FIELD_REFAULT));
	add(out, "wasted_pages", number(file, FIELD_WASTED));
	add(out, "unused_unknown_pages", number(file, FIELD_UNKNOWN));
	list = json_object_new_object();
	for (i = 0; i < PCINSPECT_NR_REMOVALS; i++)
		add(list, removals[i], count(file->reads->removed[i]));
	add(out, "removed", list);
	add(out, "removed_pages", count(pcinspect_file_removed(file)));
	add(out, "removed_by", removed_by(file));
	add(out, "evicted_by", evicted_by(report, file));
	add(out, "bounced", json_object_new_boolean(file->reads->flags &
						    PCINSPECT_READS_BOUNCED));
	add(out, "amplification", pcinspect_file_amplification(file, &factor) ?
		json_object_new_double(factor) : NULL);
	return out;
}

static struct json_object *direct(const struct pcinspect_file *file)
{
	struct json_object *out = json_object_new_object();

	add(out, "read_bytes", number(file, FIELD_DIRECT_READ));
	add(out, "write_bytes", number(file, FIELD_DIRECT_WRITE));
	add(out, "flushed_pages", number(file, FIELD_FLUSHED));
	add(out, "invalidated_pages", number(file, FIELD_INVALIDATED));
	return out;
}

static struct json_object *readahead(const struct pcinspect_file *file)
{
	struct json_object *out = json_object_new_object(), *list, *one;
	size_t i;

	add(out, "windows_total", count(file->reads->nr_windows));
	add(out, "windows_dropped", count(file->reads->windows_dropped));
	list = json_object_new_array();
	for (i = 0; i < file->nr_windows; i++) {
		const struct pcinspect_window *w = &file->windows[i];

		one = json_object_new_object();
		add(one, "time_ns", count(w->time_ns));
		add(one, "pid", count(w->pid));
		add(one, "comm", pcinspect_json_comm(w->comm));
		add(one, "cause",
		    json_object_new_string(pcinspect_cause_name(w->cause)));
		add(one, "index", count(w->index));
		add(one, "requested_pages", count(w->requested_pages));
		add(one, "planned_pages", count(w->planned_pages));
		add(one, "async_pages", count(w->async_pages));
		add(one, "inserted_pages", count(w->inserted_pages));
		add(one, "expanded_pages", count(w->expanded_pages));
		add(one, "order", count(w->order));
		add(one, "ra_pages", count(w->ra_pages));
		json_object_array_add(list, one);
	}
	add(out, "windows", list);
	return out;
}

static struct json_object *task(const struct pcinspect_file *file,
				const struct pcinspect_task *from, bool others)
{
	struct json_object *out = json_object_new_object();

	add(out, "pid", others ? NULL : count(from->pid));
	add(out, "comm", others ? json_object_new_string("(others)") :
				  pcinspect_json_comm(from->comm));
	add(out, "demanded_bytes", count(from->demanded_bytes));
	add(out, "device_bytes", file->snap.flags & PCINSPECT_F_DEVICE ?
				 count(from->device_bytes) : NULL);
	add(out, "inserted_pages", count(from->inserted_pages));
	add(out, "dirtied_pages", file->snap.flags & PCINSPECT_F_AGES ?
				  count(from->dirtied_pages) : NULL);
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
	    others->inserted_pages || others->dirtied_pages)
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

	add(to, "reads", known ? reads(report, file) : NULL);
	add(to, "direct", known ? direct(file) : NULL);
	add(to, "readahead", known ? readahead(file) : NULL);
	add(to, "tasks", known ? tasks(file) : NULL);
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
		add(one, "dev", json_object_new_string(dev));
		add(one, "name", json_object_new_string(device->name));
		add(one, "read_bytes", count(device->theirs));
		add(one, "file_bytes", count(device->row.file_bytes));
		add(one, "other_file_bytes", count(device->row.other_file_bytes));
		add(one, "metadata_bytes", count(device->row.metadata_bytes));
		add(one, "unattributed_bytes", count(device->row.unattributed_bytes));
		add(one, "gone_bytes", count(device->gone_bytes));
		add(one, "direct_bytes", count(device->row.direct_bytes));
		json_object_array_add(out, one);
	}
	return out;
}
