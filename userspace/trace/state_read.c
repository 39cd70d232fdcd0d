// SPDX-License-Identifier: GPL-2.0
/*
 * state_read.c - a trace's raw markers into reports; see state.h.
 *
 * A trace may have lost some of them, may be cut short, or may be of another
 * version: only states that are there as a whole count, and every length is
 * checked. Keeps the first and the last; touches nothing but memory.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/state.h"

#define MESSAGE_MAX	(16 << 20)

struct pcinspect_state_reader {
	char *data;
	size_t room;
	struct pcinspect_state_chunk now;
	size_t have;
	uint32_t serial;
	struct pcinspect_state_head head;
	struct pcinspect_report next;
	bool open;
	struct pcinspect_report first;
	struct pcinspect_report last;
	bool has_first;
	bool has_last;
	bool foreign;
};

/**
 * pcinspect_state_reader_new() - begin to read a trace
 *
 * Return: a reader, or NULL.
 */
struct pcinspect_state_reader *pcinspect_state_reader_new(void)
{
	return calloc(1, sizeof(struct pcinspect_state_reader));
}

static void begin(struct pcinspect_state_reader *reader)
{
	struct pcinspect_state_head *head = &reader->head;

	pcinspect_report_free(&reader->next);
	reader->open = false;
	if (reader->have < sizeof(*head))
		return;
	memcpy(head, reader->data, sizeof(*head));
	if (head->version != PCINSPECT_STATE_VERSION ||
	    head->abi_version != PCINSPECT_ABI_VERSION) {
		reader->foreign = true;
		return;
	}
	reader->open = true;
	reader->next.recorded = true;
	reader->next.page_size = head->page_size;
	reader->next.time_ns = head->time_ns;
	reader->next.interval_ns = head->interval_ns;
	reader->next.about = head->about;
	reader->next.losses = head->losses;
	memcpy(reader->next.kernel, head->kernel, sizeof(reader->next.kernel) - 1);
}

/* A string of the given length with its NUL, or NULL. */
static char *string(const char *data, uint32_t length)
{
	return length && !data[length - 1] ? strdup(data) : NULL;
}

static bool take_file(struct pcinspect_state_reader *reader)
{
	const struct pcinspect_state_file *head = (const void *)reader->data;
	const struct pcinspect_snapshot *row;
	size_t at = sizeof(*head), starts[PCINSPECT_STATE_STRINGS];
	struct pcinspect_file *file;
	char *path;
	int i;

	if (reader->have < sizeof(*head) || head->index != reader->next.nr_files)
		return false;
	for (i = 0; i < PCINSPECT_STATE_STRINGS; i++) {
		starts[i] = at;
		if (head->lengths[i] > reader->have - at)
			return false;
		at += head->lengths[i];
	}
	at = (at + 7) & ~(size_t)7;
	if (at > reader->have || head->row_size > reader->have - at ||
	    head->row_size < sizeof(*row))
		return false;
	row = (const void *)(reader->data + at);
	if (row->record_size != head->row_size || row->path_len)
		return false;
	path = string(reader->data + starts[0], head->lengths[0]);
	file = pcinspect_report_add(&reader->next, path);
	free(path);
	file->real_path = string(reader->data + starts[1], head->lengths[1]);
	pcinspect_file_take(file, row);
	for (i = 0; i < PCINSPECT_NR_MEMCGS; i++)
		file->memcg_paths[i] = string(reader->data + starts[2 + i],
					      head->lengths[2 + i]);
	file->gone = head->gone;
	file->before_ns = head->before_ns;
	file->after_ns = head->after_ns;
	return true;
}

static void take_settings(struct pcinspect_state_reader *reader)
{
	char *line = reader->data, *end, *path;
	int64_t value;

	if (!reader->have || reader->data[reader->have - 1])
		return;
	for (; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		value = strtoll(line, &path, 10);
		if (path > line && *path == ' ')
			report_set(&reader->next, path + 1, value);
	}
}

static void take_name(struct pcinspect_state_reader *reader)
{
	struct pcinspect_state_name head;
	struct pcinspect_file *name;

	if (reader->have < sizeof(head))
		return;
	memcpy(&head, reader->data, sizeof(head));
	if (head.length > reader->have - sizeof(head))
		return;
	name = pcinspect_report_add_name(&reader->next);
	name->snap.ino = head.ino;
	name->snap.dev_major = head.dev_major;
	name->snap.dev_minor = head.dev_minor;
	name->snap.i_generation = head.i_generation;
	name->path = string(reader->data + sizeof(head), head.length);
}

/* A whole state is there. */
static void finish(struct pcinspect_state_reader *reader)
{
	struct pcinspect_report *to = reader->has_first ? &reader->last : &reader->first;

	if (reader->next.nr_files != reader->head.nr_files)
		return;
	pcinspect_report_free(to);
	*to = reader->next;
	memset(&reader->next, 0, sizeof(reader->next));
	if (reader->has_first)
		reader->has_last = true;
	reader->has_first = true;
	reader->open = false;
}

static void message(struct pcinspect_state_reader *reader)
{
	/* All messages of a state follow one another. */
	if (reader->now.serial != ++reader->serial)
		reader->open = false;
	reader->serial = reader->now.serial;
	switch (reader->now.type) {
	case PCINSPECT_STATE_HEAD:
		begin(reader);
		break;
	case PCINSPECT_STATE_FILE:
		reader->open = reader->open && take_file(reader);
		break;
	case PCINSPECT_STATE_SETTINGS:
		if (reader->open)
			take_settings(reader);
		break;
	case PCINSPECT_STATE_NAME:
		if (reader->open)
			take_name(reader);
		break;
	case PCINSPECT_STATE_END:
		if (reader->open)
			finish(reader);
		break;
	}
}

/**
 * pcinspect_state_reader_take() - one raw marker, in the order of the trace
 * @reader: from pcinspect_state_reader_new()
 * @data: what was written to the marker, its id first; perhaps padded
 * @size: bytes
 */
void pcinspect_state_reader_take(struct pcinspect_state_reader *reader,
				 const void *data, size_t size)
{
	struct pcinspect_state_chunk chunk;

	if (size < sizeof(chunk))
		return;
	memcpy(&chunk, data, sizeof(chunk));
	if (chunk.id != PCINSPECT_STATE_ID || chunk.size > size - sizeof(chunk) ||
	    chunk.total > MESSAGE_MAX || chunk.offset > chunk.total ||
	    chunk.size > chunk.total - chunk.offset)
		return;
	if (!chunk.offset) {
		reader->now = chunk;
		reader->have = 0;
		if (chunk.total > reader->room) {
			free(reader->data);
			reader->data = malloc(chunk.total);
			reader->room = reader->data ? chunk.total : 0;
		}
	}
	/* Pieces of another message, or one that is missing: wait for the next. */
	if (chunk.serial != reader->now.serial || chunk.offset != reader->have ||
	    chunk.total != reader->now.total || chunk.total > reader->room) {
		reader->open = false;
		return;
	}
	memcpy(reader->data + chunk.offset, (const char *)data + sizeof(chunk), chunk.size);
	reader->have += chunk.size;
	if (reader->have == chunk.total)
		message(reader);
}

static bool give(struct pcinspect_report *from, bool has, struct pcinspect_report *to)
{
	if (has) {
		*to = *from;
		memset(from, 0, sizeof(*from));
	}
	return has;
}

/**
 * pcinspect_state_reader_first() - the first state of the trace
 * @reader: the whole trace was read
 * @report: filled in; the caller's from now on
 *
 * Return: false if there are not two states.
 */
bool pcinspect_state_reader_first(struct pcinspect_state_reader *reader,
				  struct pcinspect_report *report)
{
	return give(&reader->first, reader->has_first && reader->has_last, report);
}

/**
 * pcinspect_state_reader_last() - the last state of the trace
 * @reader: the whole trace was read
 * @report: filled in; the caller's from now on
 *
 * Return: false if there is none.
 */
bool pcinspect_state_reader_last(struct pcinspect_state_reader *reader,
				 struct pcinspect_report *report)
{
	return reader->has_last ? give(&reader->last, true, report) :
				  give(&reader->first, reader->has_first, report);
}

/**
 * pcinspect_state_reader_why() - why there is no state
 * @reader: the whole trace was read
 *
 * Return: in words.
 */
const char *pcinspect_state_reader_why(const struct pcinspect_state_reader *reader)
{
	return reader->foreign ? "was recorded by another version of pcinspect (use that one)" :
				 "has no whole state of pcinspect in it";
}

/**
 * pcinspect_state_reader_free() - end reading
 * @reader: or NULL
 */
void pcinspect_state_reader_free(struct pcinspect_state_reader *reader)
{
	if (!reader)
		return;
	pcinspect_report_free(&reader->next);
	pcinspect_report_free(&reader->first);
	pcinspect_report_free(&reader->last);
	free(reader->data);
	free(reader);
}
