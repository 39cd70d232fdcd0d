/* SPDX-License-Identifier: GPL-2.0 */
/*
 * domains.h - the machine, or a cgroup, over a little time: what the rules of
 * explain --machine and --cgroup look at.
 */
#ifndef PCINSPECT_DOMAINS_H
#define PCINSPECT_DOMAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/report.h"

/* enum place_number - what is known of a place, in pages but where it says so */
enum place_number {
	PLACE_CAPACITY,		/* memory of the machine, or the cgroup's limit */
	PLACE_USED,		/* of it: memory.current; what is not available */
	PLACE_ACTIVE,		/* of files, as the kernel counts them */
	PLACE_INACTIVE,
	PLACE_ANON,
	PLACE_SHMEM,
	PLACE_KERNEL,
	PLACE_SWAP_FREE,	/* of the machine: where anonymous memory can go */
	PLACE_DIRTY,		/* with what is under writeback */
	PLACE_DIRTY_WAIT,	/* from so many on writers are made to wait */
	PLACE_DIRTY_LIMIT,	/* and so many there never are */
	PLACE_REFAULTS,		/* since the first look: read again after an eviction */
	PLACE_READ,		/* likewise: read from devices */
	PLACE_RECLAIMED,	/* likewise: taken by reclaim */
	PLACE_STALLED_US,	/* likewise, us: somebody waited for memory */
	NR_PLACE_NUMBERS
};

/**
 * struct place - the machine or a cgroup
 * @path: of the cgroup within the hierarchy; NULL: the machine
 * @known: bits of enum place_number
 * @numbers: by it
 * @limit: which limit @numbers[PLACE_CAPACITY] is; its len is 0: of the machine, or none
 * @inferred: PLACE_DIRTY_WAIT is worked out from the limit
 */
struct place {
	char *path;
	uint32_t known;
	uint64_t numbers[NR_PLACE_NUMBERS];
	struct memcg_limit limit;
	bool inferred;
};

/**
 * struct whole_file - a file that stands out
 * @path: raw; NULL: it has no name, or there is no such file
 * @here: @path leads to it in our mount namespace
 * @elsewhere: its filesystem, @dev_major:@dev_minor, is not mounted here
 * @pages: cached, of the place
 * @active: of them; @mapped and @dirty likewise
 * @grown: more than at the first look
 * @grown_known: that is known
 * @pid: who has it open, 0: nobody known; of deleted files only
 * @fd: by this number
 * @comm: the name of that process
 */
struct whole_file {
	char *path;
	bool here;
	bool elsewhere;
	uint32_t dev_major, dev_minor;
	uint64_t pages;
	uint64_t active;
	uint64_t mapped;
	uint64_t dirty;
	int64_t grown;
	bool grown_known;
	uint32_t pid;
	int fd;
	char comm[16];
};

/**
 * struct whole - all that was seen
 * @report: gets the verdicts
 * @places: what was asked for first; then, of the machine, cgroups that have a limit
 * @nr_places: how many
 * @interval_ns: between the two looks
 * @largest: the file with most pages
 * @dirtiest: with most dirty ones
 * @deleted: with most pages of those that are deleted
 * @deleted_pages: of all that are
 * @deleted_files: how many
 */
struct whole {
	struct report *report;
	struct place *places;
	size_t nr_places;
	uint64_t interval_ns;
	struct whole_file largest;
	struct whole_file dirtiest;
	struct whole_file deleted;
	uint64_t deleted_pages;
	uint64_t deleted_files;
};

void place_set(struct place *place, enum place_number number, uint64_t value);
bool place_number(const struct place *place, enum place_number number, uint64_t *value);
uint64_t place_of(const struct place *place, enum place_number number);
struct place *whole_add(struct whole *whole, const char *path);
bool whole_deleted_matter(const struct whole *whole);
bool place_below(const struct place *below, const struct place *above);
void whole_free(struct whole *whole);

#endif /* PCINSPECT_DOMAINS_H */
