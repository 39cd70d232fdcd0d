// SPDX-License-Identifier: GPL-2.0-only
/*
 * test_run_audit.c - what a run's audits say when the module counts wrongly: each of
 * the mistakes that once went by with every audit "ok".
 */
#include <stdlib.h>

#include "cmd/run_audit.h"
#include "model/report.h"
#include "test.h"

#define MB (1 << 20)

/* A run over a file on 254:16 that was read and synced, as it should be counted. */
static struct disks before, after;
static struct pcinspect_devices earlier, later;
static struct rusage usage;
static struct report report, was;
static struct run_moments at;
static struct pcinspect_fsync call;

static struct file *add_file(unsigned int major, unsigned int minor, const char *fs)
{
	struct file *file = report_add(&report, "/f");

	file->snap.dev_major = major;
	file->snap.dev_minor = minor;
	snprintf(file->snap.fs, sizeof(file->snap.fs), "%s", fs);
	return file;
}

static struct file *begin(void)
{
	struct file *file;

	before = after = (struct disks){};
	report = (struct report){ .devices_known = true, .page_size = 4096 };
	after.ours.nr_rows = 1;
	after.ours.rows[0] = (struct pcinspect_device_row){
		.dev_major = 254, .dev_minor = 16, .file_bytes = 4 * MB,
		.write_file_bytes = MB,
	};
	after.ours.run_read_bytes = 4 * MB;
	after.ours.run_write_bytes = MB;
	after.last.nr = 1;
	after.last.disks[0] = (struct disk){
		.major = 254, .minor = 16, .name = "none", .read_bytes = 4 * MB,
		.write_bytes = MB,
	};
	earlier = before.ours;
	later = after.ours;
	usage = (struct rusage){ .ru_inblock = 4 * MB / 512, .ru_oublock = MB / 512 };
	at = (struct run_moments){
		.earlier = &earlier, .before = &before, .after = &after, .later = &later,
		.usage = &usage, .stale_known = true,
	};
	file = add_file(254, 16, "ext4");
	know(&file->snap, PCINSPECT_DEVICE_BYTES, 4 * MB, PCINSPECT_DEVICE_WRITE_BYTES, MB, -1);
	call = (struct pcinspect_fsync){
		.flags = PCINSPECT_FSYNC_REQUESTS, .requests = 1, .request_bytes = MB,
	};
	file->fsyncs = malloc(sizeof(call));
	*file->fsyncs = call;
	file->nr_fsyncs = 1;
	return file;
}

/* The audits that fail, by name, with a space behind each. */
static const char *failing(void)
{
	static char names[512];
	size_t i;

	report.nr_audits = 0;
	disks_report(&report, &before, &after);
	run_audit(&report, &at, NULL);
	names[0] = '\0';
	for (i = 0; i < report.nr_audits; i++)
		if (!audit_ok(&report.audits[i]))
			snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s; ",
				 report.audits[i].what);
	return names;
}

static void end(void)
{
	report_free(&report);
}

int main(void)
{
	struct file *file;

	begin();
	CHECK_STR("counted as it should be", failing(), "");
	end();

	/* Swap-in of the buffer, taken for the file's: the sum of all devices is right. */
	file = begin();
	after.ours.nr_rows = 2;
	after.ours.rows[1] = (struct pcinspect_device_row){
		.dev_major = 254, .dev_minor = 32, .file_bytes = 2 * MB,
	};
	later = after.ours;
	know(&file->snap, PCINSPECT_DEVICE_BYTES, 6 * MB, -1);
	CHECK_STR("bytes from a disk that the file is not on", failing(),
		  "device_bytes of its files; device_bytes of the files shown; "
		  "device_bytes of its files; ");
	end();

	/* A page counts twice; what was dirty before may. */
	file = begin();
	at.dirtied_pages = 1 << 20;
	file->snap.flags |= PCINSPECT_F_LEDGER;
	file->snap.nr_numbers = PCINSPECT_NR_NUMBERS;
	know(&file->snap, PCINSPECT_DIRTIED_PAGES, 1 << 20, -1);
	CHECK_STR("pages that became dirty", failing(), "");
	know(&file->snap, PCINSPECT_DIRTIED_PAGES, 2 << 20, -1);
	CHECK_STR("pages that became dirty, each counted twice", failing(),
		  "dirtied_pages of all files; ");
	after.ours.lost_dirty_times = 1;
	CHECK_STR("and times were lost", failing(), "");
	end();

	/* The same from a disk whose own row is empty. */
	file = begin();
	file->snap.dev_minor = 48;
	CHECK_STR("a file on a disk that did nothing", failing(),
		  "device_bytes of its files; device_write_bytes of its files; "
		  "device_bytes of its files; device_bytes of the files shown; "
		  "device_write_bytes of its files; ");
	end();

	/* Another program reads a file of its own, until after the files are listed. */
	begin();
	after.ours.rows[0].file_bytes = 9 * MB;
	after.last.disks[0].read_bytes = 9 * MB;
	later.rows[0].file_bytes = 12 * MB;
	*report_add_name(&report) = *add_file(254, 16, "ext4");
	report.nr_files--;
	know(&report.names[0].snap, PCINSPECT_DEVICE_BYTES, 7 * MB, -1);
	after.ours.run_read_bytes = 4 * MB;
	CHECK_STR("a file of others", failing(), "");
	CHECK("its bytes are others'", report.devices[0].row.file_bytes == 4 * MB &&
	      report.devices[0].row.other_file_bytes == 5 * MB);
	know(&report.names[0].snap, PCINSPECT_DEVICE_BYTES, MB, -1);
	know(&report.files[0].snap, PCINSPECT_DEVICE_BYTES, 2 * MB, -1);
	CHECK_STR("less is shown than the device read for it", failing(),
		  "device_bytes of all files; device_bytes of its files; "
		  "device_bytes of the files shown; ");
	end();

	/* A loop device that passes pages on: counted above and below. */
	file = begin();
	know(&file->snap, PCINSPECT_DEVICE_WRITE_BYTES, 2 * MB, -1);
	CHECK_STR("written twice", failing(), "device_write_bytes of its files; ");
	end();

	/* btrfs may have its data anywhere, and is known by no device. */
	file = begin();
	file->snap.dev_major = 0;
	file->snap.known[PCINSPECT_DEVICE_WRITE_BYTES / 64] &=
		~(1ULL << PCINSPECT_DEVICE_WRITE_BYTES % 64);
	CHECK_STR("a filesystem on several devices", failing(), "");
	end();

	/* Workers that are no tasks of the run. */
	begin();
	after.ours.run_read_bytes = MB;
	CHECK_STR("a worker that reads", failing(), "bytes read by its tasks; ");
	after.ours.run_read_bytes = 9 * MB;
	after.ours.run_write_bytes = 0;
	CHECK_STR("a worker that writes", failing(), "bytes written by its tasks; ");
	/* Or pages of a server that somebody else had inserted, by a fault each. */
	after.ours.run_read_bytes = 0;
	know(&add_file(0, 50, "nfs4")->snap, PCINSPECT_FAULTS, 4 * MB / 4096 - 1, -1);
	CHECK_STR("more than there were faults", failing(),
		  "bytes read by its tasks; bytes written by its tasks; ");
	know(&add_file(0, 50, "nfs4")->snap, PCINSPECT_FAULTS, 1, -1);
	CHECK_STR("no more than there were faults", failing(), "bytes written by its tasks; ");
	/* The kernel accounts to them what a server sends. */
	know(&add_file(0, 50, "nfs4")->snap, PCINSPECT_INSERTED_SYNC, 1, -1);
	CHECK_STR("a file without a device", failing(), "");
	end();

	/* A layer of requests that issues each again. */
	file = begin();
	file->fsyncs->request_bytes = 2 * MB;
	CHECK_STR("requests counted twice", failing(), "fsync request_bytes; ");
	file->fsyncs->time_ns = 200;
	file->fsyncs->duration_ns = 100;
	at.begun_ns = 200;
	at.ended_ns = 300;
	CHECK_STR("in a call of the run", failing(), "fsync request_bytes; ");
	at.ended_ns = 299;
	CHECK_STR("in one that had not ended", failing(), "");
	at.begun_ns = 201;
	at.ended_ns = 300;
	CHECK_STR("in one that had begun before", failing(), "");
	at.begun_ns = 0;
	file->fsyncs->flags = 0;
	CHECK_STR("requests that are unknown", failing(), "");
	end();

	/* The I/O of a deleted file, on its own and in the sum of its filesystem. */
	file = begin();
	file->snap.flags = PCINSPECT_F_LEDGER;
	know(&file->snap, PCINSPECT_ENDED_PAGES, 256, PCINSPECT_FSYNCS_TOTAL, 1, -1);
	after.ours.written_file_pages = later.written_file_pages = 256;
	after.ours.fsync_calls = later.fsync_calls = 1;
	CHECK_STR("a living file has all", failing(), "");
	after.ours.written_file_pages = later.written_file_pages = 320;
	after.ours.fsync_calls = later.fsync_calls = 64;
	CHECK_STR("a deleted file took its part along", failing(),
		  "written_pages of all files; fsync calls of all files; ");
	file = add_file(254, 16, "ext4");
	file->snap.flags = PCINSPECT_F_LEDGER | PCINSPECT_F_DELETED;
	know(&file->snap, PCINSPECT_DEVICE_BYTES, 0, PCINSPECT_DEVICE_WRITE_BYTES, 0,
	     PCINSPECT_ENDED_PAGES, 32, PCINSPECT_FSYNCS_TOTAL, 3, -1);
	file = report_add_gone(&report);
	file->snap = (struct pcinspect_snapshot){
		.flags = PCINSPECT_F_GONE | PCINSPECT_F_LEDGER, .gone_inodes = 2,
		.dev_major = 254, .dev_minor = 16, .fs = "ext4",
	};
	know(&file->snap, PCINSPECT_DEVICE_BYTES, 0, PCINSPECT_DEVICE_WRITE_BYTES, 0,
	     PCINSPECT_ENDED_PAGES, 32, PCINSPECT_FSYNCS_TOTAL, 60, -1);
	CHECK_STR("it is listed, others are in a sum", failing(), "");
	know(&file->snap, PCINSPECT_DEVICE_WRITE_BYTES, MB, -1);
	CHECK_STR("the sum has more than the device's row", failing(),
		  "device_write_bytes of its files; ");
	know(&file->snap, PCINSPECT_DEVICE_WRITE_BYTES, 0, PCINSPECT_FSYNCS_TOTAL, 61, -1);
	CHECK_STR("or more calls than there were", failing(), "fsync calls of all files; ");
	know(&file->snap, PCINSPECT_FSYNCS_TOTAL, 60, -1);
	/* Files without a ledger went as well: what they did is unknown, and not the run's. */
	file = report_add_gone(&report);
	file->snap = report.gone[0].snap;
	file->snap.flags = PCINSPECT_F_GONE;
	memset(file->snap.known, 0, sizeof(file->snap.known));
	after.ours.rows[0].write_file_bytes = later.rows[0].write_file_bytes = 2 * MB;
	CHECK_STR("files of others went", failing(),
		  "device_write_bytes; device_write_bytes of its files; ");
	after.ours.rows[0].write_file_bytes = later.rows[0].write_file_bytes = MB;
	/* Before the run 3 had gone, 2 of them without a ledger. */
	report_add_gone(&was)->snap = report.gone[1].snap;
	report_add_gone(&was)->snap = report.gone[0].snap;
	was.gone[1].snap.gone_inodes = 1;
	know(&was.gone[1].snap, PCINSPECT_FSYNCS_TOTAL, 7, -1);
	run_subtract_gone(&report, &was);
	CHECK("those before the run, each in its row", report.nr_gone == 1 &&
	      report.gone[0].snap.gone_inodes == 1 &&
	      number_of(&report.gone[0], PCINSPECT_FSYNCS_TOTAL) == 60);
	report_free(&was);
	end();

	/* Where fsync(2) is not seen, less is no fault. */
	file = begin();
	file->snap.flags = PCINSPECT_F_LEDGER;
	know(&file->snap, PCINSPECT_ENDED_PAGES, 256, -1);
	after.ours.written_file_pages = later.written_file_pages = 256;
	after.ours.fsync_calls = later.fsync_calls = 5;
	CHECK_STR("calls that are unknown", failing(), "");
	end();

	/* A filesystem's module came, or came again, unseen. */
	begin();
	at.stale = 1;
	CHECK_STR("a hook on a function that is gone", failing(), "hooks out of date; ");
	end();

	/* The same from a swap file beside it: no row is wrong but the sum of what was swapped. */
	file = begin();
	before.swap_known = after.swap_known = true;
	after.swapped_min_pages.in = after.swapped_max_pages.in = 512;
	after.ours.rows[0].swap_bytes = 2 * MB;
	after.last.disks[0].read_bytes = 6 * MB;
	CHECK_STR("swap-in is what the kernel has counted", failing(), "");
	after.ours.rows[0].swap_bytes = 0;
	after.ours.rows[0].file_bytes = 6 * MB;
	after.ours.run_read_bytes = 6 * MB;
	later = after.ours;
	know(&file->snap, PCINSPECT_DEVICE_BYTES, 6 * MB, -1);
	CHECK_STR("swap-in that a file has", failing(), "swap_bytes of all; ");
	after.swapped_min_pages.out = after.swapped_max_pages.out = 512;
	CHECK_STR("and swap-out that is taken for the log", failing(),
		  "swap_bytes of all; write_swap_bytes of all; ");
	before.swap_known = false;
	CHECK_STR("swap that is read without bios", failing(), "");
	end();

	/* A task that was forked when a run ended. */
	begin();
	at.left = 1;
	CHECK_STR("a task of an earlier run", failing(), "tasks of an earlier run; ");
	end();

	/* A bio that no probe saw. */
	begin();
	before.paged_in_min_kib = before.paged_in_max_kib = 1000;
	after.paged_in_min_kib = after.paged_in_max_kib = 1000 + 4 * 1024;
	CHECK_STR("all that was handed over", failing(), "");
	after.paged_in_min_kib = after.paged_in_max_kib = 1000 + 5 * 1024;
	CHECK_STR("more than any row has", failing(), "device_read_bytes of all; ");
	after.ours.refused_bytes = MB;
	CHECK_STR("but for what came twice", failing(), "");
	end();
	return !!test_failures;
}
