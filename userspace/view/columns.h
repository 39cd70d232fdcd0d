/* SPDX-License-Identifier: GPL-2.0 */
/*
 * columns.h - the columns of tables: their names, and what is in them.
 */
#ifndef PCINSPECT_COLUMNS_H
#define PCINSPECT_COLUMNS_H

#include "model/report.h"

/* enum column_kind - how a cell is made */
enum column_kind {
	PAGES, BYTES, PATH, REAL_PATH, SIZE, DEV, INO, GENERATION, FS, KIND,
	MEMCG, ORDERS, AMPLIFICATION, WRITE_AMPLIFICATION, OLDEST,
};

/**
 * struct column - one column
 * @name: in the header and for --output
 * @special: how its cells are made
 * @field: PAGES, BYTES: which number
 * @help: one line
 */
struct column {
	const char *name;
	enum column_kind special;
	enum file_field field;
	const char *help;
};

#define MAX_COLUMNS 128

int columns_parse(const char *defaults, const char *list, const struct column **use);
int columns_check(const char *list);

#endif /* PCINSPECT_COLUMNS_H */
