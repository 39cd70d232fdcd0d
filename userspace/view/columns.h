/* SPDX-License-Identifier: GPL-2.0 */
/*
 * columns.h - the columns of tables: their names, and what is in them.
 */
#ifndef PCINSPECT_COLUMNS_H
#define PCINSPECT_COLUMNS_H

#include "model/report.h"

/* enum pcinspect_special - how a cell is made */
enum pcinspect_special {
	PAGES, BYTES, PATH, REAL_PATH, SIZE, DEV, INO, GENERATION, FS, KIND,
	MEMCG, ORDERS, AMPLIFICATION, WRITE_AMPLIFICATION, OLDEST,
};

/**
 * struct pcinspect_column - one column
 * @name: in the header and for --output
 * @special: how its cells are made
 * @field: PAGES, BYTES: which number
 * @help: one line
 */
struct pcinspect_column {
	const char *name;
	enum pcinspect_special special;
	enum pcinspect_field field;
	const char *help;
};

#define PCINSPECT_MAX_COLUMNS 128

int pcinspect_columns(const char *defaults, const char *list,
		      const struct pcinspect_column **use);
int pcinspect_table_check(const char *list);

#endif /* PCINSPECT_COLUMNS_H */
