/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * output.h - errors of stdout.
 */
#ifndef PCINSPECT_OUTPUT_H
#define PCINSPECT_OUTPUT_H

#include <stdbool.h>

void output_begin(void);
void output_survives(void);
bool output_failed(void);
void output_untrusted(void);
int output_end(int status);

#endif /* PCINSPECT_OUTPUT_H */
