// SPDX-License-Identifier: GPL-2.0-only
/*
 * readers.c - the processes that had pages read, by file and cause, and those that evicted
 * and dirtied them, between two ticks. Touches memory only.
 */
#include <stdlib.h>

#include "lib/alloc.h"
#include "model/readers.h"

#define WHO_AND_WHAT					\
	FIELD_KEY(reader, row.pid, "pid"),		\
	FIELD_AS(reader, comm, "comm", CHARS),		\
	FIELD_AS(reader, path, "path", PATH),		\
	FIELD_AS(reader, row.dev_major, "dev", DEV),	\
	FIELD_KEY(reader, row.ino, "ino"),		\
	FIELD_KEY(reader, row.i_generation, "i_generation")

static const struct field reader_rows[] = {
	WHO_AND_WHAT,
	FIELD_KEY(reader, row.pages, "pages"),
	FIELD_KEY(reader, row.asked_pages, "asked_pages"),
	FIELD_KEY(reader, row.ahead_pages, "ahead_pages"),
	FIELD_KEY(reader, row.around_pages, "around_pages"),
	FIELD_KEY(reader, row.refault_pages, "refault_pages"),
	FIELD(reader, major_faults),
};

static const struct field evictor_rows[] = {
	WHO_AND_WHAT,
	FIELD_KEY(reader, row.evicted_pages, "evicted_pages"),
};

static const struct field writer_rows[] = {
	WHO_AND_WHAT,
	FIELD_KEY(reader, row.dirtied_pages, "dirtied_pages"),
};

const struct fields reader_fields[READER_NR_KINDS] = {
	[READER_READS] = FIELDS(reader_rows),
	[READER_EVICTS] = FIELDS(evictor_rows),
	[READER_WRITES] = FIELDS(writer_rows),
};

/* The counts of a row. */
static const size_t counts[] = {
	offsetof(struct pcinspect_reader, pages),
	offsetof(struct pcinspect_reader, asked_pages),
	offsetof(struct pcinspect_reader, ahead_pages),
	offsetof(struct pcinspect_reader, around_pages),
	offsetof(struct pcinspect_reader, refault_pages),
	offsetof(struct pcinspect_reader, evicted_pages),
	offsetof(struct pcinspect_reader, dirtied_pages),
};

static uint64_t count_of(const struct pcinspect_reader *row, enum reader_kind kind)
{
	return kind == READER_READS ? row->pages :
	       kind == READER_EVICTS ? row->evicted_pages : row->dirtied_pages;
}

static bool same(const struct pcinspect_reader *a, const struct pcinspect_reader *b)
{
	return a->pid == b->pid && a->ino == b->ino && a->dev_major == b->dev_major &&
	       a->dev_minor == b->dev_minor && a->i_generation == b->i_generation;
}

/* @to: @row is added, or with @sign -1 taken away; what is unknown of one is unknown. */
static void add_counts(struct pcinspect_reader *to, const struct pcinspect_reader *row, int sign)
{
	size_t i;

	for (i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
		uint64_t *sum = (void *)((char *)to + counts[i]);
		uint64_t more = *(const uint64_t *)((const char *)row + counts[i]);

		*sum = *sum == PCINSPECT_UNKNOWN || more == PCINSPECT_UNKNOWN ?
			PCINSPECT_UNKNOWN : *sum + sign * more;
	}
}

static int compare_pages(const void *a, const void *b)
{
	const struct pcinspect_reader *x = &((const struct reader *)a)->row;
	const struct pcinspect_reader *y = &((const struct reader *)b)->row;

	/* A row has one of them. */
	uint64_t m = x->pages + x->evicted_pages + x->dirtied_pages;
	uint64_t n = y->pages + y->evicted_pages + y->dirtied_pages;

	return m < n ? 1 : -(m > n);
}

/* A process's earlier count of what only grows; unknown where it had no place. */
static uint64_t faults_since(const struct reader *now, const struct readers *before)
{
	size_t i;

	for (i = 0; i < before->nr; i++) {
		const struct reader *then = &before->list[i];

		if (then->row.serial && then->row.pid == now->row.pid)
			return now->major_faults == PCINSPECT_UNKNOWN ||
			       then->major_faults > now->major_faults ?
			       PCINSPECT_UNKNOWN : now->major_faults - then->major_faults;
	}
	return PCINSPECT_UNKNOWN;
}

/**
 * readers_since() - what each has had read, evicted or dirtied since the tick before
 * @now: of this tick
 * @before: of that; NULL: of all before, for which nobody's major faults are known
 * @kind: which of these
 * @to: filled in, room for all of @now; most pages first; paths are those of @now
 *
 * Of one that has lost its place for a while it is less than it was, never more.
 *
 * Return: how many there are.
 */
size_t readers_since(const struct readers *now, const struct readers *before,
		     enum reader_kind kind, struct reader *to)
{
	static const struct readers none;
	size_t i, k, nr = 0;

	before = before ?: &none;
	for (i = 0; i < now->nr; i++) {
		struct reader one = now->list[i];

		if (!one.row.serial)
			continue;
		if (i < before->nr && before->list[i].row.serial == one.row.serial)
			add_counts(&one.row, &before->list[i].row, -1);
		if (!count_of(&one.row, kind))
			continue;
		for (k = 0; k < nr && !same(&to[k].row, &one.row); k++)
			;
		if (k == nr)
			to[nr++] = one;
		else
			add_counts(&to[k].row, &one.row, 1);
	}
	for (i = 0; i < nr; i++)
		to[i].major_faults = faults_since(&to[i], before);
	qsort(to, nr, sizeof(*to), compare_pages);
	return nr;
}

/**
 * readers_evictor() - who has evicted most pages of a file
 * @all: of some tick
 * @reader: of the file; one of them
 *
 * Return: a new struct reader, or NULL: nobody is known.
 */
struct reader *readers_evictor(const struct readers *all, const struct reader *reader)
{
	struct reader *list = alloc_zero(all->nr + 1, sizeof(*list));
	struct pcinspect_reader file = reader->row;
	size_t nr = readers_since(all, NULL, READER_EVICTS, list), i;

	for (i = 0; i < nr; i++) {
		file.pid = list[i].row.pid;
		if (same(&file, &list[i].row)) {
			list[0] = list[i];
			return list;
		}
	}
	free(list);
	return NULL;
}

/* Forget them. */
void readers_free(struct readers *all)
{
	while (all->nr)
		free(all->list[--all->nr].path);
	free(all->list);
	*all = (struct readers){};
}
