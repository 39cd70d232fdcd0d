/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * screen.h - watch on a terminal.
 */
#ifndef PCINSPECT_SCREEN_H
#define PCINSPECT_SCREEN_H

#include "screen/watch.h"

int screen_pages(struct ticks *ticks, char *(*make)(void *context, int rows), void *context);
int screen_run(struct watch *watch);

#endif /* PCINSPECT_SCREEN_H */
