/* SPDX-License-Identifier: GPL-2.0 */
/*
 * screen.h - watch on a terminal.
 */
#ifndef PCINSPECT_SCREEN_H
#define PCINSPECT_SCREEN_H

#include "screen/watch.h"

bool pcinspect_screen_possible(void);
int pcinspect_screen_run(struct pcinspect_watch *watch);

#endif /* PCINSPECT_SCREEN_H */
