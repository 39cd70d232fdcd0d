// SPDX-License-Identifier: GPL-2.0-only
/*
 * inode_events.c - trace events about one inode, and their fields for it.
 *
 * Why not a list of names: events come and go with kernels, but not the fields
 * that name an inode. filemap and our own events have i_ino and s_dev; those of
 * writeback have ino and either dev or the name of the backing device, which
 * two filesystems on partitions of one disk share: there the number decides.
 * An event without an inode number is about a device or a flusher, not a file.
 *
 * Touches nothing but formats and memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace/inode_events.h"

const char *const event_systems[] = {
	"filemap", "writeback", "pcinspect", NULL,
};

/* The one table of field names, the kernel's own, of every supported one. */
static const char *const ino_names[] = { "i_ino", "ino" };
static const char *const dev_names[] = { "s_dev", "dev" };
static const char *const bdi_names[] = { "name", "bdi" };

/* A filter is written in one go of less than a page (event_filter_write()). */
#define FILTER_MAX 4000

/* A file's two keys point back to it. */
struct inode_entry {
	struct inode_key key;
	size_t file;
};

static struct tep_format_field *field(struct tep_event *event,
				      const char *const *names)
{
	struct tep_format_field *found = tep_find_field(event, names[0]);

	return found ?: tep_find_field(event, names[1]);
}

/* A file's s_dev as events have it. Returns the number, as the kernel's MKDEV() makes it. */
static uint32_t event_file_dev(const struct file *file)
{
	return file->snap.dev_major << 20 | file->snap.dev_minor;
}

/* Is an event about one inode? */
bool inode_event(struct tep_event *event, struct inode_event *out)
{
	memset(out, 0, sizeof(*out));
	out->event = event;
	out->ino = field(event, ino_names);
	if (!out->ino)
		return false;
	out->dev = field(event, dev_names);
	if (!out->dev) {
		out->bdi = field(event, bdi_names);
		if (out->bdi && !(out->bdi->flags & TEP_FIELD_IS_ARRAY))
			out->bdi = NULL;
	}
	return out->dev || out->bdi;
}

/**
 * event_field_within() - is a field within the bytes of its event
 * @field: of the event's format, which may come from a file
 * @size: how many bytes there are
 *
 * Return: true if so.
 */
bool event_field_within(const struct tep_format_field *field, size_t size)
{
	return field->offset >= 0 && field->size >= 0 &&
	       (size_t)field->offset + (size_t)field->size <= size;
}

/**
 * inode_event_key() - the inode that one event is about
 * @event: its kind
 * @data: its bytes
 * @size: how many
 * @key: filled in
 *
 * Return: false if the bytes are not long enough.
 */
bool inode_event_key(const struct inode_event *event, void *data,
		     unsigned int size, struct inode_key *key)
{
	unsigned long long value;

	memset(key, 0, sizeof(*key));
	if (!event_field_within(event->ino, size) ||
	    tep_read_number_field(event->ino, data, &value))
		return false;
	key->ino = value;
	if (event->dev) {
		if (!event_field_within(event->dev, size) ||
		    tep_read_number_field(event->dev, data, &value))
			return false;
		key->dev = value;
		return true;
	}
	if (!event_field_within(event->bdi, size))
		return false;
	snprintf(key->bdi, sizeof(key->bdi), "%.*s", event->bdi->size,
		 (char *)data + event->bdi->offset);
	return true;
}

static bool can_name(const struct inode_event *event, const struct file *file)
{
	/* A quote in the name would end the string of the filter. */
	return !file->gone &&
	       (event->dev || (file->snap.bdi[0] && !strchr(file->snap.bdi, '"')));
}

/* Are the devices of two files the same to this event? */
static bool same_device(const struct inode_event *event,
			const struct file *a,
			const struct file *b)
{
	return event->dev ? event_file_dev(a) == event_file_dev(b) :
			    !strcmp(a->snap.bdi, b->snap.bdi);
}

/* One clause for each file, or only for each device. NULL: it would not fit. */
static char *write_filter(const struct inode_event *event,
			  const struct report *report, bool inodes)
{
	char *text = NULL;
	size_t len, i, j;
	FILE *to = open_memstream(&text, &len);

	if (!to)
		return NULL;
	for (i = 0; i < report->nr_files && ftello(to) <= FILTER_MAX; i++) {
		const struct file *file = &report->files[i];

		if (!can_name(event, file))
			continue;
		for (j = 0; j < i && !inodes; j++)
			if (can_name(event, &report->files[j]) &&
			    same_device(event, file, &report->files[j]))
				break;
		if (j < i && !inodes)
			continue;
		if (ftello(to))
			fputs(" || ", to);
		if (event->dev)
			fprintf(to, "(%s == %u", event->dev->name, event_file_dev(file));
		else
			fprintf(to, "(%s == \"%s\"", event->bdi->name, file->snap.bdi);
		if (inodes)
			fprintf(to, " && %s == %ju", event->ino->name,
				(uintmax_t)file->snap.ino);
		fputc(')', to);
	}
	if (fclose(to) || len > FILTER_MAX) {
		free(text);
		return NULL;
	}
	return text;
}

/**
 * inode_event_filter() - let only some files' events through
 * @event: the kind of event
 * @report: the files; those that are gone are left out
 *
 * With so many files that no filter can name them all, only their devices are
 * named, and readers must look at the inode themselves, as they do anyway.
 *
 * Return: a filter for the kernel, to be freed; empty: no file of the report can
 * have such an event; NULL: there are too many devices as well.
 */
char *inode_event_filter(const struct inode_event *event, const struct report *report)
{
	return write_filter(event, report, true) ?: write_filter(event, report, false);
}

static int compare_keys(const void *a, const void *b)
{
	const struct inode_key *x = a, *y = b;

	if (x->ino != y->ino)
		return x->ino < y->ino ? -1 : 1;
	if (x->dev != y->dev)
		return x->dev < y->dev ? -1 : 1;
	return strcmp(x->bdi, y->bdi);
}

/* Of an inode with several names the first one first. */
static int compare_entries(const void *a, const void *b)
{
	const struct inode_entry *x = a, *y = b;
	int by_key = compare_keys(&x->key, &y->key);

	return by_key ? by_key : x->file < y->file ? -1 : x->file > y->file;
}

/**
 * inode_index_build() - prepare to find files
 * @index: filled in; what it was is freed first
 * @report: the files
 *
 * Return: 0, or -1: no memory.
 */
int inode_index_build(struct inode_index *index, const struct report *report)
{
	size_t i;

	inode_index_free(index);
	index->by_dev = calloc(report->nr_files + 1, sizeof(*index->by_dev));
	index->by_bdi = calloc(report->nr_files + 1, sizeof(*index->by_bdi));
	if (!index->by_dev || !index->by_bdi)
		return -1;
	for (i = 0; i < report->nr_files; i++) {
		const struct file *file = &report->files[i];

		/* A recording has the events from before it went. */
		if (file->gone && !report->recorded)
			continue;
		index->by_dev[index->nr].file = i;
		index->by_dev[index->nr].key.ino = file->snap.ino;
		index->by_dev[index->nr].key.dev = event_file_dev(file);
		index->by_bdi[index->nr].file = i;
		index->by_bdi[index->nr].key.ino = file->snap.ino;
		memcpy(index->by_bdi[index->nr].key.bdi, file->snap.bdi,
		       PCINSPECT_BDI_LEN - 1);
		index->nr++;
	}
	qsort(index->by_dev, index->nr, sizeof(*index->by_dev), compare_entries);
	qsort(index->by_bdi, index->nr, sizeof(*index->by_bdi), compare_entries);
	return 0;
}

/**
 * inode_index_find() - the file that an event is about
 * @index: the files
 * @key: from inode_event_key()
 * @file: set to its place in the report; of several names, to the first
 *
 * Return: false if it is about none of them.
 */
bool inode_index_find(const struct inode_index *index,
		      const struct inode_key *key, size_t *file)
{
	const struct inode_entry *all = key->dev ? index->by_dev : index->by_bdi;
	const struct inode_entry *found;

	found = bsearch(key, all, index->nr, sizeof(*found), compare_keys);
	while (found && found > all && !compare_keys(&found[-1].key, key))
		found--;
	if (found)
		*file = found->file;
	return found;
}

/* Free what an index is made of. */
void inode_index_free(struct inode_index *index)
{
	free(index->by_dev);
	free(index->by_bdi);
	memset(index, 0, sizeof(*index));
}
