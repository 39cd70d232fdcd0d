// SPDX-License-Identifier: GPL-2.0
/*
 * run_audit.c - the sums of a run beside the counters of the devices and of the
 * kernel. Touches memory only.
 */
#include <string.h>

#include "cmd/run_audit.h"
#include "collect/device.h"

/* Bytes of gone rows, by filesystem before the run; the rows themselves after. */
static uint64_t gone_bytes(const struct report *report)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < report->nr_gone; i++)
		sum += number_of(&report->gone[i], PCINSPECT_DEVICE_BYTES);
	return sum;
}

/**
 * run_subtract_gone() - gone rows are sums since load: take off what
 *	was there before
 * @report: after the run
 * @old: before it
 */
void run_subtract_gone(struct report *report, const struct report *old)
{
	size_t i, k, n, kept = 0;

	for (i = 0; i < report->nr_gone; i++) {
		struct pcinspect_snapshot *snap = &report->gone[i].snap;

		for (k = 0; k < old->nr_gone; k++) {
			const struct pcinspect_snapshot *was = &old->gone[k].snap;

			if (was->dev_major != snap->dev_major ||
			    was->dev_minor != snap->dev_minor ||
			    strcmp(was->fs, snap->fs))
				continue;
			snap->gone_inodes -= was->gone_inodes;
			for (n = 0; n < PCINSPECT_NR_NUMBERS; n++)
				snap->numbers[n] -= was->numbers[n];
		}
		if (snap->gone_inodes)
			report->gone[kept++] = report->gone[i];
	}
	report->nr_gone = kept;
}

/* Pages whose writeback ended, of any file, against the kernel's count. */
static void audit_written(struct report *report,
			  const struct disks *before,
			  const struct disks *after)
{
	const struct pcinspect_devices *a = &before->ours, *b = &after->ours;

	report->written_known = true;
	report->written_file_pages = b->written_file_pages - a->written_file_pages;
	report->written_other_pages = b->written_other_pages - a->written_other_pages;
	if (!before->written_max_pages || !after->written_max_pages)
		return;
	report_add_audit(report, "written_pages", report->written_file_pages +
			 report->written_other_pages,
			 after->written_min_pages - before->written_max_pages,
			 after->written_max_pages - before->written_min_pages,
			 "nr_written of /proc/vmstat");
}

/* The last row is of this device. */
static void of_device(struct report *report,
		      const struct pcinspect_device_row *row)
{
	struct audit *a = &report->audits[report->nr_audits - 1];

	a->major = row->dev_major;
	a->minor = row->dev_minor;
}

/**
 * run_audit() - hold a run's sums against the devices' counters
 * @report: of the run, its devices filled in
 * @listed: device bytes of all its files
 * @before: the counters when it began
 * @after: and when it had ended
 * @most: file bytes of the module's rows from before the ledgers began until its
 *	files were listed
 */
void run_audit(struct report *report, uint64_t listed, const struct disks *before,
	       const struct disks *after, uint64_t most)
{
	size_t i, k;

	for (i = 0; i < report->nr_devices; i++) {
		struct device *device = &report->devices[i];
		const struct pcinspect_device_row *row = &device->row;
		uint64_t ours = row->file_bytes + row->other_file_bytes +
				row->metadata_bytes + row->direct_bytes +
				row->unattributed_bytes;

		for (k = 0; k < report->nr_gone; k++)
			if (report->gone[k].snap.dev_major == row->dev_major &&
			    report->gone[k].snap.dev_minor == row->dev_minor)
				device->gone_bytes += number_of(&report->gone[k],
								PCINSPECT_DEVICE_BYTES);
		/* Ours are by partition: beside theirs they say nothing. */
		if (device->partitions)
			continue;
		report_add_audit(report, "device_read_bytes", ours,
				 device->read.min_bytes, device->read.max_bytes,
				 "/proc/diskstats");
		of_device(report, row);
		/* More than 1 % for nobody: the attribution is not to be trusted. */
		report_add_audit(report, "unattributed_bytes", row->unattributed_bytes, 0,
				 device->read.bytes / 100, "1 % of /proc/diskstats");
		of_device(report, row);
		report_add_audit(report, "device_write_bytes", row->write_file_bytes +
				 row->write_other_file_bytes + row->write_direct_bytes +
				 row->write_log_bytes, device->written.min_bytes,
				 device->written.max_bytes, "/proc/diskstats");
		of_device(report, row);
	}
	report_add_audit(report, "device_bytes of all files", listed + gone_bytes(report),
			 disks_file_bytes(&after->ours) - disks_file_bytes(&before->ours),
			 most, "the devices' rows");
	audit_written(report, before, after);
}
