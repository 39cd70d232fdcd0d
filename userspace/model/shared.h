/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shared.h - files that several cgroups have to do with: the model of "cgroup --shared".
 */
#ifndef PCINSPECT_SHARED_H
#define PCINSPECT_SHARED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/listed.h"
#include "model/report.h"
#include "uapi/pcinspect.h"

/**
 * struct shared_part - what one cgroup has to do with a file
 * @cgroup: its number
 * @pages: of the file that are charged to it
 * @uses: a task of it has the file open or mapped now
 */
struct shared_part {
	uint64_t cgroup;
	uint64_t pages;
	bool uses;
};

/**
 * struct shared_file - a file
 * @file: its row, of all cgroups
 * @parts: of cgroups: by number, and once it is finished most pages first
 * @nr_parts: how many
 * @parts_room: allocated
 * @twins: others have the same device and number (btrfs): nobody knows which is used
 */
struct shared_file {
	struct listed_file file;
	struct shared_part *parts;
	size_t nr_parts;
	size_t parts_room;
	bool twins;
};

/* struct shared_cgroup - a cgroup by its number; @path is NULL once its directory is gone */
struct shared_cgroup {
	uint64_t id;
	char *path;
};

/**
 * struct shared - the answer
 * @report: moment and machine; its files are not used
 * @files: those of several cgroups, most pages first, once it is finished
 * @nr_files: how many
 * @room: allocated
 * @cgroups: all there are, by number
 * @nr_cgroups: how many
 * @hidden: files that could not be told apart
 * @busy: filesystems whose files have no name for this reason
 */
struct shared {
	struct report *report;
	struct shared_file *files;
	size_t nr_files;
	size_t room;
	struct shared_cgroup *cgroups;
	size_t nr_cgroups;
	uint64_t hidden;
	uint32_t busy;
};

void shared_add_cgroup(struct shared *shared, uint64_t id, char *path);
void shared_add(struct shared *shared, const struct pcinspect_list_file *row, const char *path,
		bool elsewhere);
void shared_sort(struct shared *shared);
const struct shared_cgroup *shared_cgroup(const struct shared *shared, uint64_t id);
void shared_use(struct shared *shared, uint32_t dev_major, uint32_t dev_minor, uint64_t ino,
		uint64_t cgroup);
void shared_finish(struct shared *shared, const char *const *only, size_t nr_only);
void shared_free(struct shared *shared);

#endif /* PCINSPECT_SHARED_H */
