// SPDX-License-Identifier: GPL-2.0-only
/*
 * index.c - the entry of a report that is of an inode, also of a hundred thousand:
 * sorted once, then looked up. Touches memory only.
 */
#include <stdlib.h>

#include "lib/alloc.h"
#include "model/report.h"

/* An inode, as far as evictors name it. */
struct key {
	uint64_t ino;
	uint32_t dev_major, dev_minor, i_generation;
};

/* One entry: the files first, then what only lends its name. */
struct entry {
	struct key key;
	size_t at;
};

/**
 * struct report_index - the entries of a report by inode
 * @list: sorted; of several names of an inode the first one first
 * @nr_files: of the report when it was made, as is
 * @nr_names: this
 */
struct report_index {
	struct entry *list;
	size_t nr_files;
	size_t nr_names;
};

static struct key key_of(const struct pcinspect_snapshot *snap)
{
	return (struct key){ snap->ino, snap->dev_major, snap->dev_minor,
			     snap->i_generation };
}

static int compare_keys(const struct key *a, const struct key *b)
{
	if (a->ino != b->ino)
		return a->ino < b->ino ? -1 : 1;
	if (a->dev_major != b->dev_major)
		return a->dev_major < b->dev_major ? -1 : 1;
	if (a->dev_minor != b->dev_minor)
		return a->dev_minor < b->dev_minor ? -1 : 1;
	if (a->i_generation != b->i_generation)
		return a->i_generation < b->i_generation ? -1 : 1;
	return 0;
}

/**
 * snapshot_compare() - are two of one inode?
 * @a: one
 * @b: the other
 *
 * Return: 0 if they are, else which one is before the other.
 */
int snapshot_compare(const struct pcinspect_snapshot *a, const struct pcinspect_snapshot *b)
{
	const struct key x = key_of(a), y = key_of(b);

	return compare_keys(&x, &y);
}

static int compare_entries(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return compare_keys(&x->key, &y->key) ?: (x->at < y->at ? -1 : x->at > y->at);
}

/* An entry behind the files is one of the names. */
static const struct file *entry_file(const struct report *report, size_t at)
{
	return at < report->nr_files ? &report->files[at] :
				       &report->names[at - report->nr_files];
}

static void build(const struct report *report, struct report_index *index)
{
	size_t nr = report->nr_files + report->nr_names, i;

	free(index->list);
	index->list = alloc_zero(nr + 1, sizeof(*index->list));
	for (i = 0; i < nr; i++) {
		index->list[i].key = key_of(&entry_file(report, i)->snap);
		index->list[i].at = i;
	}
	qsort(index->list, nr, sizeof(*index->list), compare_entries);
	index->nr_files = report->nr_files;
	index->nr_names = report->nr_names;
}

/* Where the first with this key is in the list, or would be. */
static size_t position(const struct report_index *index, const struct key *key)
{
	size_t low = 0, high = index->nr_files + index->nr_names, middle;

	while (low < high) {
		middle = low + (high - low) / 2;
		if (compare_keys(&index->list[middle].key, key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool has(const struct report_index *index, const struct key *key)
{
	size_t at = position(index, key);

	return at < index->nr_files + index->nr_names &&
	       !compare_keys(&index->list[at].key, key);
}

/* The first with this key; NULL if it is not where it was. */
static const struct file *look_up(const struct report *report,
				  const struct report_index *index, const struct key *key)
{
	const struct file *file;
	struct key now;

	if (!has(index, key))
		return NULL;
	file = entry_file(report, index->list[position(index, key)].at);
	now = key_of(&file->snap);
	return compare_keys(&now, key) ? NULL : file;
}

/* The entry of an inode; NULL: there is none. */
static const struct file *find(const struct report *report, const struct key *key)
{
	struct report_index *index = report->index;
	const struct file *file;

	if (!index) {
		index = alloc_zero(1, sizeof(*index));
		/* How it is found is nothing that a report says. */
		((struct report *)report)->index = index;
		build(report, index);
	} else if (index->nr_files != report->nr_files || index->nr_names != report->nr_names) {
		build(report, index);
	}
	file = look_up(report, index, key);
	if (file)
		return file;
	/* Of an inode that is there: they were sorted since. */
	if (has(index, key))
		build(report, index);
	return look_up(report, index, key);
}

/**
 * report_culprit() - the entry of the file that an evictor was filling
 * @report: where it may be
 * @culprit: the evictor
 *
 * Return: one of the report's files, else one of its names, else NULL.
 */
const struct file *report_culprit(const struct report *report,
				  const struct pcinspect_culprit *culprit)
{
	const struct key key = { culprit->ino, culprit->dev_major, culprit->dev_minor,
				 culprit->i_generation };

	return culprit->ino ? find(report, &key) : NULL;
}

/* The entry of an inode: one of the report's files or names, or NULL. */
const struct file *report_inode(const struct report *report, const struct pcinspect_snapshot *snap)
{
	const struct key key = key_of(snap);

	return find(report, &key);
}

/* The path of that file, NULL if none is known. */
const char *report_name(const struct report *report,
			const struct pcinspect_culprit *culprit)
{
	const struct file *file = report_culprit(report, culprit);

	return file ? file->path : NULL;
}

/**
 * report_first_name() - the first entry of an inode
 * @report: the report
 * @file: an entry of it
 *
 * A path is an entry of its own, also where two name one inode.
 *
 * Return: the first entry of the same inode, perhaps @file.
 */
size_t report_first_name(const struct report *report, size_t file)
{
	const struct file *first;
	struct key key;

	if (file >= report->nr_files)
		return file;
	key = key_of(&report->files[file].snap);
	first = find(report, &key);
	return first ? (size_t)(first - report->files) : file;
}

/* Entries were exchanged for others: look for them anew. */
void report_forget_index(struct report *report)
{
	if (report->index)
		free(report->index->list);
	free(report->index);
	report->index = NULL;
}
