// SPDX-License-Identifier: GPL-2.0
/*
 * json_cgroups.c - the page cache of cgroups as JSON: the common head of a report, and
 * "cgroups". Touches the stream it is given.
 */
#include "view/cgroups.h"
#include "view/file_name.h"
#include "view/json.h"
#include "view/json_report.h"

/* @all: none is unevictable. No list names the owners of unevictable pages. */
static void put_pages(struct jsonw *w, uint64_t active, uint64_t inactive, bool all)
{
	jsonw_open(w, "pages", '{');
	jsonw_maybe(w, "cached", all, active + inactive);
	jsonw_count(w, "active", active);
	jsonw_count(w, "inactive", inactive);
	jsonw_maybe(w, "unevictable", all, 0);
	jsonw_close(w);
}

static void put_generations(struct jsonw *w, bool known, const __u64 *by_age)
{
	int age;

	if (!known) {
		jsonw_null(w, "lru_generations");
		return;
	}
	jsonw_open(w, "lru_generations", '[');
	for (age = 0; age < PCINSPECT_LISTS_NR_GENS; age++) {
		jsonw_row(w, NULL);
		jsonw_count(w, "age", age);
		jsonw_count(w, "pages", by_age[age]);
		jsonw_close(w);
	}
	jsonw_close(w);
}

static void put_file(struct jsonw *w, const struct cgroup_file *file,
		     const struct pcinspect_list_cgroup *lists)
{
	const struct pcinspect_list_file *row = &file->row;

	jsonw_row(w, NULL);
	file_name_json(w, row, file->path, file->elsewhere);
	put_pages(w, row->pages[PCINSPECT_LIST_ACTIVE], row->pages[PCINSPECT_LIST_INACTIVE],
		  !lists->unevictable_pages);
	put_generations(w, lists->flags & PCINSPECT_CGROUP_GENERATIONS, row->generation_pages);
	jsonw_count(w, "dirty_pages", row->dirty_pages);
	jsonw_count(w, "mapped_pages", row->mapped_pages);
	jsonw_close(w);
}

/**
 * json_cgroup() - one cgroup, by the keys that all reports have, into the object that is open
 * @w: where
 * @cgroup: it
 * @page_size: bytes
 *
 * Its "files" and "reads" are left to the caller.
 */
void json_cgroup(struct jsonw *w, const struct cgroup_shown *cgroup, uint32_t page_size)
{
	static const struct pcinspect_list_cgroup none;
	const struct pcinspect_list_cgroup *lists = cgroup->lists ?: &none;
	bool known = cgroup->lists, set = known && cgroup->current_known;

	jsonw_path(w, "path", cgroup->path);
	jsonw_count(w, "id", cgroup->id);
	jsonw_text(w, "name", cgroup->name);
	if (known)
		jsonw_bool(w, "deleted", lists->flags & PCINSPECT_CGROUP_OFFLINE);
	else
		jsonw_null(w, "deleted");
	jsonw_open(w, "pages", '{');
	jsonw_maybe(w, "cached", cgroup->cached_known, cgroup->active + cgroup->inactive);
	jsonw_count(w, "active", cgroup->active);
	jsonw_count(w, "inactive", cgroup->inactive);
	jsonw_maybe(w, "unevictable", known, lists->unevictable_pages);
	jsonw_count(w, "dirty", cgroup->dirty);
	jsonw_count(w, "mapped", cgroup->mapped);
	jsonw_close(w);
	put_generations(w, lists->flags & PCINSPECT_CGROUP_GENERATIONS, lists->generation_pages);
	jsonw_maybe(w, "current_bytes", cgroup->current_known, cgroup->current_bytes);
	jsonw_maybe(w, "working_set_bytes", set,
		    set ? cgroup_set(cgroup->current_bytes, lists, page_size) : 0);
	jsonw_maybe(w, "unnamed_pages", known, cgroup->unnamed);
	jsonw_maybe(w, "lazyfree_pages", known, lists->lazyfree_pages);
	jsonw_maybe(w, "other_pages", known, lists->other_pages);
	jsonw_count(w, "nr_files", cgroup->files);
	if (cgroup->grown)
		jsonw_signed(w, "grown_pages", *cgroup->grown);
	else
		jsonw_null(w, "grown_pages");
}

static void put_cgroup(struct jsonw *w, const struct cgroups *cgroups,
		       const struct cgroup *cgroup)
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
	jsonw_open(w, NULL, '{');
	json_cgroup(w, &shown, cgroups->report->page_size);
	jsonw_null(w, "reads");
	jsonw_open(w, "files", '[');
	for (i = 0; i < cgroup->nr_files; i++)
		put_file(w, &cgroup->files[i], lists);
	jsonw_close_to(w, w->depth - 2);
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
	struct jsonw w = { .to = to, .pretty = true };
	size_t i;

	json_whole_head(&w, cgroups->report, report_lru(cgroups->report));
	jsonw_count(&w, "filesystems", cgroups->busy);
	json_whole_lost(&w);
	jsonw_open(&w, "files", '[');
	jsonw_close(&w);
	jsonw_open(&w, "cgroups", '[');
	for (i = 0; i < cgroups->nr; i++)
		put_cgroup(&w, cgroups, &cgroups->list[i]);
	return jsonw_end(&w);
}
