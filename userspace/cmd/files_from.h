/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * files_from.h - the files of --files-from.
 */
#ifndef PCINSPECT_FILES_FROM_H
#define PCINSPECT_FILES_FROM_H

#include "cmd/asked.h"

void files_from_begin(struct args *args);
void files_from_add(struct args *args, const char *name);
int files_from_read(struct args *args);
void files_from_free(struct args *args);

#endif /* PCINSPECT_FILES_FROM_H */
