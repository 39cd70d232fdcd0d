/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * chart.h - numbers of each file over time, and which of them is charted.
 */
#ifndef PCINSPECT_SCREEN_CHART_H
#define PCINSPECT_SCREEN_CHART_H

#include <stddef.h>
#include <stdint.h>

#include "screen/watch.h"

#define CHART_TICKS	1024	/* kept of each file */
#define CHART_UNKNOWN	UINT64_MAX

/**
 * enum chart_number - what is kept of a tick
 */
enum chart_number {
	CHART_CACHED,	/* pages, then */
	CHART_HITS,	/* bytes since the tick before, at least: not from the device */
	CHART_INSERTED,	/* pages since the tick before */
	CHART_DIRTY,	/* pages, then */
	CHART_NUMBERS,
};

/* One tick of one file. */
struct chart_sample {
	uint64_t numbers[CHART_NUMBERS];
};

/* The last ticks of one file. */
struct chart_past {
	uint64_t id;
	size_t nr;
	size_t newest;
	struct chart_sample samples[CHART_TICKS];
};

/**
 * struct chart_history - the past of every file
 * @files: by index in the report; NULL: none yet
 * @nr_files: how many
 */
struct chart_history {
	struct chart_past **files;
	size_t nr_files;
};

void chart_take(struct chart_history *history, const struct watch *watch);
size_t chart_cells(const struct chart_past *past, enum chart_number number,
		   unsigned int ticks, uint64_t *cells, size_t n);
void chart_free(struct chart_history *history);

#endif /* PCINSPECT_SCREEN_CHART_H */
