// SPDX-License-Identifier: GPL-2.0
/*
 * json_cgroups.c - what is charged to cgroups, as JSON: the common head of a
 * report, and "cgroups". Written file by file: there may be hundreds of thousands.
 */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "view/cgroups.h"
#include "view/file_name.h"
#include "view/json.h"
#include "view/json_report.h"

/* One value, without a line break; it is gone then. */
static void put(FILE *to, struct json_object *value)
{
	char *text = json_line(value);

	fputs(text, to);
	free(text);
}

/* Of an object all but its last brace, which is written later. */
static void put_open(FILE *to, struct json_object *value)
{
	char *text = json_line(value);

	*strrchr(text, '}') = '\0';
	fputs(text, to);
	free(text);
}

/* @all: none is unevictable, of which there is no list that says whose they are. */
static struct json_object *pages(uint64_t active, uint64_t inactive, bool all)
{
	struct json_object *out = json_object_new_object();

	key_add(out, "cached", maybe_value(all, active + inactive));
	key_add(out, "active", count_value(active));
	key_add(out, "inactive", count_value(inactive));
	key_add(out, "unevictable", maybe_value(all, 0));
	return out;
}

static struct json_object *generations(const __u64 *by_age)
{
	struct json_object *out = json_object_new_array(), *one;
	int age;

	for (age = 0; age < PCINSPECT_LISTS_NR_GENS; age++) {
		one = json_object_new_object();
		key_add(one, "age", json_object_new_int(age));
		key_add(one, "pages", count_value(by_age[age]));
		json_object_array_add(out, one);
	}
	return out;
}

static struct json_object *file_object(const struct cgroup_file *file,
				       const struct pcinspect_list_cgroup *lists)
{
	const struct pcinspect_list_file *row = &file->row;
	bool mglru = lists->flags & PCINSPECT_CGROUP_GENERATIONS;
	struct json_object *out = json_object_new_object();

	file_name_json(out, row, file->path, file->elsewhere);
	key_add(out, "pages", pages(row->pages[PCINSPECT_LIST_ACTIVE],
				    row->pages[PCINSPECT_LIST_INACTIVE],
				    !lists->unevictable_pages));
	key_add(out, "lru_generations", mglru ? generations(row->generation_pages) : NULL);
	key_add(out, "dirty_pages", count_value(row->dirty_pages));
	key_add(out, "mapped_pages", count_value(row->mapped_pages));
	return out;
}

/**
 * cgroup_json() - one cgroup, by the keys that all reports have
 * @cgroup: it; its @reads are taken
 * @page_size: bytes
 *
 * Return: a new object, without its "files".
 */
struct json_object *cgroup_json(const struct cgroup_shown *cgroup, uint32_t page_size)
{
	const struct pcinspect_list_cgroup *lists = cgroup->lists;
	struct json_object *out = json_object_new_object(), *in;
	bool known = lists && cgroup->current_known;

	key_add_path(out, "path", "path_hex", cgroup->path);
	key_add(out, "id", count_value(cgroup->id));
	key_add(out, "name", name_value(cgroup->name));
	key_add(out, "deleted", lists ?
		json_object_new_boolean(!!(lists->flags & PCINSPECT_CGROUP_OFFLINE)) : NULL);
	in = json_object_new_object();
	key_add(in, "cached", maybe_value(cgroup->cached_known,
					  cgroup->active + cgroup->inactive));
	key_add(in, "active", count_value(cgroup->active));
	key_add(in, "inactive", count_value(cgroup->inactive));
	key_add(in, "unevictable", maybe_value(!!lists, lists ? lists->unevictable_pages : 0));
	key_add(in, "dirty", count_value(cgroup->dirty));
	key_add(in, "mapped", count_value(cgroup->mapped));
	key_add(out, "pages", in);
	key_add(out, "lru_generations", lists && lists->flags & PCINSPECT_CGROUP_GENERATIONS ?
		generations(lists->generation_pages) : NULL);
	key_add(out, "current_bytes", maybe_value(cgroup->current_known, cgroup->current_bytes));
	key_add(out, "working_set_bytes", maybe_value(known, known ?
		cgroup_set(cgroup->current_bytes, lists, page_size) : 0));
	key_add(out, "unnamed_pages", maybe_value(!!lists, cgroup->unnamed));
	key_add(out, "lazyfree_pages", maybe_value(!!lists, lists ? lists->lazyfree_pages : 0));
	key_add(out, "other_pages", maybe_value(!!lists, lists ? lists->other_pages : 0));
	key_add(out, "nr_files", count_value(cgroup->files));
	key_add(out, "reads", cgroup->reads);
	key_add(out, "grown_pages", cgroup->grown ? json_object_new_int64(*cgroup->grown) : NULL);
	return out;
}

static void put_cgroup(FILE *to, const struct cgroups *cgroups, const struct cgroup *cgroup)
{
	const struct pcinspect_list_cgroup *lists = &cgroup->lists;
	struct cgroup_shown shown = {
		.path = cgroup->path,
		.name = cgroup->name,
		.id = lists->id,
		.lists = lists,
		.active = lists->counted_pages[PCINSPECT_LIST_ACTIVE],
		.inactive = lists->counted_pages[PCINSPECT_LIST_INACTIVE],
		/* Unevictable pages may be anonymous memory: then nobody knows. */
		.cached_known = !lists->unevictable_pages,
		.unnamed = cgroup_unnamed(cgroup),
		.files = cgroup->nr_files,
		.current_bytes = cgroup->current_bytes,
		.current_known = cgroup->current_known,
	};
	size_t i;

	for (i = 0; i < cgroup->nr_files; i++) {
		shown.dirty += cgroup->files[i].row.dirty_pages;
		shown.mapped += cgroup->files[i].row.mapped_pages;
	}
	fputs("    ", to);
	put_open(to, cgroup_json(&shown, cgroups->report->page_size));
	fputs(", \"files\": [", to);
	for (i = 0; i < cgroup->nr_files; i++) {
		fputs(i ? ",\n      " : "\n      ", to);
		put(to, file_object(&cgroup->files[i], lists));
	}
	fputs(i ? "\n    ] }" : "] }", to);
}

/**
 * cgroups_json() - write it
 * @cgroups: what
 * @to: where
 *
 * Return: 0, or -1 with errno set if it could not be written.
 */
int cgroups_json(const struct cgroups *cgroups, FILE *to)
{
	const struct report *report = cgroups->report;
	struct json_object *head, *lost = json_object_new_object();
	size_t i;

	key_add(lost, "filesystems", count_value(cgroups->busy));
	head = report_json_whole(report, report_lru(report), lost);
	key_add(head, "files", json_object_new_array());
	put_open(to, head);
	fputs(",\n  \"cgroups\": [\n", to);
	for (i = 0; i < cgroups->nr; i++) {
		if (i)
			fputs(",\n", to);
		put_cgroup(to, cgroups, &cgroups->list[i]);
	}
	fputs("\n  ] }\n", to);
	return json_flush(to);
}
