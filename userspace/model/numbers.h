/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * numbers.h - the numbers of a file, as the module gave them.
 */
#ifndef PCINSPECT_MODEL_NUMBERS_H
#define PCINSPECT_MODEL_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

#include "uapi/pcinspect.h"

struct file;

/**
 * struct number_row - what there is to say of a number; see numbers_table.h
 * @name: in debugfs
 * @heading: of its column, NULL: it has none
 * @unit: what it counts
 * @class: what it is worth
 * @json: where JSON has it, in words of keys; NULL: nowhere
 * @needs: without which flags of a snapshot it is unknown
 * @help: one line
 */
struct number_row {
	const char *name;
	const char *heading;
	enum pcinspect_unit unit;
	enum pcinspect_class class;
	const char *json;
	uint32_t needs;
	const char *help;
};

extern const struct number_row number_rows[PCINSPECT_NR_NUMBERS];

bool file_number(const struct file *file, enum pcinspect_number number, uint64_t *value);
/**
 * enum oldest - how well the age of a file's oldest dirty page is known
 * @OLDEST_UNKNOWN: not at all
 * @OLDEST_NONE: no page is dirty
 * @OLDEST_KNOWN: every dirty page has an age
 * @OLDEST_ABOUT: some have none; the inode became dirty that long ago
 * @OLDEST_MORE: some have none; one page is that old, others may be older
 */
enum oldest { OLDEST_UNKNOWN, OLDEST_NONE, OLDEST_KNOWN, OLDEST_ABOUT, OLDEST_MORE };

enum oldest file_oldest(const struct file *file, uint64_t *ms);
bool number_known(const struct file *file, enum pcinspect_number number);
uint64_t number_of(const struct file *file, enum pcinspect_number number);
uint64_t number_counted(const struct file *file, enum pcinspect_number number);
bool numbers_sum(const struct file *file, enum pcinspect_number first, int nr,
		 uint64_t *sum);
bool file_inserted_sum(const struct file *file, uint64_t *sum);
bool file_removed_sum(const struct file *file, uint64_t *sum);
uint64_t file_inserted(const struct file *file);
uint64_t file_removed(const struct file *file);
uint64_t file_size_pages(const struct file *file);
bool file_cached_percent(const struct file *file, double *percent);
bool file_amplification(const struct file *file, double *factor);
bool file_write_amplification(const struct file *file, double *factor);

#endif /* PCINSPECT_MODEL_NUMBERS_H */
