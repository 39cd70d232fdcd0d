/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * terminal.h - the size of the terminal on stdout.
 */
#ifndef PCINSPECT_TERMINAL_H
#define PCINSPECT_TERMINAL_H

int terminal_width(void);
int terminal_height(void);

#endif /* PCINSPECT_TERMINAL_H */
