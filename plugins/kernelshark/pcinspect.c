// SPDX-License-Identifier: GPL-2.0-only
/*
 * pcinspect.c - the data half of the KernelShark plugin.
 *
 * Why: KernelShark hands every record to the plugins while it loads a file and
 * keeps 32 bytes of each. Here the pcinspect:* events that are drawn are read
 * in full, by the names of their fields, and sorted by inode.
 *
 * Lifetime: KernelShark calls the initializer for each stream before it loads
 * the entries, and the deinitializer before it frees them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <event-parse.h>
#include <libkshark-tepdata.h>

#include "numbers.h"
#include "pcinspect.h"

static const char *const event_names[PCINSPECT_KS_KINDS] = {
	[PCINSPECT_KS_SAMPLE] = "pcinspect/pcinspect_sample",
	[PCINSPECT_KS_WINDOW] = "pcinspect/pcinspect_ra_window",
	[PCINSPECT_KS_REFAULT] = "pcinspect/pcinspect_refault",
	[PCINSPECT_KS_FSYNC] = "pcinspect/pcinspect_fsync",
};

/* A sample's fields are called as the numbers are. */
static const char *const number_names[PCINSPECT_NR_NUMBERS] = {
#define NUMBER(id, name, ...) [PCINSPECT_##id] = (name),
#include "numbers_table.h"
#undef NUMBER
};

static const int sampled[PCINSPECT_KS_FIELDS] = {
	[PCINSPECT_KS_CACHED] = PCINSPECT_CACHED,
	[PCINSPECT_KS_ACTIVE] = PCINSPECT_ACTIVE,
	[PCINSPECT_KS_DIRTY] = PCINSPECT_DIRTY,
};

static const char *const field_names[PCINSPECT_KS_KINDS][PCINSPECT_KS_FIELDS] = {
	[PCINSPECT_KS_WINDOW] = {
		[PCINSPECT_KS_DURATION] = "duration_ns",
		[PCINSPECT_KS_INSERTED] = "inserted_pages",
		[PCINSPECT_KS_EXPANDED] = "expanded_pages",
	},
	[PCINSPECT_KS_REFAULT] = { [PCINSPECT_KS_PAGES] = "pages" },
	[PCINSPECT_KS_FSYNC] = { [PCINSPECT_KS_DURATION] = "duration_ns" },
};

/**
 * pcinspect_ks_field() - the name of a field, which is its label as well
 * @kind: of which event
 * @field: PCINSPECT_KS_*
 *
 * Return: the name, or NULL if the event has no such field.
 */
const char *pcinspect_ks_field(int kind, int field)
{
	return kind == PCINSPECT_KS_SAMPLE ? number_names[sampled[field]] :
					     field_names[kind][field];
}

static void context_free(struct pcinspect_ks_context *ctx)
{
	int kind;

	for (kind = 0; kind < PCINSPECT_KS_KINDS; kind++)
		free(ctx->events[kind].v);
	free(ctx->inodes);
	free(ctx->names);
	free(ctx);
}

KS_DEFINE_PLUGIN_CONTEXT(struct pcinspect_ks_context, context_free);

/**
 * pcinspect_ks_label() - what an inode is called
 * @ctx: of its stream
 * @inode: it
 * @out: its path, if the recording has one, else its numbers
 * @size: of @out
 */
void pcinspect_ks_label(const struct pcinspect_ks_context *ctx,
			const struct pcinspect_ks_inode *inode, char *out, size_t size)
{
	const struct pcinspect_ks_name *name;

	snprintf(out, size, "%u:%u/%llu", (unsigned int)inode->dev >> 20,
		 (unsigned int)inode->dev & 0xfffff, (unsigned long long)inode->ino);
	for (name = ctx->names; name < ctx->names + ctx->n_names; name++)
		if (name->ino == inode->ino && name->dev == inode->dev &&
		    name->generation == inode->generation)
			snprintf(out, size, "%s", name->path);
}

/* The name, in the list of tasks, of the row that belongs to an inode. */
static void add_row(struct kshark_data_stream *stream,
		    struct pcinspect_ks_context *ctx,
		    struct pcinspect_ks_inode *inode, size_t index)
{
	char name[64];

	inode->pid = -1;
	if (index >= PCINSPECT_KS_ROWS)
		return;
	pcinspect_ks_label(ctx, inode, name, sizeof(name));
	inode->pid = PCINSPECT_KS_FIRST_PID + (int)index +
		     stream->stream_id * PCINSPECT_KS_ROWS;
	tep_register_comm(kshark_get_tep(stream), name, inode->pid);
	kshark_hash_id_add(stream->tasks, inode->pid);
}

/* The index of an inode, new or known; -1 without memory. */
static ssize_t find_inode(struct kshark_data_stream *stream,
			  struct pcinspect_ks_context *ctx, int64_t dev,
			  int64_t ino, int64_t generation)
{
	size_t hash = (uint64_t)(ino ^ dev ^ generation) % PCINSPECT_KS_BUCKETS;
	struct pcinspect_ks_inode *inode;
	size_t room;
	ssize_t i;

	for (i = ctx->bucket[hash]; i >= 0; i = ctx->inodes[i].next) {
		inode = &ctx->inodes[i];
		if (inode->ino == ino && inode->dev == dev &&
		    inode->generation == generation)
			return i;
	}
	if (ctx->n_inodes == ctx->room) {
		room = ctx->room ? 2 * ctx->room : 16;
		inode = realloc(ctx->inodes, room * sizeof(*inode));
		if (!inode)
			return -1;
		ctx->inodes = inode;
		ctx->room = room;
	}
	i = ctx->n_inodes++;
	inode = &ctx->inodes[i];
	inode->dev = dev;
	inode->ino = ino;
	inode->generation = generation;
	inode->next = ctx->bucket[hash];
	ctx->bucket[hash] = i;
	add_row(stream, ctx, inode, i);
	return i;
}

static struct pcinspect_ks_event *new_event(struct pcinspect_ks_list *list)
{
	struct pcinspect_ks_event *v;
	size_t room;

	if (list->n == list->room) {
		room = list->room ? 2 * list->room : 256;
		v = realloc(list->v, room * sizeof(*v));
		if (!v)
			return NULL;
		list->v = v;
		list->room = room;
	}
	list->sorted = false;
	return &list->v[list->n++];
}

/* KernelShark has read a record of one of the events. */
static void on_event(struct kshark_data_stream *stream, void *record,
		     struct kshark_entry *entry)
{
	struct pcinspect_ks_context *ctx = __get_context(stream->stream_id);
	int64_t dev = 0, ino = 0, generation = 0;
	struct pcinspect_ks_event *event;
	const char *name;
	ssize_t inode;
	int kind, i;

	if (!ctx)
		return;
	for (kind = 0; kind < PCINSPECT_KS_KINDS; kind++)
		if (ctx->id[kind] == entry->event_id)
			break;
	if (kind == PCINSPECT_KS_KINDS ||
	    kshark_read_record_field_int(stream, record, "s_dev", &dev) < 0 ||
	    kshark_read_record_field_int(stream, record, "i_ino", &ino) < 0)
		return;
	kshark_read_record_field_int(stream, record, "generation", &generation);
	inode = find_inode(stream, ctx, dev, ino, generation);
	event = inode < 0 ? NULL : new_event(&ctx->events[kind]);
	if (!event)
		return;
	event->entry = entry;
	event->inode = inode;
	for (i = 0; i < PCINSPECT_KS_FIELDS; i++) {
		name = pcinspect_ks_field(kind, i);
		if (!name || kshark_read_record_field_int(stream, record, name,
							  &event->field[i]) < 0)
			event->field[i] = -1;
	}
}

/* Rows that are there already: the name may come late. */
static void rename_rows(struct kshark_data_stream *stream,
			const struct pcinspect_ks_context *ctx,
			const struct pcinspect_ks_name *name)
{
	const struct pcinspect_ks_inode *inode;

	for (inode = ctx->inodes; inode < ctx->inodes + ctx->n_inodes; inode++)
		if (inode->pid >= 0 && inode->ino == name->ino &&
		    inode->dev == name->dev && inode->generation == name->generation)
			tep_override_comm(kshark_get_tep(stream), name->path, inode->pid);
}

/* A marker: "pcinspect file MAJOR:MINOR INO GENERATION PATH" is pcinspect record's. */
static void on_marker(struct kshark_data_stream *stream, void *rec,
		      struct kshark_entry *entry)
{
	const struct tep_record *record = rec;
	struct pcinspect_ks_context *ctx = __get_context(stream->stream_id);
	struct tep_handle *tep = kshark_get_tep(stream);
	struct tep_event *event = tep_find_event(tep, entry->event_id);
	struct pcinspect_ks_name *name;
	unsigned long long ino;
	unsigned int major, minor, generation;
	int len, at = 0, n;
	char line[1200], *text;
	size_t room;

	text = ctx && event ? tep_get_field_raw(NULL, event, "buf", rec, &len, 0) : NULL;
	if (!text)
		return;
	/* Of an array without a size @len is 0; a broken trace may lack its end. */
	len = record->size - (int)(text - (char *)record->data);
	snprintf(line, sizeof(line), "%.*s", len > 0 ? len : 0, text);
	text = line;
	if (sscanf(text, "pcinspect file %u:%u %llu %u %n", &major, &minor, &ino,
			    &generation, &at) != 4 || !at)
		return;
	if (ctx->n_names == ctx->names_room) {
		room = ctx->names_room ? 2 * ctx->names_room : 16;
		name = realloc(ctx->names, room * sizeof(*name));
		if (!name)
			return;
		ctx->names = name;
		ctx->names_room = room;
	}
	name = &ctx->names[ctx->n_names++];
	name->dev = (int64_t)major << 20 | minor;
	name->ino = (int64_t)ino;
	name->generation = generation;
	/* Its end tells files apart. KernelShark's font has ASCII only. */
	text += at;
	n = (int)strcspn(text, "\n");
	at = n < (int)sizeof(name->path) ? 0 : n - (int)sizeof(name->path) + 4;
	snprintf(name->path, sizeof(name->path), "%s%.*s", at ? "..." : "", n - at, text + at);
	for (text = name->path; *text; text++)
		if (*text < ' ' || *text > '~')
			*text = '?';
	rename_rows(stream, ctx, name);
}

static int by_time(const void *a, const void *b)
{
	int64_t x = ((const struct pcinspect_ks_event *)a)->entry->ts;
	int64_t y = ((const struct pcinspect_ks_event *)b)->entry->ts;

	return (x > y) - (x < y);
}

/**
 * pcinspect_ks_sort() - put what was read in order of time
 * @ctx: of a stream; KernelShark has read it one CPU after another
 */
void pcinspect_ks_sort(struct pcinspect_ks_context *ctx)
{
	struct pcinspect_ks_list *list;

	for (list = ctx->events; list < ctx->events + PCINSPECT_KS_KINDS; list++) {
		if (!list->sorted && list->n)
			qsort(list->v, list->n, sizeof(*list->v), by_time);
		list->sorted = true;
	}
}

/**
 * pcinspect_kshark_count() - how many events of a kind a stream has
 * @sd: id of the data stream
 * @kind: an enum pcinspect_ks_kind
 *
 * Return: their number; 0 if the plugin has nothing to do with the stream.
 */
size_t pcinspect_kshark_count(int sd, int kind)
{
	struct pcinspect_ks_context *ctx = __get_context(sd);

	if (!ctx || kind < 0 || kind >= PCINSPECT_KS_KINDS)
		return 0;
	return ctx->events[kind].n;
}

/**
 * KSHARK_PLOT_PLUGIN_INITIALIZER() - KernelShark opens a stream
 * @stream: the data stream
 *
 * Return: 1 if it has any of the events, 0 if there is nothing to do.
 */
__attribute__((visibility("default")))
int KSHARK_PLOT_PLUGIN_INITIALIZER(struct kshark_data_stream *stream)
{
	struct pcinspect_ks_context *ctx;
	int kind, found = 0;

	if (!kshark_is_tep(stream))
		return 0;
	ctx = __init(stream->stream_id);
	if (!ctx)
		return 0;
	memset(ctx->bucket, 0xff, sizeof(ctx->bucket));
	for (kind = 0; kind < PCINSPECT_KS_KINDS; kind++) {
		ctx->id[kind] = kshark_find_event_id(stream, event_names[kind]);
		if (ctx->id[kind] < 0) {
			ctx->id[kind] = -1;
			continue;
		}
		kshark_register_event_handler(stream, ctx->id[kind], on_event);
		found = 1;
	}
	if (!found) {
		__close(stream->stream_id);
		return 0;
	}
	ctx->print = kshark_find_event_id(stream, "ftrace/print");
	if (ctx->print >= 0)
		kshark_register_event_handler(stream, ctx->print, on_marker);
	kshark_register_draw_handler(stream, pcinspect_ks_draw);
	return 1;
}

/**
 * KSHARK_PLOT_PLUGIN_DEINITIALIZER() - KernelShark closes or reloads a stream
 * @stream: the data stream
 *
 * Return: 1 if the plugin had anything to do with it.
 */
__attribute__((visibility("default")))
int KSHARK_PLOT_PLUGIN_DEINITIALIZER(struct kshark_data_stream *stream)
{
	struct pcinspect_ks_context *ctx = __get_context(stream->stream_id);
	int kind;

	if (!ctx)
		return 0;
	for (kind = 0; kind < PCINSPECT_KS_KINDS; kind++)
		if (ctx->id[kind] >= 0)
			kshark_unregister_event_handler(stream, ctx->id[kind],
							on_event);
	if (ctx->print >= 0)
		kshark_unregister_event_handler(stream, ctx->print, on_marker);
	kshark_unregister_draw_handler(stream, pcinspect_ks_draw);
	__close(stream->stream_id);
	return 1;
}
