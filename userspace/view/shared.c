// SPDX-License-Identifier: GPL-2.0-only
/*
 * shared.c - files of several cgroups: two lines each for people, and as JSON. Touches
 * stdout.
 */
#include <stdlib.h>

#include "lib/escape.h"
#include "lib/output.h"
#include "view/file_name.h"
#include "view/json.h"
#include "view/json_report.h"
#include "view/report_table.h"
#include "view/shared.h"

/* As many cgroups of a kind on a line. */
#define NAMED 4

static const char *path_of(const struct shared *shared, uint64_t id)
{
	const struct shared_cgroup *cgroup = shared_cgroup(shared, id);

	return cgroup ? cgroup->path : NULL;
}

static void print_cgroup(const struct shared *shared, const struct shared_part *part)
{
	const char *path = path_of(shared, part->cgroup);
	char *shown = path ? escape_path(path) : NULL;

	fputs(shown ?: "? (its directory is gone, or not mounted here)", stdout);
	free(shown);
}

/* Those that pages are charged to, or those that use it; returns how many there are. */
static size_t print_parts(const struct shared *shared, const struct output *out,
			  const struct shared_file *file, bool uses)
{
	size_t i, nr = 0;
	char text[GRID_ROOM];

	for (i = 0; i < file->nr_parts; i++) {
		const struct shared_part *part = &file->parts[i];

		if (!(uses ? part->uses : part->pages))
			continue;
		if (nr++ >= NAMED)
			continue;
		fputs(nr > 1 ? ", " : "", stdout);
		print_cgroup(shared, part);
		if (!uses) {
			table_pages_text(text, out, shared->report->page_size, part->pages);
			printf(" %s", text);
		}
	}
	if (nr > NAMED)
		printf(" and %zu more", nr - NAMED);
	return nr;
}

static void print_file(const struct shared *shared, const struct output *out,
		       const struct shared_file *file)
{
	char text[GRID_ROOM], *shown = file_name_text(&file->file.row, file->file.path,
							    file->file.elsewhere);

	table_pages_text(text, out, shared->report->page_size, listed_pages(&file->file.row));
	printf("%8s %s\n         charged to ", text, shown);
	print_parts(shared, out, file, false);
	fputs("; open or mapped in ", stdout);
	if (!print_parts(shared, out, file, true))
		putchar('?');
	putchar('\n');
	free(shown);
}

/**
 * shared_print() - two lines for each file, most pages first
 * @shared: which
 * @out: limit, units, headings
 *
 * Return: 0, or -1 if it could not be written.
 */
int shared_print(const struct shared *shared, const struct output *out)
{
	size_t i, nr = shared->nr_files;

	if (out->limit && out->limit < nr)
		nr = out->limit;
	if (!out->noheadings)
		printf("%8s PATH of files that several cgroups have to do with\n", "CACHED");
	for (i = 0; i < nr && !output_failed(); i++)
		print_file(shared, out, &shared->files[i]);
	if (nr < shared->nr_files && !out->noheadings)
		printf("and %zu more files (--limit 0: all)\n", shared->nr_files - nr);
	if (shared->hidden && !out->noheadings)
		printf("and in more files than can be listed: %ju\n",
		       (uintmax_t)shared->hidden);
	return fflush(stdout) || output_failed() ? -1 : 0;
}

static void shared_file_object(struct jsonw *w, const struct shared *shared,
			       const struct shared_file *file)
{
	bool used = false;
	size_t i;

	jsonw_row(w, NULL);
	file_name_json(w, &file->file.row, file->file.path, file->file.elsewhere);
	jsonw_count(w, "cached_pages", listed_pages(&file->file.row));
	jsonw_open(w, "charged", '[');
	for (i = 0; i < file->nr_parts; i++) {
		const struct shared_part *part = &file->parts[i];

		used |= part->uses;
		if (!part->pages)
			continue;
		jsonw_row(w, NULL);
		jsonw_path(w, "path", path_of(shared, part->cgroup));
		jsonw_count(w, "id", part->cgroup);
		jsonw_count(w, "pages", part->pages);
		jsonw_close(w);
	}
	jsonw_close(w);
	/* No task has it open now: one that had it open is not known. */
	if (used) {
		jsonw_open(w, "used_by", '[');
		for (i = 0; i < file->nr_parts; i++)
			if (file->parts[i].uses)
				jsonw_text(w, NULL, path_of(shared, file->parts[i].cgroup));
		jsonw_close(w);
	} else {
		jsonw_null(w, "used_by");
	}
	jsonw_close(w);
}

/**
 * shared_json() - write it
 * @shared: what
 * @to: where
 *
 * Return: 0, or -1 with errno set if it could not be written.
 */
int shared_json(const struct shared *shared, FILE *to)
{
	struct jsonw w = { .to = to, .pretty = true };
	size_t i;

	json_whole_head(&w, shared->report, report_lru(shared->report));
	jsonw_count(&w, "filesystems", shared->busy);
	jsonw_count(&w, "files", shared->hidden);
	json_whole_lost(&w);
	jsonw_open(&w, "files", '[');
	jsonw_close(&w);
	jsonw_open(&w, "shared", '[');
	for (i = 0; i < shared->nr_files; i++)
		shared_file_object(&w, shared, &shared->files[i]);
	return jsonw_end(&w);
}
