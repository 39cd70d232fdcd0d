/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file.h - the entry of one file in a report.
 */
#ifndef PCINSPECT_MODEL_FILE_H
#define PCINSPECT_MODEL_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uapi/pcinspect.h"

/**
 * struct file - one entry of a report
 * @path: as typed, or absolute; raw bytes; NULL if no name is known
 * @real_path: where the pages belong to another path (overlayfs), else NULL
 * @snap: what the module said; meaningless when @gone
 * @page_size: bytes per page of its machine
 * @size_pages: of a sum, pages that all sizes take, each by itself; 0: of one file
 * @gone: was tracked, has been deleted or unmounted since
 * @told: that it is gone was told (watch)
 * @renamed: where it is now, if that is not @path; else NULL (watch)
 * @replaced: how often @path came to lead to another inode (watch)
 * @replaced_ino: the inode before, if it did
 * @scanned: top --scan met it, no record told of it
 * @again: the same inode has been an entry before
 * @held: the report does not speak of it: it holds memory that others miss
 * @plain: there was no module to ask: the generation and much else are unknown
 * @unmounted: of a row of files that are gone: so is their filesystem
 * @memcg_paths: of @snap.memcgs, NULL where unknown
 * @who: who used it, or NULL: the inode has no ledger
 * @windows: readahead windows, oldest first
 * @nr_windows: how many are kept
 * @fsyncs: fsync calls, oldest first
 * @nr_fsyncs: how many are kept
 * @before_ns: the module was asked between this, 0: not noted
 * @after_ns: and this
 */
struct file {
	char *path;
	char *real_path;
	struct pcinspect_snapshot snap;
	uint32_t page_size;
	uint64_t size_pages;
	bool gone;
	bool told;
	char *renamed;
	unsigned int replaced;
	uint64_t replaced_ino;
	bool scanned;
	bool again;
	bool held;
	bool plain;
	bool unmounted;
	char *memcg_paths[PCINSPECT_NR_MEMCGS];
	struct pcinspect_who *who;
	struct pcinspect_window *windows;
	size_t nr_windows;
	struct pcinspect_fsync *fsyncs;
	size_t nr_fsyncs;
	uint64_t before_ns;
	uint64_t after_ns;
};

#endif /* PCINSPECT_MODEL_FILE_H */
