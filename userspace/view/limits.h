/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * limits.h - results of limits: a line each, and "assert" of a report.
 */
#ifndef PCINSPECT_VIEW_LIMITS_H
#define PCINSPECT_VIEW_LIMITS_H

#include "lib/options.h"
#include "model/limits.h"

struct jsonw;

void limits_print_names(void);
char *limit_measured(const struct limit *limit, bool human);
void limits_print(const struct limits *limits, const struct output *out);
void json_limits(struct jsonw *w, const struct limits *limits);

#endif /* PCINSPECT_VIEW_LIMITS_H */
