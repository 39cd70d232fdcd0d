/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * terminal.h - how large the terminal is that stdout goes to.
 */
#ifndef PCINSPECT_TERMINAL_H
#define PCINSPECT_TERMINAL_H

int terminal_width(void);
int terminal_height(void);

#endif /* PCINSPECT_TERMINAL_H */
