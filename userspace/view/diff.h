/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * diff.h - differences between two reports, as text and as JSON.
 */
#ifndef PCINSPECT_VIEW_DIFF_H
#define PCINSPECT_VIEW_DIFF_H

#include <stdio.h>

#include "lib/options.h"
#include "model/diff.h"

void diff_notes(const struct diff *diff, FILE *to);
void diff_print(const struct diff *diff, const struct output *out);
int diff_json(const struct diff *diff, FILE *to);
int diff_json_save(const struct diff *diff, const char *path);

#endif /* PCINSPECT_VIEW_DIFF_H */
