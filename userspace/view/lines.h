/* SPDX-License-Identifier: GPL-2.0 */
/*
 * lines.h - one file's LRU state as a few plain lines with bars, for watch.
 */
#ifndef PCINSPECT_LINES_H
#define PCINSPECT_LINES_H

#include "model/report.h"

#define PCINSPECT_BAR_WIDTH 40

void pcinspect_lines_print(const struct pcinspect_file *file,
			   const struct pcinspect_file *before);

#endif /* PCINSPECT_LINES_H */
