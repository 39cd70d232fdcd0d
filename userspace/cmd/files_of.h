/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * files_of.h - the files of a process or a cgroup, as operands.
 */
#ifndef PCINSPECT_FILES_OF_H
#define PCINSPECT_FILES_OF_H

#include "cmd/asked.h"

int files_of(struct args *args);

#endif /* PCINSPECT_FILES_OF_H */
