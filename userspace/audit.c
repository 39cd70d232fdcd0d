// SPDX-License-Identifier: GPL-2.0
/*
 * audit.c - cachestat(2) (6.5 and later) and the mapping's own page count
 * beside the walk.
 *
 * cachestat on an overlayfs fd counts the overlay inode's empty mapping, so it
 * is never asked there.
 */
#include <sys/syscall.h>
#include <unistd.h>

#include "audit.h"

#ifndef SYS_cachestat
#define SYS_cachestat 451
#endif

/**
 * pcinspect_cachestat() - cachestat(2) of a whole file
 * @fd: open file
 * @cs: filled in
 *
 * Return: 0, or -1 with errno set (ENOSYS before 6.5).
 */
int pcinspect_cachestat(int fd, struct pcinspect_cachestat *cs)
{
	struct { uint64_t off, len; } range = { 0, 0 };

	return syscall(SYS_cachestat, fd, &range, cs, 0);
}

/**
 * pcinspect_audit_report() - add the rows every report has
 * @report: to which; all its files are there
 * @tally: cachestat's sums, if any file was asked
 *
 * The mapping's own count (address_space.nrpages) is kept by the kernel with
 * every insertion and removal, apart from the entries the walk meets.
 */
void pcinspect_audit_report(struct pcinspect_report *report,
			    const struct pcinspect_tally *tally)
{
	uint64_t ours = 0, theirs = 0;
	size_t i;

	for (i = 0; i < report->nr_files; i++) {
		if (report->files[i].gone)
			continue;
		ours += report->files[i].snap.pages.cached;
		theirs += report->files[i].snap.pages.nrpages;
	}
	pcinspect_report_audit(report, "cached_pages", ours, theirs, theirs,
			       "address_space.nrpages");
	if (tally && tally->files)
		pcinspect_report_audit(report, "cached_pages", tally->ours,
				       tally->before, tally->after,
				       "cachestat(2)");
}
