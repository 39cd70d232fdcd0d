/* SPDX-License-Identifier: GPL-2.0 */
/*
 * collect.h - from paths to a report.
 */
#ifndef PCINSPECT_COLLECT_H
#define PCINSPECT_COLLECT_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/audit.h"
#include "collect/mounts.h"
#include "model/report.h"

/**
 * struct pcinspect_collect - one collection
 * @device: from pcinspect_device_open()
 * @report: where the files go
 * @mounts: the caller's mount table
 * @tally: cachestat(2) beside the walk, explicit paths only
 * @ok: paths that worked
 * @failed: paths that did not, each complained about
 * @seen: inodes met by a descent, a tree of tsearch(3)
 */
struct pcinspect_collect {
	int device;
	struct pcinspect_report *report;
	struct libmnt_table *mounts;
	struct pcinspect_tally tally;
	size_t ok;
	size_t failed;
	void *seen;
};

int pcinspect_open_quietly(const char *path, int flags);
int pcinspect_collect_open(const char *path);
int pcinspect_collect_ask(struct pcinspect_collect *collect, int fd,
			  unsigned long request, struct pcinspect_file *file,
			  uint32_t *refusal);
void pcinspect_collect_path(struct pcinspect_collect *collect, const char *path,
			    unsigned long request);
void pcinspect_collect_tree(struct pcinspect_collect *collect, const char *path,
			    bool one_filesystem);
int pcinspect_collect_id(struct pcinspect_collect *collect,
			 struct pcinspect_file *file, uint64_t id);
int pcinspect_collect_rows(struct pcinspect_collect *collect,
			   unsigned long request, struct pcinspect_list *list);
bool pcinspect_row_path(const struct pcinspect_snapshot *row, char *path);
void pcinspect_collect_names(struct pcinspect_collect *collect);
bool pcinspect_collect_start(struct pcinspect_collect *collect,
			     struct pcinspect_report *report);
int pcinspect_collect_status(const struct pcinspect_collect *collect);
void pcinspect_collect_free(struct pcinspect_collect *collect);

#endif /* PCINSPECT_COLLECT_H */
