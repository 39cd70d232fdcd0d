// SPDX-License-Identifier: GPL-2.0-only
/*
 * writes.c - figures that follow from a file's write ledger. Touches memory only.
 */
#include "model/writes.h"

/* How long writers slept in balance_dirty_pages(). Returns nanoseconds. */
uint64_t writes_throttled_ns(const struct file *file)
{
	uint64_t sum;

	numbers_sum(file, PCINSPECT_THROTTLED_UNKNOWN_NS, PCINSPECT_NR_LIMITS, &sum);
	return sum;
}

/**
 * writes_throttle_limit() - whose limit made them sleep for most of it
 * @report: with the global threshold
 * @file: which
 *
 * Where the kernel did not say whether the threshold was a cgroup's, one well
 * below the global threshold can only be that.
 *
 * Return: a word, or NULL: nobody slept, or it cannot be known.
 */
const char *writes_throttle_limit(const struct report *report, const struct file *file)
{
	uint64_t global, ns, longest = 0;
	int i, most = 0;

	for (i = 0; i < PCINSPECT_NR_LIMITS; i++) {
		ns = number_of(file, pcinspect_throttled_by(i));
		if (ns > longest) {
			longest = ns;
			most = i;
		}
	}
	if (!longest)
		return NULL;
	if (most != PCINSPECT_LIMIT_UNKNOWN)
		return pcinspect_limit_word(most);
	if (!report_setting(report, DIRTY_THRESHOLD, &global))
		return NULL;
	if (number_of(file, PCINSPECT_THRESH_MAX_PAGES) < global - global / 4)
		return "cgroup";
	return number_of(file, PCINSPECT_THRESH_MIN_PAGES) >= global - global / 10 ?
		"global" : NULL;
}

/**
 * writes_mean_ns() - how long pages were under writeback
 * @file: which
 * @ns: set to the mean over pages
 *
 * Return: false if it is unknown, or nothing was written.
 */
bool writes_mean_ns(const struct file *file, uint64_t *ns)
{
	uint64_t total, pages = number_of(file, PCINSPECT_WRITTEN_PAGES);

	if (!pages || !file_number(file, PCINSPECT_WRITEBACK_NS, &total))
		return false;
	*ns = total / pages;
	return true;
}
