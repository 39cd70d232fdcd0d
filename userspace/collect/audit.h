/* SPDX-License-Identifier: GPL-2.0 */
/*
 * audit.h - independent counters to hold our sums against.
 */
#ifndef PCINSPECT_AUDIT_H
#define PCINSPECT_AUDIT_H

#include <stdint.h>

#include "model/report.h"

/**
 * struct pcinspect_cachestat - what cachestat(2) says of a file
 * @nr_cache: cached pages
 * @nr_dirty: dirty pages
 * @nr_writeback: pages under writeback
 * @nr_evicted: shadow entries
 * @nr_recently_evicted: those that would be refaults
 */
struct pcinspect_cachestat {
	uint64_t nr_cache;
	uint64_t nr_dirty;
	uint64_t nr_writeback;
	uint64_t nr_evicted;
	uint64_t nr_recently_evicted;
};

/**
 * struct pcinspect_sum - a number of ours and of cachestat(2) over some files
 * @files: how many
 * @ours: ours
 * @min: the smaller of cachestat's before and after the walk
 * @max: the larger
 */
struct pcinspect_sum {
	uint64_t files;
	uint64_t ours;
	uint64_t min;
	uint64_t max;
};

/**
 * struct pcinspect_tally - cachestat(2) beside the files of a report
 * @cached: pages
 * @dirty: pages, of files that are written back
 */
struct pcinspect_tally {
	struct pcinspect_sum cached;
	struct pcinspect_sum dirty;
};

int pcinspect_cachestat(int fd, struct pcinspect_cachestat *cs);
void pcinspect_losses_read(struct pcinspect_report *report, int device);
void pcinspect_losses_since(struct pcinspect_report *report,
			    const struct pcinspect_report *was);
void pcinspect_audit_report(struct pcinspect_report *report,
			    const struct pcinspect_tally *tally);

#endif /* PCINSPECT_AUDIT_H */
