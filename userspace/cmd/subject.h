/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * subject.h - the subject of a report on all files.
 */
#ifndef PCINSPECT_CMD_SUBJECT_H
#define PCINSPECT_CMD_SUBJECT_H

#include <libmount.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "cmd/asked.h"
#include "model/report.h"

/**
 * struct subject - what the question is about; of several members the one that is set
 * @disk: a disk
 * @pid: a process
 * @cgroup: the path of a cgroup within the hierarchy (v2)
 * @path: a file or directory, its full path
 * @st: of it
 * @is_mount: it is all of a filesystem
 */
struct subject {
	const char *disk;
	uint32_t pid;
	const char *cgroup;
	char *path;
	struct stat st;
	bool is_mount;
};

int subject_mounts(struct subject *subject, struct libmnt_table *mounts, struct args *args);
bool subject_keep(struct report *report, const struct subject *subject, const char *word);

#endif /* PCINSPECT_CMD_SUBJECT_H */
