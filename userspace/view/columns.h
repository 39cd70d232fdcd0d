/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * columns.h - the columns of tables: their names, and what is in them.
 */
#ifndef PCINSPECT_COLUMNS_H
#define PCINSPECT_COLUMNS_H

#include "model/report.h"

/* enum column_kind - how a cell is made */
enum column_kind {
	A_NUMBER, PATH, REAL_PATH, SIZE, DEV, INO, GENERATION, FS, KIND,
	MEMCG, ORDERS, AMPLIFICATION, WRITE_AMPLIFICATION, CACHED_PERCENT,
};

/**
 * struct column - one column
 * @name: in the header and for --output; NULL: none, it is no column
 * @special: how its cells are made
 * @number: A_NUMBER: which
 * @help: one line
 */
struct column {
	const char *name;
	enum column_kind special;
	enum pcinspect_number number;
	const char *help;
};

#define MAX_COLUMNS 256

int columns_parse(const char *defaults, const char *list, const struct column **use);
int columns_check(const char *list);
const char *columns_name(size_t i, const char **help);
int columns_rank(const struct column *column);

#endif /* PCINSPECT_COLUMNS_H */
