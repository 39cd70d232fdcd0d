/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * idle_files.h - files that hold the memory that those of a report lack.
 */
#ifndef PCINSPECT_IDLE_FILES_H
#define PCINSPECT_IDLE_FILES_H

#include "collect/collect.h"

void idle_files_read(struct collect *collect);
void idle_files_tracked(struct collect *collect);

#endif /* PCINSPECT_IDLE_FILES_H */
