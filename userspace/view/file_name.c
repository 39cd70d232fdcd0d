// SPDX-License-Identifier: GPL-2.0-only
/*
 * file_name.c - the name of a row of the LRU lists. A path within a filesystem that is not
 * mounted here may be anything else's here, so it is never shown without saying so.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/alloc.h"
#include "lib/escape.h"
#include "view/file_name.h"
#include "view/json.h"

/**
 * file_name_place() - a path, and whether it leads there
 * @row: of the filesystem
 * @path: raw
 * @elsewhere: it is within the filesystem, which is not mounted here
 * @behind: more words
 *
 * Return: a new string, fit for any terminal.
 */
char *file_name_place(const struct pcinspect_list_file *row, const char *path, bool elsewhere,
		   const char *behind)
{
	char *safe = escape_path(path), *out, where[48] = "";

	if (elsewhere)
		snprintf(where, sizeof(where), " (%u:%u, not mounted here)", row->dev_major,
			 row->dev_minor);
	out = alloc_text("%s%s%s", safe, behind, where);
	free(safe);
	return out;
}

/**
 * file_name_deleted() - what stands behind the name of a file that has none any more
 * @flags: PCINSPECT_F_*
 *
 * Return: words, or "".
 */
const char *file_name_deleted(uint32_t flags)
{
	return flags & PCINSPECT_F_DELETED ? " (deleted)" :
	       flags & PCINSPECT_F_MAYBE_DELETED ? " (perhaps deleted)" : "";
}

/**
 * file_name_text() - the name of a file
 * @row: it
 * @path: raw; NULL: it has none
 * @elsewhere: it is within the filesystem, which is not mounted here
 *
 * Return: a new string, fit for any terminal.
 */
char *file_name_text(const struct pcinspect_list_file *row, const char *path, bool elsewhere)
{
	if (path)
		return file_name_place(row, path, elsewhere, file_name_deleted(row->flags));
	return alloc_text("? (%.15s %u:%u, inode %ju%s)", row->fs, row->dev_major, row->dev_minor,
			  (uintmax_t)row->ino,
			  row->flags & PCINSPECT_F_DELETED ? ", deleted" :
			  row->flags & PCINSPECT_F_MAYBE_DELETED ? ", perhaps deleted" : "");
}

FIELD_COMPUTE(is_deleted, pcinspect_list_file, yes, row->flags & PCINSPECT_F_DELETED,
	      !(row->flags & PCINSPECT_F_MAYBE_DELETED))

static const struct field names[] = {
	FIELD_AS(pcinspect_list_file, dev_major, "dev", DEV),
	FIELD(pcinspect_list_file, ino),
	FIELD(pcinspect_list_file, i_generation),
	FIELD_AS(pcinspect_list_file, fs, "fs", CHARS),
	FIELD(pcinspect_list_file, size_bytes),
	FIELD_GET("deleted", BOOL, is_deleted),
};

static const struct fields name_fields = FIELDS(names);

/**
 * file_name_json_place() - the path of a file or directory
 * @w: where
 * @path: raw, or NULL
 * @elsewhere: it is within a filesystem that is not mounted here
 */
void file_name_json_place(struct jsonw *w, const char *path, bool elsewhere)
{
	jsonw_path(w, "path", path);
	if (elsewhere)
		jsonw_bool(w, "mounted_here", false);
}

/**
 * file_name_json() - which file it is
 * @w: where
 * @row: it
 * @path: raw, or NULL
 * @elsewhere: it is within a filesystem that is not mounted here
 */
void file_name_json(struct jsonw *w, const struct pcinspect_list_file *row, const char *path,
		    bool elsewhere)
{
	file_name_json_place(w, path, elsewhere);
	json_fields(w, &name_fields, row, NULL);
}
