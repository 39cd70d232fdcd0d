// SPDX-License-Identifier: GPL-2.0
/*
 * writes.c - figures that follow from a file's write ledger. Touches memory only.
 */
#include "model/writes.h"

/**
 * writes_throttled_ns() - how long writers slept in balance_dirty_pages()
 * @writes: of which inode
 *
 * Return: nanoseconds.
 */
uint64_t writes_throttled_ns(const struct pcinspect_writes *writes)
{
	uint64_t sum = 0;
	int i;

	for (i = 0; i < PCINSPECT_NR_LIMITS; i++)
		sum += writes->throttled_ns[i];
	return sum;
}

/**
 * writes_throttle_limit() - whose limit made them sleep for most of it
 * @report: with the global threshold
 * @writes: of which inode
 *
 * Where the kernel did not say whether the threshold was a cgroup's, one well
 * below the global threshold can only be that.
 *
 * Return: a word, or NULL: nobody slept, or it cannot be known.
 */
const char *writes_throttle_limit(const struct report *report,
				     const struct pcinspect_writes *writes)
{
	static const char *const names[PCINSPECT_NR_LIMITS] = {
		NULL, "cgroup", "global", "device",
	};
	int i, most = 0;
	uint64_t global;

	for (i = 1; i < PCINSPECT_NR_LIMITS; i++)
		if (writes->throttled_ns[i] > writes->throttled_ns[most])
			most = i;
	if (!writes->throttled_ns[most])
		return NULL;
	if (most || !report_setting(report, DIRTY_THRESHOLD, &global))
		return names[most];
	if (writes->thresh_max_pages < global - global / 4)
		return "cgroup";
	return writes->thresh_min_pages >= global - global / 10 ? "global" : NULL;
}

/**
 * writes_mean_ns() - how long pages were under writeback
 * @writes: of which inode
 * @ns: set to the mean over pages
 *
 * Return: false if it is unknown, or nothing was written.
 */
bool writes_mean_ns(const struct pcinspect_writes *writes,
				 uint64_t *ns)
{
	if (!(writes->flags & PCINSPECT_WRITES_TIME) || !writes->written_pages)
		return false;
	*ns = writes->writeback_ns / writes->written_pages;
	return true;
}
