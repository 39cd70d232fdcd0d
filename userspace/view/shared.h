/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * shared.h - files of several cgroups, as a table and as JSON.
 */
#ifndef PCINSPECT_VIEW_SHARED_H
#define PCINSPECT_VIEW_SHARED_H

#include <stdio.h>

#include "lib/options.h"
#include "model/shared.h"

int shared_print(const struct shared *shared, const struct output *out);
int shared_json(const struct shared *shared, FILE *to);

#endif /* PCINSPECT_VIEW_SHARED_H */
