/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * side.h - one of two reports that are compared: what it said, read again from its file.
 */
#ifndef PCINSPECT_MODEL_SIDE_H
#define PCINSPECT_MODEL_SIDE_H

#include "model/measures.h"

/* enum side_kind - what a row is of; all but the first are found by path alone */
enum side_kind {
	SIDE_FILE, SIDE_DIRECTORY, SIDE_FILESYSTEM, SIDE_CGROUP, SIDE_PROCESS, NR_SIDE_KINDS
};

#define SIDE_NR_DONE 5

/**
 * struct side_row - one entry
 * @kind: of what
 * @within: path of the cgroup that these pages of it are charged to, NULL: all of them
 * @identified: its device and inode are known
 * @file: its path and numbers; of others than files likewise
 * @done: what all processes of one name did, which is @file's path then
 * @other: the same in the other report, NULL: it is not there
 */
struct side_row {
	enum side_kind kind;
	char *within;
	bool identified;
	struct file file;
	struct quantity done[SIDE_NR_DONE];
	struct side_row *other;
};

/* struct side_value - a number by name: of the machine, or a setting by path */
struct side_value {
	char *name;
	struct quantity value;
};

/* struct side_values - some */
struct side_values {
	struct side_value *list;
	size_t nr;
	size_t room;
};

/**
 * struct side_verdict - a verdict
 * @name: of it
 * @scope: what it is about
 * @place: file, directory, cgroup…; NULL: all there is
 * @now: @place in the other report, where a file may have another name
 * @cost: bytes
 */
struct side_verdict {
	char *name;
	char *scope;
	char *place;
	const char *now;
	struct quantity cost;
};

/**
 * struct side - a report
 * @path: of its file
 * @kernel: release; NULL: unknown, as all of these
 * @lru: which lists
 * @wall: when
 * @page_size: bytes, 0: unknown
 * @interval: how long counters ran, ns
 * @rows: its entries
 * @nr: how many
 * @room: allocated
 * @gone: inodes that it has only sums of, by filesystem
 * @run: it is of one run, from its beginning to its end
 * @processes: rows of processes by name, until side_end()
 * @unnamed: there are processes without a name
 * @unnamed_done: and what they did: any of those with one may have done it, too
 * @uncounted: there are files of which it does not say what processes did
 * @met: inodes that side_meets() was asked about, until side_end()
 * @machine: of the machine
 * @lost: what was lost
 * @settings: those that it names
 * @explained: somebody looked for what is wrong
 * @verdicts: what is
 * @nr_verdicts: how many
 * @verdicts_room: allocated
 * @audits: sums that were held against others
 * @untrusted: those that did not agree
 * @untrusted_what: the first of these
 */
struct side {
	const char *path;
	char *kernel;
	char *lru;
	char *wall;
	uint32_t page_size;
	struct quantity interval;
	struct side_row *rows;
	size_t nr;
	size_t room;
	uint64_t gone;
	bool run;
	void *processes;
	bool unnamed;
	struct quantity unnamed_done[SIDE_NR_DONE];
	bool uncounted;
	void *met;
	struct side_values machine;
	struct side_values lost;
	struct side_values settings;
	bool explained;
	struct side_verdict *verdicts;
	size_t nr_verdicts;
	size_t verdicts_room;
	size_t audits;
	size_t untrusted;
	char *untrusted_what;
};

struct side_row *side_add(struct side *side, enum side_kind kind);
bool side_measure(enum side_kind kind, size_t i, struct measure *measure);
struct quantity side_number(const struct side_row *row, size_t i);
bool side_meets(struct side *side, const struct side_row *row);
struct quantity *side_process(struct side *side, const char *name);
void side_end(struct side *side);
struct side_verdict *side_add_verdict(struct side *side);
void side_set(struct side_values *values, const char *name, struct quantity value);
void side_sort(struct side_values *values);
const struct side_value *side_value(const struct side_values *values, const char *name);
bool side_lost(const struct side *side);
void side_free(struct side *side);

#endif /* PCINSPECT_MODEL_SIDE_H */
