/* SPDX-License-Identifier: GPL-2.0 */
/*
 * file_name.h - what a row of the LRU lists is called: in tables and JSON of the machine, of
 * cgroups, of what goes next.
 */
#ifndef PCINSPECT_FILE_NAME_H
#define PCINSPECT_FILE_NAME_H

#include <stdbool.h>
#include <stdint.h>

#include "uapi/pcinspect.h"

struct json_object;

char *listed_place(const struct pcinspect_list_file *row, const char *path, bool elsewhere,
		   const char *behind);
const char *listed_deleted(uint32_t flags);
char *listed_file(const struct pcinspect_list_file *row, const char *path, bool elsewhere);
struct json_object *listed_json_device(const struct pcinspect_list_file *row);
void listed_json_place(struct json_object *to, const char *path, bool elsewhere);
void listed_json_file(struct json_object *to, const struct pcinspect_list_file *row,
		      const char *path, bool elsewhere);

#endif /* PCINSPECT_FILE_NAME_H */
