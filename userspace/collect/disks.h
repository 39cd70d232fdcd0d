/* SPDX-License-Identifier: GPL-2.0 */
/*
 * disks.h - the block devices' own counters, beside ours.
 */
#ifndef PCINSPECT_DISKS_H
#define PCINSPECT_DISKS_H

#include <stdint.h>
#include <stdio.h>

#include "model/report.h"

/**
 * struct pcinspect_disk - one line of /proc/diskstats
 * @major: device
 * @minor: device
 * @name: of it
 * @read_bytes: read since boot
 * @write_bytes: written since boot
 * @inflight: requests under way
 */
struct pcinspect_disk {
	unsigned int major;
	unsigned int minor;
	char name[32];
	uint64_t read_bytes;
	uint64_t write_bytes;
	uint64_t inflight;
};

#define PCINSPECT_NR_DISKS 256

/**
 * struct pcinspect_disk_list - /proc/diskstats at one moment
 * @disks: its lines
 * @nr: how many
 */
struct pcinspect_disk_list {
	struct pcinspect_disk disks[PCINSPECT_NR_DISKS];
	size_t nr;
};

/**
 * struct pcinspect_disks - all counters around one moment
 *
 * A disk counts a request when it ends, the module when it is submitted: what the
 * module has counted at @ours is no less than what the disks had at @first, and,
 * once all has ended, no more than what they have at @last.
 *
 * @first: the kernel's, before the module was asked
 * @last: and afterwards, when what was under way had ended
 * @written_min_pages: nr_written of /proc/vmstat before the module was asked
 * @written_max_pages: and after; 0: unknown
 * @ours: the module's rows
 */
struct pcinspect_disks {
	struct pcinspect_disk_list first;
	struct pcinspect_disk_list last;
	uint64_t written_min_pages;
	uint64_t written_max_pages;
	struct pcinspect_devices ours;
};

bool pcinspect_vmstat(const char *name, uint64_t *value);
size_t pcinspect_diskstats(FILE *from, struct pcinspect_disk *disks, size_t room);
int pcinspect_disks_begin(struct pcinspect_disks *disks, int device);
int pcinspect_disks_read(struct pcinspect_disks *disks,
			 const struct pcinspect_disks *since, int device);
uint64_t pcinspect_disks_file_bytes(const struct pcinspect_devices *ours);
void pcinspect_disks_report(struct pcinspect_report *report,
			    const struct pcinspect_disks *before,
			    const struct pcinspect_disks *after);

#endif /* PCINSPECT_DISKS_H */
