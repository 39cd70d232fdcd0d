/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * watch_lines.h - one file's LRU state as a few plain lines with bars, for watch.
 */
#ifndef PCINSPECT_WATCH_LINES_H
#define PCINSPECT_WATCH_LINES_H

#include "model/report.h"

#define WATCH_LINES_BAR 40

void watch_lines_print(const struct file *file, const struct file *before);

#endif /* PCINSPECT_WATCH_LINES_H */
