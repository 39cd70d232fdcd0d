/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * machine.h - the machine on a terminal.
 */
#ifndef PCINSPECT_SCREEN_MACHINE_H
#define PCINSPECT_SCREEN_MACHINE_H

#include "lib/options.h"

int machine_screen(enum machine_per per, enum machine_key key, const struct pace *pace,
		   const struct output *out);

#endif /* PCINSPECT_SCREEN_MACHINE_H */
