// SPDX-License-Identifier: GPL-2.0
/*
 * audit.c - cachestat(2) (6.5 and later) and the mapping's own page count
 * beside the walk.
 *
 * cachestat on an overlayfs fd counts the overlay inode's empty mapping, so it
 * is never asked there.
 */
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "audit.h"
#include "disks.h"

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
 * pcinspect_losses_read() - ask the module what it could not count
 * @report: to which
 * @device: from pcinspect_device_open()
 */
void pcinspect_losses_read(struct pcinspect_report *report, int device)
{
	static struct pcinspect_devices rows;

	rows.size = sizeof(rows);
	if (ioctl(device, PCINSPECT_IOC_DEVICES, &rows))
		return;
	report->losses = (struct pcinspect_losses){
		.known = true,
		.windows = rows.lost_windows,
		.ledgers = rows.lost_ledgers,
		.frames = rows.lost_frames,
		.dirty_times = rows.lost_dirty_times,
		.probes_missed = rows.probes_missed,
		.hooks_missing = rows.hooks_missing,
	};
}

/*
 * What the ledgers say went in and out, against the change of the mappings' own
 * counts since the ledgers began.
 */
static void audit_ledgers(struct pcinspect_report *report)
{
	uint64_t ours = 0, low = 0, high = 0;
	bool any = false;
	size_t i;

	for (i = 0; i < report->nr_files; i++) {
		const struct pcinspect_file *file = &report->files[i];

		if (file->gone || !file->reads)
			continue;
		any = true;
		ours += file->reads->base_cached_pages +
			pcinspect_file_inserted(file) - pcinspect_file_removed(file);
		low += file->reads->cached_min_pages;
		high += file->reads->cached_max_pages;
	}
	if (any)
		pcinspect_report_audit(report, "inserted_minus_removed_pages",
				       ours, low, high, "address_space.nrpages");
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
	audit_ledgers(report);
	pcinspect_vmstat("nr_dirty_threshold", &report->dirty_threshold_pages);
	if (tally && tally->files)
		pcinspect_report_audit(report, "cached_pages", tally->ours,
				       tally->before, tally->after,
				       "cachestat(2)");
	if (tally && tally->dirty_files)
		pcinspect_report_audit(report, "dirty_pages", tally->dirty_ours,
				       tally->dirty_min, tally->dirty_max,
				       "cachestat(2)");
}
