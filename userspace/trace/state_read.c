// SPDX-License-Identifier: GPL-2.0-only
/*
 * state_read.c - a trace's raw markers into reports; see state.h.
 *
 * A trace may have lost some of them, may be cut short, or may be of another
 * version: only states that are there as a whole count, and every length is
 * checked. Keeps the first and the last; touches nothing but memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/escape.h"
#include "trace/state.h"

#define MESSAGE_MAX	(16 << 20)
#define ITEMS_MAX	4096	/* a module keeps 128 of anything */

struct state_reader {
	char *data;
	size_t room;
	struct state_chunk now;
	size_t have;
	uint32_t serial;
	size_t nr_files;
	struct report next;
	bool open;
	struct report first;
	struct report last;
	bool has_first;
	bool has_last;
	bool foreign;
	uint64_t until_ns;
};

/**
 * state_reader_new() - begin to read a trace
 * @until_ns: the first state counts, and of the others those that are not after this
 *
 * Return: a reader, or NULL.
 */
struct state_reader *state_reader_new(uint64_t until_ns)
{
	struct state_reader *reader = calloc(1, sizeof(*reader));

	if (reader)
		reader->until_ns = until_ns;
	return reader;
}

/* A line of the head, "VALUE KEY"; what is unknown here is of another version. */
static void head_line(struct state_reader *reader, const char *value, const char *key)
{
	struct report *to = &reader->next;
	uint64_t number = strtoull(value, NULL, 10);
	size_t i;

	if (*key == '/') {
		report_set(to, key, number);
	} else if (!strcmp(key, "version")) {
		reader->open = number == STATE_VERSION;
	} else if (!strcmp(key, "kernel")) {
		snprintf(to->kernel, sizeof(to->kernel), "%s", value);
		/* The author of the recording chose it. */
		escape_mask(to->kernel);
	} else if (!strcmp(key, "files")) {
		reader->nr_files = number;
	} else if (!strcmp(key, "losses")) {
		to->losses.known = number;
	}
	for (i = 0; state_numbers[i].key; i++)
		if (!strcmp(key, state_numbers[i].key))
			memcpy((char *)to + state_numbers[i].offset, &number,
			       state_numbers[i].size);
}

static void take_head(struct state_reader *reader)
{
	char *line = reader->data, *end, *key;

	report_free(&reader->next);
	reader->next.recorded = true;
	reader->open = false;
	if (!reader->have || reader->data[reader->have - 1])
		return;
	for (; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		key = strchr(line, ' ');
		if (!key)
			continue;
		*key++ = '\0';
		head_line(reader, line, key);
	}
	reader->foreign |= !reader->open;
	/* Not of a kernel that we know of, and nothing may be divided by it. */
	if (!reader->next.page_size)
		reader->open = false;
}

/* The items of a part as this version has them: what a shorter one lacks is 0. */
static void *items(const struct state_part *part, size_t size)
{
	const char *from = (const char *)(part + 1);
	char *copy = alloc_zero(part->count, size);
	uint32_t i;

	for (i = 0; i < part->count; i++)
		memcpy(copy + i * size, from + (size_t)i * part->item_size,
		       part->item_size < size ? part->item_size : size);
	return copy;
}

static char *text(const struct state_part *part)
{
	const char *from = (const char *)(part + 1);

	return part->item_size == 1 && part->count > 1 && !from[part->count - 1] ?
		strdup(from) : NULL;
}

/* One struct, if it is there once. */
static void one(void *to, const struct state_part *part, size_t size)
{
	void *copy = part->count == 1 ? items(part, size) : NULL;

	if (copy)
		memcpy(to, copy, size);
	free(copy);
}

/* Words of 64 bits, those that both have; what is not there is 0. */
static void words(__u64 *to, const struct state_part *part, size_t nr)
{
	void *from = items(part, sizeof(*to));

	memset(to, 0, nr * sizeof(*to));
	memcpy(to, from, (part->count < nr ? part->count : nr) * sizeof(*to));
	free(from);
}

static void take_part(struct file *file, const struct state_part *part,
		      unsigned int *memcgs)
{
	struct state_asked asked = {};
	char *path;

	switch (part->type) {
	case STATE_PATH:
		free(file->path);
		file->path = text(part);
		break;
	case STATE_REAL_PATH:
		free(file->real_path);
		file->real_path = text(part);
		break;
	case STATE_MEMCG_PATH:
		if (*memcgs == PCINSPECT_NR_MEMCGS)
			break;
		path = text(part);
		/* A walk up from it has to meet a slash. */
		if (path && *path != '/') {
			free(path);
			path = NULL;
		}
		file->memcg_paths[(*memcgs)++] = path;
		break;
	case STATE_ASKED:
		one(&asked, part, sizeof(asked));
		file->before_ns = asked.before_ns;
		file->after_ns = asked.after_ns;
		file->gone = asked.gone;
		break;
	case STATE_HELD:
		file->held = true;
		break;
	case STATE_SNAPSHOT:
		one(&file->snap, part, offsetof(struct pcinspect_snapshot, known));
		file->snap.fs[sizeof(file->snap.fs) - 1] = '\0';
		file->snap.bdi[sizeof(file->snap.bdi) - 1] = '\0';
		escape_mask(file->snap.fs);
		escape_mask(file->snap.bdi);
		break;
	case STATE_KNOWN:
		words(file->snap.known, part, PCINSPECT_KNOWN_WORDS);
		break;
	case STATE_NUMBERS:
		words(file->snap.numbers, part, PCINSPECT_NR_NUMBERS);
		break;
	case STATE_WHO:
		free(file->who);
		file->who = items(part, sizeof(*file->who));
		break;
	case STATE_WINDOWS:
		free(file->windows);
		file->windows = items(part, sizeof(*file->windows));
		file->nr_windows = part->count;
		break;
	case STATE_FSYNCS:
		free(file->fsyncs);
		file->fsyncs = items(part, sizeof(*file->fsyncs));
		file->nr_fsyncs = part->count;
		break;
	}
}

/* Is it as long as a name may be? */
static bool is_text(unsigned int type)
{
	return type == STATE_PATH || type == STATE_REAL_PATH || type == STATE_MEMCG_PATH;
}

/* The parts of a file or of a name; false: it is not whole. */
static bool take_parts(const struct state_reader *reader, struct file *file)
{
	const struct state_part *part;
	unsigned int memcgs = 0;
	size_t at = 0, left;

	while (at < reader->have) {
		part = (const void *)(reader->data + at);
		left = reader->have - at;
		if (left < sizeof(*part) ||
		    (uint64_t)part->item_size * part->count > left - sizeof(*part) ||
		    !part->item_size || (part->item_size > 1 && part->count > ITEMS_MAX) ||
		    (!is_text(part->type) && part->count > ITEMS_MAX) ||
		    (part->type == STATE_WHO && part->count != 1))
			return false;
		take_part(file, part, &memcgs);
		at += sizeof(*part) + (((size_t)part->item_size * part->count + 7) & ~(size_t)7);
	}
	return true;
}

/* A whole state is there. */
static void finish(struct state_reader *reader)
{
	struct report *to = reader->has_first ? &reader->last : &reader->first;

	if (reader->next.nr_files != reader->nr_files ||
	    (reader->has_first && reader->next.time_ns > reader->until_ns))
		return;
	report_free(to);
	*to = reader->next;
	memset(&reader->next, 0, sizeof(reader->next));
	if (reader->has_first)
		reader->has_last = true;
	reader->has_first = true;
	reader->open = false;
}

static void message(struct state_reader *reader)
{
	/* All messages of a state follow one another. */
	if (reader->now.serial != ++reader->serial)
		reader->open = false;
	reader->serial = reader->now.serial;
	switch (reader->now.type) {
	case STATE_HEAD:
		take_head(reader);
		break;
	case STATE_FILE:
		reader->open = reader->open &&
			take_parts(reader, report_add(&reader->next, NULL));
		break;
	case STATE_NAME:
		reader->open = reader->open &&
			take_parts(reader, report_add_name(&reader->next));
		break;
	case STATE_END:
		if (reader->open)
			finish(reader);
		break;
	}
}

/**
 * state_reader_take() - one raw marker, in the order of the trace
 * @reader: from state_reader_new()
 * @data: what was written to the marker, its id first; perhaps padded
 * @size: bytes
 */
void state_reader_take(struct state_reader *reader, const void *data, size_t size)
{
	struct state_chunk chunk;

	if (size < sizeof(chunk))
		return;
	memcpy(&chunk, data, sizeof(chunk));
	if (chunk.id != STATE_ID || chunk.size > size - sizeof(chunk) ||
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
	if (chunk.size)
		memcpy(reader->data + chunk.offset, (const char *)data + sizeof(chunk),
		       chunk.size);
	reader->have += chunk.size;
	if (reader->have == chunk.total)
		message(reader);
}

static bool move_report(struct report *from, bool has, struct report *to)
{
	if (has) {
		*to = *from;
		memset(from, 0, sizeof(*from));
	}
	return has;
}

/**
 * state_reader_first() - the first state of the trace
 * @reader: the whole trace was read
 * @report: filled in; the caller's from now on
 *
 * Return: false if there are not two states.
 */
bool state_reader_first(struct state_reader *reader, struct report *report)
{
	return move_report(&reader->first, reader->has_first && reader->has_last, report);
}

/**
 * state_reader_last() - the last state of the trace
 * @reader: the whole trace was read
 * @report: filled in; the caller's from now on
 *
 * Return: false if there is none.
 */
bool state_reader_last(struct state_reader *reader, struct report *report)
{
	return reader->has_last ? move_report(&reader->last, true, report) :
				  move_report(&reader->first, reader->has_first, report);
}

/* Why there is no state, in words. */
const char *state_reader_why(const struct state_reader *reader)
{
	return reader->foreign ? "was recorded by another version of pcinspect (use that one)" :
				 "has no whole state of pcinspect in it";
}

void state_reader_free(struct state_reader *reader)
{
	if (!reader)
		return;
	report_free(&reader->next);
	report_free(&reader->first);
	report_free(&reader->last);
	free(reader->data);
	free(reader);
}
