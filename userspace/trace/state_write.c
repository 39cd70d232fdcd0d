// SPDX-License-Identifier: GPL-2.0
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

/* A message that is being put together. */
struct message {
	char *data;
	size_t size;
	size_t room;
};

static int add(struct message *message, const void *data, size_t size)
{
	size_t need = message->size + size;

	if (need > message->room) {
		char *more = realloc(message->data, 2 * need);

		if (!more)
			return -1;
		message->data = more;
		message->room = 2 * need;
	}
	if (size)
		memcpy(message->data + message->size, data, size);
	message->size = need;
	return 0;
}

static int pad(struct message *message)
{
	static const char zeros[8];

	return add(message, zeros, -message->size & 7);
}

/* Cut a message into markers. */
static int send(int marker, uint32_t serial, uint32_t type,
		const struct message *message)
{
	struct pcinspect_state_chunk chunk = {
		.id = PCINSPECT_STATE_ID,
		.serial = serial,
		.type = type,
		.total = message->size,
	};

	do {
		char text[sizeof(chunk) + PCINSPECT_STATE_CHUNK];
		size_t left = message->size - chunk.offset;

		chunk.size = left < PCINSPECT_STATE_CHUNK ? left : PCINSPECT_STATE_CHUNK;
		memcpy(text, &chunk, sizeof(chunk));
		memcpy(text + sizeof(chunk), message->data + chunk.offset, chunk.size);
		/* One write is one marker. */
		if (write(marker, text, sizeof(chunk) + chunk.size) < (ssize_t)chunk.size)
			return -1;
		chunk.offset += chunk.size;
	} while (chunk.offset < message->size);
	return 0;
}

static int section(struct message *message, uint32_t type, const void *data, size_t size)
{
	struct pcinspect_section head = { .type = type, .size = sizeof(head) + size };

	if (!data)
		return 0;
	return add(message, &head, sizeof(head)) || add(message, data, size) ? -1 : 0;
}

/* The row as the module would have given it; the path is among the strings. */
static int row(struct message *message, const struct pcinspect_file *file)
{
	struct pcinspect_snapshot snap = file->snap;
	size_t at = message->size;

	snap.path_len = 0;
	snap.flags &= ~PCINSPECT_F_PATH;
	if (add(message, &snap, sizeof(snap)) || pad(message) ||
	    section(message, PCINSPECT_SECTION_READS, file->reads, sizeof(*file->reads)) ||
	    section(message, PCINSPECT_SECTION_WRITES, file->writes, sizeof(*file->writes)) ||
	    section(message, PCINSPECT_SECTION_WINDOWS, file->windows,
		    file->nr_windows * sizeof(*file->windows)) ||
	    section(message, PCINSPECT_SECTION_FSYNCS, file->fsyncs,
		    file->nr_fsyncs * sizeof(*file->fsyncs)))
		return -1;
	snap.record_size = message->size - at;
	memcpy(message->data + at, &snap, sizeof(snap));
	return 0;
}

/* Returns the bytes of the file's message, or -1. */
static ssize_t send_file(int marker, uint32_t serial, const struct pcinspect_report *report,
		     size_t index)
{
	const struct pcinspect_file *file = &report->files[index];
	const char *strings[PCINSPECT_STATE_STRINGS] = { file->path, file->real_path };
	struct pcinspect_state_file head = {
		.index = index,
		.gone = file->gone,
		.before_ns = file->before_ns,
		.after_ns = file->after_ns,
	};
	struct message message = {};
	ssize_t result = -1;
	size_t at;
	int i;

	for (i = 0; i < PCINSPECT_NR_MEMCGS; i++)
		strings[2 + i] = file->memcg_paths[i];
	for (i = 0; i < PCINSPECT_STATE_STRINGS; i++)
		head.lengths[i] = strings[i] ? strlen(strings[i]) + 1 : 0;
	if (add(&message, &head, sizeof(head)))
		goto out;
	for (i = 0; i < PCINSPECT_STATE_STRINGS; i++)
		if (add(&message, strings[i], head.lengths[i]))
			goto out;
	if (pad(&message))
		goto out;
	at = message.size;
	if (row(&message, file))
		goto out;
	head.row_size = message.size - at;
	memcpy(message.data, &head, sizeof(head));
	if (!send(marker, serial, PCINSPECT_STATE_FILE, &message))
		result = message.size;
out:
	free(message.data);
	return result;
}

static int send_settings(int marker, uint32_t serial, const struct pcinspect_report *report)
{
	struct message message = {};
	char *text = NULL;
	FILE *to = open_memstream(&text, &message.size);
	size_t i;
	int result;

	for (i = 0; to && i < report->nr_settings; i++)
		if (report->settings[i].value >= 0)
			fprintf(to, "%jd %s\n", (intmax_t)report->settings[i].value,
				report->settings[i].path);
	if (!to || fputc('\0', to) || fclose(to))
		return -1;
	message.data = text;
	result = send(marker, serial, PCINSPECT_STATE_SETTINGS, &message);
	free(text);
	return result;
}

/* Is a file outside of the report the one that some evictor was filling? */
static bool fills(const struct pcinspect_report *report, const struct pcinspect_file *name)
{
	size_t i;
	int k;

	for (i = 0; name->path && i < report->nr_files; i++)
		for (k = 0; report->files[i].reads && k < PCINSPECT_NR_CULPRITS; k++)
			if (pcinspect_is_culprit(name, &report->files[i].reads->evictors[k]))
				return true;
	return false;
}

static int send_name(int marker, uint32_t serial, const struct pcinspect_file *name)
{
	struct pcinspect_state_name head = {
		.ino = name->snap.ino,
		.dev_major = name->snap.dev_major,
		.dev_minor = name->snap.dev_minor,
		.i_generation = name->snap.i_generation,
		.length = strlen(name->path) + 1,
	};
	struct message message = {};
	int result = -1;

	if (!add(&message, &head, sizeof(head)) && !add(&message, name->path, head.length))
		result = send(marker, serial, PCINSPECT_STATE_NAME, &message);
	free(message.data);
	return result;
}

/**
 * pcinspect_state_write() - put a whole state into a trace
 * @marker: the trace's trace_marker_raw, open for writing
 * @report: the state
 * @serial: number of the last message, counted on
 * @pace: called after each file with what went into the trace, about; or NULL
 * @context: for @pace
 *
 * Return: 0, or -1 with errno set.
 */
int pcinspect_state_write(int marker, const struct pcinspect_report *report,
			  uint32_t *serial,
			  void (*pace)(void *context, size_t bytes), void *context)
{
	struct pcinspect_state_head head = {
		.version = PCINSPECT_STATE_VERSION,
		.abi_version = PCINSPECT_ABI_VERSION,
		.nr_files = report->nr_files,
		.page_size = report->page_size,
		.time_ns = report->time_ns,
		.interval_ns = report->interval_ns,
		.about = report->about,
		.losses = report->losses,
	};
	struct message message = { (char *)&head, sizeof(head), 0 };
	size_t i;

	memcpy(head.kernel, report->kernel, sizeof(head.kernel));
	if (send(marker, ++*serial, PCINSPECT_STATE_HEAD, &message) ||
	    send_settings(marker, ++*serial, report))
		return -1;
	for (i = 0; i < report->nr_files; i++) {
		ssize_t bytes = send_file(marker, ++*serial, report, i);

		if (bytes < 0)
			return -1;
		if (pace)
			pace(context, bytes);
	}
	for (i = 0; i < report->nr_names; i++)
		if (fills(report, &report->names[i]) &&
		    send_name(marker, ++*serial, &report->names[i]))
			return -1;
	return send(marker, ++*serial, PCINSPECT_STATE_END, &message);
}
