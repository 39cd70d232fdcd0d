/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * draw.h - drawing the screen of files.
 */
#ifndef PCINSPECT_SCREEN_DRAW_H
#define PCINSPECT_SCREEN_DRAW_H

#include "screen/state.h"

void screen_draw(struct screen *screen);
void screen_draw_waiting(struct screen *screen, const char *what);

#endif /* PCINSPECT_SCREEN_DRAW_H */
