/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * disks.h - the block devices' own counters, beside ours.
 */
#ifndef PCINSPECT_DISKS_H
#define PCINSPECT_DISKS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/keyfile.h"
#include "model/report.h"

/**
 * struct disk - one line of /proc/diskstats
 * @major: device
 * @minor: device
 * @name: of it
 * @read_bytes: read since boot
 * @write_bytes: written since boot
 * @reads: requests that have ended
 * @writes: likewise
 * @read_ms: how long those took, all together
 * @write_ms: likewise
 * @inflight: requests under way
 * @silent: its queue counts nothing (iostats is 0), or not yet (a suspended dm device, one
 *	that hangs, or whose user's cgroup has to wait)
 * @late: after disks_read(): something that the module had counted is still under way
 */
struct disk {
	unsigned int major;
	unsigned int minor;
	char name[32];
	uint64_t read_bytes;
	uint64_t write_bytes;
	uint64_t reads;
	uint64_t writes;
	uint64_t read_ms;
	uint64_t write_ms;
	uint64_t inflight;
	bool silent;
	bool late;
};

#define NR_DISKS 4096

/**
 * struct disk_list - /proc/diskstats at one moment
 * @disks: its lines
 * @nr: how many
 */
struct disk_list {
	struct disk disks[NR_DISKS];
	size_t nr;
};

/* struct disks_swapped - pswpin and pswpout of /proc/vmstat */
struct disks_swapped {
	uint64_t in;
	uint64_t out;
};

/**
 * struct disks - all counters around one moment
 *
 * A disk counts a request when it ends, the module when it is submitted: what the
 * module has counted at @ours is no less than what the disks had at @first, and,
 * once all has ended, no more than what they have at @last.
 *
 * @first: the kernel's, before the module was asked
 * @last: and afterwards, when what was under way had ended
 * @written_min_pages: nr_written of /proc/vmstat before the module was asked
 * @written_max_pages: and after; 0: unknown
 * @paged_in_min_kib: pgpgin of /proc/vmstat before the module was asked
 * @paged_in_max_kib: and after; 0: unknown
 * @paged_out_min_kib: pgpgout, likewise
 * @paged_out_max_kib: and after
 * @swap_known: what is read from swap is read from disks, and counted
 * @swapped_min_pages: of swap, before the module was asked
 * @swapped_max_pages: and after
 * @ours: the module's rows
 */
struct disks {
	struct disk_list first;
	struct disk_list last;
	uint64_t written_min_pages;
	uint64_t written_max_pages;
	uint64_t paged_in_min_kib;
	uint64_t paged_in_max_kib;
	uint64_t paged_out_min_kib;
	uint64_t paged_out_max_kib;
	bool swap_known;
	struct disks_swapped swapped_min_pages;
	struct disks_swapped swapped_max_pages;
	struct pcinspect_devices ours;
};

uint64_t disks_dirtied(uint64_t *dirty);
bool swaps_on_disks(struct keyfile *from);
size_t diskstats_read(struct keyfile *from, struct disk *disks, size_t room, bool *more);
int disks_begin(struct disks *disks, int device);
int disks_read(struct disks *disks, const struct disks *since, int device);
struct pcinspect_device_row disks_row(const struct pcinspect_devices *ours,
				      unsigned int major, unsigned int minor);
uint64_t disks_row_read(const struct pcinspect_device_row *row);
uint64_t disks_row_written(const struct pcinspect_device_row *row);
uint64_t disks_more(uint64_t now, uint64_t then);
uint64_t disks_since(uint64_t now, uint64_t then);
bool disks_bottom_written(const struct disks *before, const struct disks *after,
			  uint64_t *bytes);
bool disks_known(const struct pcinspect_devices *ours);
uint64_t disks_file_bytes(const struct pcinspect_devices *ours);
void disks_report(struct report *report,
		  const struct disks *before,
		  const struct disks *after);

#endif /* PCINSPECT_DISKS_H */
