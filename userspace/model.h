/* SPDX-License-Identifier: GPL-2.0 */
/*
 * model.h - what a report says, as structs. Collected once (collect.c),
 * rendered as table, lines or JSON; no renderer asks the kernel anything.
 */
#ifndef PCINSPECT_MODEL_H
#define PCINSPECT_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "pcinspect.h"

/**
 * struct pcinspect_file - one entry of a report
 * @path: as typed, or absolute; raw bytes; NULL if no name is known
 * @real_path: where the pages belong to another path (overlayfs), else NULL
 * @snap: what the module said; meaningless when @gone
 * @gone: was tracked, has been deleted or unmounted since
 * @memcg_paths: of @snap.memcgs, NULL where unknown
 * @reads: the read ledger, or NULL: the inode has none
 * @writes: the write ledger, beside it
 * @windows: readahead windows, oldest first
 * @nr_windows: how many are kept
 * @fsyncs: fsync calls, oldest first
 * @nr_fsyncs: how many are kept
 */
struct pcinspect_file {
	char *path;
	char *real_path;
	struct pcinspect_snapshot snap;
	bool gone;
	char *memcg_paths[PCINSPECT_NR_MEMCGS];
	struct pcinspect_reads *reads;
	struct pcinspect_writes *writes;
	struct pcinspect_window *windows;
	size_t nr_windows;
	struct pcinspect_fsync *fsyncs;
	size_t nr_fsyncs;
};

/**
 * struct pcinspect_audit - one of our sums beside an independent counter
 * @what: which sum
 * @major: of which device, with @minor; 0:0 for none
 * @minor: likewise
 * @ours: it
 * @theirs_min: the counter before
 * @theirs: the counter after
 * @source: where the counter is from
 */
struct pcinspect_audit {
	const char *what;
	unsigned int major;
	unsigned int minor;
	uint64_t ours;
	uint64_t theirs_min;
	uint64_t theirs;
	const char *source;
};

#define PCINSPECT_NR_AUDITS (8 + 3 * PCINSPECT_NR_DEVICES)

/**
 * struct pcinspect_device - what one device did during a run
 * @row: our counts
 * @gone_bytes: of @row.file_bytes, for inodes that are gone
 * @theirs: the device's own counter of bytes read
 * @theirs_written: of bytes written
 * @name: as in /sys/block
 */
struct pcinspect_device {
	struct pcinspect_device_row row;
	uint64_t gone_bytes;
	uint64_t theirs;
	uint64_t theirs_written;
	char name[32];
};

/**
 * struct pcinspect_losses - what could not be counted
 * @known: the module was asked
 * @windows: readahead windows without memory
 * @ledgers: inodes without memory for a ledger
 * @frames: calls that could not be followed
 * @dirty_times: dirty folios without memory for their time
 * @probes_missed: calls no probe saw
 * @hooks_missing: hooks this kernel lacks
 */
struct pcinspect_losses {
	bool known;
	uint64_t windows;
	uint64_t ledgers;
	uint64_t frames;
	uint64_t dirty_times;
	uint64_t probes_missed;
	uint64_t hooks_missing;
};

/**
 * struct pcinspect_report - everything one command has to say
 * @files: entries
 * @nr_files: how many
 * @room: entries allocated
 * @gone: sums of retired records, path unset
 * @nr_gone: how many
 * @gone_room: allocated
 * @names: further inodes, whose paths are of use
 * @nr_names: how many
 * @names_room: allocated
 * @devices: of a run
 * @nr_devices: how many
 * @losses: of the read side
 * @explain: verdicts are wanted
 * @interval_ns: how long a run took, 0: no run
 * @written_file_pages: whose writeback ended during a run, of inodes with a
 *	ledger
 * @written_other_pages: of all else
 * @dirty_threshold_pages: the global one, 0: unknown
 * @audits: reconciliations
 * @nr_audits: how many
 * @about: of the module
 * @skipped: inodes of busy filesystems
 * @time_ns: CLOCK_MONOTONIC
 */
struct pcinspect_report {
	struct pcinspect_file *files;
	size_t nr_files;
	size_t room;
	struct pcinspect_file *gone;
	size_t nr_gone;
	size_t gone_room;
	struct pcinspect_file *names;
	size_t nr_names;
	size_t names_room;
	struct pcinspect_device devices[PCINSPECT_NR_DEVICES];
	size_t nr_devices;
	struct pcinspect_losses losses;
	bool explain;
	uint64_t interval_ns;
	uint64_t written_file_pages;
	uint64_t written_other_pages;
	uint64_t dirty_threshold_pages;
	struct pcinspect_audit audits[PCINSPECT_NR_AUDITS];
	size_t nr_audits;
	struct pcinspect_about about;
	uint64_t skipped;
	uint64_t time_ns;
};

struct pcinspect_file *pcinspect_report_add(struct pcinspect_report *report,
					    const char *path);
struct pcinspect_file *pcinspect_report_add_gone(struct pcinspect_report *report);
struct pcinspect_file *pcinspect_report_add_name(struct pcinspect_report *report);
void pcinspect_file_take(struct pcinspect_file *file,
			 const struct pcinspect_snapshot *row);
const char *pcinspect_report_name(const struct pcinspect_report *report,
				  const struct pcinspect_culprit *culprit);
void pcinspect_report_free(struct pcinspect_report *report);
void pcinspect_file_free(struct pcinspect_file *file);
void pcinspect_report_audit(struct pcinspect_report *report, const char *what,
			    uint64_t ours, uint64_t theirs_min, uint64_t theirs,
			    const char *source);
bool pcinspect_audit_ok(const struct pcinspect_audit *audit);
const char *pcinspect_report_lru(const struct pcinspect_report *report);
uint64_t pcinspect_report_interval(const struct pcinspect_report *report);

/**
 * enum pcinspect_field - every number of a file that has a column
 */
enum pcinspect_field {
	FIELD_CACHED, FIELD_ACTIVE, FIELD_INACTIVE, FIELD_UNEVICTABLE,
	FIELD_OFF_LRU, FIELD_DIRTY, FIELD_WRITEBACK, FIELD_MAPPED,
	FIELD_REFERENCED, FIELD_WORKINGSET, FIELD_EVICTED,
	FIELD_GEN0, FIELD_GEN1, FIELD_GEN2, FIELD_GEN3,
	FIELD_INSERTED, FIELD_REMOVED,
	FIELD_DEMANDED, FIELD_DEVICE_READ, FIELD_FAULTS,
	FIELD_SYNC, FIELD_ASYNC, FIELD_AROUND, FIELD_FORCED, FIELD_WRITE,
	FIELD_OTHER, FIELD_EXPANDED, FIELD_HOLE, FIELD_REFAULT, FIELD_WASTED,
	FIELD_UNKNOWN, FIELD_RECLAIM, FIELD_TRUNCATE, FIELD_INVALIDATE,
	FIELD_EVICT, FIELD_TRIM, FIELD_REMOVED_OTHER,
	FIELD_DIRECT_READ, FIELD_DIRECT_WRITE, FIELD_FLUSHED,
	FIELD_INVALIDATED, FIELD_UNKNOWN_AGE,
	FIELD_WRITE_BYTES, FIELD_DEVICE_WRITE, FIELD_DIRTIED, FIELD_REDIRTIED,
	FIELD_WRITTEN,
	NR_FIELDS
};

/* Is the number of bytes, or of events, and not of pages? */
bool pcinspect_field_is_bytes(enum pcinspect_field field);
uint64_t pcinspect_file_inserted(const struct pcinspect_file *file);
uint64_t pcinspect_file_removed(const struct pcinspect_file *file);
bool pcinspect_file_amplification(const struct pcinspect_file *file,
				  double *factor);
bool pcinspect_file_write_amplification(const struct pcinspect_file *file,
					double *factor);
bool pcinspect_file_number(const struct pcinspect_file *file,
			   enum pcinspect_field field, uint64_t *value);

#endif /* PCINSPECT_MODEL_H */
