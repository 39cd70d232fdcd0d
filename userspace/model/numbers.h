/* SPDX-License-Identifier: GPL-2.0 */
/*
 * numbers.h - the numbers of a file.
 */
#ifndef PCINSPECT_FIELDS_H
#define PCINSPECT_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

struct file;

/**
 * enum file_field - every number of a file that has a column
 */
enum file_field {
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
bool field_is_bytes(enum file_field field);
uint64_t file_inserted(const struct file *file);
uint64_t file_removed(const struct file *file);
bool file_amplification(const struct file *file, double *factor);
bool file_write_amplification(const struct file *file, double *factor);
bool file_number(const struct file *file, enum file_field field, uint64_t *value);

#endif /* PCINSPECT_FIELDS_H */
