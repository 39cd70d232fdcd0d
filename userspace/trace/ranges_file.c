// SPDX-License-Identifier: GPL-2.0-only
/*
 * ranges_file.c - the file of pcinspect save and restore (pcinspect-save(1), FILE): text, a
 * line for each file and one for each range of it.
 *
 * Touches: reads or writes that file; complains.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/complain.h"
#include "lib/escape.h"
#include "lib/keyfile.h"
#include "trace/ranges_file.h"

#define FIRST_LINE "pcinspect-saved 1"

/* Begin a file. */
void ranges_file_head(FILE *to, uint32_t page_size)
{
	fprintf(to, FIRST_LINE "\npage_size %" PRIu32 "\n", page_size);
}

/* Add what was cached of one file. */
void ranges_file_add(FILE *to, const struct saved_file *file)
{
	char *path = escape_path(file->path);
	size_t i;

	fprintf(to, "file %" PRIu64 " %" PRId64 " ", file->size_bytes, file->mtime_ns);
	if (file->generation < 0)
		fprintf(to, "? %s\n", path);
	else
		fprintf(to, "%" PRId64 " %s\n", file->generation, path);
	for (i = 0; i < file->ranges.nr; i++)
		fprintf(to, "%s %" PRIu64 " %" PRIu32 "\n",
			range_list_name(file->ranges.list[i].list),
			(uint64_t)file->ranges.list[i].index, file->ranges.list[i].pages);
	free(path);
}

/* The line of a file. Returns false if it is none. */
static bool parse_file(char *line, struct saved_files *saved)
{
	struct saved_file file = { .generation = -1 };
	char generation[24];
	int at = 0;

	if (sscanf(line, "file %" SCNu64 " %" SCNd64 " %23s %n", &file.size_bytes,
		   &file.mtime_ns, generation, &at) != 3 || line[at] != '/')
		return false;
	if (strcmp(generation, "?") &&
	    sscanf(generation, "%" SCNd64, &file.generation) != 1)
		return false;
	if (!unescape_path(line + at))
		return false;
	file.path = alloc_copy(line + at);
	saved->files = alloc_room(saved->files, saved->nr, &saved->room, sizeof(file));
	saved->files[saved->nr++] = file;
	return true;
}

/* The line of a range. Likewise; they have to be in order, and within the file. */
static bool take_range(const char *line, const struct saved_files *saved)
{
	struct saved_file *file = saved->nr ? &saved->files[saved->nr - 1] : NULL;
	const struct pcinspect_page_range *last;
	uint64_t index, end, pages;
	uint32_t list, nr;
	char name[16];

	if (!file || sscanf(line, "%15s %" SCNu64 " %" SCNu32, name, &index, &nr) != 3 || !nr)
		return false;
	for (list = 0; list <= RANGE_ANY_LIST && strcmp(name, range_list_name(list)); list++)
		;
	pages = file->size_bytes / saved->page_size + !!(file->size_bytes % saved->page_size);
	last = file->ranges.nr ? &file->ranges.list[file->ranges.nr - 1] : NULL;
	end = last ? last->index + last->pages : 0;
	if (list > RANGE_ANY_LIST || index < end || index >= pages || nr > pages - index)
		return false;
	ranges_add(&file->ranges, index, nr, list);
	return true;
}

/**
 * ranges_file_read() - read all of it
 * @path: of the file
 * @saved: filled in; saved_files_free() is to be called in any case
 *
 * Complains by itself.
 *
 * Return: false if it cannot be read, or is none.
 */
bool ranges_file_read(const char *path, struct saved_files *saved)
{
	size_t number = 0;
	struct keyfile file;
	bool good = true;

	*saved = (struct saved_files){};
	if (!keyfile_open(&file, "%s", path)) {
		complain(path, "%s", open_error_text(errno));
		return false;
	}
	while (good && keyfile_line(&file)) {
		number++;
		if (number == 1)
			good = !strcmp(file.line, FIRST_LINE);
		else if (number == 2)
			good = sscanf(file.line, "page_size %" SCNu32, &saved->page_size) == 1 &&
			       saved->page_size;
		else
			good = !strncmp(file.line, "file ", 5) ? parse_file(file.line, saved) :
								 take_range(file.line, saved);
	}
	if (file.from && ferror(file.from)) {
		complain(path, "cannot be read: %s", strerror(errno));
		good = false;
	} else if (!good || number < 2) {
		complain(path, "line %zu is not of a file that pcinspect save wrote", number ?: 1);
		good = false;
	}
	keyfile_close(&file);
	return good;
}

/* Forget them. */
void saved_files_free(struct saved_files *saved)
{
	while (saved->nr) {
		free(saved->files[--saved->nr].path);
		ranges_free(&saved->files[saved->nr].ranges);
	}
	free(saved->files);
	*saved = (struct saved_files){};
}
