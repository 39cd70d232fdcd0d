/* SPDX-License-Identifier: GPL-2.0 */
/*
 * listed.h - what a row of the LRU lists is called: in tables of the machine, of cgroups,
 * of what goes next.
 */
#ifndef PCINSPECT_LISTED_H
#define PCINSPECT_LISTED_H

#include <stdbool.h>

#include "uapi/pcinspect.h"

char *listed_place(const struct pcinspect_list_file *row, const char *path, bool elsewhere,
		   const char *behind);
char *listed_file(const struct pcinspect_list_file *row, const char *path, bool elsewhere);

#endif /* PCINSPECT_LISTED_H */
