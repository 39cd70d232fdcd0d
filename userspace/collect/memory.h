/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * memory.h - the kernel's counters of the machine's memory.
 */
#ifndef PCINSPECT_COLLECT_MEMORY_H
#define PCINSPECT_COLLECT_MEMORY_H

#include "model/machine.h"

bool memory_read_file_pages(uint64_t *pages);
void memory_read(struct memory *memory, bool exactly);

#endif /* PCINSPECT_COLLECT_MEMORY_H */
