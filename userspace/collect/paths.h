/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * paths.h - a whole report on the paths of a command.
 */
#ifndef PCINSPECT_PATHS_H
#define PCINSPECT_PATHS_H

#include "collect/collect.h"
#include "lib/options.h"

int collect_paths(struct collect *collect, const struct selection *what);

#endif /* PCINSPECT_PATHS_H */
