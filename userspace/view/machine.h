/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * machine.h - the machine as a table and as JSON; the words of --per and --by.
 */
#ifndef PCINSPECT_VIEW_MACHINE_H
#define PCINSPECT_VIEW_MACHINE_H

#include <stdio.h>

#include "lib/options.h"
#include "model/field.h"
#include "model/machine.h"

extern const struct fields machine_fields, memory_fields, demand_fields, machine_row_fields;

const char *machine_per_name(size_t per);
const char *machine_key_name(size_t key);
struct fields machine_list(enum machine_per per, enum machine_key key, bool live);
bool machine_unknown(const struct machine *machine, char *out, size_t size);
char *machine_head(const struct machine *walked, const struct machine *now,
		   const struct machine *before, int line, int width);
int machine_print(const struct machine *machine, const struct machine *before,
		  const struct output *out);
int machine_json(const struct machine *machine, const struct machine *before, bool pretty,
		 FILE *to);
int machine_json_save(const struct machine *machine, const struct machine *before,
		      const char *path);

#endif /* PCINSPECT_VIEW_MACHINE_H */
