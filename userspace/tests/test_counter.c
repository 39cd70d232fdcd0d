// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_counter.c - counting events costs the same for each, however many files and
 * kinds there are: a million events of a thousand files, decided by comparisons.
 */
#include <stdlib.h>

#include "test.h"
#include "trace/counter.h"

#define FILES	1000
#define KINDS	30
#define EVENTS	1000000

int main(void)
{
	struct event_counts counts = {};
	struct counter counter = { .counts = &counts };
	uint64_t sum = 0, uneven = 0;
	char name[16];
	size_t i;

	for (i = 0; i < KINDS; i++) {
		snprintf(name, sizeof(name), "kind%zu", i);
		if (counter_name(&counter, "filemap", name) != (int)i)
			return 1;
	}
	CHECK("a kind that is known", counter_name(&counter, "filemap", "kind7") == 7);
	CHECK("one of another system", counter_name(&counter, "writeback", "kind7") == KINDS);
	for (i = 0; i < EVENTS; i++)
		counter_add(&counter, i % FILES, i / FILES % KINDS);
	for (i = 0; i < counts.nr; i++) {
		sum += counts.list[i].events;
		uneven += counts.list[i].events < EVENTS / FILES / KINDS ||
			  counts.list[i].events > EVENTS / FILES / KINDS + 1;
	}
	CHECK("each file and kind once", counts.nr == FILES * KINDS);
	CHECK("all events", counts.total == EVENTS && sum == EVENTS && !uneven);
	CHECK("in the order in which they came", counts.list[1].file == 1 &&
	      !strcmp(counts.list[FILES].name, "kind1"));
	/* Twice the height of a balanced tree of 30,000. */
	CHECK("a search in a tree for each", counter.compared < EVENTS * 36ULL);
	counter_free(&counter);
	for (i = 0; i < COUNTER_NAMES; i++)
		if (counter_name(&counter, "s", (snprintf(name, sizeof(name), "%zu", i), name)) < 0)
			break;
	CHECK("room for many kinds", i == COUNTER_NAMES);
	CHECK("and then no more", counter_name(&counter, "s", "one more") == -1);
	counter_free(&counter);
	for (i = 0; i < counts.nr; i++) {
		free(counts.list[i].system);
		free(counts.list[i].name);
	}
	free(counts.list);
	return test_failures != 0;
}
