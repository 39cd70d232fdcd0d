// SPDX-License-Identifier: GPL-2.0
/*
 * shared.c - files of several cgroups: two lines each for people, and as JSON. Touches
 * stdout.
 */
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/escape.h"
#include "lib/output.h"
#include "view/file_name.h"
#include "view/json.h"
#include "view/json_report.h"
#include "view/report_table.h"
#include "view/shared.h"

#define STYLE (JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE)

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
static size_t print_parts(const struct shared *shared, const struct args *args,
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
			table_pages_text(text, args, shared->report->page_size, part->pages);
			printf(" %s", text);
		}
	}
	if (nr > NAMED)
		printf(" and %zu more", nr - NAMED);
	return nr;
}

static void print_file(const struct shared *shared, const struct args *args,
		       const struct shared_file *file)
{
	char text[GRID_ROOM], *shown = file_name_text(&file->row, file->path, file->elsewhere);

	table_pages_text(text, args, shared->report->page_size, file->pages);
	printf("%8s %s\n         charged to ", text, shown);
	print_parts(shared, args, file, false);
	fputs("; open or mapped in ", stdout);
	if (!print_parts(shared, args, file, true))
		putchar('?');
	putchar('\n');
	free(shown);
}

/**
 * shared_print() - two lines for each file, most pages first
 * @shared: which
 * @args: limit, units, headings
 *
 * Return: 0, or -1 if it could not be written.
 */
int shared_print(const struct shared *shared, const struct args *args)
{
	size_t i, nr = shared->nr_files;

	if (args->limit && args->limit < nr)
		nr = args->limit;
	if (!args->noheadings)
		printf("%8s PATH of files that several cgroups have to do with\n", "CACHED");
	for (i = 0; i < nr && !output_failed(); i++)
		print_file(shared, args, &shared->files[i]);
	if (nr < shared->nr_files && !args->noheadings)
		printf("and %zu more files (--limit 0: all)\n", shared->nr_files - nr);
	if (shared->hidden && !args->noheadings)
		printf("and files beyond those that can be told apart: %ju\n",
		       (uintmax_t)shared->hidden);
	return fflush(stdout) || output_failed() ? -1 : 0;
}

static struct json_object *path_value(const char *path)
{
	struct json_object *out = json_object_new_object(), *value = NULL;

	key_add_path(out, "path", "path_hex", path);
	value = json_object_get(json_object_object_get(out, "path"));
	json_object_put(out);
	return value;
}

static struct json_object *file_object(const struct shared *shared,
				       const struct shared_file *file)
{
	struct json_object *out = json_object_new_object(), *charged, *users, *one;
	size_t i;

	file_name_json(out, &file->row, file->path, file->elsewhere);
	key_add(out, "cached_pages", count_value(file->pages));
	charged = json_object_new_array();
	users = json_object_new_array();
	for (i = 0; i < file->nr_parts; i++) {
		const struct shared_part *part = &file->parts[i];
		const char *path = path_of(shared, part->cgroup);

		if (part->pages) {
			one = json_object_new_object();
			key_add_path(one, "path", "path_hex", path);
			key_add(one, "id", count_value(part->cgroup));
			key_add(one, "pages", count_value(part->pages));
			json_object_array_add(charged, one);
		}
		if (part->uses)
			json_object_array_add(users, path_value(path));
	}
	key_add(out, "charged", charged);
	/* Nobody has it open now: who used it is not known, and it was somebody. */
	if (!json_object_array_length(users)) {
		json_object_put(users);
		users = NULL;
	}
	key_add(out, "used_by", users);
	return out;
}

static void put(FILE *to, struct json_object *value)
{
	char *text = alloc_copy(json_object_to_json_string_ext(value, STYLE));

	json_object_put(value);
	text = escape_json(text);
	fputs(text, to);
	free(text);
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
	const struct report *report = shared->report;
	struct json_object *head, *lost = json_object_new_object();
	const char *text;
	size_t i;

	key_add(lost, "filesystems", count_value(shared->busy));
	key_add(lost, "files", count_value(shared->hidden));
	head = report_json_whole(report, report_lru(report), lost);
	key_add(head, "files", json_object_new_array());
	text = json_object_to_json_string_ext(head, STYLE);
	fprintf(to, "%.*s,\n  \"shared\": [", (int)(strrchr(text, '}') - text), text);
	json_object_put(head);
	for (i = 0; i < shared->nr_files; i++) {
		fputs(i ? ",\n    " : "\n    ", to);
		put(to, file_object(shared, &shared->files[i]));
	}
	fputs(" ] }\n", to);
	return json_flush(to);
}
