/* SPDX-License-Identifier: GPL-2.0 */
/*
 * file_list.h - the files of --files-from.
 */
#ifndef PCINSPECT_FILE_LIST_H
#define PCINSPECT_FILE_LIST_H

#include "lib/options.h"

int file_list_read(struct args *args);
void file_list_free(struct args *args);

#endif /* PCINSPECT_FILE_LIST_H */
