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

static struct json_object *pages(uint64_t active, uint64_t inactive, const uint64_t *unevictable)
{
	struct json_object *out = json_object_new_object();

	/* Unevictable pages may be anonymous memory: then nobody knows. */
	key_add(out, "cached", unevictable && *unevictable ? NULL :
		count_value(active + inactive));
	key_add(out, "active", count_value(active));
	key_add(out, "inactive", count_value(inactive));
	key_add(out, "unevictable", unevictable ? count_value(*unevictable) : count_value(0));
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

static struct json_object *file_object(const struct cgroup_file *file, bool mglru)
{
	const struct pcinspect_list_file *row = &file->row;
	struct json_object *out = json_object_new_object();

	file_name_json(out, row, file->path, file->elsewhere);
	key_add(out, "pages", pages(row->pages[PCINSPECT_LIST_ACTIVE],
				    row->pages[PCINSPECT_LIST_INACTIVE], NULL));
	key_add(out, "lru_generations", mglru ? generations(row->generation_pages) : NULL);
	key_add(out, "dirty_pages", count_value(row->dirty_pages));
	key_add(out, "mapped_pages", count_value(row->mapped_pages));
	return out;
}

static void put_cgroup(FILE *to, const struct cgroups *cgroups, const struct cgroup *cgroup)
{
	const struct pcinspect_list_cgroup *lists = &cgroup->lists;
	bool mglru = lists->flags & PCINSPECT_CGROUP_GENERATIONS;
	struct json_object *head = json_object_new_object();
	uint64_t bytes, unevictable = lists->unevictable_pages;
	bool known = cgroup_working_set(cgroup, cgroups->report->page_size, &bytes);
	size_t i;

	key_add_path(head, "path", "path_hex", cgroup->path);
	key_add(head, "id", count_value(lists->id));
	key_add(head, "name", name_value(cgroup->name));
	key_add(head, "deleted",
		json_object_new_boolean(!!(lists->flags & PCINSPECT_CGROUP_OFFLINE)));
	key_add(head, "pages", pages(lists->counted_pages[PCINSPECT_LIST_ACTIVE],
				     lists->counted_pages[PCINSPECT_LIST_INACTIVE],
				     &unevictable));
	key_add(head, "lru_generations", mglru ? generations(lists->generation_pages) : NULL);
	key_add(head, "current_bytes", maybe_value(cgroup->current_known, cgroup->current_bytes));
	key_add(head, "working_set_bytes", maybe_value(known, known ? bytes : 0));
	key_add(head, "unnamed_pages", count_value(cgroup_unnamed(cgroup)));
	key_add(head, "lazyfree_pages", count_value(lists->lazyfree_pages));
	key_add(head, "other_pages", count_value(lists->other_pages));
	fputs("    ", to);
	put_open(to, head);
	fputs(", \"files\": [", to);
	for (i = 0; i < cgroup->nr_files; i++) {
		fputs(i ? ",\n      " : "\n      ", to);
		put(to, file_object(&cgroup->files[i], mglru));
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
