/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * csv.h - cells of comma-separated values.
 */
#ifndef PCINSPECT_CSV_H
#define PCINSPECT_CSV_H

#include <stdbool.h>

void csv_put(const char *text, bool first);
void csv_end(void);

#endif /* PCINSPECT_CSV_H */
