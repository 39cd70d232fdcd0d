/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * readers.h - the processes that had pages read, by file, and those that evicted or dirtied
 * them, between two ticks.
 */
#ifndef PCINSPECT_MODEL_READERS_H
#define PCINSPECT_MODEL_READERS_H

#include <stdbool.h>
#include <stddef.h>

#include "model/field.h"
#include "uapi/pcinspect.h"

/**
 * struct reader - a process and a file
 * @row: what the module said; its pages are of one CPU, or summed up
 * @path: of the file; NULL: nobody knows
 * @elsewhere: within its filesystem, which is not mounted here
 * @comm: of the process, as it is called now; empty: it has gone
 * @major_faults: of the process, of whatever file, since it began, or since the tick
 *	before; PCINSPECT_UNKNOWN
 */
struct reader {
	struct pcinspect_reader row;
	char *path;
	bool elsewhere;
	char comm[PCINSPECT_COMM_LEN + 1];
	uint64_t major_faults;
};

/**
 * struct readers - all of one tick, by CPU
 * @list: always in the same places
 * @nr: how many; 0: unknown
 * @inserted_pages: by all processes, as counted right after; PCINSPECT_UNKNOWN
 */
struct readers {
	struct reader *list;
	size_t nr;
	uint64_t inserted_pages;
};

/* The I/O of a process on a file. */
enum reader_kind {
	READER_READS,
	READER_EVICTS,
	READER_WRITES,
	READER_NR_KINDS
};

extern const struct fields reader_fields[READER_NR_KINDS];

size_t readers_since(const struct readers *now, const struct readers *before,
		     enum reader_kind kind, struct reader *to);
struct reader *readers_evictor(const struct readers *all, const struct reader *reader);
void readers_free(struct readers *readers);

#endif /* PCINSPECT_MODEL_READERS_H */
