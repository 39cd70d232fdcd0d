// SPDX-License-Identifier: GPL-2.0
/*
 * disks.c - what a run read from each block device: the module's rows beside
 * /proc/diskstats. Touches /proc and the device of the module.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

#include "disks.h"

/**
 * pcinspect_diskstats() - parse /proc/diskstats
 * @from: it
 * @disks: filled in
 * @room: how many there is room for
 *
 * Return: how many were filled in.
 */
size_t pcinspect_diskstats(FILE *from, struct pcinspect_disk *disks, size_t room)
{
	char *line = NULL;
	size_t size = 0, n = 0;

	while (n < room && getline(&line, &size, from) > 0) {
		struct pcinspect_disk *disk = &disks[n];
		uint64_t sectors, written;

		/* major minor name reads merged sectors ms writes merged sectors ms inflight */
		if (sscanf(line, "%u %u %31s %*u %*u %" SCNu64
			   " %*u %*u %*u %" SCNu64 " %*u %" SCNu64,
			   &disk->major, &disk->minor, disk->name, &sectors,
			   &written, &disk->inflight) != 6)
			continue;
		disk->read_bytes = sectors * 512;
		disk->write_bytes = written * 512;
		n++;
	}
	free(line);
	return n;
}

/**
 * pcinspect_vmstat() - a counter of /proc/vmstat
 * @name: which
 * @value: set to it
 *
 * Return: false if there is none.
 */
bool pcinspect_vmstat(const char *name, uint64_t *value)
{
	FILE *from = fopen("/proc/vmstat", "re");
	bool found = false;
	char key[64];

	if (!from)
		return false;
	while (!found && fscanf(from, "%63s %" SCNu64, key, value) == 2)
		found = !strcmp(key, name);
	fclose(from);
	return found;
}

/* What every CPU has counted, not only what it has handed in. */
static uint64_t read_written(void)
{
	FILE *refresh = fopen("/proc/sys/vm/stat_refresh", "re");
	uint64_t value = 0;

	if (refresh) {
		fgetc(refresh);
		fclose(refresh);
	}
	return pcinspect_vmstat("nr_written", &value) ? value : 0;
}

/**
 * pcinspect_disks_read() - all counters now
 * @disks: filled in
 * @device: from pcinspect_device_open()
 *
 * Return: 0, or -1 with errno set.
 */
int pcinspect_disks_read(struct pcinspect_disks *disks, int device)
{
	FILE *from = fopen("/proc/diskstats", "re");

	disks->nr = 0;
	if (from) {
		disks->nr = pcinspect_diskstats(from, disks->disks,
						PCINSPECT_NR_DISKS);
		fclose(from);
	}
	disks->written_min_pages = read_written();
	disks->ours.size = sizeof(disks->ours);
	if (ioctl(device, PCINSPECT_IOC_DEVICES, &disks->ours))
		return -1;
	disks->written_max_pages = read_written();
	return 0;
}

/**
 * pcinspect_disks_settle() - wait until what was submitted has been counted
 *
 * Disks count a request when it ends; readahead may still be under way when a
 * command has ended. Two seconds at most.
 */
void pcinspect_disks_settle(void)
{
	static struct pcinspect_disk disks[PCINSPECT_NR_DISKS];
	const struct timespec pause = { .tv_nsec = 20 * 1000 * 1000 };
	uint64_t busy = 1;
	int tries;

	for (tries = 0; busy && tries < 100; tries++) {
		FILE *from = fopen("/proc/diskstats", "re");
		size_t i, n;

		if (!from)
			return;
		n = pcinspect_diskstats(from, disks, PCINSPECT_NR_DISKS);
		fclose(from);
		for (busy = i = 0; i < n; i++)
			busy += disks[i].inflight;
		if (busy)
			nanosleep(&pause, NULL);
	}
}

static const struct pcinspect_disk *find_disk(const struct pcinspect_disks *disks,
					      unsigned int major, unsigned int minor)
{
	size_t i;

	for (i = 0; i < disks->nr; i++)
		if (disks->disks[i].major == major && disks->disks[i].minor == minor)
			return &disks->disks[i];
	return NULL;
}

static struct pcinspect_device_row row_of(const struct pcinspect_devices *ours,
					  unsigned int major, unsigned int minor)
{
	struct pcinspect_device_row none = { .dev_major = major, .dev_minor = minor };
	unsigned int i;

	for (i = 0; i < ours->nr_rows; i++)
		if (ours->rows[i].dev_major == major && ours->rows[i].dev_minor == minor)
			return ours->rows[i];
	return none;
}

/**
 * pcinspect_disks_report() - devices and their audit between two moments
 * @report: to which
 * @before: first moment
 * @after: second
 *
 * A device that the module has no row of is left out.
 */
void pcinspect_disks_report(struct pcinspect_report *report,
			    const struct pcinspect_disks *before,
			    const struct pcinspect_disks *after)
{
	unsigned int i;
	size_t k;

	report->nr_devices = 0;
	for (k = 0; k < after->nr && report->nr_devices < PCINSPECT_NR_DEVICES; k++) {
		const struct pcinspect_disk *disk = &after->disks[k], *was;
		struct pcinspect_device *device = &report->devices[report->nr_devices];
		struct pcinspect_device_row a, b;

		a = row_of(&before->ours, disk->major, disk->minor);
		b = row_of(&after->ours, disk->major, disk->minor);
		was = find_disk(before, disk->major, disk->minor);
		memset(device, 0, sizeof(*device));
		device->row = b;
		device->row.file_bytes -= a.file_bytes;
		device->row.other_file_bytes -= a.other_file_bytes;
		device->row.metadata_bytes -= a.metadata_bytes;
		device->row.direct_bytes -= a.direct_bytes;
		device->row.unattributed_bytes -= a.unattributed_bytes;
		device->row.write_file_bytes -= a.write_file_bytes;
		device->row.write_other_file_bytes -= a.write_other_file_bytes;
		device->row.write_direct_bytes -= a.write_direct_bytes;
		device->row.write_log_bytes -= a.write_log_bytes;
		device->theirs = disk->read_bytes - (was ? was->read_bytes : 0);
		device->theirs_written = disk->write_bytes -
					 (was ? was->write_bytes : 0);
		snprintf(device->name, sizeof(device->name), "%s", disk->name);
		/* I/O to a partition is the partition's row, and its disk's counter. */
		for (i = 0; i < after->ours.nr_rows; i++)
			if (after->ours.rows[i].dev_major == disk->major &&
			    after->ours.rows[i].dev_minor == disk->minor)
				report->nr_devices++;
	}
}
