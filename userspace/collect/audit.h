/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * audit.h - independent counters to hold our sums against.
 */
#ifndef PCINSPECT_AUDIT_H
#define PCINSPECT_AUDIT_H

#include <stdint.h>

#include "model/report.h"

/**
 * struct audit_cachestat - what cachestat(2) says of a file
 * @nr_cache: cached pages
 * @nr_dirty: dirty pages
 * @nr_writeback: pages under writeback
 * @nr_evicted: shadow entries
 * @nr_recently_evicted: those that would be refaults
 */
struct audit_cachestat {
	uint64_t nr_cache;
	uint64_t nr_dirty;
	uint64_t nr_writeback;
	uint64_t nr_evicted;
	uint64_t nr_recently_evicted;
};

/**
 * struct audit_sum - a number of ours and of cachestat(2) over some files
 * @files: how many
 * @ours: ours
 * @min: the smaller of cachestat's before and after the walk
 * @max: the larger
 */
struct audit_sum {
	uint64_t files;
	uint64_t ours;
	uint64_t min;
	uint64_t max;
};

/**
 * struct audit_sums - cachestat(2) beside the files of a report
 * @cached: pages
 * @dirty: pages, of files that are written back
 * @writeback: likewise
 * @evicted: shadow entries, of files that leave any
 */
struct audit_sums {
	struct audit_sum cached;
	struct audit_sum dirty;
	struct audit_sum writeback;
	struct audit_sum evicted;
};

int audit_cachestat(int fd, struct audit_cachestat *cs);
void losses_read(struct report *report, int device);
void losses_since(struct report *report, const struct report *was);
void audit_own_sums(struct report *report, const struct own_sums *sums);
void audit_all(struct report *report, const struct audit_sums *tally);

#endif /* PCINSPECT_AUDIT_H */
