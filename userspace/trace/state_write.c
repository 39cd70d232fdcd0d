// SPDX-License-Identifier: GPL-2.0-only
/*
 * state_write.c - a report into a trace's raw markers; see state.h.
 *
 * Touches the marker file it is given.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/state.h"

#define NUMBER(key, member)						\
	{ key, offsetof(struct report, member),		\
	  sizeof(((struct report *)0)->member) }

const struct state_number state_numbers[] = {
	NUMBER("page_size", page_size),
	NUMBER("time_ns", time_ns),
	NUMBER("wall_ns", wall_ns),
	NUMBER("interval_ns", interval_ns),
	NUMBER("flags", about.flags),
	NUMBER("lost_inodes", about.lost_inodes),
	NUMBER("lost_windows", losses.windows),
	NUMBER("lost_ledgers", losses.ledgers),
	NUMBER("lost_frames", losses.frames),
	NUMBER("lost_dirty_times", losses.dirty_times),
	NUMBER("probes_missed", losses.probes_missed),
	NUMBER("lost_device_bytes", losses.device_bytes),
	NUMBER("hooks_missing", losses.hooks_missing),
	{},
};

/*
 * A message that is being put together, in memory: the stream fails when that runs
 * out, and so does fclose(3).
 */
struct message {
	FILE *to;
	char *data;
	size_t size;
};

static int open_message(struct message *message)
{
	*message = (struct message){};
	message->to = open_memstream(&message->data, &message->size);
	return message->to ? 0 : -1;
}

static void put_part(FILE *to, uint32_t type, const void *items, size_t item_size,
		     size_t count)
{
	struct state_part part = { .type = type, .item_size = item_size, .count = count };
	static const char zeros[8];

	if (!items)
		return;
	fwrite(&part, sizeof(part), 1, to);
	fwrite(items, item_size, count, to);
	fwrite(zeros, -(item_size * count) & 7, 1, to);
}

static void put_text(FILE *to, uint32_t type, const char *text)
{
	put_part(to, type, text, 1, text ? strlen(text) + 1 : 0);
}

static void put_snapshot(FILE *to, const struct pcinspect_snapshot *snap)
{
	put_part(to, STATE_SNAPSHOT, snap, offsetof(struct pcinspect_snapshot, known), 1);
	put_part(to, STATE_KNOWN, snap->known, sizeof(*snap->known), PCINSPECT_KNOWN_WORDS);
	put_part(to, STATE_NUMBERS, snap->numbers, sizeof(*snap->numbers),
		 PCINSPECT_NR_NUMBERS);
}

/* Cut a message into markers; returns its bytes, or -1. */
static ssize_t end(struct message *message, int marker, uint32_t serial, uint32_t type)
{
	struct state_chunk chunk = { .id = STATE_ID, .serial = serial, .type = type };
	ssize_t result = fclose(message->to) ? -1 : (ssize_t)message->size;

	chunk.total = message->size;
	while (result >= 0) {
		char text[sizeof(chunk) + STATE_CHUNK];
		size_t left = message->size - chunk.offset;

		chunk.size = left < STATE_CHUNK ? left : STATE_CHUNK;
		memcpy(text, &chunk, sizeof(chunk));
		memcpy(text + sizeof(chunk), message->data + chunk.offset, chunk.size);
		/* One write is one marker. */
		if (write(marker, text, sizeof(chunk) + chunk.size) < (ssize_t)chunk.size)
			result = -1;
		chunk.offset += chunk.size;
		if (chunk.offset == message->size)
			break;
	}
	free(message->data);
	return result;
}

static ssize_t send_head(int marker, uint32_t serial, const struct report *report)
{
	struct message message;
	size_t i;

	if (open_message(&message))
		return -1;
	fprintf(message.to, "%u version\n%s program\n%s kernel\n%zu files\n%d losses\n",
		STATE_VERSION, PCINSPECT_VERSION, report->kernel, report->nr_files,
		report->losses.known);
	for (i = 0; state_numbers[i].key; i++) {
		uint64_t value = 0;

		memcpy(&value, (const char *)report + state_numbers[i].offset,
		       state_numbers[i].size);
		fprintf(message.to, "%ju %s\n", (uintmax_t)value, state_numbers[i].key);
	}
	for (i = 0; i < report->nr_settings; i++)
		if (report->settings[i].value >= 0)
			fprintf(message.to, "%jd %s\n", (intmax_t)report->settings[i].value,
				report->settings[i].path);
	fputc('\0', message.to);
	return end(&message, marker, serial, STATE_HEAD);
}

static ssize_t send_file(int marker, uint32_t serial, const struct file *file)
{
	struct state_asked asked = {
		.before_ns = file->before_ns,
		.after_ns = file->after_ns,
		.gone = file->gone,
	};
	struct message message;
	int i, nr;

	if (open_message(&message))
		return -1;
	put_text(message.to, STATE_PATH, file->path);
	put_text(message.to, STATE_REAL_PATH, file->real_path);
	for (nr = PCINSPECT_NR_MEMCGS; nr && !file->memcg_paths[nr - 1]; nr--)
		;
	for (i = 0; i < nr; i++)
		put_text(message.to, STATE_MEMCG_PATH, file->memcg_paths[i] ?: "");
	put_part(message.to, STATE_ASKED, &asked, sizeof(asked), 1);
	put_snapshot(message.to, &file->snap);
	put_part(message.to, STATE_WHO, file->who, sizeof(*file->who), 1);
	put_part(message.to, STATE_WINDOWS, file->windows, sizeof(*file->windows),
		 file->nr_windows);
	put_part(message.to, STATE_FSYNCS, file->fsyncs, sizeof(*file->fsyncs),
		 file->nr_fsyncs);
	return end(&message, marker, serial, STATE_FILE);
}

/* Which of the names are those of files that some evictor was filling? NULL: no memory. */
static bool *names_wanted(const struct report *report)
{
	bool *wanted = calloc(report->nr_names + 1, sizeof(*wanted));
	const struct file *name;
	size_t i;
	int k;

	for (i = 0; wanted && report->nr_names && i < report->nr_files; i++) {
		for (k = 0; report->files[i].who && k < PCINSPECT_NR_CULPRITS; k++) {
			name = report_culprit(report, &report->files[i].who->evictors[k]);
			if (name >= report->names && name < report->names + report->nr_names)
				wanted[name - report->names] = name->path != NULL;
		}
	}
	return wanted;
}

static ssize_t send_name(int marker, uint32_t serial, const struct file *name)
{
	const uint32_t held = name->held;
	struct message message;

	if (open_message(&message))
		return -1;
	put_text(message.to, STATE_PATH, name->path);
	if (held) {
		put_text(message.to, STATE_MEMCG_PATH, name->memcg_paths[0]);
		put_part(message.to, STATE_HELD, &held, sizeof(held), 1);
	}
	put_snapshot(message.to, &name->snap);
	return end(&message, marker, serial, STATE_NAME);
}

/**
 * state_write() - put a whole state into a trace
 * @marker: the trace's trace_marker_raw, open for writing
 * @report: the state
 * @serial: number of the last message, counted on
 * @pace: called after each file with what went into the trace, about; or NULL
 * @context: for @pace
 *
 * Return: 0, or -1 with errno set.
 */
int state_write(int marker, const struct report *report, uint32_t *serial,
		void (*pace)(void *context, size_t bytes), void *context)
{
	struct message message;
	ssize_t bytes;
	bool *wanted;
	size_t i;

	if (send_head(marker, ++*serial, report) < 0)
		return -1;
	for (i = 0; i < report->nr_files; i++) {
		bytes = send_file(marker, ++*serial, &report->files[i]);
		if (bytes < 0)
			return -1;
		if (pace)
			pace(context, bytes);
	}
	wanted = names_wanted(report);
	for (i = 0, bytes = wanted ? 0 : -1; i < report->nr_names && bytes >= 0; i++)
		if (wanted[i] || report->names[i].held)
			bytes = send_name(marker, ++*serial, &report->names[i]);
	free(wanted);
	if (bytes < 0)
		return -1;
	return open_message(&message) || end(&message, marker, ++*serial, STATE_END) < 0 ? -1 : 0;
}
