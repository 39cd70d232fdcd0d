/* SPDX-License-Identifier: GPL-2.0 */
/*
 * cgroups.h - what is charged to cgroups, as tables and as JSON.
 */
#ifndef PCINSPECT_VIEW_CGROUPS_H
#define PCINSPECT_VIEW_CGROUPS_H

#include <stdio.h>

#include "lib/options.h"
#include "model/cgroups.h"

int cgroups_print(const struct cgroups *cgroups, const struct args *args);
int cgroups_print_list(const struct cgroups *cgroups, const struct args *args);
int cgroups_json(const struct cgroups *cgroups, FILE *to);

#endif /* PCINSPECT_VIEW_CGROUPS_H */
