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
 */
struct pcinspect_file {
	char *path;
	char *real_path;
	struct pcinspect_snapshot snap;
	bool gone;
	char *memcg_paths[PCINSPECT_NR_MEMCGS];
};

/**
 * struct pcinspect_audit - one of our sums beside an independent counter
 * @what: which sum
 * @ours: it
 * @theirs_min: the counter before
 * @theirs: the counter after
 * @source: where the counter is from
 */
struct pcinspect_audit {
	const char *what;
	uint64_t ours;
	uint64_t theirs_min;
	uint64_t theirs;
	const char *source;
};

#define PCINSPECT_NR_AUDITS 4

/**
 * struct pcinspect_report - everything one command has to say
 * @files: entries
 * @nr_files: how many
 * @room: entries allocated
 * @gone: sums of retired records, path unset
 * @nr_gone: how many
 * @gone_room: allocated
 * @audits: reconciliations
 * @nr_audits: how many
 * @about: of the module
 * @skipped: inodes of busy filesystems
 * @time_ns: CLOCK_MONOTONIC
 * @device: ask for memory cgroup paths there; -1 in tests
 */
struct pcinspect_report {
	struct pcinspect_file *files;
	size_t nr_files;
	size_t room;
	struct pcinspect_file *gone;
	size_t nr_gone;
	size_t gone_room;
	struct pcinspect_audit audits[PCINSPECT_NR_AUDITS];
	size_t nr_audits;
	struct pcinspect_about about;
	uint64_t skipped;
	uint64_t time_ns;
};

struct pcinspect_file *pcinspect_report_add(struct pcinspect_report *report,
					    const char *path);
struct pcinspect_file *pcinspect_report_add_gone(struct pcinspect_report *report);
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
	NR_FIELDS
};

bool pcinspect_file_number(const struct pcinspect_file *file,
			   enum pcinspect_field field, uint64_t *value);

#endif /* PCINSPECT_MODEL_H */
