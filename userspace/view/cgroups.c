// SPDX-License-Identifier: GPL-2.0-only
/*
 * cgroups.c - the page cache that is charged to cgroups, as tables and as JSON. Every table
 * ends with the pages that it does not name and with the total. Touches stdout, and the stream
 * it is given.
 */
#include <stdio.h>
#include <stdlib.h>

#include "lib/alloc.h"
#include "lib/escape.h"
#include "lib/text.h"
#include "view/cgroups.h"
#include "view/file_name.h"
#include "view/json.h"
#include "view/json_report.h"
#include "view/sheet.h"

#define NO_DIRECTORY "? (its directory is gone, or not mounted here)"

/* --- the fields of a cgroup --------------------------------------------------------- */

/* No list names the owners of unevictable pages: in JSON all cached pages are unknown then. */
FIELD_COMPUTE(cached, cgroup_shown, count, row->active + row->inactive, row->cached_known)
FIELD_COMPUTE(listed, cgroup_shown, count, row->active + row->inactive, true)
FIELD_COMPUTE(is_deleted, cgroup_shown, yes, row->lists->flags & PCINSPECT_CGROUP_OFFLINE,
	      row->lists)
FIELD_COMPUTE(unevictable, cgroup_shown, count, row->lists->unevictable_pages, row->lists)
/* Fields that only a walk of the lists finds. */
#define WALKED(name, pages, known) \
	FIELD_COMPUTE(name, cgroup_shown, count, pages, \
		      (known) && !((const struct report *)of)->without_module)
WALKED(lazyfree, row->lists->lazyfree_pages, row->lists)
WALKED(other, row->lists->other_pages, row->lists)
WALKED(unnamed, row->unnamed, row->lists)
WALKED(dirty, row->dirty, true)
WALKED(mapped, row->mapped, true)
WALKED(nr_files, row->files, true)
FIELD_COMPUTE(grown, cgroup_shown, number, *row->grown, row->grown)
FIELD_COMPUTE(working_set, cgroup_shown, count,
	      cgroup_set(row->current_bytes, row->lists, ((const struct report *)of)->page_size),
	      row->lists && row->current_known)

static char *cgroup_path(const void *row, const void *of)
{
	const struct cgroup_shown *cgroup = row;

	(void)of;
	return cgroup->path ? escape_path(cgroup->path) : alloc_copy(NO_DIRECTORY);
}

static const struct field cgroup_list[] = {
	FIELD_AS(cgroup_shown, path, "path", PATH),
	FIELD(cgroup_shown, id),
	FIELD(cgroup_shown, name),
	FIELD_GET("deleted", BOOL, is_deleted),
	FIELD_GET("pages.cached", U64, cached),
	FIELD_GET(NULL, U64, listed, COLUMN("CACHED", PAGES, .flags = FIELD_KEEP)),
	FIELD_KEY(cgroup_shown, active, "pages.active", COLUMN("ACTIVE", PAGES)),
	FIELD_KEY(cgroup_shown, inactive, "pages.inactive", COLUMN("INACTIVE", PAGES)),
	FIELD_GET("pages.unevictable", U64, unevictable, COLUMN("UNEVICTABLE", PAGES)),
	FIELD_GET("pages.dirty", U64, dirty),
	FIELD_GET("pages.mapped", U64, mapped),
	FIELD(cgroup_shown, current_bytes, FIELD_IF(cgroup_shown, current_known)),
	FIELD_GET("working_set_bytes", U64, working_set),
	FIELD_GET("unnamed_pages", U64, unnamed),
	FIELD_GET("lazyfree_pages", U64, lazyfree),
	FIELD_GET("other_pages", U64, other),
	FIELD_GET("nr_files", U64, nr_files, COLUMN("FILES", EVENTS)),
	FIELD_GET("grown_pages", S64, grown),
	FIELD_KEY(cgroup_shown, name, NULL, COLUMN("NAME", EVENTS)),
	{ COLUMN_PATH("PATH", cgroup_path) },
};

const struct fields cgroup_fields = FIELDS(cgroup_list);

static struct cgroup_shown shown_of(const struct cgroup *cgroup)
{
	const struct pcinspect_list_cgroup *lists = &cgroup->lists;
	struct cgroup_shown shown = {
		.path = cgroup->path,
		.name = cgroup->name,
		.id = lists->id,
		.lists = lists,
		.active = lists->counted_pages[PCINSPECT_LIST_ACTIVE],
		.inactive = lists->counted_pages[PCINSPECT_LIST_INACTIVE],
		/* Unevictable pages may be anonymous memory. */
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
	return shown;
}

/* --- the fields of a file of it ----------------------------------------------------- */

FIELD_COMPUTE(file_cached, listed_file, count, listed_pages(&row->row),
	      !((const struct cgroup *)of)->lists.unevictable_pages)
FIELD_COMPUTE(file_listed, listed_file, count, listed_pages(&row->row), true)
/* 0 of each file, or unknown. */
static bool file_unevictable(const void *row, const void *of, union field_value *value)
{
	(void)row;
	(void)value;
	return !((const struct cgroup *)of)->lists.unevictable_pages;
}

static char *file_path(const void *row, const void *of)
{
	const struct listed_file *file = row;

	(void)of;
	return file_name_text(&file->row, file->path, file->elsewhere);
}

#define FILE_PAGES(member, key, heading) \
	FIELD_KEY(listed_file, row.member, key, COLUMN(heading, PAGES))

static const struct field cgroup_files[] = {
	FIELD_GET("pages.cached", U64, file_cached),
	FIELD_GET(NULL, U64, file_listed, COLUMN("CACHED", PAGES, .flags = FIELD_KEEP)),
	FILE_PAGES(pages[PCINSPECT_LIST_ACTIVE], "pages.active", "ACTIVE"),
	FILE_PAGES(pages[PCINSPECT_LIST_INACTIVE], "pages.inactive", "INACTIVE"),
	FIELD_GET("pages.unevictable", U64, file_unevictable),
	FILE_PAGES(dirty_pages, "dirty_pages", "DIRTY"),
	FILE_PAGES(mapped_pages, "mapped_pages", "MAPPED"),
	{ COLUMN_PATH("PATH", file_path) },
};

const struct fields cgroup_file_fields = FIELDS(cgroup_files);

/* --- tables -------------------------------------------------------------------------- */

/* Pages that no row has; none: no line. */
static void add_rest(struct sheet *sheet, const char *text, uint64_t pages)
{
	if (!pages)
		return;
	sheet_pages(sheet, true, pages);
	grid_last(&sheet->grid, text);
}

/* The parts of the memory figure of the kubelet, and docker stats. */
static void print_memory(const struct cgroup *cgroup, uint32_t page_size)
{
	char current[32], inactive[32], set[32], *path, *name;
	uint64_t bytes;

	path = cgroup->path ? escape_path(cgroup->path) : NULL;
	name = cgroup->name ? escape_path(cgroup->name) : NULL;
	printf("%s%s%s%s\n", path ?: NO_DIRECTORY, name ? " (" : "",
	       name ?: "", name ? ")" : "");
	free(path);
	free(name);
	if (!cgroup_working_set(cgroup, page_size, &bytes))
		return;
	size_text(current, sizeof(current), cgroup->current_bytes);
	size_text(set, sizeof(set), bytes);
	size_text(inactive, sizeof(inactive),
		  cgroup->lists.counted_pages[PCINSPECT_LIST_INACTIVE] * page_size);
	printf("memory %s = working set %s + inactive file cache %s\n", current, set, inactive);
}

static int print_one(const struct cgroups *cgroups, const struct cgroup *cgroup,
		     const struct output *out)
{
	const struct pcinspect_list_cgroup *lists = &cgroup->lists;
	uint64_t known = lists->lazyfree_pages + lists->leaving_pages + lists->other_pages;
	uint64_t unnamed = cgroup_unnamed(cgroup), hidden = 0;
	size_t i, nr = sheet_limit(out, cgroup->nr_files);
	struct sheet sheet;
	char text[64];

	sheet_begin(&sheet, &cgroup_file_fields, cgroup, out, cgroups->report->page_size);
	if (!out->noheadings)
		print_memory(cgroup, sheet.page_size);
	for (i = 0; i < nr; i++)
		sheet_row(&sheet, &cgroup->files[i]);
	/* Numbers of what is no file need a word. */
	if (out->noheadings || !grid_shows_last(&sheet.grid))
		return sheet_end(&sheet, cgroup->nr_files - nr, " files");
	for (; i < cgroup->nr_files; i++)
		hidden += listed_pages(&cgroup->files[i].row);
	snprintf(text, sizeof(text), "(and %zu more files; --limit 0: all)", cgroup->nr_files - nr);
	add_rest(&sheet, text, hidden);
	add_rest(&sheet, "(more files than can be listed)", lists->other_pages);
	add_rest(&sheet, "(anonymous memory given up by MADV_FREE)", lists->lazyfree_pages);
	add_rest(&sheet, "(just leaving their files)", lists->leaving_pages);
	add_rest(&sheet, cgroups->report->without_module ? "(files: unknown without the module)" :
		 "(came during the walk)", unnamed > known ? unnamed - known : 0);
	sheet_pages(&sheet, true, cgroup_counted(cgroup));
	sheet_pages(&sheet, true, lists->counted_pages[PCINSPECT_LIST_ACTIVE]);
	sheet_pages(&sheet, true, lists->counted_pages[PCINSPECT_LIST_INACTIVE]);
	grid_last(&sheet.grid, "(total)");
	add_rest(&sheet, "(and unevictable, files and anonymous memory: on no list)",
		 lists->unevictable_pages);
	return sheet_end(&sheet, 0, "");
}

/**
 * cgroups_print() - a table for each cgroup, its files in it
 * @cgroups: which
 * @out: limit, units, headings
 *
 * Return: 0, or -1 if it could not be written.
 */
int cgroups_print(const struct cgroups *cgroups, const struct output *out)
{
	size_t i;

	for (i = 0; i < cgroups->nr; i++) {
		if (i && !out->noheadings)
			putchar('\n');
		if (print_one(cgroups, &cgroups->list[i], out))
			return -1;
	}
	return 0;
}

static int compare_counted(const void *a, const void *b)
{
	const struct cgroup *x = *(const struct cgroup *const *)a;
	const struct cgroup *y = *(const struct cgroup *const *)b;
	uint64_t pages = cgroup_counted(x), other = cgroup_counted(y);

	/* Parents come first in the list, and have at least what those below have. */
	return pages != other ? (pages < other) - (pages > other) : (x > y) - (x < y);
}

/**
 * cgroups_print_list() - one line for each cgroup, most pages first
 * @cgroups: all there are, each with all below it
 * @out: limit, units, headings
 *
 * Return: 0, or -1 if it could not be written.
 */
int cgroups_print_list(const struct cgroups *cgroups, const struct output *out)
{
	const struct cgroup **order = alloc_zero(cgroups->nr + 1, sizeof(*order));
	struct cgroup_shown shown;
	struct sheet sheet;
	size_t i, more = 0;

	sheet_begin(&sheet, &cgroup_fields, cgroups->report, out, cgroups->report->page_size);
	for (i = 0; i < cgroups->nr; i++)
		order[i] = &cgroups->list[i];
	qsort(order, cgroups->nr, sizeof(*order), compare_counted);
	for (i = 0; i < cgroups->nr; i++) {
		if (!cgroup_counted(order[i]) && !order[i]->lists.unevictable_pages)
			continue;
		if (out->limit && sheet.grid.rows.nr == out->limit) {
			more++;
			continue;
		}
		shown = shown_of(order[i]);
		sheet_row(&sheet, &shown);
	}
	free(order);
	return sheet_end(&sheet, more, "");
}

/* --- JSON ---------------------------------------------------------------------------- */

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

/**
 * json_cgroup() - one cgroup, by the keys that all reports have, into the object that is open
 * @w: where
 * @cgroup: it
 * @report: it is in
 *
 * Its "files" and "reads" are left to the caller.
 */
void json_cgroup(struct jsonw *w, const struct cgroup_shown *cgroup, const struct report *report)
{
	const struct pcinspect_list_cgroup *lists = cgroup->lists;

	json_fields(w, &cgroup_fields, cgroup, report);
	put_generations(w, lists && lists->flags & PCINSPECT_CGROUP_GENERATIONS,
			lists ? lists->generation_pages : NULL);
}

static void cgroup_file_object(struct jsonw *w, const struct listed_file *file,
			       const struct cgroup *cgroup)
{
	const struct pcinspect_list_file *row = &file->row;

	jsonw_row(w, NULL);
	file_name_json(w, row, file->path, file->elsewhere);
	json_fields(w, &cgroup_file_fields, file, cgroup);
	put_generations(w, cgroup->lists.flags & PCINSPECT_CGROUP_GENERATIONS,
			row->generation_pages);
	jsonw_close(w);
}

static void cgroup_object(struct jsonw *w, const struct cgroups *cgroups,
			  const struct cgroup *cgroup)
{
	const struct cgroup_shown shown = shown_of(cgroup);
	size_t i;

	jsonw_open(w, NULL, '{');
	json_cgroup(w, &shown, cgroups->report);
	jsonw_null(w, "reads");
	if (cgroups->report->without_module) {
		jsonw_null(w, "files");
		jsonw_close(w);
		return;
	}
	jsonw_open(w, "files", '[');
	for (i = 0; i < cgroup->nr_files; i++)
		cgroup_file_object(w, &cgroup->files[i], cgroup);
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
		cgroup_object(&w, cgroups, &cgroups->list[i]);
	return jsonw_end(&w);
}
