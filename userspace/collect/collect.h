/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * collect.h - from paths to a report.
 */
#ifndef PCINSPECT_COLLECT_H
#define PCINSPECT_COLLECT_H

#include <stdbool.h>
#include <stddef.h>

#include "collect/audit.h"
#include "collect/inodes.h"
#include "collect/mounts.h"
#include "lib/options.h"
#include "model/report.h"

/* The fate of a file that was printed, or added up, as it came. */
enum streamed_file {
	STREAM_FORGET,		/* but for the sums */
	STREAM_KEEP,		/* it is needed at the end */
	STREAM_STOP,		/* forget it; nobody wants more */
	STREAM_LEAVE,		/* it is no file of the report: not even the sums have it */
};

/**
 * struct collect - one collection
 * @device: from device_open()
 * @report: where the files go
 * @mounts: the caller's mount table
 * @tally: cachestat(2) beside the walk, explicit paths only
 * @ok: paths that worked
 * @failed: paths that did not, each complained about
 * @seen: inodes met by a descent
 * @owners: the inodes that have their pages
 * @what: which files of it are wanted, NULL: all
 * @left_out: the first filesystem that a descent did not go into, unasked
 * @nr_left_out: how many
 * @context: of whom a descent calls
 * @stream: what becomes of a file at once; NULL: the report keeps all
 * @stream_to: of it
 * @stop: nobody wants more
 * @scans: rows are of SCAN, no records
 */
struct collect {
	int device;
	struct report *report;
	struct libmnt_table *mounts;
	struct audit_sums tally;
	size_t ok;
	size_t failed;
	struct inode_set seen;
	struct inode_set owners;
	const struct selection *what;
	char *left_out;
	size_t nr_left_out;
	void *context;
	enum streamed_file (*stream)(void *to, const struct file *file);
	void *stream_to;
	bool stop;
	bool scans;
};

/* How far a descent goes. */
enum tree_reach {
	TREE_FILES,		/* not into /proc, /sys and the network, unless named */
	TREE_ONE_FILESYSTEM,
	TREE_ALL,
};

int collect_open_place(int place);
bool collect_owns(const struct collect *collect, const struct pcinspect_snapshot *snap);
int collect_open_inode(const char *path, int flags);
int collect_open(const char *path);
int collect_ask(struct collect *collect, int fd,
		unsigned long request, struct file *file,
		uint32_t *refusal);
void collect_stream_last(struct collect *collect);
void collect_path(struct collect *collect, const char *path, unsigned long request);
void collect_tree(struct collect *collect, const char *path, enum tree_reach reach,
		  void (*take)(struct collect *collect, const char *place, const char *name,
			       bool directory));
void collect_tree_left_out(struct collect *collect);
int collect_id(struct collect *collect, struct file *file, uint64_t id, char *place);
void collect_drop(const struct collect *collect, uint64_t id);
int collect_rows(struct collect *collect,
		 unsigned long request, struct pcinspect_list *list);
bool collect_row_path(const struct pcinspect_snapshot *row, char *path);
char *collect_absolute_path(const struct collect *collect,
			    const struct pcinspect_snapshot *row);
void collect_names(struct collect *collect);
void report_begin(struct report *report);
bool collect_start(struct collect *collect, struct report *report);
bool collect_start_without(struct collect *collect, struct report *report);
int collect_status(const struct collect *collect);
void collect_free(struct collect *collect);

#endif /* PCINSPECT_COLLECT_H */
