/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * counter.h - events by kind and file, however many there are of each.
 */
#ifndef PCINSPECT_COUNTER_H
#define PCINSPECT_COUNTER_H

#include "model/report.h"

#define COUNTER_NAMES 512

/**
 * struct counter - what event_counts is being filled by
 * @counts: it
 * @names: kinds of events, each once however many buffers have it
 * @nr_names: how many
 * @found: places in @counts, a tree of tsearch(3)
 * @compared: comparisons so far
 */
struct counter {
	struct event_counts *counts;
	struct {
		char *system;
		char *name;
	} names[COUNTER_NAMES];
	size_t nr_names;
	void *found;
	uint64_t compared;
};

int counter_name(struct counter *counter, const char *system, const char *name);
void counter_add(struct counter *counter, size_t file, int name);
void counter_free(struct counter *counter);

#endif /* PCINSPECT_COUNTER_H */
