/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * own_sums.h - sums that the numbers and lists of one file must have.
 */
#ifndef PCINSPECT_OWN_SUMS_H
#define PCINSPECT_OWN_SUMS_H

#include <stdint.h>

struct file;

enum own_sum {
	OWN_DEMANDED,		/* tasks, in bytes */
	OWN_DIRTIED,		/* tasks, in pages, as all that follow */
	OWN_RECLAIMED,		/* evictors */
	OWN_REMOVED,		/* removers */
	OWN_CHARGED,		/* cgroups */
	OWN_REQUESTS,		/* sizes of requests of fsync calls, in bytes */
	OWN_ENDED,		/* ends of writeback without a beginning */
	NR_OWN_SUMS
};

/**
 * struct own_sums - of the files that do not add up
 * @ours: what their lists add up to
 * @theirs: what they should
 */
struct own_sums {
	uint64_t ours[NR_OWN_SUMS];
	uint64_t theirs[NR_OWN_SUMS];
};

void own_sums_add(struct own_sums *sums, const struct file *file);

#endif /* PCINSPECT_OWN_SUMS_H */
