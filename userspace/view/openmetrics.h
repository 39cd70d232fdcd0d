/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * openmetrics.h - the machine, its cgroups and tracked files as metrics.
 */
#ifndef PCINSPECT_OPENMETRICS_H
#define PCINSPECT_OPENMETRICS_H

#include <stdio.h>

#include "model/machine.h"

/**
 * struct metrics - what is exported
 * @machine: the machine; its list is of cgroups, the first ones are exported
 * @files: tracked files, the first ones are exported; losses since the module was loaded;
 *	verdicts about them
 * @limit: cgroups, files and verdicts at most, 0: all
 */
struct metrics {
	const struct machine *machine;
	const struct report *files;
	size_t limit;
};

int openmetrics_write(const struct metrics *metrics, FILE *to);
int openmetrics_save(const struct metrics *metrics, const char *path);

#endif /* PCINSPECT_OPENMETRICS_H */
