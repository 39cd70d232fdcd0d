/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * residency.h - pages that save found cached, and that restore read, by file.
 */
#ifndef PCINSPECT_MODEL_RESIDENCY_H
#define PCINSPECT_MODEL_RESIDENCY_H

#include <stdbool.h>

#include "model/field.h"
#include "model/ranges.h"

/* enum residency_state - what became of a file */
enum residency_state {
	RESIDENCY_DONE,		/* it was saved, or all that was wanted is cached */
	RESIDENCY_PARTLY,	/* some of it is not cached */
	RESIDENCY_CHANGED,	/* it is not what was saved: nothing of it was read */
	RESIDENCY_FAILED,	/* it could not be opened or read */
};

/**
 * struct residency_row - one file
 * @path: of it
 * @state: what became of it
 * @size_bytes: of it
 * @saved_pages: that are, or were, cached
 * @list_pages: of those, by list; RANGE_ANY_LIST: their list is unknown
 * @ranges: that they are
 * @cached_before_pages: of @saved_pages, cached before anything was read
 * @read_pages: read
 * @missing_pages: of @saved_pages, not cached at the end
 * @before: all that was cached before; memory of restore
 * @looked: that is known
 */
struct residency_row {
	char *path;
	enum residency_state state;
	uint64_t size_bytes;
	uint64_t saved_pages;
	uint64_t list_pages[RANGE_ANY_LIST + 1];
	uint64_t ranges;
	uint64_t cached_before_pages;
	uint64_t read_pages;
	uint64_t missing_pages;
	struct ranges before;
	bool looked;
};

/**
 * struct residency - all of a command
 * @rows: by file
 * @nr: how many
 * @room: allocated
 */
struct residency {
	struct residency_row *rows;
	size_t nr;
	size_t room;
};

/**
 * struct restore - a restore
 * @saved: what was cached
 * @residency: a row for each file of it
 * @budget_bytes: to be read at most
 * @spare: only into memory that is free
 * @granted_bytes: of that, known to be free
 * @stopped: why it ended before the end; NULL: it did not
 * @device_bytes: read from disks; PCINSPECT_UNKNOWN
 * @come_pages: that were not cached before, those that were dropped again among them
 * @cached_pages: of all files at the end, by mincore(2)
 * @counted_pages: of the same, by cachestat(2); PCINSPECT_UNKNOWN
 */
struct restore {
	const struct saved_files *saved;
	struct residency residency;
	uint64_t budget_bytes;
	bool spare;
	uint64_t granted_bytes;
	const char *stopped;
	uint64_t device_bytes;
	uint64_t come_pages;
	uint64_t cached_pages;
	uint64_t counted_pages;
};

extern const struct fields saved_fields;
extern const struct fields restored_fields;

struct residency_row *residency_add(struct residency *residency, const struct saved_file *file);
void residency_sum(const struct residency *residency, struct residency_row *sum);
void residency_free(struct residency *residency);

#endif /* PCINSPECT_MODEL_RESIDENCY_H */
