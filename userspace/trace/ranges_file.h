/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ranges_file.h - the file of pcinspect save and restore: which pages were cached.
 */
#ifndef PCINSPECT_RANGES_FILE_H
#define PCINSPECT_RANGES_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "model/ranges.h"

void ranges_file_head(FILE *to, uint32_t page_size);
void ranges_file_add(FILE *to, const struct saved_file *file);
bool ranges_file_read(const char *path, struct saved_files *saved);
void saved_files_free(struct saved_files *saved);

#endif /* PCINSPECT_RANGES_FILE_H */
