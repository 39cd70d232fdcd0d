/* SPDX-License-Identifier: GPL-2.0 */
/*
 * audit.h - independent counters to hold our sums against.
 */
#ifndef PCINSPECT_AUDIT_H
#define PCINSPECT_AUDIT_H

#include <stdint.h>

#include "model.h"

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
 * struct pcinspect_tally - cachestat(2) summed over the files of a report
 * @files: how many files are in the sum
 * @ours: our cached pages of these files
 * @before: cachestat's before the walk
 * @after: and after it
 * @dirty_files: how many files are in the next sums
 * @dirty_ours: our dirty pages of these
 * @dirty_min: cachestat's, the smaller of before and after
 * @dirty_max: the larger
 */
struct pcinspect_tally {
	uint64_t files;
	uint64_t ours;
	uint64_t before;
	uint64_t after;
	uint64_t dirty_files;
	uint64_t dirty_ours;
	uint64_t dirty_min;
	uint64_t dirty_max;
};

int pcinspect_cachestat(int fd, struct pcinspect_cachestat *cs);
void pcinspect_losses_read(struct pcinspect_report *report, int device);
void pcinspect_audit_report(struct pcinspect_report *report,
			    const struct pcinspect_tally *tally);

#endif /* PCINSPECT_AUDIT_H */
