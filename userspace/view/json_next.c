// SPDX-License-Identifier: GPL-2.0
/*
 * json_next.c - what reclaim takes next, as JSON: the common head of a report, and
 * "next". Written piece by piece: there may be millions.
 */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "view/file_name.h"
#include "view/json.h"
#include "view/json_report.h"
#include "view/next.h"

static struct json_object *eta(const struct next *next, bool known, uint32_t list,
			       uint64_t ahead)
{
	uint64_t ms;

	return known && next_eta_ms(next, list, ahead, &ms) ? count_value(ms) : NULL;
}

static void put_file(FILE *to, const struct next *next, const struct next_file *file)
{
	struct json_object *out = json_object_new_object();
	char *line;

	file_name_json(out, &file->row, file->path, file->elsewhere);
	key_add(out, "pages", maybe_value(!next->cut, file->queued));
	key_add(out, "next_pages", count_value(file->next));
	key_add(out, "maybe_pages", count_value(file->maybe));
	key_add(out, "nearest_pages", maybe_value(file->nearest_known, file->nearest));
	key_add(out, "median_pages", maybe_value(file->median_known, file->median));
	key_add(out, "eta_ms", eta(next, file->nearest_known, file->nearest_list,
				   file->nearest));
	key_add(out, "median_eta_ms", eta(next, file->median_known, file->median_list,
					  file->median));
	line = json_line(out);
	fputs(line, to);
	free(line);
}

/* [file, index, pages]; folios that go from the end are one entry each. */
static void put_piece(FILE *to, const struct next *next, const struct next_piece *piece,
		      bool *first)
{
	uint64_t pages = next_wanted(next, piece), index = piece->index, part = pages, done;

	if (piece->backwards)
		part = 1ULL << piece->order;
	for (done = 0; done < pages; done += part) {
		if (part > pages - done)
			part = pages - done;
		fputs(*first ? "\n      " : ",\n      ", to);
		*first = false;
		if (piece->file < next->nr_files)
			fprintf(to, "[%u, ", piece->file);
		else
			fputs("[null, ", to);
		fprintf(to, "%ju, %ju]", (uintmax_t)index, (uintmax_t)part);
		index -= part;
	}
}

static void put_order(FILE *to, const struct next *next, const char *key, bool goes)
{
	bool first = true;
	size_t i;

	fprintf(to, ",\n    \"%s\": [", key);
	for (i = 0; i < next->nr_pieces; i++)
		if ((next->pieces[i].fate == NEXT_GOES) == goes &&
		    next_wanted(next, &next->pieces[i]))
			put_piece(to, next, &next->pieces[i], &first);
	fputs(" ]", to);
}

/* Of an object all but its last brace, which is written later. */
static void put_open(FILE *to, struct json_object *value)
{
	char *text = json_line(value);

	*strrchr(text, '}') = '\0';
	fputs(text, to);
	free(text);
}

static void put_head(FILE *to, const struct next *next)
{
	const struct report *report = next->report;
	struct json_object *head, *lost = json_object_new_object();

	key_add(lost, "filesystems", count_value(next->busy));
	key_add(lost, "rows", json_object_new_boolean(next->cut));
	head = report_json_whole(report, report_lru(report), lost);
	key_add(head, "files", json_object_new_array());
	put_open(to, head);
}

/**
 * next_json() - write it
 * @next: what
 * @order: also page by page
 * @to: where
 *
 * Return: 0, or -1 with errno set if it could not be written.
 */
int next_json(const struct next *next, bool order, FILE *to)
{
	struct json_object *head = json_object_new_object();
	const char *end = next_end_name(next_ends(next));
	size_t i;

	put_head(to, next);
	fputs(",\n  \"next\": ", to);
	key_add_path(head, "cgroup", "cgroup_hex", next->cgroup);
	key_add(head, "bytes", count_value(next->bytes));
	key_add(head, "ends", end ? json_object_new_string(end) : NULL);
	key_add(head, "lists", count_value(next->nr_lists));
	key_add(head, "moved", count_value(next->moved));
	key_add(head, "next_pages", count_value(next_pages(next, NEXT_GOES)));
	key_add(head, "maybe_mapped_pages", count_value(next_pages(next, NEXT_MAPPED)));
	key_add(head, "maybe_dirty_pages", count_value(next_pages(next, NEXT_DIRTY)));
	key_add(head, "maybe_protected_pages", count_value(next_pages(next, NEXT_PROTECTED)));
	key_add(head, "maybe_held_pages", count_value(next_pages(next, NEXT_HELD)));
	key_add(head, "maybe_device_pages", count_value(next_pages(next, NEXT_DEVICE)));
	put_open(to, head);
	fputs(",\n    \"files\": [", to);
	for (i = 0; i < next->nr_files; i++) {
		fputs(i ? ",\n      " : "\n      ", to);
		put_file(to, next, &next->files[i]);
	}
	fputs(" ]", to);
	if (order) {
		put_order(to, next, "order", true);
		put_order(to, next, "maybe", false);
	}
	fputs(" } }\n", to);
	return json_flush(to);
}
