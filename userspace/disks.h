/* SPDX-License-Identifier: GPL-2.0 */
/*
 * disks.h - the block devices' own counters, beside ours.
 */
#ifndef PCINSPECT_DISKS_H
#define PCINSPECT_DISKS_H

#include <stdint.h>
#include <stdio.h>

#include "model.h"

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
 * struct pcinspect_disks - all counters at one moment
 * @disks: the kernel's
 * @nr: how many
 * @written_min_pages: nr_written of /proc/vmstat before the module was asked
 * @written_max_pages: and after; 0: unknown
 * @ours: the module's rows
 */
struct pcinspect_disks {
	struct pcinspect_disk disks[PCINSPECT_NR_DISKS];
	size_t nr;
	uint64_t written_min_pages;
	uint64_t written_max_pages;
	struct pcinspect_devices ours;
};

bool pcinspect_vmstat(const char *name, uint64_t *value);
size_t pcinspect_diskstats(FILE *from, struct pcinspect_disk *disks, size_t room);
int pcinspect_disks_read(struct pcinspect_disks *disks, int device);
void pcinspect_disks_settle(void);
void pcinspect_disks_report(struct pcinspect_report *report,
			    const struct pcinspect_disks *before,
			    const struct pcinspect_disks *after);

#endif /* PCINSPECT_DISKS_H */
