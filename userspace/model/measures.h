/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * measures.h - single numbers of a file, or of all files, by name: every
 * number of the table, and what is made of several.
 */
#ifndef PCINSPECT_MODEL_MEASURES_H
#define PCINSPECT_MODEL_MEASURES_H

#include "model/numbers.h"
#include "model/report.h"

/**
 * struct measure - one of them
 * @name: that of its number, or of its own
 * @unit: as of struct number_row, "ratio" or "percent"
 * @help: one line
 * @column: tables have a column of it
 */
struct measure {
	const char *name;
	const char *unit;
	const char *help;
	bool column;
};

/**
 * struct quantity - what a measure comes to
 * @known: it is known
 * @whole: it is a count: @count is exact
 * @count: it, where it is one
 * @value: it
 */
struct quantity {
	bool known;
	bool whole;
	uint64_t count;
	double value;
};

bool measure_get(size_t i, struct measure *measure);
bool measure_find(const char *name, size_t len, size_t *i);
const char *measure_like(const char *name, size_t len);
struct quantity measure_of(const struct file *file, size_t i);
struct quantity quantity_count(uint64_t count);
struct quantity quantity_value(double value);
bool quantity_same(const struct quantity *a, const struct quantity *b);
bool quantity_bytes(const struct measure *measure, const struct quantity *quantity,
		    uint32_t page_size, double *bytes);

#endif /* PCINSPECT_MODEL_MEASURES_H */
