/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * recording.h - a trace.dat as a report.
 */
#ifndef PCINSPECT_RECORDING_H
#define PCINSPECT_RECORDING_H

#include "lib/wall.h"
#include "model/report.h"
#include "model/timeline.h"

/**
 * struct recording - a trace.dat, and what of it is wanted
 * @path: of the file
 * @since: what happened before is not wanted; NULL: all is
 * @until: likewise after it
 * @since_ns: when that is, CLOCK_MONOTONIC, filled in
 * @until_ns: likewise
 * @begin_ns: when it begins, filled in
 * @end_ns: when its last state is of
 * @timeline: its events by time, filled in and to be freed; NULL: not wanted
 */
struct recording {
	const char *path;
	const struct moment *since;
	const struct moment *until;
	uint64_t since_ns;
	uint64_t until_ns;
	uint64_t begin_ns;
	uint64_t end_ns;
	struct timeline *timeline;
};

int recording_load(struct recording *recording, struct report *report, bool count);
void recording_cut(const struct recording *recording, struct report *report);
int recording_print(const struct recording *recording, struct report *report);

#endif /* PCINSPECT_RECORDING_H */
