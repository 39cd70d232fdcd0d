/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * next.h - the next pages of reclaim, as a table and as JSON.
 */
#ifndef PCINSPECT_VIEW_NEXT_H
#define PCINSPECT_VIEW_NEXT_H

#include <stdio.h>

#include "lib/options.h"
#include "model/field.h"
#include "model/next.h"

extern const struct fields next_file_fields;
int next_print(const struct next *next, const struct output *out);
int next_json(const struct next *next, bool order, FILE *to);

#endif /* PCINSPECT_VIEW_NEXT_H */
