// SPDX-License-Identifier: GPL-2.0-only
/*
 * side.c - one of two reports that are compared, as it is filled. Touches memory only.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "model/side.h"

/**
 * side_add() - append an empty row
 * @side: to which
 * @kind: of what
 *
 * Return: it, valid until the next is added.
 */
struct side_row *side_add(struct side *side, enum side_kind kind)
{
	side->rows = alloc_room(side->rows, side->nr, &side->room, sizeof(*side->rows));
	side->rows[side->nr] = (struct side_row){ .kind = kind };
	return &side->rows[side->nr++];
}

/* The numbers of a process; rows of no other kind have these. */
static const struct measure done[SIDE_NR_DONE] = {
	{ "demanded_bytes", "bytes", "asked for by read(2)-like calls", true },
	{ "device_bytes", "bytes", "read from devices on its behalf", true },
	{ "inserted_pages", "pages", "put in the cache", true },
	{ "dirtied_pages", "pages", "made dirty", true },
	{ "evicted_pages", "pages", "taken from other files in its favour", true },
};

/**
 * side_measure() - the numbers of a row, one after the other
 * @kind: of the row
 * @i: 0, 1…
 * @measure: filled in
 *
 * Return: false behind the last.
 */
bool side_measure(enum side_kind kind, size_t i, struct measure *measure)
{
	if (kind != SIDE_PROCESS)
		return measure_get(i, measure);
	if (i >= SIDE_NR_DONE)
		return false;
	*measure = done[i];
	return true;
}

/* The value of one of these. */
struct quantity side_number(const struct side_row *row, size_t i)
{
	return row->kind == SIDE_PROCESS ? row->done[i] : measure_of(&row->file, i);
}

static int compare_processes(const void *a, const void *b)
{
	return strcmp(((const struct side_row *)a)->file.path,
		      ((const struct side_row *)b)->file.path);
}

/**
 * side_process() - what processes of one name did
 * @side: of which
 * @name: of their first thread; NULL: of processes that are not told apart
 *
 * Return: SIDE_NR_DONE quantities, all 0 at first.
 */
struct quantity *side_process(struct side *side, const char *name)
{
	struct side_row key = { .file.path = (char *)name }, *row, **found;
	size_t i;

	if (!name) {
		for (i = 0; !side->unnamed && i < SIDE_NR_DONE; i++)
			side->unnamed_done[i] = quantity_count(0);
		side->unnamed = true;
		return side->unnamed_done;
	}
	found = tfind(&key, &side->processes, compare_processes);
	if (found)
		return (*found)->done;
	row = alloc_zero(1, sizeof(*row));
	row->kind = SIDE_PROCESS;
	row->file.path = alloc_copy(name);
	for (i = 0; i < SIDE_NR_DONE; i++)
		row->done[i] = quantity_count(0);
	alloc_got(tsearch(row, &side->processes, compare_processes));
	return row->done;
}

/* struct inode - one that was met: device, generation and number */
struct inode {
	uint64_t is[4];
};

static int compare_inodes(const void *a, const void *b)
{
	const struct inode *x = a, *y = b;
	size_t i;

	for (i = 0; i < 3 && x->is[i] == y->is[i]; i++)
		;
	return x->is[i] < y->is[i] ? -1 : x->is[i] > y->is[i];
}

/**
 * side_meets() - is a row of an inode that had another: the same file under another name
 * @side: of which
 * @row: of a file
 *
 * Return: true if it is, or may be.
 */
bool side_meets(struct side *side, const struct side_row *row)
{
	const struct pcinspect_snapshot *snap = &row->file.snap;
	struct inode key = { { snap->dev_major, snap->dev_minor, snap->i_generation, snap->ino } };
	struct inode *inode;

	if (!row->identified)
		return false;
	if (tfind(&key, &side->met, compare_inodes))
		return true;
	inode = alloc_zero(1, sizeof(*inode));
	*inode = key;
	alloc_got(tsearch(inode, &side->met, compare_inodes));
	return false;
}

/**
 * side_end() - all has come: processes become rows
 * @side: of which
 *
 * Any process may have done the I/O of processes without a name, or on files that do not
 * say who: then it is unknown for all.
 */
void side_end(struct side *side)
{
	struct side_row *row;
	size_t i;

	while (side->met) {
		struct inode *inode = *(struct inode **)side->met;

		tdelete(inode, &side->met, compare_inodes);
		free(inode);
	}
	while (side->processes) {
		row = *(struct side_row **)side->processes;
		tdelete(row, &side->processes, compare_processes);
		for (i = 0; i < SIDE_NR_DONE; i++)
			if (side->uncounted ||
			    (side->unnamed && !(side->unnamed_done[i].known &&
						!side->unnamed_done[i].count)))
				row->done[i] = (struct quantity){};
		*side_add(side, SIDE_PROCESS) = *row;
		free(row);
	}
	side_sort(&side->machine);
	side_sort(&side->settings);
}

/* The same of a verdict. */
struct side_verdict *side_add_verdict(struct side *side)
{
	side->verdicts = alloc_room(side->verdicts, side->nr_verdicts, &side->verdicts_room,
				    sizeof(*side->verdicts));
	side->verdicts[side->nr_verdicts] = (struct side_verdict){};
	return &side->verdicts[side->nr_verdicts++];
}

/* One more number, by name. */
void side_set(struct side_values *values, const char *name, struct quantity value)
{
	values->list = alloc_room(values->list, values->nr, &values->room,
				  sizeof(*values->list));
	values->list[values->nr++] = (struct side_value){ .name = alloc_copy(name),
							  .value = value };
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(((const struct side_value *)a)->name, ((const struct side_value *)b)->name);
}

/* Put them in the order of their names, in which side_value() finds them. */
void side_sort(struct side_values *values)
{
	if (values->nr)
		qsort(values->list, values->nr, sizeof(*values->list), compare_names);
}

/* The number of that name; NULL: there is none. */
const struct side_value *side_value(const struct side_values *values, const char *name)
{
	struct side_value key = { .name = (char *)name };

	return values->nr ? bsearch(&key, values->list, values->nr, sizeof(*values->list),
				    compare_names) : NULL;
}

/* Does it say itself that something is missing? Hooks that a kernel lacks make numbers
 * unknown, and nothing is lost by them.
 */
bool side_lost(const struct side *side)
{
	size_t i;

	for (i = 0; i < side->lost.nr; i++)
		if (side->lost.list[i].value.known && side->lost.list[i].value.value > 0 &&
		    strcmp(side->lost.list[i].name, "hooks_missing"))
			return true;
	return false;
}

static void free_values(struct side_values *values)
{
	while (values->nr)
		free(values->list[--values->nr].name);
	free(values->list);
}

/* Forget a report. */
void side_free(struct side *side)
{
	size_t i;

	side_end(side);
	for (i = 0; i < side->nr; i++) {
		free(side->rows[i].within);
		file_free(&side->rows[i].file);
	}
	free(side->rows);
	for (i = 0; i < side->nr_verdicts; i++) {
		free(side->verdicts[i].name);
		free(side->verdicts[i].scope);
		free(side->verdicts[i].place);
	}
	free(side->verdicts);
	free_values(&side->machine);
	free_values(&side->lost);
	free_values(&side->settings);
	free(side->kernel);
	free(side->lru);
	free(side->wall);
	free(side->untrusted_what);
	*side = (struct side){};
}
