// SPDX-License-Identifier: GPL-2.0-only
/*
 * readers.c - which processes had pages read from which files, between two ticks. Touches
 * memory only.
 */
#include <stdlib.h>

#include "model/readers.h"

static const struct field readers[] = {
	FIELD_KEY(reader, row.pid, "pid"),
	FIELD_AS(reader, comm, "comm", CHARS),
	FIELD_AS(reader, path, "path", PATH),
	FIELD_AS(reader, row.dev_major, "dev", DEV),
	FIELD_KEY(reader, row.ino, "ino"),
	FIELD_KEY(reader, row.i_generation, "i_generation"),
	FIELD_KEY(reader, row.pages, "pages"),
	FIELD_KEY(reader, row.asked_pages, "asked_pages"),
	FIELD_KEY(reader, row.refault_pages, "refault_pages"),
	FIELD(reader, major_faults),
};

const struct fields reader_fields = FIELDS(readers);

static bool same(const struct pcinspect_reader *a, const struct pcinspect_reader *b)
{
	return a->pid == b->pid && a->ino == b->ino && a->dev_major == b->dev_major &&
	       a->dev_minor == b->dev_minor && a->i_generation == b->i_generation;
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a == PCINSPECT_UNKNOWN || b == PCINSPECT_UNKNOWN ? PCINSPECT_UNKNOWN : a - b;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
	return a == PCINSPECT_UNKNOWN || b == PCINSPECT_UNKNOWN ? PCINSPECT_UNKNOWN : a + b;
}

static int compare_pages(const void *a, const void *b)
{
	const struct reader *x = a, *y = b;

	return x->row.pages < y->row.pages ? 1 : -(x->row.pages > y->row.pages);
}

/* What a process had before of what only grows; unknown of one that had no place. */
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
 * readers_since() - what each has had read since the tick before
 * @now: of this tick
 * @before: of that
 * @to: filled in, room for all of @now; most pages first; paths are those of @now
 *
 * Of one that has lost its place for a while it is less than it was, never more.
 *
 * Return: how many there are.
 */
size_t readers_since(const struct readers *now, const struct readers *before, struct reader *to)
{
	const struct pcinspect_reader *then;
	size_t i, k, nr = 0;

	for (i = 0; i < now->nr; i++) {
		struct reader one = now->list[i];

		if (!one.row.serial)
			continue;
		if (i < before->nr && before->list[i].row.serial == one.row.serial) {
			then = &before->list[i].row;
			one.row.pages -= then->pages;
			one.row.asked_pages = less(one.row.asked_pages, then->asked_pages);
			one.row.refault_pages = less(one.row.refault_pages, then->refault_pages);
		}
		if (!one.row.pages)
			continue;
		for (k = 0; k < nr && !same(&to[k].row, &one.row); k++)
			;
		if (k == nr) {
			to[nr++] = one;
			continue;
		}
		to[k].row.pages += one.row.pages;
		to[k].row.asked_pages = plus(to[k].row.asked_pages, one.row.asked_pages);
		to[k].row.refault_pages = plus(to[k].row.refault_pages, one.row.refault_pages);
	}
	for (i = 0; i < nr; i++)
		to[i].major_faults = faults_since(&to[i], before);
	qsort(to, nr, sizeof(*to), compare_pages);
	return nr;
}

/* Forget them. */
void readers_free(struct readers *all)
{
	while (all->nr)
		free(all->list[--all->nr].path);
	free(all->list);
	*all = (struct readers){};
}
