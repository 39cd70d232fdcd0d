/* SPDX-License-Identifier: GPL-2.0 */
/*
 * machine.h - the machine as a table and as JSON; the words of --per and --by.
 */
#ifndef PCINSPECT_VIEW_MACHINE_H
#define PCINSPECT_VIEW_MACHINE_H

#include <stdio.h>

#include "lib/options.h"
#include "model/machine.h"

#define MACHINE_CELLS 13

/**
 * struct machine_column - one column of the list
 * @name: its heading
 * @key: the order by it, NR_MACHINE_KEYS: none
 */
struct machine_column {
	const char *name;
	enum machine_key key;
};

const char *machine_per_name(size_t per);
const char *machine_key_name(size_t key);
int machine_columns(enum machine_per per, enum machine_key key,
		    struct machine_column columns[MACHINE_CELLS]);
const char *machine_column(size_t i);
int machine_check(const struct args *args, bool live);
bool machine_unknown(const struct machine *machine, char *out, size_t size);
char *machine_cell(const struct machine *machine, const struct machine_row *row,
		   const struct machine_column *column, const struct args *args);
void machine_head(const struct machine *machine, const struct machine *before, int line,
		  char *out, size_t size);
int machine_print(const struct machine *machine, const struct machine *before,
		  const struct args *args);
int machine_json(const struct machine *machine, const struct machine *before, bool pretty,
		 FILE *to);
int machine_json_save(const struct machine *machine, const struct machine *before,
		      const char *path);

#endif /* PCINSPECT_VIEW_MACHINE_H */
