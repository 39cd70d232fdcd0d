// SPDX-License-Identifier: GPL-2.0
/*
 * side.c - one of two reports that are compared, as it is filled. Touches memory only.
 */
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
