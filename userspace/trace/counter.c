// SPDX-License-Identifier: GPL-2.0-only
/*
 * counter.c - events by kind and file: for each event one search in a tree of what was
 * counted so far, so that a million events of a thousand files are no matter.
 * Touches memory only.
 */
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "trace/counter.h"

/* struct place - of a file's events of one kind in the list */
struct place {
	struct counter *counter;
	size_t file;
	int name;
	size_t at;
};

static int compare(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	x->counter->compared++;
	if (x->file != y->file)
		return x->file < y->file ? -1 : 1;
	return x->name < y->name ? -1 : x->name > y->name;
}

/**
 * counter_name() - a kind of events
 * @counter: which
 * @system: of trace events
 * @name: of the event
 *
 * Return: its number; -1: there are too many kinds.
 */
int counter_name(struct counter *counter, const char *system, const char *name)
{
	size_t i;

	for (i = 0; i < counter->nr_names; i++)
		if (!strcmp(counter->names[i].name, name) &&
		    !strcmp(counter->names[i].system, system))
			return i;
	if (i == COUNTER_NAMES)
		return -1;
	counter->names[i].system = alloc_copy(system);
	counter->names[i].name = alloc_copy(name);
	counter->nr_names++;
	return i;
}

/* Append to the list. Returns its place. */
static size_t append(struct counter *counter, size_t file, int name)
{
	struct event_counts *counts = counter->counts;

	counts->list = alloc_room(counts->list, counts->nr, &counts->room, sizeof(*counts->list));
	counts->list[counts->nr] = (struct event_count){
		.system = alloc_copy(counter->names[name].system),
		.name = alloc_copy(counter->names[name].name),
		.file = file,
	};
	return counts->nr++;
}

/**
 * counter_add() - one more event
 * @counter: which
 * @file: its place in the report
 * @name: from counter_name(), not -1
 */
void counter_add(struct counter *counter, size_t file, int name)
{
	struct place key = { counter, file, name, 0 }, **found, *place;

	counter->counts->total++;
	found = tfind(&key, &counter->found, compare);
	if (found) {
		place = *found;
	} else {
		place = alloc_array(NULL, 1, sizeof(*place));
		*place = key;
		place->at = append(counter, file, name);
		alloc_got(tsearch(place, &counter->found, compare));
	}
	counter->counts->list[place->at].events++;
}

/* Free what a counter is made of; what it has counted stays. */
void counter_free(struct counter *counter)
{
	tdestroy(counter->found, free);
	while (counter->nr_names) {
		free(counter->names[--counter->nr_names].system);
		free(counter->names[counter->nr_names].name);
	}
	counter->found = NULL;
}
