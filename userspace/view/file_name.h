/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * file_name.h - the name of a row of the LRU lists: in tables and JSON of the machine, of
 * cgroups, of what goes next.
 */
#ifndef PCINSPECT_FILE_NAME_H
#define PCINSPECT_FILE_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include "uapi/pcinspect.h"

struct jsonw;

char *file_name_place(const struct pcinspect_list_file *row, const char *path, bool elsewhere,
		   const char *behind);
const char *file_name_deleted(uint32_t flags);
char *file_name_text(const struct pcinspect_list_file *row, const char *path, bool elsewhere);
void file_name_json_place(struct jsonw *w, const char *path, bool elsewhere);
void file_name_json(struct jsonw *w, const struct pcinspect_list_file *row, const char *path,
		    bool elsewhere);

#endif /* PCINSPECT_FILE_NAME_H */
