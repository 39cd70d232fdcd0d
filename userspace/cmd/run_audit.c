// SPDX-License-Identifier: GPL-2.0-only
/*
 * run_audit.c - the sums of a run beside the counters of the devices and of the
 * kernel. Touches memory only.
 */
#include <string.h>
#include <unistd.h>

#include "cmd/run_audit.h"
#include "collect/device.h"

/* Bytes that all records had read from devices: shown, of others, and gone. */
static uint64_t all_bytes(const struct report *report)
{
	uint64_t sum = 0;
	size_t i;

	for (i = 0; i < report->nr_files; i++)
		sum += number_of(&report->files[i], PCINSPECT_DEVICE_BYTES);
	for (i = 0; i < report->nr_names; i++)
		sum += number_of(&report->names[i], PCINSPECT_DEVICE_BYTES);
	for (i = 0; i < report->nr_gone; i++)
		sum += number_of(&report->gone[i], PCINSPECT_DEVICE_BYTES);
	return sum;
}

/**
 * run_subtract_gone() - gone rows are sums since load: take off what
 *	was there before; what ledgers counted begins with the run
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
			    (was->flags ^ snap->flags) & PCINSPECT_F_LEDGER ||
			    strcmp(was->fs, snap->fs))
				continue;
			snap->gone_inodes -= was->gone_inodes;
			for (n = 0; n < PCINSPECT_FIRST_OF_LEDGER; n++)
				snap->numbers[n] -= was->numbers[n];
		}
		if (snap->gone_inodes)
			report->gone[kept++] = report->gone[i];
	}
	report->nr_gone = kept;
}

/**
 * run_find_unmounted() - of which files that are gone the filesystem is gone as well
 * @report: after the run
 * @mounts: the mount table, after CMD
 *
 * The kernel's own mounts are in no table.
 */
void run_find_unmounted(struct report *report, struct libmnt_table *mounts)
{
	static const char *const own[] = { "bdev", "tmpfs", "hugetlbfs" };
	size_t i, k;

	for (i = 0; i < report->nr_gone; i++) {
		struct file *gone = &report->gone[i];
		const struct pcinspect_snapshot *snap = &gone->snap;

		gone->unmounted = snap->flags & PCINSPECT_F_LEDGER &&
				  (snap->dev_major || snap->dev_minor) &&
				  !mounts_have(mounts, snap->dev_major, snap->dev_minor);
		for (k = 0; k < sizeof(own) / sizeof(*own); k++)
			if (!strcmp(snap->fs, own[k]))
				gone->unmounted = false;
	}
}

/* Pages whose writeback ended, of any file, against the kernel's count. */
static void audit_written(struct report *report,
			  const struct disks *before,
			  const struct disks *after)
{
	const struct pcinspect_devices *a = &before->ours, *b = &after->ours;

	report->written_known = b->written_file_pages != PCINSPECT_UNKNOWN;
	if (!report->written_known)
		return;
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

/* A row is of this device. */
static void of_device(struct audit *audit, unsigned int major, unsigned int minor)
{
	audit->major = major;
	audit->minor = minor;
}

/* The bytes that files got of a device: by their own numbers, and by its row. */
struct got {
	unsigned int major;
	unsigned int minor;
	uint64_t read;
	uint64_t written;
	uint64_t other_read;	/* of these, by files that are not shown */
	uint64_t other_written;
	bool unknown;	/* of some it is unknown what they wrote */
};

#define NR_GOT (2 * PCINSPECT_NR_DEVICES)

/**
 * struct gots - the same of all devices
 * @list: those that files are on
 * @nr: how many
 * @anywhere: of files whose filesystem is on several devices, or says none
 */
struct gots {
	struct got list[NR_GOT];
	size_t nr;
	struct got anywhere;
};

static struct got *got_of(struct gots *gots, unsigned int major, unsigned int minor)
{
	size_t i;

	for (i = 0; i < gots->nr; i++)
		if (gots->list[i].major == major && gots->list[i].minor == minor)
			return &gots->list[i];
	if (gots->nr == NR_GOT)
		return &gots->anywhere;
	gots->list[gots->nr] = (struct got){ .major = major, .minor = minor };
	return &gots->list[gots->nr++];
}

/* Can a filesystem's data be on devices that it is not named by? */
static bool anywhere(const struct pcinspect_snapshot *snap, struct libmnt_table *mounts)
{
	return !snap->dev_major || !strcmp(snap->fs, "f2fs") ||
	       (!strcmp(snap->fs, "xfs") &&
		!mounts_one_device(mounts, snap->dev_major, snap->dev_minor));
}

static void get(struct gots *gots, const struct file *file, struct libmnt_table *mounts,
		bool shown)
{
	const struct pcinspect_snapshot *snap = &file->snap;
	bool known = number_known(file, PCINSPECT_DEVICE_WRITE_BYTES);
	uint64_t read = number_of(file, PCINSPECT_DEVICE_BYTES);
	uint64_t written = number_of(file, PCINSPECT_DEVICE_WRITE_BYTES);
	struct got *got;

	/* Files that the run did nothing to. */
	if (snap->flags & PCINSPECT_F_GONE && !(snap->flags & PCINSPECT_F_LEDGER))
		return;
	if (!read && !written && known)
		return;
	got = anywhere(snap, mounts) ? &gots->anywhere :
				       got_of(gots, snap->dev_major, snap->dev_minor);
	got->read += read;
	got->written += written;
	if (!shown) {
		got->other_read += read;
		got->other_written += written;
	}
	if (!known)
		got->unknown = true;
}

/* Are all rows of other devices? Then what its files got is in none. */
static bool no_row(const struct pcinspect_devices *ours, const struct got *got)
{
	unsigned int n;

	for (n = 0; n < ours->nr_rows; n++)
		if (ours->rows[n].dev_major == got->major && ours->rows[n].dev_minor == got->minor)
			return false;
	return ours->nr_rows == PCINSPECT_NR_DEVICES;
}

/*
 * Move what files that are not shown got from "files" of a device to "other files": what
 * is left is what is shown, as far as the row allows. @all: of the row when the command
 * had ended; @most: when the files had been listed. Files that are not shown may have got
 * more between these moments.
 */
static void split_others(__u64 *files, __u64 *others, uint64_t all, uint64_t other,
			     uint64_t most, uint64_t shown)
{
	uint64_t least = disks_more(all, other);

	if (!other)
		return;
	most = disks_more(most, other);
	if (most > all)
		most = all;
	shown = shown < least ? least : shown > most ? most : shown;
	*others += *files - shown;
	*files = shown;
}

/*
 * The bytes read of the files that are shown, against the part of the device's row that is
 * not of others.
 */
static void audit_shown(struct report *report, const struct got *got, uint64_t least,
			uint64_t most)
{
	uint64_t shown = got->read - got->other_read;
	struct device *device = NULL;
	struct audit *audit;
	size_t i;

	for (i = 0; i < report->nr_devices; i++)
		if (report->devices[i].row.dev_major == got->major &&
		    report->devices[i].row.dev_minor == got->minor)
			device = &report->devices[i];
	if (!device)
		return;
	audit = report_add_audit(report, "device_bytes of the files shown", shown,
				 disks_more(least, got->other_read),
				 disks_more(most, got->other_read), "the device's row");
	of_device(audit, got->major, got->minor);
	split_others(&device->row.file_bytes, &device->row.other_file_bytes,
		     device->row.file_bytes, got->other_read, most, shown);
	split_others(&device->row.write_file_bytes, &device->row.write_other_file_bytes,
		     device->row.write_file_bytes, got->other_written,
		     device->row.write_file_bytes, got->written - got->other_written);
}

/*
 * Per device, what files got against its row. Bytes that a file got from a device
 * that its filesystem is not on (as swap is not) are too many here and too few there,
 * and only the sum of all is right.
 */
static void audit_files(struct report *report, const struct run_moments *at,
			struct libmnt_table *mounts)
{
	static struct gots gots;
	struct audit *audit;
	unsigned int n;
	size_t i;

	gots = (struct gots){};
	for (i = 0; i < report->nr_files; i++)
		get(&gots, &report->files[i], mounts, true);
	for (i = 0; i < report->nr_names; i++)
		get(&gots, &report->names[i], mounts, false);
	for (i = 0; i < report->nr_gone; i++)
		get(&gots, &report->gone[i], mounts, true);
	for (n = 0; n < at->later->nr_rows; n++)
		got_of(&gots, at->later->rows[n].dev_major, at->later->rows[n].dev_minor);
	for (i = 0; i < gots.nr; i++) {
		const struct got *got = &gots.list[i];
		struct pcinspect_device_row first, begun, ended, last;
		uint64_t least, most;

		if (no_row(at->later, got))
			continue;
		first = disks_row(at->earlier, got->major, got->minor);
		begun = disks_row(&at->before->ours, got->major, got->minor);
		ended = disks_row(&at->after->ours, got->major, got->minor);
		last = disks_row(at->later, got->major, got->minor);
		least = disks_more(ended.file_bytes, begun.file_bytes);
		most = disks_since(last.file_bytes, first.file_bytes);
		/* Nothing of files here. */
		if (!got->read && !most && !got->written &&
		    !disks_since(last.write_file_bytes, first.write_file_bytes))
			continue;
		least = disks_more(least, gots.anywhere.read);
		audit = report_add_audit(report, "device_bytes of its files", got->read,
					 least, most, "the device's row");
		of_device(audit, got->major, got->minor);
		audit_shown(report, got, least, most);
		least = disks_more(ended.write_file_bytes, begun.write_file_bytes);
		most = disks_since(last.write_file_bytes, first.write_file_bytes);
		if (got->unknown || gots.anywhere.unknown)
			least = 0;
		least = disks_more(least, gots.anywhere.written);
		audit = report_add_audit(report, "device_write_bytes of its files", got->written,
					 least, most, "the device's row");
		of_device(audit, got->major, got->minor);
	}
}

/* @faults: those on them are added. */
static bool any_remote(const struct file *files, size_t nr, uint64_t *faults)
{
	bool any = false;
	size_t i;

	for (i = 0; i < nr; i++) {
		if (number_known(&files[i], PCINSPECT_DEVICE_BYTES))
			continue;
		any |= file_inserted(&files[i]) || number_of(&files[i], PCINSPECT_DIRTIED_PAGES);
		*faults += number_of(&files[i], PCINSPECT_FAULTS);
	}
	return any;
}

/*
 * Did it read or write files of which the kernel accounts bytes without a device? @faults:
 * set to those on such files: one on a page that somebody else has inserted, and that is
 * not up to date, reads it (filemap_fault(), mm/filemap.c, 7.2).
 */
static bool has_remote(const struct report *report, uint64_t *faults)
{
	*faults = 0;
	return any_remote(report->files, report->nr_files, faults) |
	       any_remote(report->names, report->nr_names, faults) |
	       any_remote(report->gone, report->nr_gone, faults);
}

/*
 * The kernel's account of CMD and those of its children that were waited for: they
 * are tasks of the run, their threads and workers as well.
 */
static void audit_tasks(struct report *report, const struct run_moments *at)
{
	const struct pcinspect_devices *a = &at->before->ours, *b = &at->after->ours;
	uint64_t faults, read = (uint64_t)at->usage->ru_inblock * 512;

	if (has_remote(report, &faults) || !report->devices_known)
		return;
	faults *= report->page_size;
	report_audit_least(report, "bytes read by its tasks",
			   b->run_read_bytes - a->run_read_bytes,
			   read > faults ? read - faults : 0, "getrusage(2)");
	report_audit_least(report, "bytes written by its tasks",
			   b->run_write_bytes - a->run_write_bytes,
			   (uint64_t)at->usage->ru_oublock * 512, "getrusage(2)");
}

/* A number of all files there are, or were: listed, deleted, gone, and of no list. */
struct sum {
	uint64_t sum;
	bool unknown;	/* of some it is unknown */
};

static void sum_up(struct sum *sum, const struct file *files, size_t nr,
		   enum pcinspect_number number)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		const struct pcinspect_snapshot *snap = &files[i].snap;

		/* Filesystems that found no row of their own. */
		if (snap->flags & PCINSPECT_F_GONE && !snap->dev_major && !snap->dev_minor)
			sum->unknown = true;
		/* The kernel's writeback of block devices is metadata's. */
		if (!(snap->flags & PCINSPECT_F_LEDGER) ||
		    (number == PCINSPECT_ENDED_PAGES && snap->flags & PCINSPECT_F_BLOCK_DEVICE))
			continue;
		/* Known of the file or not: both sides saw the same. */
		sum->sum += number_counted(&files[i], number);
		if (snap->nr_numbers <= number)
			sum->unknown = true;
	}
}

static struct sum sum_of_all(const struct report *report, enum pcinspect_number number)
{
	struct sum sum = { .unknown = report->skipped };

	sum_up(&sum, report->files, report->nr_files, number);
	sum_up(&sum, report->names, report->nr_names, number);
	sum_up(&sum, report->gone, report->nr_gone, number);
	return sum;
}

/*
 * Bytes written back and synced, by files, against the counts kept apart from files: no
 * file was lost with its part.
 */
static void audit_complete(struct report *report, const struct run_moments *at)
{
	const struct pcinspect_devices *a = &at->before->ours, *b = &at->after->ours;
	struct sum sum = sum_of_all(report, PCINSPECT_ENDED_PAGES);

	if (report->written_known)
		report_add_audit(report, "written_pages of all files", sum.sum, sum.unknown ? 0 :
				 disks_more(b->written_file_pages, a->written_file_pages),
				 disks_since(at->later->written_file_pages,
					     at->earlier->written_file_pages),
				 "folio_end_writeback()");
	sum = sum_of_all(report, PCINSPECT_FSYNCS_TOTAL);
	report_add_audit(report, "fsync calls of all files", sum.sum, sum.unknown ? 0 :
			 disks_more(b->fsync_calls, a->fsync_calls),
			 disks_since(at->later->fsync_calls, at->earlier->fsync_calls),
			 "the calls that ended");
}

/* Cleared to be written, and made dirty again, on each CPU: a large folio. */
#define REDIRTIED_PAGES	512

/*
 * No more pages became dirty than the kernel counted. One that was dirty before the run
 * has no time, and counts when it is made dirty again (folio_redirty_for_writepage()).
 */
static void audit_dirtied(struct report *report, const struct run_moments *at)
{
	struct sum sum = sum_of_all(report, PCINSPECT_DIRTIED_PAGES);

	if (sum.sum && at->dirtied_pages &&
	    at->after->ours.lost_dirty_times == at->before->ours.lost_dirty_times)
		report_audit_most(report, "dirtied_pages of all files", sum.sum,
				  at->dirtied_pages +
				  REDIRTIED_PAGES * sysconf(_SC_NPROCESSORS_ONLN),
				  "nr_dirtied of /proc/vmstat");
}

/*
 * Requests with data of files are no more than what disks wrote, legs of mirrors too.
 * A call of somebody else that was under way when the run began or ended had some of its
 * requests before, or has them afterwards.
 */
static void audit_fsyncs(struct report *report, const struct run_moments *at)
{
	uint64_t bytes = 0, most;
	bool any = false;
	size_t i, k;

	for (i = 0; i < report->nr_files; i++)
		for (k = 0; k < report->files[i].nr_fsyncs; k++) {
			const struct pcinspect_fsync *call = &report->files[i].fsyncs[k];

			if (!(call->flags & PCINSPECT_FSYNC_REQUESTS) ||
			    call->time_ns < at->begun_ns ||
			    call->time_ns + call->duration_ns > at->ended_ns)
				continue;
			any = true;
			bytes += call->request_bytes;
		}
	if (any && disks_bottom_written(at->before, at->after, &most))
		report_audit_most(report, "fsync request_bytes", bytes, most, "/proc/diskstats");
}

/* Every read that was handed over was seen, whatever device it was of. */
static void audit_paged_in(struct report *report, const struct run_moments *at)
{
	const struct disks *before = at->before, *after = at->after;
	struct audit *audit;
	uint64_t ours = 0;
	unsigned int n;

	if (!before->paged_in_max_kib || !after->paged_in_max_kib ||
	    !report->devices_known)
		return;
	for (n = 0; n < after->ours.nr_rows; n++) {
		const struct pcinspect_device_row *row = &after->ours.rows[n];
		struct pcinspect_device_row was;

		was = disks_row(&before->ours, row->dev_major, row->dev_minor);
		ours += disks_row_read(row) - disks_row_read(&was);
	}
	ours += after->ours.lost_bytes - before->ours.lost_bytes;
	/* Counted as it is submitted, there. */
	ours += after->ours.refused_bytes - before->ours.refused_bytes;
	audit = report_add_audit(report, "device_read_bytes of all", ours,
				 (after->paged_in_min_kib - before->paged_in_max_kib) * 1024,
				 (after->paged_in_max_kib - before->paged_in_min_kib) * 1024,
				 "pgpgin of /proc/vmstat");
	/* It is of whole KiB. */
	audit->slack = 1024;
}

/* Being read from swap, or written to it, on any CPU while the counters are read. */
#define SWAPPED_MEANWHILE	(1 << 20)

static void audit_swapped(struct report *report, const char *what, uint64_t ours, uint64_t least,
			  uint64_t most, const char *source)
{
	if (ours || most)
		report_add_audit(report, what, ours, least * report->page_size,
				 most * report->page_size, source)->slack = SWAPPED_MEANWHILE;
}

/* Swapped-out pages of programs belong to no file. */
static void audit_swap(struct report *report, const struct disks *before,
		       const struct disks *after)
{
	const struct disks_swapped *min = &after->swapped_min_pages;
	const struct disks_swapped *max = &after->swapped_max_pages;
	uint64_t in = 0, out = 0;
	unsigned int n;

	if (!before->swap_known || !after->swap_known || !report->devices_known)
		return;
	for (n = 0; n < after->ours.nr_rows; n++) {
		const struct pcinspect_device_row *row = &after->ours.rows[n];
		struct pcinspect_device_row was =
			disks_row(&before->ours, row->dev_major, row->dev_minor);

		in += row->swap_bytes - was.swap_bytes;
		out += row->write_swap_bytes - was.write_swap_bytes;
	}
	audit_swapped(report, "swap_bytes of all", in,
		      disks_more(min->in, before->swapped_max_pages.in),
		      max->in - before->swapped_min_pages.in, "pswpin of /proc/vmstat");
	audit_swapped(report, "write_swap_bytes of all", out,
		      disks_more(min->out, before->swapped_max_pages.out),
		      max->out - before->swapped_min_pages.out, "pswpout of /proc/vmstat");
}

/* Each device's own counter against its row. */
static void audit_devices(struct report *report)
{
	size_t i, k;

	for (i = 0; i < report->nr_devices; i++) {
		struct device *device = &report->devices[i];
		const struct pcinspect_device_row *row = &device->row;
		uint64_t written = disks_row_written(row);
		struct audit *audit;
		const char *theirs;

		for (k = 0; k < report->nr_gone; k++)
			if (report->gone[k].snap.dev_major == row->dev_major &&
			    report->gone[k].snap.dev_minor == row->dev_minor) {
				device->gone_bytes += number_of(&report->gone[k],
								PCINSPECT_DEVICE_BYTES);
				device->gone_write_bytes +=
					number_of(&report->gone[k],
						  PCINSPECT_DEVICE_WRITE_BYTES);
			}
		/* Ours are by partition: beside theirs they say nothing. */
		if (device->partitions || device->silent)
			continue;
		/* And here theirs have what other devices pass on. */
		if (device->layered) {
			audit = report_audit_most(report, "device_read_bytes", disks_row_read(row),
						  device->read.max_bytes, "/proc/diskstats");
			of_device(audit, row->dev_major, row->dev_minor);
			audit = report_audit_most(report, "device_write_bytes", written,
						  device->written.max_bytes, "/proc/diskstats");
			of_device(audit, row->dev_major, row->dev_minor);
			continue;
		}
		theirs = device->late ? "/proc/diskstats, at most" : "/proc/diskstats";
		audit = report_add_audit(report, "device_read_bytes", disks_row_read(row),
					 device->read.min_bytes, device->read.max_bytes, theirs);
		of_device(audit, row->dev_major, row->dev_minor);
		/* More than 1 % for nobody: the attribution is not to be trusted. */
		audit = report_add_audit(report, "unattributed_bytes", row->unattributed_bytes, 0,
					 device->read.bytes / 100, "1 % of /proc/diskstats");
		of_device(audit, row->dev_major, row->dev_minor);
		audit = report_add_audit(report, "device_write_bytes", written,
					 device->written.min_bytes, device->written.max_bytes,
					 theirs);
		of_device(audit, row->dev_major, row->dev_minor);
	}
}

/**
 * run_audit() - hold a run's sums against counters of others
 * @report: of the run, its devices filled in; what others got becomes "other files"
 * @at: the moments
 * @mounts: the mount table
 */
void run_audit(struct report *report, const struct run_moments *at,
	       struct libmnt_table *mounts)
{
	audit_devices(report);
	audit_paged_in(report, at);
	audit_swap(report, at->before, at->after);
	/* Of what has no row, all may be of files. */
	if (report->devices_known)
		report_add_audit(report, "device_bytes of all files", all_bytes(report),
				 disks_file_bytes(&at->after->ours) -
				 disks_file_bytes(&at->before->ours),
				 disks_since(disks_file_bytes(at->later),
					     disks_file_bytes(at->earlier)) +
				 disks_since(at->later->lost_bytes, at->earlier->lost_bytes),
				 "the devices' rows");
	if (report->devices_known)
		audit_files(report, at, mounts);
	audit_tasks(report, at);
	audit_written(report, at->before, at->after);
	audit_complete(report, at);
	audit_dirtied(report, at);
	audit_fsyncs(report, at);
	if (at->stale_known)
		report_audit_most(report, "hooks out of date", at->stale, 0,
				  "the kernel's symbols");
	/* Only what should not be there is worth a line. */
	if (at->left)
		report_audit_most(report, "tasks of an earlier run", at->left, 0,
				  "runs that have ended");
}
