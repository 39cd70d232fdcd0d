/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * machine.h - the machine on a terminal.
 */
#ifndef PCINSPECT_SCREEN_MACHINE_H
#define PCINSPECT_SCREEN_MACHINE_H

#include "lib/options.h"

int machine_screen(const struct args *args);

#endif /* PCINSPECT_SCREEN_MACHINE_H */
