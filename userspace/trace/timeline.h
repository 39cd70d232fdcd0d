/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * timeline.h - the events of a recording, by time.
 */
#ifndef PCINSPECT_TRACE_TIMELINE_H
#define PCINSPECT_TRACE_TIMELINE_H

#include <event-parse.h>

#include "model/timeline.h"

void timeline_begin(struct timeline *timeline, uint64_t begin_ns, uint64_t end_ns,
		    size_t nr_files);
void timeline_event(struct timeline *timeline, struct tep_event *event,
		    struct tep_record *record, size_t file);
void timeline_free(struct timeline *timeline);

#endif /* PCINSPECT_TRACE_TIMELINE_H */
