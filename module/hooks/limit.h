/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * limit.h - how much of a CPU the probes may take.
 */
#ifndef PCINSPECT_LIMIT_H
#define PCINSPECT_LIMIT_H

#include <linux/types.h>

void pcinspect_limit_init(void (*step_back)(void));
void pcinspect_limit_watch(bool watch);
void pcinspect_limit_exit(void);
unsigned int pcinspect_limit_permille(void);
unsigned int pcinspect_limit_max(void);

#endif /* PCINSPECT_LIMIT_H */
