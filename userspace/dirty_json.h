/* SPDX-License-Identifier: GPL-2.0 */
/*
 * dirty_json.h - the write side's sections of a report as JSON.
 */
#ifndef PCINSPECT_DIRTY_JSON_H
#define PCINSPECT_DIRTY_JSON_H

#include <json-c/json.h>

#include "model.h"

extern const int pcinspect_age_bounds_ms[PCINSPECT_NR_AGES];

void pcinspect_json_dirty(struct json_object *to,
			  const struct pcinspect_file *file);

#endif /* PCINSPECT_DIRTY_JSON_H */
